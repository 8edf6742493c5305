extension ModelIndex {
  /// Composites have elements, exist where they are used, and do not contain themselves (MC1220); their elements are
  /// of types that a composite can hold (MC1221).
  func checkComposites() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    // By their places: a copy of a description costs more than looking at it.
    let entities = model.entities
    for place in entities.indices {
      let attributes = entities[place].attributes
      for number in attributes.indices where attributes[number].type == .composite && !findings.isFull {
        let (entity, attribute) = (entities[place].name, attributes[number])
        let subject = ModelSubject(entity: entity, property: attribute.name)
        findings += use(of: attribute, "\(entity).\(attribute.name)", subject, self)
      }
    }
    for composite in model.composites {
      let subject = ModelSubject(key: "composites").part(composite.name)
      if !composite.name.isLegalName {
        findings.append(.invalidName(composite.name, "a composite's name", subject))
      }
      if composite.elements.isEmpty {
        findings.append(
          .invalidComposite, .error, "composite '\(composite.name)' has no elements", subject: subject)
      }
      for element in composite.elements where !findings.isFull {
        findings += check(element, of: composite, subject.part(element.name), self)
      }
    }
    let circles = Self.circles(from: model.composites.map(\.name)) { name in
      let elements = compositesByName[name]?.elements.filter { $0.type == .composite } ?? []
      return elements.compactMap(\.compositeName).reversed().map { CircleStep(owner: name, destination: $0) }
    }
    for names in circles.map({ $0.map(\.owner) }) {
      let first = names.first ?? ""
      findings.append(
        .invalidComposite, .error, "composite '\(first)' contains itself",
        subject: ModelSubject(key: "composites").part(first),
        notes: [Diagnostic.Note((names.prefix(20) + [first]).joined(separator: " → "))])
    }
    return findings
  }
}

private func check(
  _ element: AttributeDescription, of composite: CompositeDescription, _ subject: ModelSubject,
  _ index: ModelIndex
) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  if !element.name.isLegalName { findings.append(.invalidName(element.name, "an element's name", subject)) }
  switch element.type {
  case .composite: findings += use(of: element, "\(composite.name).\(element.name)", subject, index)
  case .undefined, .objectID: findings.append(.elementType(element, of: composite.name, subject))
  case .binary where element.allowsExternalBinaryDataStorage:
    findings.append(.elementType(element, of: composite.name, subject))
  default: break
  }
  return findings
}

private func use(
  of attribute: AttributeDescription, _ name: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  guard let composite = attribute.compositeName else {
    let finding = Diagnostic(
      .invalidComposite, .error, "'\(name)' does not say which composite it is", subject: subject,
      help: ["add the key 'composite'"])
    guard index.compositesByName.count == 1, let only = index.compositesByName.keys.first else {
      return [finding]
    }
    let edit = ModelEdit("add 'composite: \(only)'", at: subject, .add(key: "composite", .text(only)))
    return [finding.fixed(by: edit)]
  }
  guard index.compositesByName[composite] == nil else { return [] }
  return [
    Diagnostic(
      .invalidComposite, .error, "the composite of '\(name)', '\(composite.abridged)', does not exist",
      subject: subject.part("composite")
    ).suggesting(nearestTo: composite, among: index.compositesByName.keys)
  ]
}

extension Diagnostic.Code {
  package static let invalidComposite = Self(
    "MC1220",
    accepted: .init("composites that have no elements or do not exist", "no column is made for them"))
  package static let compositeElementType = Self(
    "MC1221", accepted: .init("elements that no composite can hold", "no column is made for them"))
}

extension Diagnostic {
  fileprivate static func elementType(
    _ element: AttributeDescription, of composite: String, _ subject: ModelSubject
  ) -> Diagnostic {
    let isExternal = element.type == .binary
    let type = isExternal ? "binary with external storage" : element.type.name
    let finding = Diagnostic(
      .compositeElementType, .error, "'\(composite).\(element.name)' is \(type), which no composite can hold",
      subject: subject)
    return isExternal ? finding.fixed(by: .removing("externalStorage", of: subject)) : finding
  }
}
