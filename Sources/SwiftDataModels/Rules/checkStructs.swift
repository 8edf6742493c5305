package import ManagedModel

extension ModelVersion {
  /// Structs that rows have and whose values cannot be read any more (MC2617): a member was added that must have a value, or
  /// must have it now; in JSON and in archives, which no hash holds, also one under another key or of another type.
  package func checkStructs(to version: ModelVersion) -> [Diagnostic] {
    let since = name == version.name ? "" : " since '\(name.visible)'"
    var reported: Set<String> = []
    return model.codedAttributes(in: version.model) { $0 }.flatMap {
      past, attribute, heir, changes -> [Diagnostic] in
      var found = changes.flatMap { unread($0, in: version) }
      let name = "'\(heir.visible).\(attribute.name.visible)'"
      let (before, now) = (past.valueTypeName, attribute.valueTypeName)
      let isKnown = sourceMap != nil && model.knows(before) && version.model.knows(now)
      if past.type == .transformable || past.type == .binary && past.type == attribute.type && isKnown {
        let reading = model.reading(before, as: now, in: version.model, inJSON: false)
        found += Unread.of(name, attribute.name, before, now, attribute.type == past.type ? reading : .none)
      } else if sourceMap != nil, past.enumTypeName == nil, DecodingOutcome.narrows(before, to: now) {
        found += Unread.of(name, attribute.name, before, now, .some, .warning)
      }
      if let before, let now, before != now,
        [before, now].allSatisfy({ $0.hasPrefix("Measurement<Unit") && $0 != "Measurement<Unit>" })
      {
        let effect = "the numbers that are stored stay as they are: 5 kilometers become 5 of the other unit"
        found.append(Unread("\(name) was '\(before.visible)' and is now '\(now.visible)'", effect, .warning))
      }
      if past.isOptional, !attribute.isOptional, mustHaveCase(attribute, in: version) {
        found.append(
          Unread(
            "\(name) must have a value now",
            "no hash shows that it was optional: the app crashes when it reads an object without one", .error,
            ["leave it optional until every object has one: put `?` behind its type"]))
      }
      // One type of several properties is one edit.
      let holder = ModelSubject(version: version.name, entity: heir, property: attribute.name)
      return found.filter { reported.insert($0.message).inserted }.map {
        Diagnostic(
          .newStructMember, $0.severity, $0.message + since, subject: holder,
          place: version.sourceMap?.nearestRange(to: holder),
          notes: ["stored in \(name), where no migration changes it", .init($0.effect)], help: $0.help)
      }
    }
  }

  /// Whether it is an enum without which its object cannot be read, and whose rows no migration looks at.
  private func mustHaveCase(_ attribute: AttributeDescription, in version: ModelVersion) -> Bool {
    if attribute.enumTypeName != nil { return makesStores(of: version) }
    let composite = version.model.composites.first { $0.name == attribute.compositeName }
    return composite.map { version.model.coding(of: $0).form == .cases } ?? false
  }

