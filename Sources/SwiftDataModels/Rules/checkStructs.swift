package import ManagedModel

extension ModelVersion {
  /// A `Codable` struct that is stored as a composite and gained a member that must have a value (MC2617).
  package func checkStructs(to version: ModelVersion) -> [Diagnostic] {
    var told: Set<String> = []
    return version.model.entities.flatMap { entity -> [Diagnostic] in
      guard let before = model.entities.first(where: { $0.name == entity.name }) else { return [] }
      return entity.attributes.flatMap { attribute -> [Diagnostic] in
        guard let composite = version.model.declaredComposite(of: attribute),
          let past = before.attributes.first(where: { $0.canonicalName == attribute.canonicalName }),
          let old = model.declaredComposite(of: past), told.insert(composite.name).inserted
        else { return [] }
        let known = Set(old.elements.map(\.name))
        return composite.elements.filter { !$0.isOptional && !known.contains($0.name) }.map { member in
          .newMember(member.name, of: composite.name, at: (entity.name, attribute.name), version, self)
        }
      }
    }
  }
}

extension Diagnostic.Code {
  package static let newStructMember = Self("MC2617", level: .path)
}

extension Diagnostic {
  fileprivate static func newMember(
    _ member: String, of composite: String, at holder: (entity: String, property: String),
    _ version: ModelVersion, _ former: ModelVersion
  ) -> Diagnostic {
    let subject = ModelSubject(version: version.name, entity: holder.entity, property: holder.property)
    let isSame = former.name == version.name
    return Diagnostic(
      .newStructMember, .error,
      "the struct '\(composite.visible)' gained '\(member.visible)', which must have a value"
        + (isSame ? "" : " since '\(former.name.visible)'"),
      subject: subject, place: version.sourceMap?.nearestRange(to: subject),
      notes: [
        "it is stored in '\(holder.entity.visible).\(holder.property.visible)', a column for each member",
        "objects that are stored have no value for it: the app crashes when it reads one",
      ],
      help: [
        "make '\(member.visible)' optional",
        "or give the new version a struct of its own, and copy the values in a custom stage",
      ])
  }
}
