import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Value expressions of mapping files, from the file to the migrated row.
@Suite("Values that mapping files compute")
struct ValueTests {
  private static let old = """
    entities:
      Entry:
        attributes: {day: string?, stamp: date?, price: string?, count: string?, first: string?, last: string?, code: string?, number: integer32?}
    """

  /// The attribute's type, its expression, and what it gives for the two entries below.
  struct Value: Sendable, CustomTestStringConvertible {
    var expression: String
    var type: String
    var first: String
    var second: String
    var testDescription: String { expression }

    init(_ expression: String, _ type: String, _ first: String, _ second: String = "-") {
      (self.expression, self.type, self.first, self.second) = (expression, type, first, second)
    }
  }

  static let values: [Value] = [
    Value("parseDate($source.day, 'dd.MM.yyyy')", "date", "2024-02-29T00:00:00Z"),
    Value("formatDate($source.stamp, 'yyyy-MM-dd')", "string", "2001-01-01"),
    Value(
      "formatDate(CAST($source.number / 160.0, 'NSDate'), 'iso8601')", "string", "2001-01-01T00:00:00.25Z"),
    Value("formatDate($source.stamp, 'iso8601')", "string", "2001-01-01T00:00:00Z"),
    Value("parseDouble($source.price)", "double", "12.5"),
    Value("CAST($source.price, 'NSDecimalNumber')", "decimal", "12.5"),
    Value("parseInt($source.count)", "integer16", "7"),
    Value("CAST($source.number, 'NSString')", "string", "40"),
    Value("formatNumber($source.number, '000000')", "string", "000040"),
    Value("formatNumber($source.number / 3.0, '0.00')", "string", "13.33"),
    Value("concat($source.first, ' ', $source.last)", "string", "Ann Lee", " "),
    Value("concat(coalesce($source.first, 'nobody'), $source.number)", "string", "Ann40", "nobody"),
    Value("coalesce($source.code, $source.last, 'none')", "string", "VS", "none"),
    Value("coalesce($source.number, -1)", "integer32", "40", "-1"),
    Value("lookup('regions', $source.code)", "string", "Vallais"),
    Value("lookup('heights', $source.number)", "double", "2500.5"),
    Value("coalesce(lookup('regions', $source.last), 'elsewhere')", "string", "elsewhere", "elsewhere"),
    Value("uppercase:(trim($source.first))", "string", "ANN"),
    Value("substr($source.day, 7, 4)", "string", "2024"),
    Value("TERNARY($source.number > 30, 'old', 'young')", "string", "old", "young"),
    Value("clamp($source.number, 0, 10)", "integer16", "10"),
  ]

  @Test(arguments: values)
  func `an expression of a mapping file gives the new attribute`(_ value: Value) throws {
    let new = "entities:\n  Entry: {attributes: {result: \(value.type)?}}\n"
    var trial = try CustomTrial(
      [Self.old, new],
      mappings: [
        """
        lookups:
          regions: {VS: Vallais, TI: Ticino}
          heights: {40: 2500.5, 41: 3000}
        entityMappings:
          EntryToEntry: {source: Entry, destination: Entry, attributes: {result: "\(value.expression)"}}
        """
      ])
    trial.options.acceptedLosses = [.droppedData]
    let found = try trial.run(
      objects(
        "Entry",
        [
          "day": .string("29.02.2024"), "stamp": .date(0), "price": .string("12.5"), "count": .string(" 7"),
          "first": .string("Ann"), "last": .string("Lee"), "code": .string("VS"), "number": .integer(40),
        ], [:]))
    #expect(found.texts("Entry", "result") == [value.first, value.second])
  }

