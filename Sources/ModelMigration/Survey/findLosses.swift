package import ManagedModel
package import PersistentStore

/// Data of the store that has no place in the destination, counted.
struct LossCounter {
  let db: StoreDatabase
  let transition: StoreTransition
  /// Rows by table, entity number and column; filled by ``count(_:)``.
  private(set) var rows: [Int: Int] = [:]
  /// Each with its rows, as conditions on tables.
  private(set) var found: [Found] = []
  /// Rows by table whose `Z_ENT` is the number of no entity of that table.
  private(set) var orphanRows: [(table: TableLayout, count: Int, numbers: [Int])] = []

  typealias Place = (table: String, condition: SQLCondition)
  typealias Found = (code: Diagnostic.Code, entity: String, property: String?, count: Int, places: [Place])
  typealias Question = RowQuestion<(reference: PropertyReference, code: Diagnostic.Code)>

  /// - Parameter scan: gives, for a table and conditions, the counts by entity number.
  mutating func count(
    _ scan: (_ table: TableLayout, _ conditions: [SQLCondition]) throws -> [Int: (rows: Int, matching: [Int])]
  ) throws {
    for table in transition.schema.tables {
      let names = transition.source.descendantNames(includingSelf: table.rootEntityName)
      let questions = names.flatMap { self.questions(about: $0, in: table) }
      let counts = try scan(table, questions.map(\.condition))
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
        orphanRows.append((table, stray.values.map(\.rows).reduce(0, +), stray.keys.filter { $0 != -1 }))
      }
      for (index, question) in questions.enumerated() {
        let (reference, code) = question.meaning
        add(
          code, reference.entity, reference.property, counts[question.number]?.matching[index] ?? 0,
          (table.name, .all([.entity(in: [question.number]), question.condition])))
      }
    }
    for join in transition.schema.joinTables { try count(join) }
  }

  private mutating func count(_ join: JoinTableLayout) throws {
    let lost = transition.lostRows(of: join).map { (Diagnostic.Code.droppedData, $0) }
    let unordered = transition.lostPlaces(in: join).map { (Diagnostic.Code.orderDropped, $0) }
    for (code, (reference, rows)) in lost + unordered {
      add(code, reference.entity, reference.property, try countRows(db, table: join.name, where: rows))
    }
  }

  private mutating func add(
    _ code: Diagnostic.Code, _ entity: String, _ property: String?, _ count: Int, _ place: Place? = nil
  ) {
    guard count > 0 else { return }
    let known = found.firstIndex { $0.code == code && $0.entity == entity && $0.property == property }
    let index = known ?? found.endIndex
    if known == nil { found.append((code, entity, property, 0, [])) }
    found[index].count += count
    if let place { found[index].places.append(place) }
  }

  private func questions(about name: String, in table: TableLayout) -> [Question] {
    guard let number = transition.oldNumber(ofSource: name),
      let mapping = transition.mapping(fromEntity: name)
    else { return [] }
    func question(_ reference: PropertyReference, _ condition: SQLCondition?, _ code: Diagnostic.Code)
      -> [Question]
    {
      [condition].compactMap(\.self).map {
        Question(table: table.name, number: number, condition: $0, meaning: (reference, code))
      }
    }
    let columns = table.columns.filter { transition.source.uses($0.role, entity: name) }
    return columns.flatMap { column -> [Question] in
      switch column.role {
      case .attribute(let reference):
        let found = loss(of: reference.property, column: column, of: name, mapping: mapping)
        return found.map { question(transition.retiredName(of: reference, row: name), $0.0, $0.1) } ?? []
      case .toOne(let past), .owner(let past):
        let lost = transition.lostReferences(of: past, row: name, column: column.name)
        let dangling = transition.lostDangling(of: past, row: name, column: column.name)
        return lost.flatMap {
          question(
            $0.reference, transition.toldOnce($0, of: past, column: column.name, in: table), .droppedData)
        } + question(past, dangling, .danglingReferenceDropped)
      case .order(let past):
        guard let ordered = transition.source.inverse(of: past) else { return [] }
        return question(ordered, transition.lostPlaces(in: ordered, row: name), .orderDropped)
      case .ownerOrder(let past):
        return question(past, transition.lostPlaces(in: past, row: name), .orderDropped)
      default: return []
      }
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
}

extension Survey {
  /// Such rows belong to nobody, and so nothing is made of them. Where their table goes, they are lost like objects.
  func orphanRows(inTable table: TableLayout, count: Int, stay: Bool) -> Diagnostic {
    let isLost = !stay && !emptyAccount.isAccepted(.droppedData, of: table.rootEntityName)
    return Diagnostic(
      .entityNumbersInconsistent, isLost ? .error : .warning,
      "\(count == 1 ? "1 row of '\(table.name)' has" : "\(count) rows of '\(table.name)' have") an entity number that no entity of that table has",
      notes: [
        stay
          ? "they belong to no entity and stay in the table"
          : "they belong to no entity, and the migrated store will not have them"
      ],
      help: isLost
        ? [
          "`modelc repair \(store.shellWord)` would give them the number of the table's entity",
          AcceptedLoss.help(.droppedData),
        ] : [])
  }
}

extension PropertyMappingValue {
  /// What its conversions make of a stored number.
  package func converting(_ value: SQLExpression) -> SQLExpression {
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

extension Diagnostic {
  /// What is told of a loss; it blocks where nobody has agreed to it.
  ///
  /// - Parameter isColumn: whether it is of a column that no model knows, and so no mapping can name.
  static func loss(_ loss: MigrationPlan.Loss, _ target: ModelVersion?, isColumn: Bool = false) -> Self {
    let (version, isOne, isAccepted) = (target?.name ?? "", loss.count == 1, loss.isAcknowledged)
    let name = loss.property.map { "\(loss.entity).\($0)" } ?? loss.entity
    let values = "\(loss.count) \(loss.property == nil ? "object" : "value")\(isOne ? "" : "s") of '\(name)'"
    var finding = Self(
      loss.code, isAccepted ? .information : .error, "",
      subject: ModelSubject(version: version, entity: loss.entity, property: loss.property),
      notes: loss.examples.isEmpty ? [] : [.examples(loss.examples, count: loss.count)])
    var note: Note? = isAccepted ? "the loss is accepted" : nil
    var help = "keep the old type, or let the app give such objects other values first"
    switch loss.code {
    case .numericNarrowing:
      finding.message = "\(values) \(isOne ? "does" : "do") not fit the new type exactly"
    case .conversionLoss:
      finding.message = "\(values) would be empty: the conversion gives no value for \(isOne ? "it" : "them")"
      help = "say what such a value becomes, as in 'coalesce(parseInt($source.text), 0)'"
    case .mergedAway:
      // Of keys that only objects can be asked for the plan does not know the groups.
      let bound = loss.property == nil ? "up to " : ""
      finding.message = "\(bound)\(values) \(isOne ? "is" : "are") lost because objects are merged"
      note =
        isAccepted
        ? "the mapping says which object of a group is kept"
        : "the objects of a group differ, and the mapping does not say which one is kept"
      help =
        "write 'keep: first' or 'keep: last', with 'orderBy:' for the order, or 'keep: merge' for the first value that is not nil"
    case .objectsUnread:
      finding.severity = .warning
      finding.message = "\(values) \(isOne ? "is" : "are") not read by any mapping to '\(version)'"
      note = "they are dropped; the old store still has them"
    // Told, and no reason to stop: Core Data does the same without a word.
    case .orderDropped:
      (finding.severity, note) = (.warning, nil)
      finding.message =
        "\(loss.count) \(isOne ? "position" : "positions") in the order of '\(name)' \(isOne ? "is" : "are") dropped: the objects stay, unordered"
    case .danglingReferenceDropped:
      (finding.severity, note) = (.warning, nil)
      finding.message =
        "\(loss.count) \(isOne ? "reference" : "references") of '\(name)' \(isOne ? "points" : "point") to missing objects or to objects of another entity, and \(isOne ? "is" : "are") dropped"
    default:
      finding.message = "\(values) \(isOne ? "has" : "have") no place in '\(version)'"
      // modelc.yaml retires only what the version does not have.
      let entities = target?.notation == .swiftData ? target?.model.entities : nil
      let links = entities?.first { $0.name == loss.entity }?.relationships
      let goesOn = links?.contains { $0.name == loss.property } == true
      help =
        goesOn
        ? "leave '\(name)' as it was, and add a relationship under another name"
        : "if that is intended, \((target?.notation ?? .language).retiringAdvice(name, in: version))"
          + (target?.notation == .swiftData || isColumn ? "" : " or under `drops:` in a mapping")
    }
    finding.notes += [note].compactMap(\.self)
    if !isAccepted {
      finding.help = [help] + (loss.code == .mergedAway ? [] : [AcceptedLoss.help(loss.code)])
    }
    return finding
  }
}
