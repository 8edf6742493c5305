import ManagedModel
import PersistentStore

/// A to-one relationship through which the objects of a removed entity become attributes of the objects that refer to them:
/// `isUnreferenced` holds if no such object refers to it, and `read` are the key paths, from the folded object, that values of
/// the mapping read.
typealias Fold = (isUnreferenced: ManagedModel.Predicate, read: Set<[String]>)

extension MappingModel {
  /// How the values of an entity's objects are kept in others: mappings that take every object of their source read
  /// `$source.pet.name`, where `pet` leads to the entity.
  func folds(of entity: String, _ hierarchy: EntityHierarchy) -> [Fold] {
    var folds: [Fold] = []
    for mapping in entityMappings {
      guard let source = mapping.sourceEntityName, mapping.destinationEntityName != nil, source != entity,
        mapping.filter == nil, mapping.grouping == nil
      else { continue }
      var read: [String: Set<[String]>] = [:]
      for case .expression(let expression) in mapping.attributeMappings.map(\.value) {
        for path in expression.referencedKeyPaths where path.keys.count > 1 {
          read[path.keys[0], default: []].insert(Array(path.keys.dropFirst()))
        }
      }
      for (name, paths) in read.sorted(by: { $0.key < $1.key }) {
        guard let relationship = hierarchy.relationship(named: name, of: source), !relationship.isToMany,
          hierarchy.isKind(entity, of: relationship.destinationEntityName),
          let inverse = hierarchy.storedInverse(of: relationship)
        else { continue }
        let isUnreferenced = ComparisonPredicate(
          .keyPath(inverse.isToMany ? [inverse.name, "@count"] : [inverse.name], of: nil), .equalTo,
          .constant(inverse.isToMany ? .integer(0) : .null))
        folds.append((.comparison(isUnreferenced), paths))
      }
    }
    return folds
  }
}

extension CustomSurvey {
  /// Counts what is lost of an entity's objects: objects that nothing refers to, and values that no mapping reads.
  ///
  /// - Parameter isIntended: whether the entity goes because somebody said so.
  mutating func countLeftBehind(_ entity: String, _ folds: [Fold], isIntended: Bool) throws {
    let unreferenced = folds.map(\.isUnreferenced)
    func count(_ property: String?, _ predicate: ManagedModel.Predicate) throws {
      let fetch = ObjectFetch(entityName: entity, predicate: predicate, includesSubentities: false)
      let code: Diagnostic.Code = isIntended && property == nil ? .objectsUnread : .droppedData
      account.add(code, of: entity, property, try rows.count(fetch), isIntended: isIntended)
    }
    try count(nil, .and(unreferenced))
    let read = folds.flatMap(\.read)
    for attribute in rows.hierarchy.members(of: entity)
    where !attribute.isDerived && !reads(attribute.name, read) {
      let isSet = ComparisonPredicate(
        .keyPath(keys(of: attribute.name), of: nil), .notEqualTo, .constant(.null))
      try count(attribute.name, .and([.comparison(isSet), .not(.and(unreferenced))]))
    }
  }

  /// Counts what columns that no model knows hold of objects that go on elsewhere, or with another key: nothing takes that along.
  ///
  /// - Parameters:
  ///   - keyed: numbers of the mappings whose objects keep their keys.
  ///   - schema: the tables that the step makes.
  mutating func countUnknownCells(keyed: Set<Int>, to schema: StoreSchema) throws {
    for entity in rows.schema.entities {
      let takers = mappingModel.entityMappings.enumerated().filter {
        $0.element.sourceEntityName == entity.name && $0.element.destinationEntityName != nil
      }
      guard !takers.isEmpty, let table = rows.schema.table(ofEntity: entity.name) else { continue }
      let isKept = takers.contains { number, mapping in
        let target = mapping.destinationEntityName.flatMap { schema.table(ofEntity: $0) }
        return keyed.contains(number) && target?.unknownColumns.isEmpty == false
      }
      if isKept { continue }
      let unread = Set(table.columnsNotRead.map(\.name))
      for column in table.unknownColumns where !unread.contains(column.name) {
        let count = try countRows(
          db, table: table.name,
          where: .all([.entity(in: [entity.number]), .isNotNull(.column(column.name))]))
        account.add(.droppedData, of: entity.name, column.name, count)
      }
    }
  }
}
