package import ManagedModel
import PersistentStore

extension StoreSchema {
  /// The statements that give a store the indexes of its own version, and findings about the indexes that it has.
  ///
  /// Indexes are not part of a version's hash: where a model gains one, existing stores stay without it.
  ///
  /// - Parameter isApplying: whether the statements are going to be carried out.
  func surveyIndexes(of version: ModelVersion, frameworkVersion: Int, isApplying: Bool) -> (
    plan: StatementPlan, diagnostics: [Diagnostic]
  ) {
    let layout = layOutStore(for: version.model, frameworkVersion: frameworkVersion)
    // A store may number its entities otherwise than its model alone would; the names of indexes do not depend on it, and
    // those of join tables are the store's own.
    var numbered = layout
    for index in layout.entities.indices {
      guard let number = entity(named: layout.entities[index].name)?.number else { continue }
      numbered.entities[index].number = number
    }
    let mapping = inferMappingModel(from: version, to: version).mappingModel
    let transition = StoreTransition(
      source: version.model, destination: version.model, mappingModel: mapping, schema: self,
      derivedSchema: layout, layout: numbered)
    var plan = transition.statements()
    plan.statements = plan.statements.filter(\.isOfIndexes)
    let missing = plan.statements.compactMap(\.createdIndexName)
    let planner = StatementPlanner(transition)
    let surplus = planner.tablePlans.flatMap { table -> [String] in
      let dropped = Set(planner.indexChanges(of: table).dropped)
      // A second index of the same form, which a migration in place leaves behind, costs time and changes nothing.
      return table.source.indexes.filter { index in
        dropped.contains(index.name)
          && !table.source.indexes.contains {
            $0.name != index.name && $0.columnNames == index.columnNames && $0.form == index.form
          }
      }.map(\.name)
    }.sorted()
    let parts: [String?] = [
      missing.isEmpty ? nil : "\(missing.quoted(5)) \(missing.count == 1 ? "is" : "are") missing",
      surplus.isEmpty
        ? nil : "\(surplus.quoted(5)) \(surplus.count == 1 ? "is" : "are") no longer in the model",
    ]
    if missing.isEmpty, surplus.isEmpty { return (plan, []) }
    let finding = Diagnostic(
      .indexesDiffer, isApplying ? .information : .warning,
      "the store's indexes are not those of '\(version.name)': \(parts.compactMap(\.self).joined(separator: ", "))",
      subject: ModelSubject(version: version.name),
      notes: isApplying ? [] : ["indexes are not part of the version hash, so no migration adds them"],
      help: isApplying
        ? [] : ["`modelc migrate --apply-indexes STORE` updates them, and changes nothing else"])
    return (plan, [finding])
  }
}

extension StoreStatement {
  var isOfIndexes: Bool {
    switch self {
    case .createIndex, .drop(.index, _), .renameIndexes: true
    default: false
    }
  }
}

extension Diagnostic.Code { package static let indexesDiffer = Self("MC3301") }
