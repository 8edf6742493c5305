public import ManagedModel
import ModelMapping
import PersistentStore

/// The look at one store that a plan rests on: mappings composed along the path, and every question they raise put
/// to the store's rows.
struct Survey {
  let db: StoreDatabase
  let physical: PhysicalSchema
  let frameworkVersion: Int
  let path: [ModelVersion]
  let configuration: String?
  let allowedLosses: Set<String>

  struct Findings {
    var mappingModel = MappingModel(entityMappings: [], isInferred: true)
    var entities: [MigrationPlan.EntityRows] = []
    var losses: [MigrationPlan.Loss] = []
    var diagnostics: [Diagnostic] = []
    var statements: [StoreStatement] = []
    var schema = StoreSchema(entities: [], tables: [], joinTables: [])
    var dropsHistory = false
    /// Highest primary keys handed out so far, by the destination's root entities.
    var formerMaxima: [String: Int64] = [:]
  }

  func run() throws -> Findings {
    var findings = Findings()
    let path = path.map(restricted)
    guard let source = path.first else { return findings }
    let (schema, bindDiagnostics) = bindSchema(physical, to: source.model)
    findings.schema = schema
    findings.diagnostics += bindDiagnostics
    let derived = layOutStore(for: source.model, frameworkVersion: frameworkVersion)
    var last: StoreTransition?
    var isInferable = !bindDiagnostics.hasErrors
    for (from, to) in zip(path, path.dropFirst()) {
      let (step, diagnostics) = inferMappingModel(from: from, to: to)
      findings.diagnostics += diagnostics
      isInferable = isInferable && !diagnostics.hasErrors
      let transition = StoreTransition(
        source: source.model, destination: to.model,
        mappingModel: last.map { composeMappingModels($0.mappingModel, step) } ?? step, schema: schema,
        derivedSchema: derived, layout: layOutStore(for: to.model, frameworkVersion: frameworkVersion))
      last = transition
      // Questions about rows make sense only where every property is mapped.
      guard isInferable else { continue }
      let obstacles = try askObstacles(transition, step: step, previous: from.model, version: to.name)
      // What stands against one step stands against the next as well: it is told where it begins.
      let known = Set(findings.diagnostics.map(\.findingKey))
      findings.diagnostics += obstacles.filter { !known.contains($0.findingKey) }
    }
    guard let last else {
      findings.entities = try entityRows(of: schema)
      return findings
    }
    findings.mappingModel = last.mappingModel
    if !bindDiagnostics.hasErrors { try survey(last, into: &findings) }
    return findings
  }

  /// For a store that is of the target version already.
  private func entityRows(of schema: StoreSchema) throws -> [MigrationPlan.EntityRows] {
    var counts: [Int: Int] = [:]
    for table in schema.tables {
      counts.merge(try countRows(db, table: table.name).mapValues(\.rows)) { first, _ in first
      }
    }
    return schema.entities.map {
      .init(
        mapping: "IEM_Copy_\($0.name)", type: .copy, source: $0.name, destination: $0.name,
        rows: counts[$0.number] ?? 0)
    }
  }

  private func survey(_ transition: StoreTransition, into findings: inout Findings) throws {
    var losses = LossCounter(transition)
    try losses.count(
      { table, conditions in try countRows(db, table: table, conditions: conditions) },
      all: { table in try countAllRows(db, table: table) })
    findings.entities = transition.mappingModel.entityMappings.map { mapping in
      let number = mapping.sourceEntityName.flatMap { transition.oldNumber(ofSource: $0) }
      return .init(
        mapping: mapping.name, type: mapping.mappingType, source: mapping.sourceEntityName,
        destination: mapping.destinationEntityName, rows: number.flatMap { losses.rows[$0] } ?? 0)
    }
    findings.diagnostics += losses.strays.map { .strayRows(inTable: $0.table, count: $0.rows) }
    findings.losses = losses.found.map(acknowledged)
    findings.diagnostics += findings.losses.map {
      .loss($0, version: path.last?.name ?? "", isError: !$0.isAcknowledged)
    }
    findings.diagnostics += try surveySystemTables(transition, &findings.dropsHistory)
    findings.formerMaxima = formerMaxima(transition)
    let plan = planStatements(transition)
    findings.diagnostics += plan.diagnostics
    findings.schema = plan.schema
    if !findings.diagnostics.hasErrors { findings.statements = plan.statements }
  }

  func acknowledged(_ loss: MigrationPlan.Loss) -> MigrationPlan.Loss {
    var loss = loss
    let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
    let isRetired = path.dropFirst().contains {
      $0.model.retired.contains(name) || $0.model.retired.contains(loss.entity)
    }
    loss.isAcknowledged =
      allowedLosses.contains(loss.code.description) || (loss.code == .droppedData && isRetired)
    return loss
  }

