import GRDB
import ManagedModel
import PersistentStore

extension Survey {
  /// The same questions for a custom step.
  ///
  /// - Parameter written: names of the mappings that a person wrote, or left out to remove an entity; what those leave
  ///   out is meant.
  func run(_ step: CustomStep, written: Set<String>) throws -> Findings {
    var findings = Findings()
    guard let source = path.first, let target = path.last else { return findings }
    let (schema, bindDiagnostics) = physical.bound(to: source.model)
    (findings.schema, findings.mappingModel) = (schema, step.mappingModel)
    findings.diagnostics += bindDiagnostics
    if findings.diagnostics.hasErrors { return findings }
    db.registerExpressionFunctions()
    var survey = CustomSurvey(
      survey: self, step: step, written: written, rows: ObjectRows(db, schema: schema, model: source.model),
      target: target, destination: EntityHierarchy(target.model), account: emptyAccount, findings: findings)
    try survey.run()
    return survey.findings
  }
}

/// The questions of a plan to a store for a custom step: how many objects each mapping takes, which it leaves behind, which
/// values nobody reads.
struct CustomSurvey {
  let survey: Survey
  let step: CustomStep
  let written: Set<String>
  let rows: ObjectRows
  let target: ModelVersion
  let destination: EntityHierarchy
  var account: LossAccount
  var findings: Survey.Findings
  var mappingModel: MappingModel { step.mappingModel }
  var db: StoreDatabase { survey.db }
  /// Whether objects may go that the plan cannot count: a policy may delete what other mappings make, and of some groups only
  /// objects say where a cascade begins.
  var changesOthers: Bool {
    let cascading = mappingModel.sources(dropping: .cascade, rows)
    return mappingModel.entityMappings.contains {
      $0.policyName != nil || $0.onDrop == .cascade && !cascading.contains($0.sourceEntityName ?? "")
    }
  }

  fileprivate mutating func run() throws {
    try askObjects()
    for mapping in mappingModel.entityMappings {
      let count = try mapping.sourceEntityName.map { try taken(mapping, of: $0) } ?? 0
      let made = try surveyGroups(mapping)
      findings.entities.append(.init(mapping, rows: count, made: made))
    }
    for entity in rows.hierarchy.model.entities where !entity.isAbstract {
      let mappings = mappingModel.mappings(fromEntity: entity.name)
      let folds = mappingModel.folds(of: entity.name, rows.hierarchy)
      if !folds.isEmpty, mappings.allSatisfy({ $0.destinationEntityName == nil && $0.policyName == nil }) {
        let isIntended = mappings.isEmpty || mappings.contains { written.contains($0.name) }
        try countLeftBehind(entity.name, folds, isIntended: isIntended)
        continue
      }
      try countDropped(entity.name, mappings)
      try countUnread(entity.name, mappings)
    }
    try countUnreadLinks()
    let refused = try surveyConversions()
    let layout = layOutStore(for: target.model, frameworkVersion: survey.frameworkVersion)
    let numbers = try step.keyedMappings(from: rows, survey.physical, to: layout)
    let sound = numbers.sound.map { mappingModel.entityMappings[$0].name }
    let misread = try surveyCells(sound: Set(sound))
    // What cannot be read cannot be computed with either.
    findings.diagnostics += misread.isEmpty ? refused.map(survey.uncertainIfRowsMayChange) : misread
    if misread.isEmpty, refused.isEmpty {
      findings.diagnostics += try surveyRequirements().map(survey.uncertainIfRowsMayChange)
    }
    let planned = try planCarried(numbers, layout)
    try countUnknownCells(keyed: numbers.staying.union(numbers.made), to: planned.carried.schema)
    findings.losses = account.losses
    findings.diagnostics += findings.losses.map { loss in
      let columns = rows.schema.table(ofEntity: loss.entity)?.unknownColumns ?? []
      return .loss(loss, target, isColumn: columns.contains { $0.name == loss.property })
    }
    try surveyDropRules()
    findings.diagnostics += try orphanRows() + surveySystemTables() + planned.diagnostics
    let writing = mappingModel.entityMappings.filter { mapping in
      let table = mapping.destinationEntityName.flatMap(planned.carried.schema.table(ofEntity:))
      return mapping.policyName != nil || table.map { planned.carried.touchedTables[$0.name] != nil } ?? false
    }
    findings.diagnostics += try survey.unansweredReferences(
      in: rows,
      touched: Set(writing.compactMap { $0.sourceEntityName.flatMap(rows.shape(named:))?.tableName }))
    if findings.entities.contains(where: { $0.rows > 0 }) {
      findings.diagnostics += rows.schema.triggersPassed(
        by: "the objects that '\(target.name)' gets", in: Array(planned.carried.touchedTables.keys))
    }
    if !findings.diagnostics.hasErrors {
      findings.statements = planned.carried.statements + planned.carried.ending
    }
    findings.customStep = step
    findings.customStep?.carried = planned.carried
    findings.customStep?.objectCounts = rows.counts
  }

