import ManagedModel
import PersistentStore

/// Data of the store that has no place in the destination, counted.
struct LossCounter {
  let transition: StoreTransition
  /// Rows by table, entity number and column; filled by ``count(_:)``.
  private(set) var rows: [Int: Int] = [:]
  private(set) var found: [MigrationPlan.Loss] = []
  /// The rows of each loss, as conditions on tables.
  private var conditions: [LossKey: [(table: String, condition: SQLCondition)]] = [:]
  /// Rows by table whose `Z_ENT` is the number of no entity of that table.
  private(set) var orphanRows: [(table: String, count: Int, numbers: [Int])] = []

  init(_ transition: StoreTransition) { self.transition = transition }

  /// Counts values: what a table's scan answers for one condition.
  struct Question {
    var entity: String
    var property: String
    var number: Int
    var condition: SQLCondition
    var code: Diagnostic.Code
  }

  /// - Parameter scan: gives, for a table and conditions, the counts by entity number.
  mutating func count(
    _ scan: (_ table: String, _ conditions: [SQLCondition]) throws -> [Int: (rows: Int, matching: [Int])],
    joined: (_ table: String, _ condition: SQLCondition) throws -> Int
  ) rethrows {
    for table in transition.schema.tables {
      let names = transition.source.descendantNames(includingSelf: table.rootEntityName)
      let questions = names.flatMap { self.questions(about: $0, in: table) }
      let counts = try scan(table.name, questions.map(\.condition))
      for name in names {
        guard let number = transition.oldNumber(ofSource: name) else { continue }
        rows[number] = counts[number]?.rows ?? 0
        if transition.destinationName(ofEntity: name) == nil {
          add(.droppedData, name, nil, counts[number]?.rows ?? 0, (table.name, .entity(in: [number])))
        }
      }
      let known = Set(names.compactMap { transition.oldNumber(ofSource: $0) })
      let stray = counts.filter { !known.contains($0.key) && $0.value.rows > 0 }
      if !stray.isEmpty {
        // Rows without a number are counted under -1.
        let numbers = stray.keys.filter { $0 != -1 }
        orphanRows.append((table.name, stray.values.map(\.rows).reduce(0, +), numbers))
      }
      for (index, question) in questions.enumerated() {
        add(
          question.code, question.entity, question.property,
          counts[question.number]?.matching[index] ?? 0,
          (table.name, .all([.entity(in: [question.number]), question.condition])))
      }
    }
    for join in transition.schema.joinTables { try count(join, joined) }
  }

  private mutating func count(
    _ join: JoinTableLayout, _ rows: (_ table: String, _ condition: SQLCondition) throws -> Int
  ) rethrows {
    let isGoing = goesOn(join)
    var questions: [(Diagnostic.Code, PropertyReference, [SQLCondition])] = [
      (.droppedData, join.source, isGoing ? transition.lostRows(of: join) : [.all([])])
    ]
    if isGoing {
      questions += transition.lostPlaces(in: join).map { (.orderDropped, $0.reference, $0.rows) }
    }
    for (code, reference, conditions) in questions where !conditions.isEmpty {
      add(code, reference.entity, reference.property, try rows(join.name, .any(conditions)))
    }
  }

  /// Where the rows of a loss are found.
  func places(of loss: MigrationPlan.Loss) -> [(table: String, condition: SQLCondition)] {
    conditions[LossKey(code: loss.code, entity: loss.entity, property: loss.property)] ?? []
  }

  private mutating func add(
    _ code: Diagnostic.Code, _ entity: String, _ property: String?, _ count: Int,
    _ place: (table: String, condition: SQLCondition)? = nil
  ) {
    guard count > 0 else { return }
    if let place {
      conditions[LossKey(code: code, entity: entity, property: property), default: []].append(place)
    }
    if let index = found.firstIndex(where: {
      $0.code == code && $0.entity == entity && $0.property == property
    }) {
      found[index].count += count
    } else {
      found.append(.init(code: code, entity: entity, property: property, count: count, isAcknowledged: false))
    }
  }

  private func questions(about name: String, in table: TableLayout) -> [Question] {
    guard let number = transition.oldNumber(ofSource: name),
      let destination = transition.destinationName(ofEntity: name),
      let mapping = transition.mapping(toEntity: destination)
    else { return [] }
    return table.columns.flatMap { column in
      questions(about: name, number, column, in: table, mapping: mapping)
    }
  }

