package import ManagedModel
import SwiftDataModels

extension VersionStep {
  /// What a step does to rows of SwiftData's that no hash shows: MC2634, MC2636, MC2637.
  ///
  func checkSwiftDataRows() -> [Diagnostic] {
    guard new.notation == .swiftData else { return [] }
    // What no stage does, such as converting types: a custom one too infers what lies between its two closures.
    // The other way round, MC2617 says more than that bytes are read differently.
    let conversions = inferMappingModel(from: old, to: new).diagnostics.filter { finding in
      let (entity, property) = (finding.subject?.entity ?? "", finding.subject?.property ?? "")
      return [.incompatibleAttributeTypes, .hierarchyMerge, .toManyBecomesToOne].contains(finding.code)
        || finding.code == .reinterpretedBytes
          && after.attribute(named: property, of: entity)?.type == .transformable
    }
    return checkRemovedCases() + checkLostMembers() + checkSharedValues() + checkRenamedClasses()
      + conversions + checkRenamedEnums()
  }

  /// Enums under another name, whose column has the property's name too (MC2615).
  private func checkRenamedEnums() -> [Diagnostic] {
    codedAttributes.filter { $0.new.enumTypeName != nil && $0.old.name != $0.new.name }
      .map {
        Diagnostic(
          .lostOriginalName, .warning,
          "no store has shown that the enum values of '\($0.heir).\($0.old.name)' are moved to '\($0.new.name)'",
          subject: subject($0.heir, $0.new.name),
          notes: [
            "their column also has the property's name, which `originalName` may not cover: then every row has no value"
          ],
          help: [
            "keep the property '\($0.old.name)', and add a computed property '\($0.new.name)'",
            "if a migrated store of the app has shown that they are kept, "
              + new.notation.allowingAdvice(.lostOriginalName, at: "\($0.heir).\($0.new.name)"),
          ])
      }
  }

  /// Members that structs have no more, as far as nobody has said so: what rows have for them is lost.
  private func checkLostMembers() -> [Diagnostic] {
    let retired = Set(new.retired)
    // What a required member looks like, is told there. One type of several properties is one edit.
    var known: Set<String> = []
    let places = codedAttributes.flatMap { past, attribute, entity, changes in
      changes.map { change in
        let lost = change.lost.filter { lost in
          !change.new.parts.contains { !$0.isOptional && change.former(of: $0) == lost }
        }
        for member in lost
        where isListed(formerName(of: entity), "\(past.name).\(member.name)", in: retired) {
          known.insert("\(change.type).\(member.name)")
        }
        return (change, lost, past, attribute, entity)
      }
    }
    return places.compactMap { change, lost, past, attribute, entity -> Diagnostic? in
      let lost = lost.filter { known.insert("\(change.type).\($0.name)").inserted }
      if lost.isEmpty { return nil }
      let owner = "\(formerName(of: entity)).\(past.name)"
      let renamed = change.new.parts.compactMap { part in
        change.former(of: part).map {
          "if '\(part.name.visible)' is '\($0.name.visible)' renamed, \(change.keysLine(of: part, keeping: $0))"
        }
      }
      let (it, its) = lost.count == 1 ? ("it", "its column is") : ("them", "their columns are")
      let names = lost.map { "\(owner).\($0.name)" }.joined(separator: "', '")
      return Diagnostic(
        .removedCases, .error,
        "\(lost.map(\.name).quoted()) \(lost.count == 1 ? "is" : "are") no longer in '\(change.type.visible)', and the values for \(it) in rows of '\(entity).\(attribute.name)' are lost",
        subject: subject(entity, attribute.name),
        notes: Diagnostic.then("the property", at: formerPlace(entity, attribute.name)) + [
          change.isJSON
            ? "nothing reads the key, and no hash includes it: it is lost when the object is saved"
            : "\(its) dropped, and the data there with \(it)"
        ],
        help: renamed
          + (change.isJSON
            ? [] : ["move the values in a custom stage first, from a schema with types of its own"])
          + ["if that is intended, " + new.notation.retiringAdvice(names, in: new.name)])
    }
  }

  private func formerName(of entity: String) -> String {
    keptEntities.first { $0.new.name == entity }?.old.name ?? ""
  }

  private var codedAttributes:
    [(old: AttributeDescription, new: AttributeDescription, heir: String, changes: [CodedChange])]
  { old.model.codedAttributes(in: new.model, former: formerName) }

