import ManagedModel
import PersistentStore

/// Values that have to be distinct, as a question to the store's rows: those of a uniqueness constraint that a step adds,
/// or a reference that its inverse has to give, because an object can hold only one key.
struct DistinctValues {
  var entity: String
  var properties: [String]
  /// The source's table, and of a reference the column that leads here.
  var table: String
  var column: String?
  /// What has to be distinct, in terms of the table's columns: what the constraint covers; or the key, and something that
  /// is null if the object it names does not go on.
  var values: [SQLExpression]
  /// Old numbers of the entities whose rows are asked.
  var numbers: [Int]
  /// Of a reference: whether it is a to-many without an inverse, whose objects have one owner each.
  var isToMany = false
}

extension StoreTransition {
  /// References that several source objects may have to the same object, and of which the destination holds one.
  func contestedReferences(in tables: [TablePlan]) -> [DistinctValues] {
    tables.flatMap(\.recipes).flatMap { recipe -> [DistinctValues] in
      Set(recipe.values.values).compactMap { value -> DistinctValues? in
        guard case .referrer(let table, let column, _) = value else { return nil }
        return contested(recipe.column.role, table, column)
      }
    }
  }

  private func contested(_ role: ColumnRole, _ table: String, _ column: String) -> DistinctValues? {
    // The rows that lead here, and the objects that they lead to, as the source's entities.
    guard role.holdsKeys, let reference = role.property else { return nil }
    var (leading, led) = (reachableEntities(of: reference), sourceEntities(of: reference))
    if role == .owner(reference) { swap(&leading, &led) }
    var values = [SQLExpression.column(column)]
    // A column of the target's table that has the key's name would stand for it in a lookup: then all count.
    if let target = led.first.flatMap({ schema.table(ofEntity: $0) }),
      !target.columns.contains(where: { $0.name.uppercased() == column.uppercased() })
    {
      let kind = SQLExpression.lookup(column: "Z_ENT", table: target.name, key: .column(column))
      let numbers = led.compactMap { oldNumber(ofSource: $0) }
      values.append(.renumbered(kind, Dictionary(firstOf: numbers.map { ($0, $0) })))
    }
    return DistinctValues(
      entity: reference.entity, properties: [reference.property], table: table, column: column,
      values: values, numbers: leading.compactMap { oldNumber(ofSource: $0) }.sorted(),
      isToMany: destination.relationship(reference)?.isToMany == true)
  }
}

extension Diagnostic {
  static func contested(
    _ reference: DistinctValues, _ version: String, count: Int, examples: [[Int64]]
  ) -> Self {
    let property = reference.properties.joined()
    let noun = count == 1 ? "1 object is" : "\(count) objects are"
    return Self(
      .toManyBecomesToOne, .error,
      "'\(reference.entity).\(property)' \(reference.isToMany ? "cannot share objects" : "can hold only one object") in '\(version)', but \(noun) referenced several times",
      subject: ModelSubject(version: version, entity: reference.entity, property: property),
      notes: examples.map { keys in
        .init("primary keys \(keys.map(String.init).joined(separator: ", ")) refer to one object")
      },
      help: [
        (reference.isToMany ? "give '\(property)' a to-many inverse" : "make the other side to-many")
          + ", or remove the surplus references with the app"
      ], cocoaCode: 134110)
  }
}
