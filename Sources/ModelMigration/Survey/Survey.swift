import ManagedModel
import PersistentStore

/// The questions of a plan to one store: it composes the mappings along the path, and asks the store's rows everything
/// that they depend on.
struct Survey {
  let db: StoreDatabase
  let physical: PhysicalSchema
  /// What is to come, the segment that is asked about first.
  let segments: [SegmentPath]
  let configuration: String?
  let store: String
  let metadata: StoreMetadata
  let options: MigrationOptions
  /// How the store is to be reached: what was asked for, and what the way needs.
  let route: RouteRequest
  /// Has no losses yet; knows those that may be, and what any version up to the target retires, on the way or past it.
  let emptyAccount: LossAccount
  /// Whether rows are counted even where no number of them bears on the result.
  let countsAllRows: Bool
  /// Whether what has no form in SQL is computed object by object, as a migration is going to do anyway.
  let triesObjects: Bool
  let monitor: MigrationMonitor
  /// Whether a handler may change the rows before the first step: what they say against it is then said again after.
  let rowsMayChangeBeforeStep: Bool

  /// The versions of the first segment, with the entities that the store has.
  var path: [ModelVersion] { segments[0].versions.map(restricted) }
  var frameworkVersion: Int { metadata.frameworkVersion ?? 0 }

  struct Findings {
    var mappingModel = MappingModel(entityMappings: [], isInferred: true)
    var entities: [MigrationPlan.EntityRows] = []
    var losses: [MigrationPlan.Loss] = []
    /// Rules of the target that objects will break and do not break yet.
    var violations: [RuleViolation] = []
    var diagnostics: [Diagnostic] = []
    /// Whether the models alone stand in the way of no step.
    var isInferable = true
    var statements: [StoreStatement] = []
    var schema = StoreSchema(entities: [], tables: [], joinTables: [])
    var route: RouteChoice = (.clone, "")
    var touchesRows = false
    /// The part of the store's bytes that statements change, from 0 to 1.
    var workedShare = 0.0
    /// Whether numbers of rows are upper bounds, because counting would have read them for nothing.
    var rowsAreBounds = false
    var customStep: CustomStep?
    var dropsCloudKit = false
    /// Whether dropping those tables, or changing the history, takes time.
    var changesLargeTables = false
    var uriReplacements: [StoreStatement.TextReplacement] = []
    /// Highest primary keys handed out so far, by the destination's root entities.
    var formerMaxima: [String: CheckedKey] = [:]
  }

  func run() throws -> Findings {
    var findings = Findings()
    guard let source = path.first else { return findings }
    let (schema, bindDiagnostics) = physical.bound(to: source.model)
    findings.schema = schema
    findings.diagnostics += bindDiagnostics
    let derived = layOutStore(for: source.model, frameworkVersion: frameworkVersion)
    var last: StoreTransition?
    var isInferable = !bindDiagnostics.hasErrors
    // Views and foreign keys would go on with the old table.
    let mayRebuild =
      physical.views.isEmpty && physical.tables.allSatisfy { SchemaText($0.sql)?.references.isEmpty != false }
    for (from, to) in zip(path, path.dropFirst()) {
      var (step, diagnostics) = inferMappingModel(from: from, to: to)
      if let stated = segments[0].stated { (step, diagnostics) = (stated, []) }
      findings.diagnostics += diagnostics
      let errors = diagnostics.filter { $0.severity == .error }
      // Rows are asked about what can be carried over, beside what cannot; nothing is known of the steps behind it.
      let isAsked = isInferable && errors.allSatisfy { $0.subject?.property != nil }
      isInferable = isInferable && errors.isEmpty
      var transition = StoreTransition(
        source: source.model, destination: to.model,
        mappingModel: last.map { $0.mappingModel.composed(with: step) } ?? step, schema: schema,
        derivedSchema: derived, layout: layOutStore(for: to.model, frameworkVersion: frameworkVersion))
      transition.tableTexts = physical.tableTexts
      transition.changeTable = physical.table(named: "ACHANGE")
      transition.mayRebuild = mayRebuild
      transition.views = physical.views
      last = transition
      guard isAsked else { continue }
      let obstacles = try askObstacles(transition, step, from: EntityHierarchy(from.model), version: to.name)
        .filter { obstacle in
          !errors.compactMap(\.subject).contains {
            $0.entity == obstacle.subject?.entity && $0.property == obstacle.subject?.property
          }
        }
      // What conflicts with one step conflicts with the next as well: it is told where it begins.
      let known = Set(findings.diagnostics.map(\.key))
      findings.diagnostics += obstacles.filter { !known.contains($0.key) }.map(uncertainIfRowsMayChange)
    }
    guard let last else {
      try surveyCurrent(source, schema, into: &findings)
      return findings
    }
    findings.mappingModel = last.mappingModel
    findings.isInferable = isInferable
    // Where another segment follows, the rules of the last version count alone.
    if isInferable, segments.count < 2, let target = path.last {
      let rules = try RuleSurvey(
        db: db, transition: last, version: target.name, isStrict: options.refusesBrokenRules
      ).run()
      findings.violations = rules.violations
      findings.diagnostics += rules.diagnostics.map(uncertainIfRowsMayChange)
    }
    if !bindDiagnostics.hasErrors { try survey(last, into: &findings) }
    return findings
  }