  /// Asks objects one by one, as the migration does, for conditions without a form in SQL: nothing else finds what is lost with
  /// those that a mapping takes, or leaves out.
  private func askObjects() throws {
    for mapping in mappingModel.entityMappings where rows.rows(takenBy: mapping) == nil {
      var keys: Set<Int64> = []
      try forEachObject(of: mapping) { object, _, isTaken in
        if (try? isTaken.get()) != false { keys.insert(object.key) }
        return true
      }
      // A statement's text does not hold the keys of a large store.
      let (taken, function) = (keys, "modelc_asked_\(rows.asked.count)")
      db.add(
        function: DatabaseFunction(function, argumentCount: 1, pure: true) { values in
          values.first.flatMap { Int64.fromDatabaseValue($0) }.map { taken.contains($0) }
        })
      rows.asked[mapping.name] = (rows: .satisfies("\(function)(Z_PK)"), count: keys.count)
    }
  }

  /// What of the step moves no object.
  private func planCarried(
    _ numbers: KeyedMappingNumbers, _ layout: StoreSchema
  ) throws -> (carried: RowKeepingMappings, diagnostics: [Diagnostic]) {
    let unsound = account.losses.filter { $0.code == .danglingReferenceDropped }.compactMap { loss in
      loss.property.map { PropertyReference(entity: loss.entity, property: $0) }
    }
    let source = rows.hierarchy.model
    var planned = RowKeepingPlanner(
      step: step, source: rows.hierarchy, destination: destination, numbers: numbers,
      unsound: Set(unsound)
    ).plan { model in
      var transition = StoreTransition(
        source: source, destination: target.model, mappingModel: model, schema: rows.schema,
        derivedSchema: layOutStore(for: source, frameworkVersion: survey.frameworkVersion), layout: layout)
      transition.tableTexts = survey.physical.tableTexts
      transition.views = survey.physical.views
      return transition
    }
    if !changesOthers {
      planned.diagnostics += try duplicates(planned.transition).map(survey.uncertainIfRowsMayChange)
    }
    return (planned.carried, planned.diagnostics)
  }

  /// Duplicates under a new constraint, where all objects and values that it binds come as they are.
  private func duplicates(_ transition: StoreTransition) throws -> [Diagnostic] {
    let constraints = transition.newConstraints(
      in: transition.tablePlans, step: mappingModel, previous: rows.hierarchy)
    if constraints.isEmpty { return [] }
    let cascaded = try mappingModel.countCascaded(rows)
    let certain = constraints.filter { wanted in
      // References to objects that are dropped become empty.
      if wanted.properties.contains(where: { destination.relationship(named: $0, of: wanted.entity) != nil })
      {
        return false
      }
      let kin = destination.descendantNames(includingSelf: destination.rootName(of: wanted.entity))
      let mappings = kin.flatMap { mappingModel.mappings(toEntity: $0) }
      return Set(mappings.compactMap(\.destinationEntityName)).count == mappings.count
        && mappings.allSatisfy { mapping in
          mapping.filter == nil && mapping.grouping == nil
            && cascaded[mapping.sourceEntityName ?? ""] == nil
            && wanted.properties.compactMap(mapping.propertyMapping(named:)).allSatisfy {
              if case .source = $0.value { true } else { false }
            }
        }
    }
    return try certain.compactMap { try survey.duplicates($0, target.name) }
  }

  private func taken(_ mapping: EntityMapping, of entity: String) throws -> Int {
    if mapping.filter == nil { return try rows.count(ofEntity: entity) }
    if let asked = rows.asked[mapping.name] { return asked.count }
    let fetch = ObjectFetch(entityName: entity, predicate: mapping.filter, includesSubentities: false)
    do {
      return try withStoreDiagnostics(for: survey.store) { try rows.count(fetch) }
    } catch let error as DiagnosticsError {
      if error.diagnostics.contains(where: { $0.code == .expressionRefusesValue }) {
        let place: Diagnostic.Note =
          "in 'where: \(mapping.filter?.predicateFormat ?? "")' of mapping '\(mapping.name)'"
        throw DiagnosticsError(
          error.diagnostics.map { finding in
            finding.with {
              $0.subject = ModelSubject(entity: mapping.sourceEntityName)
              $0.notes.insert(place, at: 0)
            }
          })
      }
      // What cannot be counted here is asked object by object, when the objects are copied.
      return try rows.count(ofEntity: entity)
    }
  }