  /// Cases of enums that rows may have and the source has no more; cases whose raw value is another one's.
  private func checkRemovedCases() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var known: [String: Int] = [:]
    for (_, attribute, entity, changes) in codedAttributes {
      for change in changes where change.hasCases {
        guard let past = change.values(of: change.old), let now = change.values(of: change.new), !now.isEmpty
        else { continue }
        let gone = change.old.parts.map(\.name).filter { past[$0].map { !now.values.contains($0) } ?? false }
        let moved = past.filter { name, value in
          now[name] != nil && now[name] != value && now.values.contains(value)
        }
        guard !gone.isEmpty || !moved.isEmpty else { continue }
        // One type of several properties is one edit.
        let key = "\(change.type) \(past.values.sorted()) \(now.values.sorted())"
        if let first = known[key] {
          findings[first].related.append(subject(entity, attribute.name))
          findings[first].notes.append(Diagnostic.Note("also '\(entity).\(attribute.name)'"))
          continue
        }
        known[key] = findings.count
        findings.append(
          gone.isEmpty
            ? .movedCases(moved, now: now, change, attribute, entity, self)
            : .removedCases(gone, past, now, change, attribute, entity, self))
      }
    }
    return findings
  }

  /// A default that the app evaluates once, when it starts: every row that is there without a value gets that one. Where it
  /// must be unique, MC3104 and MC2635 say what becomes of that.
  private func checkSharedValues() -> [Diagnostic] {
    changedEntities.flatMap { pair in
      after.members(in: pair.new.attributes).compactMap { attribute in
        // A date that the source does not tell is mostly one that is counted from now; a UUID may be a constant.
        guard case .evaluated(let value)? = attribute.defaultValue,
          value.swiftType != nil || value == .unknown && attribute.type == .date
            || new.model.freshIdentifiers.contains("\(pair.new.name).\(attribute.name)"),
          !pair.new.uniquenessConstraints.contains([attribute.name])
        else { return nil }
        let mapping = self.mapping(toEntity: pair.new.name)
        let source = mapping?.propertyMapping(named: attribute.name)?.value.sourceName
        let past = source.flatMap { before.attribute(named: $0, of: pair.old.name) }
        guard source == nil || past?.isOptional == true && !attribute.isOptional else { return nil }
        return .sharedValue(attribute, isNew: source == nil, pair.new.name, self)
      }
    }
  }

  /// A class that goes while one with most of its properties comes: SwiftData has no former name for classes.
  private func checkRenamedClasses() -> [Diagnostic] {
    silentRemovals().compactMap { removal in
      twin(of: removal).map {
        Diagnostic(
          .renamedClass, .error,
          "'\($0.name)' looks like '\(removal.entity)' under another name: stores lose all objects of '\(removal.entity)'",
          subject: subject($0.name),
          related: [ModelSubject(version: old.name, entity: removal.entity)],
          notes: Diagnostic.then("the class", at: formerPlace(removal.entity)) + [
            "an entity has the name of its class, and classes have no originalName in SwiftData"
          ],
          help: [
            "keep `class \(removal.entity)` and use another name in the app: `typealias \($0.name) = \(removal.entity)`",
            "if that is intended, list '\(removal.entity)' under `retired:` in a modelc.yaml next to the source",
          ])
      }
    }
  }
}

extension ModelVersion {
  /// What a struct holds; nil of values that are in one column.
  func members(of attribute: AttributeDescription) -> [String]? {
    model.composites.first { $0.name == attribute.compositeName }?.elements.map(\.name)
  }
}

extension CodedChange {
  /// Whether a decoder finds each value by a case.
  fileprivate var hasCases: Bool {
    guard old.form != .members, new.form != .members else { return false }
    return !isJSON || !new.readsItself && new.rawType == nil && old.rawType == nil
  }

  /// A case, and what rows have for it.
  fileprivate func line(_ name: String, _ value: String) -> String {
    let isText = old.parts.first?.type == "String"
    let isName = new.form != .rawValues || isText && name == value
    return "`case \(name.swiftIdentifier())\(isName ? "" : " = \(isText ? swiftLiteral(value) : value)")`"
  }

