package import ManagedModel

extension VersionStep {
  /// Changed default values (MC7017). Existing rows keep their values, and no hash changes.
  func checkDefaults() -> [Diagnostic] {
    changes.filter { change in
      // An attribute that becomes required wants a default, which then replaces nil; one of another type, another default.
      change.fact == "default" && change.kind == .changed && change.property != nil
        && !changes.contains {
          $0.entity == change.entity && $0.property == change.property
            && ($0.fact == "type" || change.old == nil && $0.fact == "optional")
        } && (new.notation != .swiftData || statesDefaults(change))
    }.map { change in
      Diagnostic(
        .defaultChanged, .warning, "\(change.line)",
        subject: subject(change.entity, change.property, "default"),
        notes: [
          "existing objects keep their value; only new ones start with the new default",
          "a default is not part of the version hash",
        ],
        help: ["if existing objects need it too, migrate them with a mapping model"])
    }
  }

  /// Whether both classes begin with a literal: what an app evaluates is not known to be another.
  fileprivate func statesDefaults(_ change: ModelChange) -> Bool {
    [(before, old), (after, new)].allSatisfy { hierarchy, version in
      let attribute = change.property.flatMap { hierarchy.attribute(named: $0, of: change.entity ?? "") }
      if case .text? = attribute?.defaultValue { return true }
      return false
    }
  }

  /// What rows may have twice, and has to be distinct from now on (MC3105, in SwiftData MC2635; MC3108).
  func checkDuplicates() -> [Diagnostic] {
    changedEntities.flatMap { pair -> [Diagnostic] in
      let name = pair.new.name
      // What a person groups is one afterwards.
      guard let mapping = self.mapping(toEntity: name), mapping.grouping == nil else { return [] }
      let contested = mapping.contestedReferences(from: before, to: after).filter { contested in
        pair.new.relationships.contains { $0.name == contested.name }
      }
      let unique = mapping.newConstraints(from: before, to: after).map { constraint -> Diagnostic in
        guard new.notation == .swiftData else { return .wantsDistinct(constraint, name, new.name) }
        let names = constraint.map { "'\(name).\($0)'" }.joined(separator: ", ")
        return Diagnostic(
          .addedUniqueness, .warning, "\(names) must be unique now, and existing rows may have duplicates",
          subject: subject(name, constraint.count == 1 ? constraint.first : nil),
          notes: [
            "if two rows have the same value, or get the same default, the migration stops, and the app does not open the store"
          ],
          help: ["delete or change duplicates in the willMigrate of a custom stage to this schema"],
          cocoaCode: 134111)
      }
      return unique + contested.map { Diagnostic.wantsOneReferrer($0, name, new.name) }
    }
  }

  /// A new attribute that must be unique and has one value for all rows (MC3104).
  func checkUniqueDefaults() -> [Diagnostic] {
    changedEntities.flatMap { pair -> [Diagnostic] in
      let entity = pair.new.name
      let constraints = mapping(toEntity: entity)?.constantConstraints(in: after) ?? []
      return constraints.map { constraint in
        let names = constraint.map { "'\(entity).\($0)'" }.joined(separator: ", ")
        return Diagnostic(
          .oneDefaultForAll, .error,
          "\(names) must be unique, and every object of '\(old.name)' would get \(constraint.count == 1 ? "its default" : "their defaults")",
          subject: subject(entity, constraint.first),
          notes: ["a store with two objects of '\(entity)' would be refused (MC3105)"],
          help: [
            "make it optional and fill it in the app, or give each object a value of its own in a mapping model"
          ], cocoaCode: 134111)
      }
    }
  }
}

extension Diagnostic.Code { package static let defaultChanged = Self("MC7017") }
