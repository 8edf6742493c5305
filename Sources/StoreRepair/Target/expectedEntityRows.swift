import GRDB
import ManagedModel
import PersistentStore

extension Database {
  /// The rows that `Z_PRIMARYKEY` should have: as they are recorded, unless the rows of the tables tell of other numbers.
  ///
  /// A number that is missing, out of all bounds, or that explains fewer rows than the model's own numbering, gives way to the one
  /// that Core Data would have given a new store; where a table of one entity has one number throughout, that is the number.
  func expectedEntityRows(_ physical: PhysicalSchema, hierarchy: EntityHierarchy) throws -> [PhysicalSchema
    .EntityRow]
  {
    // The recorded row of each entity: by its name, or the one that it had before.
    let rows = physical.entityRows
    var recorded: [String: PhysicalSchema.EntityRow] = [:]
    for entity in rows.bindEntityNumbers(hierarchy: hierarchy).entities {
      recorded[entity.name] = rows.first { $0.number == entity.number && $0.name == entity.recordedName }
    }
    let names = hierarchy.namesInNumberingOrder
    let natural = Dictionary(firstOf: zip(names, 1...max(1, names.count)))
    var numbers: [String: Int] = [:]
    for root in hierarchy.rootNames {
      let members = hierarchy.descendantNames(includingSelf: root)
      let rows = try rowsByNumber(self, root: root, physical, hierarchy: hierarchy)
      func explained(_ numbers: [Int]) -> Int { Set(numbers).reduce(0) { $0 + (rows[$1] ?? 0) } }
      let known = members.compactMap { recorded[$0]?.number }
      let own = members.compactMap { natural[$0] }
      // Numbers of removed entities are given again: one far beyond the others is none that Core Data gave.
      let isWhole = known.count == members.count && known.allSatisfy { $0 <= 2 * names.count + 16 }
      let prefersOwn = isWhole ? explained(known) < explained(own) : explained(known) <= explained(own)
      for member in members {
        numbers[member] = (prefersOwn ? natural[member] : recorded[member]?.number) ?? natural[member]
      }
      if members.count == 1, rows.count == 1, let only = rows.keys.first,
        recorded[root]?.number != natural[root]
      {
        numbers[root] = only
      }
    }
    makeUnique(&numbers, names: names)
    return names.map { name in
      let parent = hierarchy.superentityName(of: name)
      return PhysicalSchema.EntityRow(
        number: numbers[name] ?? 0, name: recorded[name]?.name ?? name,
        superNumber: parent.flatMap { numbers[$0] } ?? 0, maximum: recorded[name]?.maximum ?? .none)
    }
  }
}

/// How many rows of a root's table have each `Z_ENT`.
private func rowsByNumber(
  _ db: Database, root: String, _ physical: PhysicalSchema, hierarchy: EntityHierarchy
) throws -> [Int: Int] {
  let canonical = hierarchy.entity(named: root)?.canonicalName ?? root
  let table = [root, canonical].lazy.compactMap { physical.table(named: "Z" + $0.uppercased()) }.first
  guard let table, table.columns.contains(where: { $0.name == "Z_ENT" }) else { return [:] }
  return try countRows(db, table: table.name).mapValues(\.rows)
    .filter { (1..<firstSystemEntityNumber).contains($0.key) }
}

/// Of two entities with one number the later one gets the next that is free.
private func makeUnique(_ numbers: inout [String: Int], names: [String]) {
  var taken: Set<Int> = []
  var next = min(numbers.values.max() ?? 0, firstSystemEntityNumber) + 1
  for name in names {
    guard let number = numbers[name], !taken.insert(number).inserted else { continue }
    while taken.contains(next) { next += 1 }
    numbers[name] = next
    taken.insert(next)
  }
}
