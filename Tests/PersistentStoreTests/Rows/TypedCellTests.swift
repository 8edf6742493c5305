import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct `Cells and their types` {
  /// What stands in a cell, and the code that reading it raises; nil if it is a value all the same.
  @Test(
    arguments: [
      ("ZAINTEGER16", "32768", "MC5402"), ("ZAINTEGER16", "-32769", "MC5402"), ("ZAINTEGER16", "32767", nil),
      ("ZBINTEGER32", "2147483648", "MC5402"), ("ZBINTEGER32", "-2147483648", nil),
      ("ZCINTEGER64", "9223372036854775807", nil), ("ZCINTEGER64", "1.5", "MC5401"),
      ("ZAINTEGER16", "'x'", "MC5401"),
      ("ZDBOOLEAN", "x'01'", "MC5401"), ("ZEDECIMAL", "'ten'", "MC5401"), ("ZFDOUBLE", "x''", "MC5401"),
      ("ZGFLOAT", "7", nil), ("ZHSTRING", "x'ff'", "MC5401"), ("ZHSTRING", "CAST(x'ff41' AS TEXT)", "MC5401"),
      ("ZIDATE", "'today'", "MC5401"), ("ZIDATE", "3", nil), ("ZJBINARY", "'text'", "MC5401"),
      ("ZKUUID", "x'0102'", "MC5401"), ("ZLURI", "1.5", nil), ("ZNEXTERNAL", "x'03'", "MC5401"),
      ("ZNEXTERNAL", "x''", "MC5401"),
    ] as [(String, String, String?)])
  func `What is no value of its attribute is named`(column: String, cell: String, code: String?) throws {
    try withNewStore(of: SampleModels.everyType, objects: [Everything.object]) { db, schema, _ throws in
      try db.execute(sql: "UPDATE ZEVERYTHING SET \(column) = \(cell)")
      func read() throws -> Int {
        try readObjects(ofEntity: "Everything", in: db, schema: schema, model: SampleModels.everyType).count
      }
      guard let code else {
        #expect(try read() == 1)
        return
      }
      let error = #expect(throws: DiagnosticsError.self) { try read() }
      #expect(error?.diagnostics.map(\.code.description) == [code])
    }
  }

  @Test func `A reference that is no key is named`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ throws in
      try db.execute(sql: "UPDATE ZVISIT SET ZCOMPANION = 'x' WHERE Z_PK = 1")
      let error = #expect(throws: DiagnosticsError.self) {
        try readObjects(ofEntity: "Visit", in: db, schema: schema, model: SampleModels.hiking)
      }
      #expect(error?.diagnostics.map(\.code) == [.cellOfWrongType])
    }
  }

  @Test(
    arguments: [
      ("aInteger16", .integer(32768)), ("bInteger32", .integer(-2_147_483_649)), ("fDouble", .double(.nan)),
      ("hString", .integer(1)), ("kUUID", .string("x")),
    ] as [(String, AttributeValue)])
  func `A value that does not fit is not written`(name: String, value: AttributeValue) throws {
    let object = ManagedObject("Everything", 1, values: [name: value])
    let error = #expect(throws: DiagnosticsError.self) {
      try withNewStore(of: SampleModels.everyType, objects: [object]) { _, _, _ in }
    }
    #expect(error?.diagnostics.map(\.code) == [.storeWriteFailed])
  }

  @Test(arguments: [
    "9007199254740993", "-9223372036854775808", "1152921504606846976", "9007199254740992", "10.11", "NaN",
  ])
  func `A decimal keeps its digits where a column can`(text: String) throws {
    let number = try #require(Decimal(string: text) ?? (text == "NaN" ? .nan : nil))
    let object = ManagedObject("Everything", 1, values: ["eDecimal": .decimal(number)])
    try withNewStore(of: SampleModels.everyType, objects: [object]) { db, schema, _ throws in
      let read = try readObjects(
        ofEntity: "Everything", in: db, schema: schema, model: SampleModels.everyType)
      #expect(read == [object])
    }
  }

  @Test func `A text keeps what stands after a NUL`() throws {
    let object = ManagedObject("Everything", 1, values: ["hString": .string("a\u{0}b")])
    try withNewStore(of: SampleModels.everyType, objects: [object]) { db, schema, _ throws in
      let read = try readObjects(
        ofEntity: "Everything", in: db, schema: schema, model: SampleModels.everyType)
      #expect(read == [object])
    }
  }
}