  /// For a store that is of the target version already.
  private func surveyCurrent(
    _ version: ModelVersion, _ schema: StoreSchema, into findings: inout Findings
  ) throws {
    findings.rowsAreBounds = !countsAllRows
    let shares = try TableShares(db, of: schema)
    findings.entities = try entityRows(of: schema, countsAllRows ? nil : shares)
    if findings.diagnostics.hasErrors { return }
    let (plan, diagnostics) = schema.surveyIndexes(
      of: version, frameworkVersion: frameworkVersion, isApplying: options.appliesIndexes)
    findings.diagnostics += diagnostics
    guard options.appliesIndexes, !plan.statements.isEmpty else { return }
    let makesUnique = plan.statements.contains {
      if case .createIndex(let index) = $0 { index.isUnique } else { false }
    }
    if makesUnique {
      let duplicates = try db.findBrokenConstraints(in: VerifiedStore(schema: schema, model: version.model))
      findings.diagnostics += duplicates.map(\.diagnostic)
      if !duplicates.isEmpty { return }
    }
    findings.diagnostics += [deferredWork(in: metadata, store: store)].compactMap(\.self)
    findings.statements = plan.statements
    let footprint = StatementFootprint(plan.statements, shares: shares.shares)
    findings.route = route.choice(for: footprint)
  }

  /// - Parameter shares: gives upper bounds in place of counts; nil to count.
  private func entityRows(
    of schema: StoreSchema, _ shares: TableShares?
  ) throws -> [MigrationPlan.EntityRows] {
    var counts: [Int: Int] = [:]
    for table in schema.tables {
      let rows =
        try shares.map { boundRows(of: table, in: schema, $0) }
        ?? countRows(db, table: table.name).mapValues(\.rows)
      counts.merge(rows) { first, _ in first }
    }
    return schema.entities.map {
      .init(
        mapping: "IEM_Copy_\($0.name)", type: .copy, source: $0.name, destination: $0.name,
        rows: counts[$0.number] ?? 0)
    }
  }

  /// Every entity of the table may have as many rows as the table has.
  private func boundRows(of table: TableLayout, in schema: StoreSchema, _ shares: TableShares) -> [Int: Int] {
    let bound = Int(clamping: shares.bounds[table.name] ?? 0)
    return Dictionary(firstOf: schema.entities(in: table).map { ($0.number, bound) })
  }

