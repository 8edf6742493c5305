import ManagedModel
import PersistentStore

extension Survey {
  /// Cells that the values of a custom step are computed from and that hold nothing to compute, at which it would end; and
  /// numbers that do not come out of its conversions as they went in.
  ///
  /// - Parameter sound: names of mappings all of whose cells were found to be what they should.
  func surveyCells(
    _ mappingModel: MappingModel, _ rows: ObjectRows, to target: ModelVersion, sound: Set<String>
  ) throws -> (losses: [MigrationPlan.Loss], refusals: [Diagnostic]) {
    var losses: [MigrationPlan.Loss] = []
    var refusals: [Diagnostic] = []
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      guard let entity = mapping.sourceEntityName, mapping.destinationEntityName != nil,
        let shape = rows.shape(named: entity)
      else { continue }
      let questions = cellQuestions(mapping, shape, rows).filter {
        !$0.isMisread || !sound.contains(mapping.name)
      }
      guard !questions.isEmpty, let taken = rows.rows(takenBy: mapping) else { continue }
      let kept = mapping.keptKeys(schema: rows.schema, model: rows.hierarchy.model)
      let isKept = kept.map { SQLCondition.satisfies(RowRule(sql: "Z_PK IN (\($0))")) } ?? .all([])
      let conditions = questions.map { SQLCondition.all([taken, $0.condition, isKept]) }
      let counts = try countRows(db, table: shape.tableName, conditions: conditions)[shape.number]?.matching
      for (index, question) in questions.enumerated() {
        guard let count = counts?[index], count > 0 else { continue }
        let rows = SQLCondition.all([.entity(in: [shape.number]), conditions[index]])
        let keys = try db.exampleKeys(table: shape.tableName, where: rows)
        if question.isMisread {
          refusals.append(
            .computedFromNothing(
              question.attribute, of: entity, count, keys, mapping: mapping.name, version: target.name))
        } else {
          // A mapping model that an app ships means it, as Core Data does.
          losses.append(
            acknowledged(
              .init(
                code: .numericNarrowing, entity: entity, property: question.attribute.name, count: count,
                isAcknowledged: mapping.droppedProperties == nil, examples: keys)))
        }
      }
    }
    return (losses, refusals)
  }

  private func cellQuestions(
    _ mapping: EntityMapping, _ shape: EntityShape, _ rows: ObjectRows
  ) -> [CellQuestion] {
    let declared = rows.schema.table(ofEntity: shape.name)?.columns ?? []
    func column(_ name: String) -> (name: String, AttributeDescription)? {
      guard case .attribute(let found)? = shape.properties[name] else { return nil }
      var attribute = found.attribute
      attribute.name = name
      return (shape.columnNames[found.slot], attribute)
    }
    var questions: [CellQuestion] = []
    for name in mapping.computedFrom {
      guard let (column, attribute) = column(name) else { continue }
      let type = declared.first { $0.name == column }?.declaredType ?? ""
      questions.append(
        CellQuestion(
          attribute: attribute, condition: .isMisread(column: column, attribute, declaredType: type),
          isMisread: true))
    }
    for property in mapping.attributeMappings {
      guard let name = property.value.sourceName, let (column, attribute) = column(name) else { continue }
      let value = SQLExpression.column(column)
      let converted = property.value.converting(value)
      if converted == value { continue }
      questions.append(
        CellQuestion(attribute: attribute, condition: .differs(converted, value), isMisread: false))
    }
    return questions
  }
}

private struct CellQuestion {
  var attribute: AttributeDescription
  var condition: SQLCondition
  /// Whether the cell holds nothing to compute with; else a number that comes out as another.
  var isMisread: Bool
}

extension EntityMapping {
  /// Attributes of the source, or members of them, that conversions and expressions read; copied cells are not looked at.
  fileprivate var computedFrom: [String] {
    var names: Set<String> = []
    for property in attributeMappings {
      switch property.value {
      case .expression(let expression): names.formUnion(expression.ownKeys)
      case .converted: property.value.sourceName.map { _ = names.insert($0) }
      case .defaulted(.converted, _): property.value.sourceName.map { _ = names.insert($0) }
      default: break
      }
    }
    for key in grouping?.keys ?? [] { names.formUnion(key.ownKeys) }
    return names.sorted()
  }
}

extension Expression {
  fileprivate var ownKeys: [String] { referencedKeyPaths.map { $0.keys.joined(separator: ".") } }
}

extension Diagnostic {
  fileprivate static func computedFromNothing(
    _ attribute: AttributeDescription, of entity: String, _ count: Int, _ keys: [Int64], mapping: String,
    version: String
  ) -> Self {
    let noun = count == 1 ? "1 object holds" : "\(count) objects hold"
    return Self(
      .cellOfWrongType, .error,
      "'\(entity).\(attribute.name)' of \(noun) no \(attribute.type.name) that could be computed with",
      subject: ModelSubject(version: version, entity: entity, property: attribute.name),
      notes: [.examples(keys, count: count), Note("mapping '\(mapping)' would stop the migration there")],
      help: [
        "copy the value as it is, with the type that it has, or put a value of the type, or NULL, into the cell of a copy of the store"
      ], cocoaCode: 134150)
  }
}