  private func unread(_ change: CodedChange, in version: ModelVersion) -> [Unread] {
    let (old, new, isJSON) = (change.old, change.new, change.isJSON)
    if old.rawType != new.rawType, !isJSON, !new.readsItself, old.rawType != nil || !old.writesItself {
      // Of an option set: a column of numbers, which keeps those that fit.
      let types = [old.rawType, new.rawType].compactMap { attributeTypesBySwiftName[$0 ?? ""] }
      let isNumber = types.count == 2 && types.allSatisfy(\.isInteger)
      if isNumber, !DecodingOutcome.narrows(old.rawType, to: new.rawType) { return [] }
      let now = new.rawType.map { "its raw value, '\($0.visible)'" } ?? "its members"
      return [Unread("'\(change.type.visible)' is now stored as \(now)")]
    }
    guard old.form == .members, new.form == .members, !isJSON || !new.readsItself && new.rawType == nil else {
      return []
    }
    return new.parts.compactMap { part -> Unread? in
      guard !isJSON || part.isRead && part.key != nil else { return nil }
      let past = isJSON ? old[key: part.key] : old[part.name]
      let member = "'\(change.type.visible).\(part.name.visible)'"
      // Another member's key, which is there still: a renamed one is gone.
      let other = past.flatMap { $0.name == part.name ? nil : new[$0.name]?.name }
      // A `let` with a value may be left out.
      if let key = old[part.name]?.key, part.key.map({ $0 != key }) ?? (part.isRead && !new.readsItself),
        !isJSON || other != nil || past == nil && new[key: key] == nil
      {
        let effect =
          if !isJSON {
            "no store has shown whether columns follow the keys: if they do, its values are lost"
          } else if let other {
            "it gets what is stored for '\(other.visible)'"
          } else if part.isOptional {
            "it reads as nil, and what is stored is lost when the object is saved"
          } else {
            Unread.crash
          }
        return Unread(
          "\(member) is stored under '\(key.visible)', and \(part.key.map { "read under '\($0.visible)'" } ?? "no longer read")",
          effect, isJSON ? .error : .warning,
          ["keep the key that rows have: `\(new.keysLine(keeping: [part.name: key]))`"])
      }
      if past?.isOptional ?? true, !part.isOptional {
        let name = part.name.visible
        let renamed = change.former(of: part).map {
          ["if it is '\($0.name.visible)' renamed, \(change.keysLine(of: part, keeping: $0))"]
        }
        return Unread(
          past == nil
            ? "the type '\(change.type.visible)' gained '\(name)', which must have a value"
            : "'\(name)' of the type '\(change.type.visible)' must have a value now",
          "objects that are stored have no value for it: the app crashes when it reads one", .error,
          (renamed ?? []) + [
            "make '\(name)' optional",
            "or keep the struct, add a property with a new struct, and fill it in the didMigrate of a custom stage",
          ])
      }
      guard let past else { return nil }
      let isColumn = !isJSON && [past, part].contains { attributeTypesBySwiftName[$0.type ?? ""] != nil }
      if isColumn, !DecodingOutcome.narrows(past.type, to: part.type) { return nil }
      let reading = model.reading(past.type, as: part.type, in: version.model)
      return Unread.of(member, part.name, past.type, part.type, reading, isColumn ? .warning : .error).first
    }
  }
}

/// What cannot be read, what that does, and what to write.
private struct Unread {
  static let crash = "the app crashes when it reads those that are stored"
  var (message, effect, severity, help): (String, String, Diagnostic.Severity, [String])

  init(
    _ message: String, _ effect: String = crash, _ severity: Diagnostic.Severity = .error,
    _ help: [String] = ["keep it as it was, and add another one with a new name"]
  ) { (self.message, self.effect, self.severity, self.help) = (message, effect, severity, help) }

  /// What becomes of values whose type has changed; none where all are read.
  ///
  /// - Parameter severity: where some do not fit.
  static func of(
    _ part: String, _ name: String, _ before: String?, _ now: String?, _ reading: DecodingOutcome,
    _ severity: Diagnostic.Severity = .error
  ) -> [Self] {
    func written(_ type: String?) -> String { type.map { collectionType(named: $0) ?? $0 } ?? "" }
    let (before, now) = (written(before), written(now))
    switch reading {
    case .whole: return []
    case .none: return [Self("\(part) has values of another type")]
    case .some, .rounded:
      return [
        Self(
          "\(part) is '\(now.visible)' now, which does not hold every '\(before.visible)' that is stored",
          reading == .some
            ? "the app crashes when it reads one that does not fit"
            : "they are read and saved with seven digits; a value that is out of range crashes the app",
          reading == .some ? severity : .warning,
          ["keep it as it was: `var \(name.swiftIdentifier()): \(before)`"])
      ]
    }
  }
}

extension Diagnostic.Code { package static let newStructMember = Self("MC2617", level: .path) }