  @Test func `every row has a UUID of its own, and another one where it is migrated again`() throws {
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {key: uuid, day: string?}}\n"],
      mappings: [
        "entityMappings:\n  EntryToEntry: {source: Entry, destination: Entry, attributes: {key: uuid()}}\n"
      ])
    let entries = (1...500).map { ManagedObject("Entry", $0, values: [:]) }
    let keys = try trial.run(entries).texts("Entry", "key")
    #expect(Set(keys).count == 500)
    let others = try trial.run(entries).texts("Entry", "key")
    #expect(Set(others).isDisjoint(with: keys))
  }

  @Test func `a value that does not fit its attribute is refused by the plan, which says where`() throws {
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {small: integer16?}}\n"],
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, attributes: {small: $source.number * 1000}}\n"
      ])
    let error = #expect(throws: MigrationRefusedError.self) {
      _ = try trial.run(objects("Entry", ["number": .integer(1)], ["number": .integer(40)]))
    }
    let finding = error?.plan.diagnostics.first { $0.severity == .error }
    #expect(finding?.code.description == "MC4302")
    #expect(finding?.subject?.property == "small")
    #expect(finding?.notes.contains { $0.message.contains("'E'") && $0.message.contains("2") } == true)
  }

  @Test(arguments: [
    ("coalesce($source.lines[FIRST].size, 0)", "integer16"), ("$source.lines.@sum.size", "integer64"),
    ("TERNARY(now() > $source.stamp, 0, $source.number * 1000)", "integer16"),
    ("coalesce(parseInt($source.lines[FIRST].name), 0)", "integer16"),
  ])
  func `sums, and what objects alone can be asked, are refused by the plan with the object`(
    _ expression: String, _ type: String
  ) throws {
    let old = """
      entities:
        Entry:
          attributes: {stamp: date?, number: integer32?}
          relationships: {lines: {toMany: Line, inverse: entry}}
        Line:
          attributes: {size: integer64 = 0, name: string?}
          relationships: {entry: {to: Entry, inverse: lines}}

      """
    let trial = try CustomTrial(
      [old, old.replacing("stamp: date?", with: "stamp: date?, result: \(type)?")],
      mappings: [
        """
        entityMappings:
          E: {source: Entry, destination: Entry, attributes: {result: "\(expression)"}}
          L: {source: Line, destination: Line}

        """
      ])
    let lines = (1...2).map {
      ManagedObject(
        "Line", $0, values: ["size": .integer(Int64.max - 1), "name": .string("99999")],
        toOne: ["entry": objectID("Entry", 2)])
    }
    let entries = objects("Entry", ["number": .integer(1)], ["number": .integer(40)])
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(entries + lines, in: folder))
      let errors = plan.diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code.description) == ["MC4302"])
      #expect(errors.first?.notes.contains { $0.message.contains("at object 2 of 'Entry'") } == true)
    }
  }

  @Test func `a required value that only objects can be asked for is found missing by the plan`() throws {
    let value = "parseInt(coalesce($source.price, $source.number))"
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {result: integer32}}\n"],
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, attributes: {result: '\(value)'}}\n"
      ])
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("Entry", ["price": .string("7")], [:]), in: folder))
      let errors = plan.diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code.description) == ["MC3101"])
      #expect(errors.first?.notes.contains { $0.message == "primary key 2" } == true)
    }
  }

  @Test func `what is computed of a group is refused by the plan with the object that stays`() throws {
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {day: string?, result: integer16?}}\n"],
      mappings: [
        """
        entityMappings:
          E:
            source: Entry
            destination: Entry
            groupBy: $source.day
            keep: first
            attributes: {day: $source.day, result: $sources.@sum.number}

        """
      ])
    let days = ["a", "b", "b"].map { AttributeValue.string($0) }
    let entries = days.map { ["day": $0, "number": .integer(20_000)] }
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Entry", entries[0], entries[1], entries[2]), in: folder)
      let errors = try trial.plan(store).diagnostics.filter { $0.code == .policyFailed }
      #expect(errors.flatMap(\.notes).contains { $0.message.contains("at object 2 of 'Entry'") })
    }
  }

  @Test func `plans see the objects of a group in the order that migrations have them in`() throws {
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {day: string?, result: integer16?}}\n"],
      mappings: [
        """
        entityMappings:
          E:
            source: Entry
            destination: Entry
            groupBy: $source.day
            orderBy: $source.first
            keep: last
            attributes: {day: $source.day, result: "$sources[FIRST].number * 1000"}

        """
      ])
    let entries = objects(
      "Entry", ["day": .string("b"), "first": .string("z"), "number": .integer(40)],
      ["day": .string("b"), "first": .string("a"), "number": .integer(1)])
    try withTemporaryFolder { folder in
      let found = try trial.plan(try trial.store(entries, in: folder)).diagnostics
      #expect(found.filter { $0.code == .policyFailed } == [])
    }
  }

  @Test func `a conversion that objects alone can be asked for is counted where it gives nothing`() throws {
    let trial = try parsing("parseInt(coalesce($source.price, $source.number))", "integer32")
    try withTemporaryFolder { folder in
      let plan = try trial.plan(
        try trial.store(objects("Entry", ["price": .string("7")], ["price": .string("x")], [:]), in: folder))
      #expect(plan.losses.filter { $0.code == .conversionLoss }.map(\.examples) == [[2]])
    }
  }

  private static let filters: [(String, [Int64])] = [
    ("day LIKE '*b'", [1, 3]), ("day ENDSWITH 'b'", [1, 3]), ("day BEGINSWITH 'b'", [2]),
    ("day BEGINSWITH[c] 'B'", [2]), ("day CONTAINS[c] 'X'", [2]), ("day !=[c] 'B'", [1, 2, 3, 5]),
    ("day LIKE 'b'", []), ("day == nil", [4]), ("NOT (day LIKE 'a*')", [2, 5]), ("day LIKE ''", [5]),
    ("day ENDSWITH ''", [1, 2, 3, 5]), ("day BEGINSWITH[c] ''", [1, 2, 3, 5]),
  ]

  @Test(arguments: filters)
  func `a filter looks at a text behind a zero byte too`(_ filter: String, _ keys: [Int64]) throws {
    let trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {day: string?}}\n"],
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, where: \"\(filter)\", attributes: {day: $source.day}}\n"
      ])
    let entries = ["a\u{0}b", "b\u{0}x", "ab", nil, ""].enumerated().map { index, text in
      let values = text.map { ["day": AttributeValue.string($0)] } ?? [:]
      return ManagedObject("Entry", Int64(index + 1), values: values)
    }
    #expect(try trial.run(entries)["Entry"].map(\.id.primaryKey) == keys, "\(filter)")
  }

  @Test(arguments: [false, true])
  func `now in a filter is the moment of the run, in plans and object by object too`(_ isCopy: Bool) throws {
    var trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {stamp: date?}}\n"],
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, where: 'stamp < now()', attributes: {stamp: $source.stamp}}\n"
      ])
    trial.custom.usesObjectCopy = isCopy
    let found = try trial.run(objects("Entry", ["stamp": .date(0)], ["stamp": .date(4e9)]))
    #expect(found["Entry"].map(\.id.primaryKey) == [1])
    #expect(found.plan.entities.map(\.rows) == [1] && found.plan.losses.map(\.count) == [1])
  }

  @Test(
    arguments: [false, true], [["integer64", "decimal"], ["decimal", "integer64"], ["decimal", "decimal"]])
  func `a whole number that no double can hold keeps its last digit`(_ isCopy: Bool, _ types: [String]) throws
  {
    var trial = try CustomTrial(
      types.map { "entities:\n  Entry: {attributes: {number: \($0)?, other: string?}}\n" },
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, attributes: {other: '\"x\"'}}\n"
      ])
    trial.custom.usesObjectCopy = isCopy
    let number = try #require(Decimal(string: "9007199254740993"))
    let value = types[0] == "decimal" ? AttributeValue.decimal(number) : .integer(9_007_199_254_740_993)
    let found = try trial.run(objects("Entry", ["number": value]))
    #expect(found["Entry"].map { $0.values["number"]?.text } == ["9007199254740993"])
  }

  private func withUTF16Store(_ trial: CustomTrial, _ body: (TestStore) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let store = TestStore(at: folder.appending(path: "Store.sqlite"))
      let queue = try DatabaseQueue(path: store.url.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA encoding = 'UTF-16le'")
        _ = try createStore(
          in: db, version: trial.model.versions[0], frameworkVersion: 1344,
          objects: objects("Entry", ["day": .string("zürich"), "number": .integer(40)]))
      }
      try queue.close()
      try body(store)
    }
  }

  @Test(arguments: [
    "attributes: {result: 'uppercase:($source.day)'}", "where: day LIKE 'z*'",
    #"attributes: {n: 'length:(concat("no ", $source.number))'}"#,
    #"attributes: {result: 'substr(TERNARY($source.number > 3, "big", "small"), 1, 2)'}"#,
  ])
  func `a store whose texts are UTF-16 is refused where they would become others`(_ part: String) throws {
    let mapping = "entityMappings:\n  E: {source: Entry, destination: Entry, \(part)}\n"
    let trial = try CustomTrial(
      [Self.old, Self.old.replacing("day: string?", with: "day: string?, result: string?, n: integer32?")],
      mappings: [mapping])
    try withUTF16Store(trial) { store in
      let errors = try trial.plan(store).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code.description) == ["MC4302"])
      let error = #expect(throws: MigrationRefusedError.self) { try trial.migrate(store) }
      #expect(refusalCodes(error) == ["MC4302"])
    }
  }

  @Test(arguments: [false, true])
  func `texts that are UTF-16 stay where a mapping computes with other values`(_ isCopy: Bool) throws {
    let mapping =
      "source: Entry, destination: Entry, where: number > 1, attributes: {result: $source.number * 2}"
    var trial = try CustomTrial(
      [Self.old, Self.old.replacing("day: string?", with: "day: string?, result: integer32?")],
      mappings: ["entityMappings:\n  E: {\(mapping)}\n"])
    trial.custom.usesObjectCopy = isCopy
    try withUTF16Store(trial) { store in
      try trial.migrate(store)
      let found = try store.objects(trial.model.last)
      #expect(found.map { $0.values["day"]?.text } == ["zürich"])
      #expect(found.map { $0.values["result"] } == [.integer(80)])
      #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA encoding") } == "UTF-16le")
    }
  }

  private func parsing(_ expression: String, _ type: String) throws -> CustomTrial {
    var trial = try CustomTrial(
      [Self.old, "entities:\n  Entry: {attributes: {result: \(type)?}}\n"],
      mappings: [
        "entityMappings:\n  E: {source: Entry, destination: Entry, attributes: {result: \"\(expression)\"}}\n"
      ])
    trial.options.acceptedLosses = [.droppedData]
    return trial
  }

  @Test(arguments: [
    ("parseDouble($source.price)", "double"), ("parseInt($source.price)", "integer32"),
    ("parseDate($source.price, 'yyyy-MM-dd')", "date"),
    ("uppercase:(CAST(parseInt($source.price), 'NSString'))", "string"),
  ])
  func `a conversion that gives nothing is a loss, with its objects`(_ expression: String, _ type: String)
    throws
  {
    let entries = objects("Entry", ["price": .string("1,299.00 x")], [:], ["price": .string("?")])
    var trial = try parsing(expression, type)
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(entries, in: folder))
      let loss = try #require(plan.losses.first { $0.code == .conversionLoss })
      #expect(loss.count == 2 && loss.examples == [1, 3] && loss.property == "result")
      #expect(plan.isBlocked)
    }
    #expect(throws: MigrationRefusedError.self) { _ = try trial.run(entries) }
    trial.options.acceptedLosses.insert(.failedConversions)
    #expect(try trial.run(entries).texts("Entry", "result") == ["-", "-", "-"])
  }

  @Test func `what a mapping says of such a value is no loss`() throws {
    let entries = objects("Entry", ["count": .string("x")], [:], ["count": .string("7")])
    let trial = try parsing("coalesce(parseInt($source.count), -1)", "integer32")
    #expect(try trial.run(entries).texts("Entry", "result") == ["-1", "-1", "7"])
  }

  @Test(arguments: [
    ("parseInt($source.count)", "integer32", "99999999999"), ("$source.count", "uuid", "no UUID"),
    ("$source.count", "uri", ""),
  ])
  func `a conversion that ends the migration is found by the plan`(
    _ expression: String, _ type: String, _ text: String
  ) throws {
    let entries = objects("Entry", [:], ["count": .string(text)])
    let trial = try parsing(expression, type)
    let error = #expect(throws: MigrationRefusedError.self) { _ = try trial.run(entries) }
    let errors = error?.plan.diagnostics.filter { $0.severity == .error } ?? []
    #expect(errors.map(\.code.description) == ["MC4302"])
    #expect(errors.first?.notes.contains { $0.message.contains("at object 2") } == true)
  }

  @Test func `texts that are UUIDs become them`() throws {
    let text = UUID().uuidString
    let trial = try parsing("$source.count", "uuid")
    let entries = objects("Entry", ["count": .string(text)], [:])
    #expect(try trial.run(entries).texts("Entry", "result") == [text, "-"])
  }
}
