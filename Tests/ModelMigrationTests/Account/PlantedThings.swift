import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport

/// What stores hold beside sound objects: references to missing objects, a persistent history, indexes and tables that an
/// app made for itself.
struct PlantedThings {
  var random: Dice
  let model: PlainModel
  let features: FrameworkFeatures

  init(seed: UInt64, model: ManagedObjectModel, frameworkVersion: Int) {
    random = Dice(seed: seed &+ 4242)
    self.model = PlainModel(model)
    features = FrameworkFeatures(version: frameworkVersion)
  }

  /// - Returns: whether references point nowhere.
  mutating func plant(in store: TestStore, dangling: Bool = true) throws -> Bool {
    let known = try store.read { try PlainStore($0, model.model) }
    var isDangling = false
    try store.write { db in
      if random.chance(60) { try plantHistory(db, known) }
      for _ in 0..<random.number(0...3) { try plantIndex(db, known) }
      if random.chance(10) {
        try db.execute(
          sql: "CREATE TABLE app_notes (text TEXT); INSERT INTO app_notes VALUES ('a'), (x'00ff')")
      }
      if dangling, random.chance(50) { isDangling = try plantDangling(db, known) }
    }
    return isDangling
  }

  private mutating func plantHistory(_ db: Database, _ known: PlainStore) throws {
    let statements = features.historyStatements(model: model.model)
    if statements.isEmpty { return }
    for sql in statements { try db.execute(sql: sql) }
    let count = random.number(1...40)
    try db.execute(
      sql: """
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, \(count + 7)), (16002, 'TRANSACTION', 0, \(count + 9)),
          (16003, 'TRANSACTIONSTRING', 0, 1);
        INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 16003, 1, 'app')
        """)
    let numbers = known.numbers.values.sorted()
    for key in 1...count {
      let number = random.pick(numbers) ?? 1
      try db.execute(
        sql: "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (?, 16002, 1, ?)",
        arguments: [key, Double(key) / 2])
      let type = random.number(0...2)
      try db.execute(
        sql: """
          INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            VALUES (?, 16001, 1, ?, ?, ?, ?, ?)
          """,
        arguments: [
          key, type, number, random.number(1...30), key,
          type == 1 ? Data([0, UInt8(random.number(1...9))]) : nil,
        ])
    }
  }

  private mutating func plantIndex(_ db: Database, _ known: PlainStore) throws {
    let columns = known.columnNames.sorted { $0.key < $1.key }
    guard let place = random.pick(columns), let entity = place.key.split(separator: ".").first else { return }
    let table = "Z" + model.root(String(entity)).uppercased()
    guard try db.columns(in: table).contains(where: { $0.name == place.value }) else { return }
    let name = "app_\(random.number(0...1_000_000))"
    let forms = [
      "(\(place.value))", "(Z_ENT, \(place.value) DESC)", "(Z_OPT) WHERE \(place.value) IS NOT NULL",
      "(lower(\(place.value)))",
    ]
    try db.execute(sql: "CREATE INDEX \(name) ON \(table) \(random.pick(forms) ?? forms[0])")
  }

  private mutating func plantDangling(_ db: Database, _ known: PlainStore) throws -> Bool {
    var isPlanted = false
    let columns = known.columnNames
    for relationship in model.relationships where !relationship.description.isToMany && random.chance(50) {
      guard let column = columns["\(relationship.entity).\(relationship.name)"] else { continue }
      let keys = known.objects.keys.filter { key in
        known.entityName(of: key).map { model.isKind($0, of: relationship.entity) } ?? false
      }.sorted { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) }
      guard let key = random.pick(keys) else { continue }
      let table = "Z" + model.root(relationship.entity).uppercased()
      let nobody = 9000 + random.number(0...99)
      try db.execute(sql: "UPDATE \(table) SET \(column) = \(nobody) WHERE Z_PK = \(key.primaryKey)")
      isPlanted = true
      // The other end of a one-to-one led back.
      if let inverse = model.inverse(of: relationship), !inverse.description.isToMany,
        let back = columns["\(inverse.entity).\(inverse.name)"]
      {
        let other = "Z" + model.root(inverse.entity).uppercased()
        for link in known.links[relationship.id] ?? [] where link.source == key {
          try db.execute(sql: "UPDATE \(other) SET \(back) = NULL WHERE Z_PK = \(link.target.primaryKey)")
        }
      }
    }
    return isPlanted
  }
}
