package import ManagedModel

extension ModelVersion {
  /// Structs that rows have and whose values cannot be read any more (MC2617): a member was added that must have a value, or
  /// must have it now; in JSON and in archives, which no hash holds, also one under another key or of another type.
  package func checkStructs(to version: ModelVersion) -> [Diagnostic] {
    var reported: Set<String> = []
    return version.model.entities.flatMap { entity -> [Diagnostic] in
      guard let before = model.entities.first(where: { $0.name == entity.name }) else { return [] }
      return entity.attributes.flatMap { attribute -> [Diagnostic] in
        guard let past = before.attributes.first(where: { $0.canonicalName == attribute.canonicalName })
        else { return [] }
        let holder = ModelSubject(version: version.name, entity: entity.name, property: attribute.name)
        var found = model.codedChanges(of: past, entity.name, to: attribute, entity.name, in: version.model)
          .flatMap { findings(of: $0, at: holder, version) }
        let reading = model.reading(
          past.valueTypeNames, as: attribute.valueTypeNames, in: version.model, inJSON: false)
        if past.type == .transformable, attribute.type != past.type || reading == .none {
          found.append(.otherMember("\(entity.name).\(attribute.name)", at: holder, version, self))
        }
        // One type of several properties is one edit.
        return found.filter { reported.insert($0.message).inserted }
      }
    }
  }

  private func findings(
    of change: CodedChange, at holder: ModelSubject, _ version: ModelVersion
  ) -> [Diagnostic] {
    let (old, new, isJSON) = (change.old, change.new, change.isJSON)
    guard !isJSON || !new.readsItself else { return [] }
    return new.parts.compactMap { part -> Diagnostic? in
      guard !isJSON || part.isRead && part.key != nil else { return nil }
      let past = isJSON ? old.parts.first { $0.key == part.key } : old[part.name]
      let member = "\(change.type ?? "").\(part.name)"
      if new.form == .members, old.form == .members {
        if let key = old[part.name]?.key, let own = part.key, key != own,
          !isJSON || past == nil && !new.parts.contains(where: { $0.key == key })
        {
          let keys = new.keysLine(keeping: [part.name: key])
          return .otherKey(member, (key, own), keys, part.isOptional, isJSON, at: holder, version, self)
        }
        if past?.isOptional ?? true, !part.isOptional {
          return .newMember(part.name, of: change.type ?? "", isNew: past == nil, at: holder, version, self)
        }
      }
      guard let past, old.form == .members,
        isJSON || [past, part].allSatisfy({ attributeTypesBySwiftName[$0.type ?? ""] == nil })
      else { return nil }
      return switch model.reading(past.typeNames, as: part.typeNames, in: version.model) {
      case .whole: nil
      case .none: .otherMember(member, at: holder, version, self)
      case let reading: .narrower(member, past, part, reading, at: holder, version, self)
      }
    }
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

  fileprivate static func otherKey(
    _ member: String, _ keys: (old: String, new: String), _ line: String, _ isOptional: Bool, _ isJSON: Bool,
    at holder: ModelSubject, _ version: ModelVersion, _ former: ModelVersion
  ) -> Diagnostic {
    var finding = otherMember(member, at: holder, version, former)
    finding.message =
      "'\(member.visible)' is read under the key '\(keys.new.visible)', and stored under '\(keys.old.visible)'"
    if !isJSON {
      finding.severity = .warning
      finding.notes[1] =
        "no store has shown whether its column has the name of the key: then its values are lost"
    } else if isOptional {
      finding.notes[1] = "it reads as nil, and what is stored is lost when the object is saved"
    }
    finding.help = ["keep the key that rows have: `\(line)`"]
    return finding
  }

  /// Of values that fit for the most part.
  fileprivate static func narrower(
    _ member: String, _ past: ValueCoding.Part, _ part: ValueCoding.Part, _ reading: CodedReading,
    at holder: ModelSubject, _ version: ModelVersion, _ former: ModelVersion
  ) -> Diagnostic {
    var finding = otherMember(member, at: holder, version, former)
    let (old, new) = ((past.type ?? "").visible, (part.type ?? "").visible)
    finding.message = "'\(member.visible)' is '\(new)' now, which does not hold every '\(old)' that is stored"
    finding.notes[1] = "the app crashes when it reads one that does not fit"
    if reading == .rounded {
      finding.severity = .warning
      finding.notes[1] =
        "numbers are read with seven digits, and saved so; one that is out of range crashes the app"
    }
    finding.help = ["keep it as it was: `var \(part.name.swiftIdentifier()): \(old)`"]
    return finding
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
