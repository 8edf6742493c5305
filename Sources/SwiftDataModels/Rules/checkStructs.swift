package import ManagedModel

extension ModelVersion {
  /// Structs that rows have and whose values cannot be read any more (MC2617): a member was added that must have a value, or
  /// must have it now; in JSON and in archives, which no hash holds, also one that is of another type.
  package func checkStructs(to version: ModelVersion) -> [Diagnostic] {
    var reported: Set<String> = []
    return version.model.entities.flatMap { entity -> [Diagnostic] in
      guard let before = model.entities.first(where: { $0.name == entity.name }) else { return [] }
      return entity.attributes.flatMap { attribute -> [Diagnostic] in
        guard let past = before.attributes.first(where: { $0.canonicalName == attribute.canonicalName })
        else { return [] }
        let holder = ModelSubject(version: version.name, entity: entity.name, property: attribute.name)
        let (own, ownPast) = (
          version.model.declaredComposite(of: attribute), model.declaredComposite(of: past)
        )
        let former = model.composites(in: ownPast?.elements ?? [past])
        // Elements of an array can be of a struct that was called otherwise.
        let names = Dictionary(firstOf: zip(attribute.valueTypeNames, past.valueTypeNames).map { ($0, $1) })
        let inner = version.model.composites(in: own?.elements ?? [attribute]).compactMap { composite in
          former.first {
            $0.name == names[composite.name] ?? composite.name
              && !version.ownDecoders.contains(composite.name)
          }.map { (composite, $0, true) }
        }
        let pairs = (own.flatMap { own in ownPast.map { [(own, $0, false)] } } ?? []) + inner
        let found = pairs.flatMap { composite, old, isJSON in
          composite.elements.compactMap { member -> Diagnostic? in
            let past = old.elements.first { $0.name == member.name }
            let isTighter = past?.isOptional ?? true
            if isTighter, !member.isOptional {
              return .newMember(
                member.name, of: composite.name, isNew: past == nil, at: holder, version, self)
            }
            guard let past, isJSON || past.type == member.type, !holdsAlike(past, member, in: version) else {
              return nil
            }
            return .otherMember("\(composite.name).\(member.name)", at: holder, version, self)
          }
        }
        let isOther = past.type == .transformable && !holdsAlike(past, attribute, in: version)
        return
          (found
          + (isOther ? [.otherMember("\(entity.name).\(attribute.name)", at: holder, version, self)] : []))
          // One type of several properties is one edit.
          .filter { reported.insert($0.message).inserted }
      }
    }
  }

  /// Whether values of one type can be read as such of the other. Types of the program are judged by their members.
  private func holdsAlike(
    _ old: AttributeDescription, _ new: AttributeDescription, in version: ModelVersion
  ) -> Bool {
    let raw = model.composites.first { $0.name == old.attributeValueClassName }?.rawValue?.type
    if old.type != new.type { return raw == new.type || new.type.readsJSON(of: raw ?? old.type) }
    let (before, after) = (old.valueTypeNames, new.valueTypeNames)
    if before.isEmpty || after.isEmpty { return true }
    return before.count == after.count
      && zip(before, after).allSatisfy { past, name in
        let own = [(past, model), (name, version.model)].compactMap { name, model in
          model.composites.first { $0.name == name }
        }
        // An enum reads as its raw value.
        return past == name || own.count == 2 || own.first?.rawValue != nil
      }
  }
}

extension AttributeType {
  /// Whether JSON of another type's values can be read as its own: numbers that fit, and texts.
  fileprivate func readsJSON(of other: AttributeType) -> Bool {
    // Of an URL and a UUID; other bytes can be anything.
    if self == .string { return ![.binary, .decimal].contains(other) && other.traits.swiftTextLabel != nil }
    let numbers: [AttributeType] = [.integer16, .integer32, .integer64, .float, .double, .decimal]
    guard let from = numbers.firstIndex(of: other), let to = numbers.firstIndex(of: self) else {
      return false
    }
    return from < to || to > 2
  }
}

extension Diagnostic.Code {
  package static let newStructMember = Self("MC2617", level: .path)
}

extension Diagnostic {
  fileprivate static func newMember(
    _ member: String, of composite: String, isNew: Bool, at holder: ModelSubject, _ version: ModelVersion,
    _ former: ModelVersion
  ) -> Diagnostic {
    Diagnostic(
      .newStructMember, .error,
      (isNew
        ? "the struct '\(composite.visible)' gained '\(member.visible)', which must have a value"
        : "'\(member.visible)' of the struct '\(composite.visible)' must have a value now")
        + (former.name == version.name ? "" : " since '\(former.name.visible)'"),
      subject: holder, place: version.sourceMap?.nearestRange(to: holder),
      notes: [
        "it is stored in '\((holder.entity ?? "").visible).\((holder.property ?? "").visible)'",
        "objects that are stored have no value for it: the app crashes when it reads one",
      ],
      help: [
        "make '\(member.visible)' optional",
        "or keep the struct, and add a property of a new one: fill that in the didMigrate of a custom stage",
      ])
  }

  fileprivate static func otherMember(
    _ member: String, at holder: ModelSubject, _ version: ModelVersion, _ former: ModelVersion
  ) -> Diagnostic {
    Diagnostic(
      .newStructMember, .error,
      "'\(member.visible)' has values of another type"
        + (former.name == version.name ? "" : " than in '\(former.name.visible)'"),
      subject: holder, place: version.sourceMap?.nearestRange(to: holder),
      notes: [
        "they are stored in '\((holder.entity ?? "").visible).\((holder.property ?? "").visible)', whose bytes no migration changes",
        "the app crashes when it reads those that are stored",
      ],
      help: ["keep it as it was, and add one of another name"])
  }
}