  private func questions(
    about name: String, _ number: Int, _ column: ColumnLayout, in table: TableLayout, mapping: EntityMapping
  ) -> [Question] {
    func question(_ reference: PropertyReference, _ condition: SQLCondition?, _ code: Diagnostic.Code)
      -> [Question]
    {
      condition.map {
        [
          Question(
            entity: reference.entity, property: reference.property, number: number, condition: $0, code: code)
        ]
      } ?? []
    }
    switch column.role {
    case .attribute(let reference) where transition.source.isKind(name, of: reference.entity):
      let found = loss(of: reference.property, column: column, of: name, mapping: mapping)
      return found.map { question(reference, $0.0, $0.1) } ?? []
    case .toOne(let past) where transition.source.isKind(name, of: past.entity),
      .owner(let past) where transition.isLedTo(name, by: past):
      return question(
        past, transition.lostReferences(of: past, row: name, column: column.name), .droppedData)
        + question(
          past, transition.lostDangling(of: past, row: name, column: column.name), .danglingReferenceDropped)
    case .order(let past) where transition.source.isKind(name, of: past.entity):
      guard let ordered = transition.source.inverse(of: past), let key = table.column(for: .toOne(past))
      else {
        return []
      }
      return question(
        ordered, transition.lostPlaces(in: ordered, row: name, key: key.name, order: column.name),
        .orderDropped)
    case .ownerOrder(let past) where transition.isLedTo(name, by: past):
      guard let key = table.column(for: .owner(past)) else { return [] }
      return question(
        past, transition.lostPlaces(in: past, row: name, key: key.name, order: column.name), .orderDropped)
    default: return []
    }
  }

  private func loss(
    of property: String, column: ColumnLayout, of entity: String, mapping: EntityMapping
  ) -> (SQLCondition, Diagnostic.Code)? {
    if transition.source.attribute(named: property, of: entity)?.isDerived ?? true { return nil }
    let value = SQLExpression.column(column.name)
    guard let carrying = mapping.attributeMappings.first(where: { $0.value.sourceName == property }) else {
      return (.isNotNull(value), .droppedData)
    }
    let converted = carrying.value.converting(value)
    return converted == value ? nil : (.differs(converted, value), .numericNarrowing)
  }

  private func goesOn(_ join: JoinTableLayout) -> Bool {
    transition.isCarried(join.source) || transition.isCarried(join.destination)
  }
}

extension PropertyMappingValue {
  /// What its conversions make of a stored number.
  func converting(_ value: SQLExpression) -> SQLExpression {
    switch self {
    case .source, .constant, .expression: value
    case .defaulted(let inner, _): inner.converting(value)
    case .converted(let inner, _, .string): inner.converting(value)
    // What only a mapping converts is told as that.
    case .converted(let inner, let from, let to):
      from.converts(to: to)
        ? .converted(inner.converting(value), from: from, to: to) : inner.converting(value)
    }
  }
}

private struct LossKey: Hashable {
  var code: Diagnostic.Code
  var entity: String
  var property: String?
}

extension Diagnostic {
  /// Such rows belong to nobody.
  ///
  /// - Parameter stay: whether their table goes on.
  static func orphanRows(inTable table: String, count: Int, stay: Bool) -> Self {
    Self(
      .entityNumbersInconsistent, .warning,
      "\(count == 1 ? "1 row" : "\(count) rows") of '\(table)' carry an entity number that no entity of that table has",
      notes: [
        stay
          ? "they belong to no entity and stay in the table"
          : "they belong to no entity and are not copied; the old store still has them"
      ])
  }

  /// - Parameter isError: whether the loss blocks, because nobody has agreed to it.
  static func loss(_ loss: MigrationPlan.Loss, _ target: ModelVersion?, isError: Bool) -> Self {
    let version = target?.name ?? ""
    if loss.isQuiet { return quietLoss(loss, version: version) }
    let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
    let isOne = loss.count == 1
    let what = "\(loss.count) \(loss.property == nil ? "object" : "value")\(isOne ? "" : "s") of '\(name)'"
    let message =
      loss.code == .numericNarrowing
      ? "\(what) \(isOne ? "does" : "do") not fit the new type exactly"
      : "\(what) \(isOne ? "has" : "have") no place in '\(version)'"
    return Self(
      loss.code, isError ? .error : .information, message,
      subject: ModelSubject(version: version, entity: loss.entity, property: loss.property),
      notes: (loss.examples.isEmpty ? [] : [.examples(loss.examples, count: loss.count)])
        + (loss.isAcknowledged ? ["the loss is accepted"] : []),
      help: isError
        ? [
          loss.code == .droppedData
            ? "if that is intended, \((target?.notation ?? .language).retiringAdvice(name, in: version))"
              + (target?.notation == .swiftData ? "" : " or under `drops:` in a mapping")
              + ", or pass `--allow-loss \(loss.code)`"
            : "keep the wider type, or pass `--allow-loss \(loss.code)`"
        ] : [])
  }
}