  private func askObstacles(
    _ transition: StoreTransition, step: MappingModel, previous: ManagedObjectModel, version: String
  ) throws -> [Diagnostic] {
    var found: [Diagnostic] = []
    let obstacles = findObstacles(transition, step: step, previous: previous, version: version)
    for table in transition.schema.tables {
      let questions = obstacles.filter { $0.table == table.name }
      if questions.isEmpty { continue }
      let counts = try countRows(db, table: table.name, conditions: questions.map(\.condition))
      for (index, question) in questions.enumerated() {
        guard let count = counts[question.number]?.matching[index], count > 0 else { continue }
        let rows = SQLCondition.all([.entity(in: [question.number]), question.condition])
        found.append(question.diagnostic(count, try exampleKeys(db, table: table.name, where: rows)))
      }
    }
    for constraint in findNewConstraints(transition, step: step, previous: previous, version: version) {
      let (count, examples) = try duplicateGroups(
        db, table: constraint.table, values: constraint.values, entities: constraint.numbers)
      if count > 0 { found.append(.duplicates(constraint, count: count, examples: examples)) }
    }
    for reference in findContestedReferences(transition, version: version) {
      let (count, examples) = try duplicateGroups(
        db, table: reference.table, values: reference.values, entities: reference.numbers)
      if count > 0 { found.append(.contested(reference, count: count, examples: examples)) }
    }
    return found
  }

  /// Persistent history names entities by number and properties by place: it stays only where neither changes.
  private func surveySystemTables(_ transition: StoreTransition, _ dropsHistory: inout Bool) throws
    -> [Diagnostic]
  {
    let isRenumbered = transition.renumbering.contains { $0.key != $0.value }
    let isUnchanged = transition.mappingModel.entityMappings.allSatisfy {
      [.copy, .add].contains($0.mappingType)
    }
    var found: [Diagnostic] = []
    let history = physical.tables.map(\.name).filter(isHistoryTable)
    if !history.isEmpty, isRenumbered || !isUnchanged {
      dropsHistory = true
      let rows = try history.filter { $0.uppercased() == "ATRANSACTION" }.map {
        try countAllRows(db, table: $0)
      }
      found.append(.historyDropped(transactions: rows.reduce(0, +)))
    }
    if isRenumbered {
      let cloudKit = try physical.tables.map(\.name).filter(isCloudKitTable).filter {
        try countAllRows(db, table: $0) > 0
      }
      if !cloudKit.isEmpty { found.append(.cloudKitRenumbered(cloudKit)) }
    }
    return found
  }

  private func formerMaxima(_ transition: StoreTransition) -> [String: Int64] {
    let byNumber = Dictionary(
      physical.entityRows.map { ($0.number, $0.maximum) }, uniquingKeysWith: { first, _ in first })
    var maxima: [String: Int64] = [:]
    for origin in tableOrigins(transition) {
      guard let root = origin.source?.rootEntityName, let number = transition.oldNumber(ofSource: root) else {
        continue
      }
      maxima[origin.table.rootEntityName] = byNumber[number]
    }
    return maxima
  }

  func restricted(_ version: ModelVersion) -> ModelVersion {
    guard configuration != nil else { return version }
    return ModelVersion(
      name: version.name, model: version.model.restricted(toConfiguration: configuration),
      predecessorName: version.predecessorName,
      sourceMap: version.sourceMap)
  }
}

extension Diagnostic {
  /// What a finding is about, whatever version it was found in.
  fileprivate var findingKey: [String?] {
    [code.description, subject?.entity, subject?.property, subject?.key]
  }
}

extension Diagnostic.Code {
  public static let coreDataSystemTables = Self("MC5201")
}

extension Diagnostic {
  static func historyDropped(transactions: Int) -> Self {
    Self(
      .coreDataSystemTables, .warning,
      "the store's persistent history does not go along: \(transactions) \(transactions == 1 ? "transaction" : "transactions")",
      notes: [
        "it names entities by numbers and properties by places that this migration changes",
        "who reads the history has to begin anew, as after `NSPersistentHistoryTokenExpiredError`",
      ])
  }

  static func cloudKitRenumbered(_ tables: [String]) -> Self {
    Self(
      .coreDataSystemTables, .error, "the store mirrors to CloudKit and its entities get other numbers",
      notes: ["rows in \(tables.map { "'\($0)'" }.joined(separator: ", ")) name entities by number"],
      help: [
        "let the app migrate this store, or name entities so that the numbers stay (they follow the names)"
      ])
  }
}
