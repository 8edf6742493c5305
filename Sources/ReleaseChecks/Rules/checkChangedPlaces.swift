package import ManagedModel
import PersistentStore

extension VersionStep {
  /// Properties, or entities, that take the name of another one whose values go on under a further name (MC2642).
  ///
  /// Former names decide, so this is what two crossed identifiers do, and what it does to leave them out again.
  func checkChangedPlaces() -> [Diagnostic] {
    let stated = Set(written.compactMap(\.destinationEntityName))
    let properties =
      keptAttributes.map { ($0.entity, moves: (old: $0.old.name, new: $0.new.name)) }
      + keptRelationships.map { ($0.entity, moves: (old: $0.old.name, new: $0.new.name)) }
    let kept = keptEntities.filter { !stated.contains($0.new.name) }
    let movesByEntity = Dictionary(grouping: properties) { $0.0 }
    let inverses = changedInverses()
    let found = changedEntities.map(\.new.name).filter { !stated.contains($0) }.compactMap {
      name -> Diagnostic? in
      // Where an inverse decides, former names move nothing.
      let moves = crossed((movesByEntity[name] ?? []).map(\.moves)).filter { move in
        !inverses.contains {
          $0.subject?.entity == name && [move.old, move.new].contains($0.subject?.property)
        }
      }
      return moves.isEmpty ? nil : .swappedValues(moves, of: name, self)
    }
    let entities = crossed(kept.map { (old: $0.old.name, new: $0.new.name) })
    return (entities.isEmpty ? [] : [.swappedValues(entities, of: nil, self)]) + found + changedColumns()
      + inverses
  }

  /// Relationships that have the objects of another inverse, while the one that they had goes on; of two that swap their former
  /// names one.
  private func changedInverses() -> [Diagnostic] {
    var pairs: Set<Set<String>> = []
    return keptRelationships.compactMap { entity, old, new -> Diagnostic? in
      guard let mapping = self.mapping(toEntity: entity), let source = mapping.sourceEntityName,
        !isWritten(source), let own = before.reference(to: old.name, seenFrom: source),
        let former = before.inverse(of: own),
        taker(ofEntity: former.entity)?.relationshipMappings
          .contains(where: { $0.value.sourceName == former.property }) == true
      else { return nil }
      let pasts = (mapping.propertyMapping(named: new.name)?.referrers ?? [])
        .compactMap { before.reference(to: $0.property, seenFrom: $0.entity) }
      let name = "\(entity).\(new.name)"
      guard let giver = pasts.first, !pasts.contains(former),
        pairs.insert(["\(entity).\(old.name)", name]).inserted
      else { return nil }
      let (past, isRenamed) = ("'\(former.entity).\(former.property)'", old.name != new.name)
      return Diagnostic(
        .swappedValues, .warning,
        "'\(name)' has the objects that lead to it by '\(giver.entity).\(giver.property)', not by \(past) as \(isRenamed ? "'\(old.name)' " : "")in '\(self.old.name)'",
        subject: subject(entity, new.name),
        related: [ModelSubject(version: self.old.name, entity: own.entity, property: own.property)],
        notes: [
          "its inverse decides which objects it has\(isRenamed ? ", not its former name" : ": users see others in it")"
        ],
        help: [
          "if that is not intended, let \(past) be its inverse again",
          "if it is intended, " + self.new.notation.allowingAdvice(.swappedValues, at: name),
        ])
    }
  }