  private func survey(_ transition: StoreTransition, into findings: inout Findings) throws {
    let former = findings
    let tables = transition.tablePlans
    let shares = try TableShares(db, of: transition.schema)
    findings.diagnostics += [deferredWork(in: metadata, store: store)].compactMap(\.self)
    try surveySystemTables(transition, into: &findings)
    let (plan, footprint) = try plan(transition, shares, into: &findings)
    findings.rowsAreBounds = !countsAllRows && findings.route.route == .inPlace && !findings.touchesRows
    var losses = LossCounter(db: db, transition: transition)
    let rowsAreBounds = findings.rowsAreBounds
    try losses.count { table, conditions in
      guard !countsAllRows, conditions.isEmpty, !footprint.workedTables.contains(table.name) else {
        return try countRows(db, table: table.name, conditions: conditions)
      }
      if rowsAreBounds, try !hasOrphanHeirs(table, tables, transition) {
        return boundRows(of: table, in: transition.schema, shares).mapValues { ($0, []) }
      }
      // Rows that nothing is done with are counted without looking at them.
      let entities = transition.schema.entities(in: table)
      guard entities.count == 1 else { return try countRows(db, table: table.name) }
      return [entities[0].number: (try db.countAllRows(table: table.name), [])]
    }
    findings.entities = transition.mappingModel.entityMappings.map { mapping in
      let number = mapping.sourceEntityName.flatMap { transition.oldNumber(ofSource: $0) }
      return .init(mapping, rows: number.flatMap { losses.rows[$0] } ?? 0)
    }
    if !losses.orphanRows.isEmpty, transition.orphanRows.isEmpty {
      // Planned anew, now that they are known.
      var transition = transition
      transition.orphanRows = Dictionary(firstOf: losses.orphanRows.map { ($0.table.name, $0.numbers) })
      findings = former
      return try survey(transition, into: &findings)
    }
    let going = Set(tables.filter { $0.kind != .split }.map(\.source.name))
    // A custom step makes nothing of rows of no entity.
    let isInferred = segments.allSatisfy { $0.custom == nil }
    findings.diagnostics += losses.orphanRows.map {
      orphanRows(inTable: $0.table, count: $0.count, stay: going.contains($0.table.name) && isInferred)
    }
    var account = emptyAccount
    for loss in losses.found {
      let examples = try loss.places.lazy.flatMap { place in
        try db.exampleKeys(table: place.table, where: place.condition)
      }.prefix(5)
      account.add(loss.code, of: loss.entity, loss.property, loss.count, examples: Array(examples))
    }
    findings.losses = account.losses
    let target = segments[0].versions.last
    findings.diagnostics += findings.losses.map { uncertainIfRowsMayChange(.loss($0, target)) }
    findings.formerMaxima = formerMaxima(tables, transition)
    findings.diagnostics += plan.diagnostics
    findings.schema = plan.schema
    if !findings.diagnostics.hasErrors { findings.statements = plan.statements }
  }

  /// Whether rows of no entity have a number that the destination gives to an entity of their table: they would become its
  /// objects.
  private func hasOrphanHeirs(
    _ table: TableLayout, _ tables: [TablePlan], _ transition: StoreTransition
  ) throws -> Bool {
    let roots = tables.filter { $0.source.name == table.name }.map(\.destination.rootEntityName)
    let numbers = transition.layout.entities.filter { roots.contains($0.rootEntityName) }.map(\.number)
    let known = transition.numbers(ofSource: table.rootEntityName) { _, _ in true }
    let new = Set(numbers).subtracting(known).sorted()
    return try !new.isEmpty && countRows(db, table: table.name, where: .entity(in: new)) > 0
  }

  /// Chooses the route and plans the statements for it.
  private func plan(
    _ transition: StoreTransition, _ shares: TableShares, into findings: inout Findings
  ) throws -> (plan: StatementPlan, footprint: StatementFootprint) {
    var plan = transition.statements()
    plan.statements += try surveyObjectURIs(transition, schema: plan.schema, into: &findings)
    let footprint = StatementFootprint(plan.statements, shares: shares.shares)
    findings.touchesRows = footprint.touchesRows
    findings.workedShare = footprint.workedTables.reduce(0) { $0 + (shares.shares[$1] ?? 0) }
    findings.route = route.choice(for: footprint, changesSystemTables: findings.changesLargeTables)
    return (plan, footprint)
  }

  /// What rows say that may be others when the step begins.
  func uncertainIfRowsMayChange(_ diagnostic: Diagnostic) -> Diagnostic {
    guard rowsMayChangeBeforeStep, diagnostic.severity == .error else { return diagnostic }
    return diagnostic.with {
      $0.severity = .warning
      $0.notes.append("a handler changes objects before the step: the values after it decide")
    }
  }

