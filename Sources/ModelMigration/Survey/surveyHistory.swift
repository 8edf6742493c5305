import Foundation
import ManagedModel
import PersistentStore

extension StoreDatabase {
  /// What a migration takes from a store's persistent history, counted.
  ///
  /// - Parameter mirrors: whether the store mirrors to CloudKit, which exports what the history tells.
  func surveyHistory(_ history: HistoryTransition, mirrors: Bool) throws -> [Diagnostic] {
    let exports: Diagnostic.Note =
      "the store mirrors to CloudKit: let the app export its changes before the migration"
    func finding(
      _ condition: SQLCondition?, _ note: Diagnostic.Note,
      _ message: (_ changes: String, _ count: Int) -> String
    ) throws -> Diagnostic? {
      let count = try condition.map { try countRows(self, table: history.table, where: $0) } ?? 0
      guard count > 0 else { return nil }
      return Diagnostic(
        .coreDataSystemTables, .warning, message(count == 1 ? "1 change" : "\(count) changes", count),
        notes: (mirrors ? [exports] : []) + [note])
    }
    return try [
      finding(
        history.changesRemoved, "all other changes and every transaction stay, with their numbers"
      ) { changes, _ in
        "the persistent history loses \(changes) of entities that the new version does not have"
      },
      finding(
        history.changesUnlabelled,
        "the history names properties by position, and their entities now have other properties; objects are still identified"
      ) { changes, count in
        "\(changes) in the persistent history no longer \(count == 1 ? "says" : "say") which properties changed"
      },
      finding(history.tombstonesCleared, "their entities preserve other attributes on deletion now") {
        changes, count in
        "\(changes) in the persistent history \(count == 1 ? "loses" : "lose") the preserved values of deleted objects"
      },
    ].compactMap(\.self)
  }

  /// Counts values in files beside the store whose files are missing or empty, and says where the files are instead.
  ///
  /// This copy of the store has lost them already, and rows still refer to them: a warning. Where a mapping reads such a
  /// value, the migration would end there. Files that two values share stay what they are: `verify` lists them.
  func surveyExternalData(of plan: MigrationPlan) throws -> [Diagnostic] {
    guard let source = plan.versions.first else { return [] }
    let model = source.model.restricted(toConfiguration: plan.configuration)
    let (schema, _) = try readPhysicalSchema().bound(to: model)
    let path = URL(filePath: plan.store).resolvingSymlinksInPath().path
    let findings = try findMissingExternalData(self, schema: schema, model: model, storePath: path)
    return findings.map { finding in
      var diagnostic = finding.diagnostic
      if plan.readsFile(of: diagnostic.subject) {
        diagnostic.notes.append(
          "a mapping reads these values, so the migration would stop at the first of them")
      } else {
        diagnostic.severity = .warning
        diagnostic.notes.append(
          "the references are copied; once the files are next to the migrated store, the values are back")
      }
      return diagnostic
    }
  }
}

extension MigrationPlan {
  /// Whether a mapping of a segment reads a source property, which is followed to where the segments before carry it: for
  /// certain, so of one entity, which no filter and no handler lies in front of.
  fileprivate func readsFile(of subject: ModelSubject?) -> Bool {
    guard let entity = subject?.entity, let property = subject?.property else { return false }
    var place = PropertyReference(entity: entity, property: property)
    for segment in segments {
      let mappingModel = segment.mappingModel
      guard let from = segment.versions.first, let to = segment.versions.last else { return false }
      let (old, new) = (EntityHierarchy(from.model), EntityHierarchy(to.model))
      if !mappingModel.isInferred, mappingModel.reads(place, from: old, to: new) { return true }
      let takers = mappingModel.mappings(fromEntity: place.entity)
      guard stages.isEmpty, pendingSteps.isEmpty, takers.count == 1, let taker = takers.first,
        old.descendantNames(includingSelf: place.entity).count == 1, taker.filter == nil,
        taker.grouping == nil, taker.policyName == nil, let heir = taker.destinationEntityName,
        let carrier = taker.attributeMappings.first(where: { $0.value.sourceName == place.property }),
        new.attribute(named: carrier.name, of: heir)?.allowsExternalBinaryDataStorage == true
      else { return false }
      place = PropertyReference(entity: heir, property: carrier.name)
    }
    return false
  }
}

extension MappingModel {
  /// Whether an expression asks for the value of a source property, or an attribute takes it that has no files.
  fileprivate func reads(
    _ place: PropertyReference, from source: EntityHierarchy, to destination: EntityHierarchy
  ) -> Bool {
    let (kinds, property) = (source.descendantNames(includingSelf: place.entity), place.property)
    return entityMappings.contains { mapping in
      kinds.contains(mapping.sourceEntityName ?? "")
        && mapping.attributeMappings.contains { attribute in
          if case .expression(let expression) = attribute.value {
            return expression.keysOfSource.contains { $0.starts(with: keys(of: property)) }
          }
          let taker = destination.attribute(named: attribute.name, of: mapping.destinationEntityName ?? "")
          // Which objects a filter lets through, the run finds out.
          return mapping.filter == nil && attribute.value.sourceName == property
            && taker?.allowsExternalBinaryDataStorage == false
        }
    }
  }
}
