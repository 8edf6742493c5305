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
      let count = try condition.map { try countRows(self, table: history.table.name, where: $0) } ?? 0
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
  /// value, the migration would end there.
  func surveyExternalData(of plan: MigrationPlan) throws -> [Diagnostic] {
    guard !plan.isDone, let source = plan.versions.first else { return [] }
    let model = source.model.restricted(toConfiguration: plan.configuration)
    let (schema, _) = try readPhysicalSchema().bound(to: model)
    let end = plan.versions.first { $0.name == plan.segments.first?.path.last } ?? plan.target
    let (old, new) = (EntityHierarchy(model), EntityHierarchy(end.model))
    let path = URL(filePath: plan.store).resolvingSymlinksInPath().path
    let findings = try findMissingExternalData(self, schema: schema, model: model, storePath: path)
    return findings.map { finding in
      var diagnostic = finding.diagnostic
      if !plan.mappingModel.isInferred, plan.mappingModel.reads(diagnostic.subject, from: old, to: new) {
        diagnostic.notes.append(
          "a mapping reads these values, so the migration would stop at the first of them")
      } else {
        diagnostic.severity = .warning
        diagnostic.notes.append(
          "the references are copied as they are; once the files are restored, the values are back")
      }
      return diagnostic
    }
  }
}

extension MappingModel {
  /// Whether an expression asks for the value of a source property, or an attribute takes it that has no files.
  fileprivate func reads(
    _ subject: ModelSubject?, from source: EntityHierarchy, to destination: EntityHierarchy
  ) -> Bool {
    guard let entity = subject?.entity, let property = subject?.property else { return false }
    let kinds = source.descendantNames(includingSelf: entity)
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
