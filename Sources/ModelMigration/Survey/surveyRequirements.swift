import ManagedModel
import PersistentStore

extension CustomSurvey {
  /// Counts the objects that a custom step would leave without a value that the target requires, or of an entity that has
  /// none there.
  ///
  /// Groups that are merged take a value of any of their objects, and only the migration tells of them.
  ///
  /// - Returns: a finding for each attribute of what a mapping makes, and for each entity.
  func surveyRequirements() throws -> [Diagnostic] {
    var obstacles: [Obstacle] = []
    let cascade = DropRules(mappingModel, rows).cascade(from: mappingModel.sources(dropping: .cascade, rows))
    let stays = cascade.map { "(Z_ENT, Z_PK) NOT IN (\($0) SELECT entity, key FROM dropped)" } ?? "1"
    let isKnown = !changesOthers
    for mapping in mappingModel.entityMappings where mapping.policyName == nil {
      guard let source = mapping.sourceEntityName, let entity = mapping.destinationEntityName,
        let shape = rows.shape(named: source)
      else { continue }
      let filtered = rows.rows(takenBy: mapping)
      let standing = rows.keptKeysSQL(mapping).map { "Z_PK IN (\($0))" } ?? "1"
      let left = SQLCondition.satisfies("\(standing) AND \(stays)")
      if destination.entity(named: entity)?.isAbstract == true {
        let isCertain = isKnown && filtered != nil
        obstacles.append(
          Obstacle(
            table: shape.tableName, number: shape.number, condition: .all([filtered ?? .all([]), left])
          ) { [target] count, keys in
            .objectsOfAbstract(entity, target.name, count, keys, isCertain: isCertain)
          })
      }
      guard let taken = filtered, mapping.grouping?.keep != .merge else { continue }
      for requirement in mapping.requirements(from: rows.hierarchy, to: destination) {
        guard case .attribute(let attribute) = requirement.property,
          let isNull = mapping.isNull(attribute, shape, rows, where: standing)
        else { continue }
        obstacles.append(
          Obstacle(
            table: shape.tableName, number: shape.number, condition: .all([taken, left, isNull])
          ) { [target] in
            .missingValues(
              attribute, entity: entity, version: target.name, count: $0, keys: $1, mapping: mapping)
          })
      }
    }
    return try db.answers(to: obstacles).map { diagnostic, count, keys in diagnostic(count, keys) }
  }
}

extension EntityMapping {
  /// That nothing comes of a row for an attribute; nil where that cannot be, or only objects can be asked.
  ///
  /// - Parameter standing: rows of which anything is computed.
  fileprivate func isNull(
    _ attribute: AttributeDescription, _ shape: EntityShape, _ rows: ObjectRows, where standing: String
  ) -> SQLCondition? {
    switch propertyMapping(named: attribute.name)?.value {
    case .constant(nil): return .all([])
    case .source(let name), .converted(.source(let name), _, _):
      guard case .attribute(let found)? = shape.properties[name] else { return nil }
      return .isNull(.column(shape.columnNames[found.slot]))
    case .expression(let expression):
      guard
        var compiler = try? RowCompiler(
          shape.name, schema: rows.schema, model: rows.hierarchy.model, now: rows.now),
        let condition = try? filter.map({ try compiler.filter($0) }) ?? "1",
        let value = try? compiler.value(expression, as: attribute), compiler.parameters.isEmpty
      else { return nil }
      // Of others the value may be one that the expression refuses.
      let conditions = [
        compiler.isOfEntity(includesSubentities: false), condition,
        standing == "1" ? standing : "t0.\(standing)",
      ]
      return .satisfies(
        "Z_PK IN (SELECT t0.Z_PK FROM \(compiler.from) WHERE "
          + "\(conditions.joined(separator: " AND ")) AND (\(value)) IS NULL)")
    default: return nil
    }
  }
}
