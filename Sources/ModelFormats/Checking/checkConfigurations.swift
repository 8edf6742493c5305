public import ManagedModel

/// Configurations name entities that exist and keep families together: parent and child share a table, so one
/// store must hold both (MC1701).
@Sendable func checkConfigurations(_ index: ModelIndex) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  for configuration in index.model.configurations {
    let subject = ModelSubject(key: "configurations.\(configuration.name)")
    if configuration.name.isEmpty || configuration.name.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      findings.append(.invalidName(configuration.name, "a configuration's name", subject))
    }
    let members = Set(configuration.entityNames)
    for name in configuration.entityNames {
      if !index.hasEntity(named: name) {
        findings.append(.unknownMember(name, of: configuration.name, subject, among: index.entityNames))
      } else if let parent = index.hierarchy.superentityName(of: name), !members.contains(parent) {
        findings.append(.splitFamily(name, parent, configuration.name, subject))
      }
    }
  }
  return findings
}

/// Fetch requests and fetched properties ask for entities that exist (MC1601).
@Sendable func checkFetchRequests(_ index: ModelIndex) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  for request in index.model.fetchRequestTemplates where !index.hasEntity(named: request.entityName) {
    let subject = ModelSubject(key: "fetchRequests.\(request.name).entity")
    findings.append(
      .unknownFetchEntity(request.entityName, "fetch request '\(request.name)'", subject, index))
  }
  for entity in index.model.entities {
    for property in entity.fetchedProperties where !index.hasEntity(named: property.fetchRequest.entityName) {
      let subject = ModelSubject(entity: entity.name, property: property.name, key: "entity")
      let name = "'\(entity.name).\(property.name)'"
      findings.append(.unknownFetchEntity(property.fetchRequest.entityName, name, subject, index))
    }
  }
  return findings
}

extension Diagnostic.Code {
  public static let configurationMember = Self("MC1701")
  public static let unknownFetchEntity = Self("MC1601")
}

extension Diagnostic {
  fileprivate static func unknownMember(
    _ name: String, of configuration: String, _ subject: ModelSubject, among names: some Sequence<String>
  ) -> Diagnostic {
    Diagnostic(
      .configurationMember, .error,
      "configuration '\(configuration)' names '\(abridged(name))', which does not exist", subject: subject,
      help: suggestion(for: name, among: names))
  }

  fileprivate static func splitFamily(
    _ name: String, _ parent: String, _ configuration: String, _ subject: ModelSubject
  ) -> Diagnostic {
    Diagnostic(
      .configurationMember, .error,
      "configuration '\(configuration)' holds '\(name)' without its parent '\(parent)'", subject: subject,
      notes: ["both are stored in one table"], help: ["add '\(parent)', or remove '\(name)'"])
  }

  fileprivate static func unknownFetchEntity(
    _ entity: String, _ what: String, _ subject: ModelSubject, _ index: ModelIndex
  ) -> Diagnostic {
    Diagnostic(
      .unknownFetchEntity, .error, "\(what) asks for '\(abridged(entity))', which does not exist",
      subject: subject, help: suggestion(for: entity, among: index.entityNames))
  }
}
