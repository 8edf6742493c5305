extension ModelIndex {
  /// Configurations name entities that exist and keep families together: parent and child share a table, so one
  /// store must hold both (MC1701).
  func checkConfigurations() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for configuration in model.configurations {
      let subject = ModelSubject(key: "configurations").part(configuration.name)
      if configuration.name.isEmpty || configuration.name.unicodeScalars.contains(where: { $0.value < 0x20 })
      {
        findings.append(.invalidName(configuration.name, "a configuration's name", subject))
      }
      let members = Set(configuration.entityNames)
      for (position, name) in configuration.entityNames.enumerated() where !findings.isFull {
        if !hasEntity(named: name) {
          findings.append(
            Diagnostic(
              .configurationMember, .error,
              "configuration '\(configuration.name)' names '\(name.abridged)', which does not exist",
              subject: subject.element(position)
            ).suggesting(nearestTo: name, among: entityNames))
        } else if let parent = hierarchy.superentityName(of: name), !members.contains(parent) {
          findings.append(
            Diagnostic(
              .configurationMember, .error,
              "configuration '\(configuration.name)' contains '\(name)' without its parent '\(parent)'",
              subject: subject,
              notes: ["both are stored in one table"], help: ["add '\(parent)', or remove '\(name)'"]
            ).fixed(by: ModelEdit("add '\(parent)'", at: subject, .append(.text(parent)))))
        }
      }
    }
    return findings
  }
}

extension Diagnostic.Code {
  package static let configurationMember = Self(
    "MC1701",
    accepted: .init("configurations that name what does not exist, or no parent of an entity", "ignored"))
}
