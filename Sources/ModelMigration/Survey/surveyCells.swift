import ManagedModel
import PersistentStore

/// A cell that holds nothing to compute with, a number that comes out as another, or one that comes out as none.
private enum CellTrouble { case misread, narrowed, unfit }

private typealias CellQuestion = RowQuestion<(attribute: AttributeDescription, trouble: CellTrouble)>

extension CustomSurvey {
  /// Counts numbers that do not come out of a custom step's conversions as they went in.
  ///
  /// - Parameter sound: names of mappings all of whose cells were found to be what they should.
  /// - Returns: a finding for each attribute with cells that its values are computed from and that hold nothing to compute, at
  ///   which the step would end.
  mutating func surveyCells(sound: Set<String>) throws -> [Diagnostic] {
    var refusals: [Diagnostic] = []
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      guard let entity = mapping.sourceEntityName, mapping.destinationEntityName != nil,
        let shape = rows.shape(named: entity), let taken = rows.rows(takenBy: mapping)
      else { continue }
      let questions = cellQuestions(mapping, shape, where: taken).filter {
        $0.meaning.trouble != .misread || !sound.contains(mapping.name)
      }
      for (meaning, count, keys) in try db.answers(to: questions) {
        switch meaning.trouble {
        case .misread, .unfit:
          let (name, type) = (meaning.attribute.name, meaning.attribute.type.name)
          let noun = count == 1 ? "1 object holds" : "\(count) objects hold"
          let isMisread = meaning.trouble == .misread
          refusals.append(
            isMisread ? .cellOfWrongType : .valueOfOtherType, .error,
            "'\(entity).\(name)' of \(noun) "
              + (isMisread
                ? "a value that is not a valid \(type)" : "a number outside the range of decimals"),
            subject: ModelSubject(version: target.name, entity: entity, property: name),
            notes: [
              .examples(keys, count: count), "mapping '\(mapping.name)' would stop the migration there",
            ],
            help: [
              isMisread
                ? "copy the value unchanged, with its own type, or put a valid value or NULL into the cell, in a copy of the store"
                : "keep the type \(type), or give such objects another number with the app"
            ], cocoaCode: isMisread ? 134150 : nil)
        case .narrowed:
          // A mapping model that an app ships means it, as Core Data does.
          account.add(
            .numericNarrowing, of: entity, meaning.attribute.name, count,
            isIntended: mapping.droppedProperties == nil, examples: keys)
        }
      }
    }
    return refusals
  }

  private func cellQuestions(
    _ mapping: EntityMapping, _ shape: EntityShape, where taken: SQLCondition
  ) -> [CellQuestion] {
    let declared = rows.schema.table(ofEntity: shape.name)?.columns ?? []
    func kept(_ value: Expression? = nil) -> SQLCondition {
      mapping.keptKeys(of: value, schema: rows.schema, model: rows.hierarchy.model, now: rows.now)
        .map { .satisfies("Z_PK IN (\($0))") } ?? .all([])
    }
    let isKept = kept()
    func question(
      _ name: String, _ trouble: CellTrouble, _ isTrouble: (String, AttributeDescription) -> SQLCondition?
    ) -> CellQuestion? {
      guard case .attribute(let found)? = shape.properties[name] else { return nil }
      var attribute = found.attribute
      attribute.name = name
      let isKept = trouble == .misread ? isKept : kept(.keyPath(keys(of: name), of: .variable("source")))
      return isTrouble(shape.columnNames[found.slot], attribute).map {
        CellQuestion(
          table: shape.tableName, number: shape.number, condition: .all([taken, isKept, $0]),
          meaning: (attribute, trouble))
      }
    }
    let misread = mapping.computedFrom.compactMap { name in
      question(name, .misread) { column, attribute in
        let type = declared.first { $0.name == column }?.declaredType ?? ""
        return .isMisread(column: column, attribute, declaredType: type)
      }
    }
    return misread
      + mapping.attributeMappings.compactMap { property in
        question(property.value.sourceName ?? "", property.value.isDecimal ? .unfit : .narrowed) {
          column, _ in
          let converted = property.value.converting(.column(column))
          return converted == .column(column) ? nil : .differs(converted, .column(column))
        }
      }
  }
}

extension EntityMapping {
  /// Attributes of the source, or members of them, that conversions and expressions read; copied cells are not looked at.
  fileprivate var computedFrom: [String] {
    var names: Set<String> = []
    for property in attributeMappings {
      switch property.value {
      case .expression(let expression): names.formUnion(expression.ownKeys)
      case .converted, .defaulted(.converted, _): property.value.sourceName.map { _ = names.insert($0) }
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

extension PropertyMappingValue {
  /// Whether it becomes a decimal, which holds any number that is not out of its range.
  fileprivate var isDecimal: Bool {
    switch self {
    case .converted(_, _, let type): type == .decimal
    case .defaulted(let inner, _): inner.isDecimal
    default: false
    }
  }
}