  /// Composites that get the columns of another one while no version hash changes, so that no value is moved.
  ///
  /// The name of a composite attribute is in no hash, and columns of equal elements are numbered in the order of the names: of
  /// `home` and `shipping` these are ZSTREET and ZSTREET1; if `shipping` becomes `delivery`, that one gets ZSTREET.
  private func changedColumns() -> [Diagnostic] {
    let entities = changedEntities.filter { pair in
      pair.new.attributes.contains { $0.type == .composite }
        && old.entityVersionHashesByName[pair.old.name] == new.entityVersionHashesByName[pair.new.name]
    }
    if entities.isEmpty { return [] }
    let layouts = (layOut(old), layOut(new))
    return entities.compactMap { pair in
      guard let former = layouts.0.table(ofEntity: pair.old.name),
        let table = layouts.1.table(ofEntity: pair.new.name)
      else { return nil }
      let moves = after.members(in: pair.new.attributes).compactMap { member -> ColumnMove? in
        let reference = PropertyReference(entity: pair.new.name, property: member.name)
        let column = table.column(for: .attribute(reference))?.name
        let owner = former.columns.first { $0.name == column }?.role.property?.property
        let source = mapping(toEntity: pair.new.name)?.propertyMapping(named: member.name)?.value.sourceName
        guard let owner, owner != source else { return nil }
        let (old, new) = (owner.prefix { $0 != "." }, member.name.prefix { $0 != "." })
        return old == new ? nil : (String(old), String(new), source == nil)
      }
      // The one that has another name is the cause.
      let names = Set(pair.old.attributes.map(\.name))
      let wrong = moves.filter { !$0.isNew }
      let first = wrong.first { !names.contains($0.new) } ?? wrong.first ?? moves.first
      guard let move = first else { return nil }
      return Diagnostic(
        .swappedValues, move.isNew ? .warning : .error,
        "'\(pair.new.name).\(move.new)' gets the values that users have in '\(move.old)', because no version hash changes",
        subject: subject(pair.new.name, move.new),
        related: [ModelSubject(version: old.name, entity: pair.new.name, property: move.old)],
        notes: [
          "the name of a composite attribute, or of a property with a struct, is in no version hash: stores open as they are",
          "columns of equal elements are numbered by the order of the names, and that order changes",
        ],
        help: move.isNew
          ? ["if that is intended, \(new.notation.renamingAdvice(move.new, formerly: move.old))"]
          : [
            "keep the names that users' stores have, and give the new name to a computed property",
            "or choose a name that keeps the order",
          ])
    }
  }

  /// The attribute of an earlier version whose column another one has now, which may have no values to go on with.
  private typealias ColumnMove = (old: String, new: String, isNew: Bool)

  private func layOut(_ version: ModelVersion) -> StoreSchema {
    layOutStore(for: version.model, frameworkVersion: FrameworkFeatures.newestKnownVersion)
  }

  /// The renames that take a name from another item, and those of the items that lose it.
  private func crossed(_ kept: [(old: String, new: String)]) -> [(old: String, new: String)] {
    let renamed = kept.filter { $0.old != $0.new }
    return renamed.filter { pair in renamed.contains { $0.old == pair.new || $0.new == pair.old } }
  }
}

extension Diagnostic.Code { package static let swappedValues = Self("MC2642", level: .path) }

extension Diagnostic {
  fileprivate static func swappedValues(
    _ moves: [(old: String, new: String)], of entity: String?, _ step: VersionStep
  ) -> Self {
    let subjects = moves.map { step.subject(entity ?? $0.new, entity == nil ? nil : $0.new) }
    let names = moves.map { "'\($0.new)'" }.listed
    let word = step.new.notation == .swiftData ? "originalName" : "renaming identifier"
    let first = moves[0].new
    // What nothing else of the model differs by, moves no hash: stores are opened as they are.
    let isUnseen = step.old.versionChecksum == step.new.versionChecksum
    // What the earlier version has under the name may have a former name itself, which it has lost now.
    let former = entity.flatMap { step.mapping(toEntity: $0)?.sourceEntityName }.flatMap { source in
      step.before.attribute(named: first, of: source)?.renamingIdentifier
        ?? step.before.relationship(named: first, of: source)?.renamingIdentifier
    }
    return Self(
      .swappedValues, .warning,
      "\(entity == nil ? "objects of entities" : "values of '\(entity ?? "")'") "
        + "\(isUnseen ? "do not change places yet, because no version hash changes" : "change places"): "
        + moves.map { "'\($0.new)' takes those of '\($0.old)'" }.listed,
      subject: subjects[0], related: Array(subjects.dropFirst()),
      notes: [
        Note(
          "stores are matched by the \(word), not by the name: after a migration '\(first)' has what users have under "
            + "'\(moves[0].old)'")
      ],
      help: [
        former.map {
          "if that is not intended, \(step.new.notation.renamingAdvice(first, formerly: $0)), as in '\(step.old.name)'"
        } ?? "if that is not intended, remove the \(word) of \(names): an unchanged name keeps its values",
        "if it is intended, \(isUnseen ? "give '\(first)' a `hashModifier:` too, so that all are migrated, " : "")keep it in later versions, and "
          + step.new.notation.allowingAdvice(.swappedValues, at: subjects[0].fullName),
      ])
  }
}