  /// Counts objects that no mapping takes along.
  private mutating func countDropped(_ entity: String, _ mappings: [EntityMapping]) throws {
    let takers = mappings.filter { $0.destinationEntityName != nil || $0.policyName != nil }
    guard takers.allSatisfy({ $0.filter != nil }) else { return }
    var count = try rows.count(ofEntity: entity)
    if count > 0, !takers.isEmpty, let shape = rows.shape(named: entity) {
      let taken = SQLCondition.any(takers.compactMap(rows.rows(takenBy:)))
      count -= try countRows(db, table: shape.tableName, where: .all([.entity(in: [shape.number]), taken]))
    }
    // A filter, an explicit removal and Xcode's mapping models mean it; what inference removes has to be agreed to.
    let isIntended = mappings.contains { written.contains($0.name) } || mappings.isEmpty
    account.add(isIntended ? .objectsUnread : .droppedData, of: entity, nil, count, isIntended: isIntended)
  }

  /// What the drop rules take along, or refuse. What only objects can be asked, the copy pass finds: groups without a form in SQL,
  /// policies.
  private mutating func surveyDropRules() throws {
    let rules = DropRules(mappingModel, rows)
    let cascading = mappingModel.sources(dropping: .cascade, rows)
    let denying = mappingModel.sources(dropping: .deny, rows)
    for (entity, count) in try rules.countCascaded(from: cascading).sorted(by: { $0.key < $1.key }) {
      findings.losses.append(
        .init(code: .objectsUnread, entity: entity, property: nil, count: count, isAcknowledged: true))
      findings.diagnostics.append(.cascaded(entity, count, to: target))
      let takers = findings.entities.indices.filter { findings.entities[$0].source == entity }
      if takers.count == 1 {
        let row = findings.entities[takers[0]]
        findings.entities[takers[0]].made = (row.made ?? row.rows) - count
      }
    }
    for mapping in mappingModel.entityMappings where mapping.onDrop == .deny {
      guard let entity = mapping.sourceEntityName, denying.contains(entity) else { continue }
      let counts = try rules.countReferences(toDroppedOf: entity, afterCascadeFrom: cascading)
      let count = counts.values.reduce(0, +)
      if count > 0 { findings.diagnostics.append(.denied(entity, count, mapping.name)) }
    }
  }

  /// Counts values of attributes that no mapping reads which takes their object; a policy may read anything.
  private mutating func countUnread(_ entity: String, _ mappings: [EntityMapping]) throws {
    let takers = mappings.filter { $0.destinationEntityName != nil }
    guard !takers.isEmpty, takers.allSatisfy({ $0.policyName == nil }), let shape = rows.shape(named: entity)
    else { return }
    var questions: [RowQuestion<(name: String, isIntended: Bool)>] = []
    for attribute in rows.hierarchy.members(of: entity) where !attribute.isDerived {
      guard case .attribute(let found)? = shape.properties[attribute.name] else { continue }
      let column = shape.columnNames[found.slot]
      let isRead = try takers.map { mapping in
        try reads(attribute.name, mapping.valueKeys)
          || reads(attribute.name, mapping.readKeys) && !holdsSeveral(column, mapping, shape)
      }
      let own = zip(takers, isRead).filter(\.1).map(\.0)
      let others = zip(takers, isRead).filter { !$1 }.map(\.0)
      guard !others.isEmpty, let left = rows.rows(takenBy: others, andNotBy: own) else { continue }
      // A filter of what the entity itself becomes means it, whatever others make of the objects that it leaves out.
      func isHeir(_ mapping: EntityMapping) -> Bool { mapping.mapsToCounterpart(in: destination) }
      let isFiltered = !own.isEmpty && takers.contains(where: isHeir) && !others.contains(where: isHeir)
      let isIntended = isFiltered || others.contains { $0.isMeantToDrop(attribute.name) }
      let value = SQLCondition.isNotNull(.column(column))
      questions.append(
        RowQuestion(
          table: shape.tableName, number: shape.number, condition: .all([value, left]),
          meaning: (attribute.name, isIntended)))
    }
    for (meaning, count, _) in try db.answers(to: questions, examples: 0) {
      account.add(.droppedData, of: entity, meaning.name, count, isIntended: meaning.isIntended)
    }
  }

  /// Whether objects that a mapping takes differ in a value that only its filter reads: what they become does not say it.
  private func holdsSeveral(_ column: String, _ mapping: EntityMapping, _ shape: EntityShape) throws -> Bool {
    let taken = rows.rows(takenBy: mapping) ?? .all([])
    let own = SQLCondition.all([.entity(in: [shape.number]), taken])
    let from = "FROM \(shape.tableName.quotedIdentifier) WHERE \(own.sql)"
    return try countRows(db, "FROM (SELECT DISTINCT \(column.quotedIdentifier) \(from) LIMIT 2)") > 1
  }