  private func askObstacles(
    _ transition: StoreTransition, _ step: MappingModel, from previous: EntityHierarchy, version: String
  ) throws -> [Diagnostic] {
    let tables = transition.tablePlans
    let obstacles = transition.obstacles(in: tables, step: step, previous: previous, version: version)
    var found = try db.answers(to: obstacles).map { diagnostic, count, keys in diagnostic(count, keys) }
    let wanted =
      transition.newConstraints(in: tables, step: step, previous: previous)
      + transition.contestedReferences(in: tables)
    found += try wanted.compactMap { try duplicates($0, version) }
    return found
  }

  /// The rows that have the same values; nil if there are none.
  func duplicates(_ wanted: DistinctValues, _ version: String) throws -> Diagnostic? {
    let (count, examples) = try db.duplicateGroups(
      table: wanted.table, values: wanted.values, entities: wanted.numbers)
    if count == 0 { return nil }
    return wanted.column == nil
      ? .duplicates(wanted, version, count: count, examples: examples)
      : .contested(wanted, version, count: count, examples: examples)
  }

  private func surveySystemTables(_ transition: StoreTransition, into findings: inout Findings) throws {
    let isRenumbered = transition.renumbering.contains { $0.key != $0.value }
    let cloudKit = physical.tables.map(\.name).filter(\.isCloudKitTable)
    if let history = HistoryTransition(transition), !history.statements.isEmpty {
      findings.changesLargeTables = try db.rowBound(table: history.table) > 10_000
      let mirrors = try !options.dropsCloudKit && !db.filledCloudKitTables().isEmpty
      findings.diagnostics += try db.surveyHistory(history, mirrors: mirrors)
    }
    if options.dropsCloudKit {
      if cloudKit.isEmpty { return }
      findings.dropsCloudKit = true
      let isLarge = try cloudKit.contains { try db.rowBound(table: $0) > 10_000 }
      findings.changesLargeTables = findings.changesLargeTables || isLarge
      findings.diagnostics.append(
        .coreDataSystemTables, .warning,
        "the tables of CloudKit mirroring are dropped: \(cloudKit.count == 1 ? "1 table" : "\(cloudKit.count) tables")",
        notes: ["as requested; the app exports everything again when it next opens the store"])
    } else if isRenumbered {
      let filled = try db.filledCloudKitTables()
      if !filled.isEmpty { findings.diagnostics.append(.cloudKitRenumbered(filled)) }
    }
  }

  private func formerMaxima(_ tables: [TablePlan], _ transition: StoreTransition) -> [String: CheckedKey] {
    let byNumber = physical.maxima
    let maxima = tables.compactMap { table in
      transition.oldNumber(ofSource: table.source.rootEntityName).flatMap { byNumber[$0] }
        .map { (table.destination.rootEntityName, $0) }
    }
    return Dictionary(firstOf: maxima)
  }

  func restricted(_ version: ModelVersion) -> ModelVersion {
    guard configuration != nil else { return version }
    var restricted = ModelVersion(
      name: version.name, model: version.model.restricted(toConfiguration: configuration),
      predecessorNames: version.predecessorNames, origin: version.origin,
      sourceMap: version.sourceMap)
    restricted.allowsInference = version.allowsInference
    return restricted
  }
}

extension Diagnostic {
  static func cloudKitRenumbered(_ tables: [String]) -> Self {
    Self(
      .coreDataSystemTables, .error, "the store mirrors to CloudKit and its entities get other numbers",
      notes: ["rows in \(tables.map { "'\($0)'" }.joined(separator: ", ")) name entities by number"],
      help: [
        "let the app migrate this store, or choose entity names that keep the numbers (numbers follow the names)",
        "or drop the tables with `MigrationOptions.dropsCloudKit`, and the app exports everything again",
      ])
  }
}

extension PhysicalSchema {
  /// The `CREATE TABLE` texts, by table.
  var tableTexts: [String: String] { Dictionary(firstOf: tables.map { ($0.name, $0.sql) }) }
}
