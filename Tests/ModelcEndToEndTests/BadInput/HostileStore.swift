import Foundation
import GRDB
import TestSupport
import Testing

/// A store that somebody prepared to do harm, and what is to be said of it.
struct HostileStore: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Turns Moody's first store into it.
  var make: @Sendable (Database) throws -> Void
  /// The code that `inspect` refuses it by; nil if it tells what it holds.
  var inspect: String?
  /// Codes that `verify` is to report among others.
  var verify: [String] = []
  /// The codes that a migration to the next version refuses it by; empty if it succeeds.
  var migrate: [String] = []

  init(
    _ description: String, inspect: String? = nil, verify: [String] = [], migrate: [String] = [],
    _ make: @escaping @Sendable (Database) throws -> Void
  ) {
    testDescription = description
    self.inspect = inspect
    self.verify = verify
    self.migrate = migrate
    self.make = make
  }

  init(
    _ description: String, inspect: String? = nil, verify: [String] = [], migrate: [String] = [], sql: String
  ) {
    self.init(description, inspect: inspect, verify: verify, migrate: migrate) { try $0.execute(sql: sql) }
  }

  static var all: [HostileStore] { names + programs + cells + system + lists }

  private static let names = [
    HostileStore(
      "names with quotes", verify: ["MC5107"],
      sql: #"""
        CREATE TABLE "Z""x'); DROP TABLE ZMOOD; --" ("a"" b" TEXT, 'c'' d' TEXT);
        CREATE INDEX "i"" '; DROP TABLE ZMOOD" ON "Z""x'); DROP TABLE ZMOOD; --" ("a"" b");
        ALTER TABLE ZMOOD ADD COLUMN "x""; DROP TABLE ZMOOD; --" TEXT
        """#),
    HostileStore(
      "an entity's name is SQL", verify: ["MC5106"],
      sql: "INSERT INTO Z_PRIMARYKEY VALUES (77, 'x\"; DROP TABLE ZMOOD; --', 0, 0)"),
    HostileStore(
      "an entity's name moves the cursor", verify: ["MC5106"],
      sql: "INSERT INTO Z_PRIMARYKEY VALUES (77, 'x' || char(27) || '[2J' || char(13) || 'fine', 0, 0)"),
    HostileStore(
      "SQL in text",
      sql: "UPDATE ZMOOD SET ZREMOTEIDENTIFIER = '''); DROP TABLE ZMOOD; --'"),
  ]

  private static let programs = [
    HostileStore(
      "a trigger of its own", verify: ["MC5107"],
      sql: """
        CREATE TRIGGER evil AFTER UPDATE ON ZMOOD BEGIN DELETE FROM ZGEOGRAPHICREGION; END;
        CREATE TRIGGER evil2 AFTER INSERT ON Z_METADATA BEGIN DELETE FROM ZMOOD; END;
        CREATE TRIGGER evil3 AFTER UPDATE ON Z_METADATA BEGIN DELETE FROM ZMOOD; END
        """),
    HostileStore(
      "a trigger that loads code", verify: ["MC5107"],
      sql: "CREATE TRIGGER evil AFTER UPDATE ON ZMOOD BEGIN SELECT load_extension('/tmp/evil'); END"),
    HostileStore("views", verify: ["MC5107"], sql: "CREATE VIEW ZALL AS SELECT randomblob(100000000)"),
    HostileStore("a view in place of a table", inspect: "MC5105", verify: ["MC5105"], migrate: ["MC5105"]) {
      db in
      try db.execute(
        sql: "ALTER TABLE ZMOOD RENAME TO hidden; CREATE VIEW ZMOOD AS SELECT * FROM hidden")
    },
    HostileStore(
      "a virtual table in place of a table", inspect: "MC5105", verify: ["MC5105"], migrate: ["MC5105"],
      sql: "DROP TABLE ZMOOD; CREATE VIRTUAL TABLE ZMOOD USING fts5(Z_PK, Z_ENT, Z_OPT)"),
  ]

  private static let cells = [
    HostileStore(
      "a column that computes without measure", migrate: ["MC6005"],
      sql: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, 'ZDATE TIMESTAMP',
          'ZDATE TIMESTAMP, ZWORK AS (hex(zeroblob(190000000)))') WHERE name = 'ZMOOD';
        PRAGMA writable_schema = RESET
        """),
    HostileStore(
      "a collation that nobody has",
      sql: """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = replace(sql, 'ZLATITUDE FLOAT', 'ZLATITUDE FLOAT COLLATE nobodys')
          WHERE name = 'ZMOOD';
        PRAGMA writable_schema = RESET
        """),
    HostileStore(
      "the highest of all keys",
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807"),
    HostileStore(
      "values of wrong types", verify: ["MC6116"],
      sql: "UPDATE ZMOOD SET ZDATE = 'soon', ZLATITUDE = x'00', ZREMOTEIDENTIFIER = x'FF'"),
    HostileStore("primary keys that are null", verify: ["MC5206"]) { db in
      let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'ZMOOD'") ?? ""
      try db.execute(sql: "ALTER TABLE ZMOOD RENAME TO old")
      try db.execute(sql: sql.replacing("Z_PK INTEGER PRIMARY KEY", with: "Z_PK INTEGER"))
      try db.execute(
        sql:
          "INSERT INTO ZMOOD SELECT * FROM old; DROP TABLE old; UPDATE ZMOOD SET Z_PK = NULL WHERE Z_PK > (SELECT MIN(Z_PK) FROM ZMOOD)"
      )
    },
    HostileStore(
      "entity numbers that are text", verify: ["MC5106"],
      sql: "UPDATE ZMOOD SET Z_ENT = 'x' WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZMOOD)"),
  ]

  private static let system = [
    HostileStore(
      "no Z_PRIMARYKEY", inspect: "MC5003", verify: ["MC5003"], migrate: ["MC5003"],
      sql: "DROP TABLE Z_PRIMARYKEY"),
    HostileStore(
      "no Z_METADATA", inspect: "MC5003", verify: ["MC5003"], migrate: ["MC5003"],
      sql: "DROP TABLE Z_METADATA"),
    HostileStore(
      "several rows of metadata", inspect: "MC5004", verify: ["MC5004"], migrate: ["MC5004"],
      sql: "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA"),
    HostileStore(
      "metadata that is text", inspect: "MC5004", verify: ["MC5004"], migrate: ["MC5004"],
      sql: "UPDATE Z_METADATA SET Z_PLIST = '((((' || hex(zeroblob(100000))"),
    HostileStore("cyclic parents", verify: ["MC5106"], migrate: ["MC5106"]) { db in
      try db.execute(
        sql:
          "UPDATE Z_PRIMARYKEY SET Z_SUPER = (SELECT MAX(Z_ENT) FROM Z_PRIMARYKEY p WHERE p.Z_ENT <> Z_PRIMARYKEY.Z_ENT)"
      )
    },
    HostileStore(
      "numbers that are text", verify: ["MC5106"],
      sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 'x', Z_NAME = x'00' WHERE Z_NAME = 'Mood'"),
    HostileStore("a model cache that is another table", verify: ["MC5107"]) { db in
      try db.execute(
        sql: "DROP TABLE Z_MODELCACHE; CREATE VIEW Z_MODELCACHE AS SELECT zeroblob(900000000) AS Z_CONTENT")
    },
  ]

  /// Property lists and archives that are made to exhaust their reader.
  private static let lists = [
    HostileStore(
      "metadata of 17 MB", inspect: "MC5004", verify: ["MC5004"], migrate: ["MC5004"],
      sql: "UPDATE Z_METADATA SET Z_PLIST = zeroblob(17000000)"),
    HostileStore("metadata nested without end", inspect: "MC5004", verify: ["MC5004"], migrate: ["MC5004"]) {
      db in
      let depth = 100_000
      let xml =
        "<plist>" + String(repeating: "<array>", count: depth)
        + String(repeating: "</array>", count: depth) + "</plist>"
      try db.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [Data(xml.utf8)])
    },
    HostileStore(
      "metadata that unfolds to billions", inspect: "MC5004", verify: ["MC5004"], migrate: ["MC5004"]
    ) { db in
      try db.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [unfoldingList(levels: 60)])
    },
    HostileStore("a model cache that inflates to 40 MB") { db in
      try db.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", arguments: [inflatingBlock(megabytes: 40)])
    },
    HostileStore("a model cache of 17 MB", sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(17000000)"),
  ]

  /// Raw DEFLATE of zeros: a fixed block of one literal and ever the same copy of 258 bytes, in 13 bits each.
  private static func inflatingBlock(megabytes: Int) -> Data {
    var bits: [UInt8] = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
    for _ in 0..<16 { bits += copy }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: bits.count - 7, by: 8) {
      var byte: UInt8 = 0
      for place in 0..<8 { byte |= bits[start + place] << UInt8(place) }
      bytes.append(byte)
    }
    // Eight copies are thirteen bytes.
    var block = Data(bytes[..<2])
    let period = Data(bytes[2..<15])
    for _ in 0..<(megabytes * 1_000_000 / (258 * 8)) { block.append(period) }
    return block
  }

  /// A binary property list of arrays, each holding the next one twice.
  private static func unfoldingList(levels: Int) -> Data {
    var bytes = Data("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<levels {
      offsets.append(UInt8(bytes.count))
      bytes.append(contentsOf: [0xA2, UInt8(level + 1), UInt8(level + 1)])
    }
    offsets.append(UInt8(bytes.count))
    bytes.append(0x09)
    let table = bytes.count
    bytes.append(contentsOf: offsets)
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, 1, 1])
    for number in [offsets.count, 0, table] {
      bytes.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }
    return bytes
  }
}