  /// What to write so that rows are read which have a case that is gone.
  fileprivate func keeping(_ gone: [String], _ past: [String: String], _ now: [String: String]) -> String {
    let added = now.filter { !past.values.contains($0.value) }.keys
    if gone.count == 1, let name = added.first, added.count == 1, let value = past[gone[0]] {
      return new.form == .rawValues
        ? "if it was renamed, keep the raw value that rows have: \(line(name, value))"
        : "if it was renamed, keep the key that rows have: `\(new.keysLine(keeping: [name: value]))`"
    }
    let cases = gone.map { line($0, past[$0] ?? $0) }.joined(separator: ", ")
    return
      "keep \(cases) until no row has \(gone.count == 1 ? "it" : "them"): move the rows in a custom stage first"
  }
}

extension Diagnostic.Code {
  package static let removedCases = Self("MC2634", level: .path)
  package static let addedUniqueness = Self("MC2635", level: .path)
  package static let sharedValue = Self("MC2636", level: .path)
  package static let renamedClass = Self("MC2637", level: .path)

  /// Those that work of a stage may take care of.
  static let ofSwiftDataRows: Set<Self> = [
    .removedCases, .addedUniqueness, .sharedValue, .renamedClass, .reinterpretedBytes,
  ]
}

extension Diagnostic {
  fileprivate static func then(_ what: String, at place: SourceRange?) -> [Note] {
    place.map { [Note("\(what) then", place: $0)] } ?? []
  }

  /// - Parameters:
  ///   - past: what rows have, by the names that its cases had.
  ///   - now: what is read, by their names.
  fileprivate static func removedCases(
    _ gone: [String], _ past: [String: String], _ now: [String: String], _ change: CodedChange,
    _ attribute: AttributeDescription, _ entity: String, _ step: VersionStep
  ) -> Self {
    let names = gone.prefix(6).map { "'\((past[$0] ?? $0).visible)'" }.joined(separator: ", ")
    let isColumn = !change.isJSON && change.new.form != .rawValues
    let (it, its) = gone.count == 1 ? ("it", "its column is") : ("them", "their columns are")
    return Self(
      .removedCases, .warning,
      "rows of '\(entity).\(attribute.name)' may have \(names), which its type no longer has",
      subject: step.subject(entity, attribute.name),
      notes: then("the property", at: step.formerPlace(entity, attribute.name)) + [
        isColumn
          ? "\(its) dropped, and the data there with \(it)"
          : "no hash includes the cases, and no migration changes the row: the app crashes when it reads it"
      ],
      help: [
        isColumn
          ? "move the values in a custom stage first, from a schema with types of its own"
          : change.keeping(gone, past, now)
      ])
  }

  fileprivate static func movedCases(
    _ moved: [String: String], now: [String: String], _ change: CodedChange,
    _ attribute: AttributeDescription,
    _ entity: String, _ step: VersionStep
  ) -> Self {
    let cases = moved.sorted { $0.value.precedesInCodePointOrder($1.value) }
    let (name, value) = cases.first ?? ("", "")
    let other = now.first { $0.value == value }?.key ?? ""
    return Self(
      .removedCases, .warning,
      "rows of '\(entity).\(attribute.name)' that were stored as '\(name.visible)' read as '\(other.visible)'",
      subject: step.subject(entity, attribute.name),
      notes: then("the property", at: step.formerPlace(entity, attribute.name)) + [
        "without an explicit raw value the position of the case decides; no migration changes the rows"
      ],
      help: [
        "write the stored values: "
          + (change.new.form == .cases
            ? "`\(change.new.keysLine(keeping: moved))`"
            : cases.prefix(6).map { change.line($0.key, $0.value) }.joined(separator: ", "))
      ])
  }

  fileprivate static func sharedValue(
    _ attribute: AttributeDescription, isNew: Bool, _ entity: String, _ step: VersionStep
  ) -> Self {
    let what = attribute.type == .date ? "date" : attribute.type.isNumeric ? "time" : "UUID"
    return Self(
      .sharedValue, .warning,
      "every \(isNew ? "existing row" : "row without a value") of '\(entity)' gets the same \(what) for '\(attribute.name)'",
      subject: step.subject(entity, attribute.name),
      notes: ["SwiftData evaluates the default once, when the app starts, and migrates with that value"],
      help: [
        (attribute.isOptional ? "write" : "\(isNew ? "make" : "leave") it optional, with")
          + " no default, and give each row its own: in the didMigrate of a custom stage, or when it is read"
      ])
  }
}