  private func orphanRows() throws -> [Diagnostic] {
    try rows.schema.tables.compactMap { table in
      let stray = try rows.orphanRowCount(inTableOf: table.rootEntityName)
      return stray > 0 ? survey.orphanRows(inTable: table, count: stray, stay: false) : nil
    }
  }

  private func surveySystemTables() throws -> [Diagnostic] {
    var found: [Diagnostic] = []
    let history = survey.physical.tables.map(\.name).filter(\.isHistoryTable)
    if !history.isEmpty {
      let transactions = try history.filter { $0.uppercased() == "ATRANSACTION" }.reduce(0) {
        try $0 + db.countAllRows(table: $1)
      }
      found.append(
        .coreDataSystemTables, .warning,
        "the store's persistent history is dropped: \(transactions) \(transactions == 1 ? "transaction" : "transactions")",
        notes: [
          "it refers to objects by key, and a mapping or a policy may assign new keys",
          "transaction numbers continue; readers of the history must start over, as after `NSPersistentHistoryTokenExpiredError`",
        ], cocoaCode: 134301)
    }
    let cloudKit = try survey.physical.tables.map(\.name).filter(\.isCloudKitTable).filter {
      try db.countAllRows(table: $0) > 0
    }
    if !cloudKit.isEmpty { found.append(.cloudKitRenumbered(cloudKit)) }
    return found
  }
}

extension SegmentPath {
  /// What would stop an inferred step after the first, which nobody can ask its rows yet.
  var conditionsAsLaterStep: [Diagnostic] {
    guard let source = versions.first, let target = versions.last else { return [] }
    return inferred.conditions(from: source, to: target).filter { $0.severity == .warning }.map {
      $0.with {
        $0.notes.append("known only when the step from '\(source.name)' begins; the store is then unchanged")
      }
    }
  }

  /// What a step after the first would drop although nobody says so. Judged by the models alone, because the step's
  /// rows exist only once the steps before it are done: an inferred one may have nothing to drop, which is a warning.
  func lossesAsLaterStep(accepted: Set<AcceptedLoss>) -> [Diagnostic] {
    guard let source = versions.first, let target = versions.last else { return [] }
    let (mappingModel, written) = custom ?? (inferred, [])
    let account = LossAccount(accepted: accepted, passed: versions, from: source)
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(target.model))
    return mappingModel.removals(from: before, to: after, written: written)
      .filter { lost in
        // Whether objects go that fold into others, their references tell.
        let isFolded = lost.property == nil && !mappingModel.folds(of: lost.entity, before).isEmpty
        return !isFolded && !account.isAccepted(.droppedData, of: lost.entity, lost.property)
      }
      .map { lost in
        let isSure = custom != nil && lost.property != nil
        return Diagnostic(
          .droppedData, isSure ? .error : .warning,
          "the \(lost.property == nil ? "objects" : "values") of '\(lost.name)' have no place in '\(target.name)'",
          subject: ModelSubject(version: target.name, entity: lost.entity, property: lost.property),
          notes: [
            Diagnostic.Note(
              "how many there are is known only when the step from '\(source.name)' begins"
                + (isSure ? "" : "; if there are any, the migration stops there, and the store is unchanged"))
          ],
          help: [
            "if that is intended, "
              + (isSure
                ? "write 'drops: [\(lost.name)]' next to 'entityMappings' in the mapping's file"
                : target.notation.retiringAdvice(lost.name, in: target.name)),
            AcceptedLoss.help(.droppedData),
          ])
      }
  }
}

extension ArraySlice<SegmentPath> {
  /// Whether stores of the first version may have at the last one what a loss is about: not what came on the path, empty or
  /// with one value for all. What runs between segments may write anything.
  func mayHold(_ lost: ModelSubject?) -> Bool {
    guard let step = last?.mappingModel, let model = last?.versions.last?.model else { return true }
    let kinds = EntityHierarchy(model).descendantNames(includingSelf: lost?.entity ?? "")
    return step.entityMappings.contains { mapping in
      if mapping.policyName != nil { return true }
      guard let source = mapping.sourceEntityName, kinds.contains(mapping.destinationEntityName ?? "") else {
        return false
      }
      let found = lost?.property.flatMap(mapping.propertyMapping)
      // A mapping that a person wrote may give links from the other side.
      if let found, found.referrers.isEmpty, case .constant = found.value,
        step.isInferred || mapping.attributeMappings.contains(found)
      {
        return false
      }
      return dropLast().mayHold(ModelSubject(entity: source, property: found?.value.sourceName))
    }
  }
}
