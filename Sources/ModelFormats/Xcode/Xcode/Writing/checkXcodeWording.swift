package import ManagedModel

extension ManagedObjectModel {
  /// Reports the parts of a model that Xcode's XML cannot state. They are left out when it is written.
  func checkXcodeWording() -> [Diagnostic] {
    var findings = entities.flatMap(checkEntity)
    for composite in composites {
      for element in composite.elements { findings += checkAttribute(element, of: composite.name) }
    }
    for request in fetchRequestTemplates where !request.sortDescriptors.isEmpty {
      findings.append(.inexpressible("the order of the fetch request '\(request.name)'", ModelSubject()))
    }
    if versionIdentifiers.count > 1 {
      findings.append(
        .notInXcodeModel, .warning,
        "an '.xcdatamodel' has one version identifier, not \(versionIdentifiers.count)",
        subject: ModelSubject(),
        notes: ["they are written as one: '\(versionIdentifiers.joined(separator: ","))'"],
        help: ["keep one identifier"])
    }
    if !localizationDictionary.isEmpty {
      findings.append(
        .notInXcodeModel, .warning, "an '.xcdatamodel' cannot express the localization",
        subject: ModelSubject(key: "localization"),
        notes: ["Core Data reads it from a strings file of the app, '<Model>Model.strings'"],
        help: ["write the texts there, or set the model's localization dictionary in code"])
    }
    return findings
  }
}

private func checkEntity(_ entity: EntityDescription) -> [Diagnostic] {
  var findings = entity.attributes.flatMap { checkAttribute($0, of: entity.name) }
  for relationship in entity.relationships where relationship.maxCount < 0 || relationship.minCount < 0 {
    let subject = ModelSubject(entity: entity.name, property: relationship.name)
    findings.append(.inexpressible("a count below zero of '\(entity.name).\(relationship.name)'", subject))
  }
  for property in entity.fetchedProperties where !property.fetchRequest.sortDescriptors.isEmpty {
    let subject = ModelSubject(entity: entity.name, property: property.name)
    findings.append(.inexpressible("the order of '\(entity.name).\(property.name)'", subject))
  }
  return findings
}

private func checkAttribute(_ attribute: AttributeDescription, of owner: String) -> [Diagnostic] {
  let subject = ModelSubject(entity: owner, property: attribute.name)
  let name = "'\(owner).\(attribute.name)'"
  let rules = attribute.validation
  var findings: [Diagnostic] = []
  if case .archived? = attribute.defaultValue {
    findings.append(.inexpressible("the archived default of \(name)", subject))
  }
  if case .evaluated? = attribute.defaultValue {
    findings.append(.inexpressible("the default of \(name), which the app evaluates", subject))
  }
  if let type = attribute.enumTypeName {
    findings.append(
      .inexpressible("that \(name) is the enum '\(type.visible)', which changes its hash", subject))
  } else if !rules.predicates.isEmpty {
    findings.append(.inexpressible("the validation predicates of \(name)", subject))
  }
  if attribute.type == .string, rules.minimum != nil || rules.maximum != nil {
    findings.append(.inexpressible("the minimum or maximum of the string \(name)", subject))
  }
  if attribute.type != .string, rules.minimumLength != nil || rules.maximumLength != nil {
    findings.append(.inexpressible("the length of \(name), which is not a string", subject))
  }
  return findings
}

extension Diagnostic.Code {
  /// A fact of a model for which Xcode's XML has no words.
  package static let notInXcodeModel = Self("MC0209")
}

extension Diagnostic {
  fileprivate static func inexpressible(_ fact: String, _ subject: ModelSubject) -> Diagnostic {
    Diagnostic(
      .notInXcodeModel, .warning, "an '.xcdatamodel' cannot express \(fact)", subject: subject,
      notes: ["it is left out; the compiled model has it"],
      help: ["set it in code, or keep the model as YAML and give the app the compiled '.momd'"])
  }
}
