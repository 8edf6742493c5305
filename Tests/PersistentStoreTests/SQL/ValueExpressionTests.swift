import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

/// A value expression over ``Ledger``'s accounts, and the type of the attribute that takes it.
struct CompiledCase: Sendable, CustomTestStringConvertible {
  var expression: String
  var type: AttributeType

  var testDescription: String { expression }

  init(_ expression: String, _ type: AttributeType) {
    self.expression = expression
    self.type = type
  }
}

private let compiled: [CompiledCase] = [
  CompiledCase("$source.name", .string), CompiledCase("name", .string), CompiledCase("small", .integer64),
  CompiledCase("large", .integer16), CompiledCase("rate", .integer32), CompiledCase("small", .double),
  CompiledCase("sum", .decimal), CompiledCase("rate", .decimal), CompiledCase("sum", .double),
  CompiledCase("isOpen", .integer16),
  CompiledCase("small", .boolean), CompiledCase("opened", .date), CompiledCase("code", .uuid),
  CompiledCase("site", .uri), CompiledCase("data", .binary),
  CompiledCase("name", .uri), CompiledCase("nil", .string), CompiledCase("1.5", .decimal),
  CompiledCase("'x'", .string),
  CompiledCase("owner.name", .string), CompiledCase("$source.owner.partner.name", .string),
  CompiledCase("owner.name.length", .integer32),
  CompiledCase("site.host", .string), CompiledCase("opened.timeIntervalSince1970", .double),
  CompiledCase("entries.@count", .integer32), CompiledCase("entries.@sum.amount", .integer64),
  CompiledCase("entries.@sum.price", .decimal),
  CompiledCase("entries.@sum.weight", .double), CompiledCase("entries.@avg.amount", .double),
  CompiledCase("entries.@avg.price", .decimal),
  CompiledCase("entries.@min.text", .string), CompiledCase("entries.@max.date", .date),
  CompiledCase("tags.@count", .integer16),
  CompiledCase("tags.@max.name", .string), CompiledCase("sum:(entries.amount)", .integer64),
  CompiledCase("count:(entries)", .integer32),
  CompiledCase("median:(entries.amount)", .double), CompiledCase("stddev:(entries.weight)", .double),
  CompiledCase("entries[SIZE]", .integer16),
  CompiledCase("owner.accounts.@count", .integer32),
  CompiledCase("SUBQUERY(entries, $e, $e.amount != 1).@count", .integer32),
  CompiledCase("SUBQUERY(entries, $e, $e.text == name).@sum.amount", .integer64),
  CompiledCase("small + 1", .integer32), CompiledCase("small * small / 2", .integer64),
  CompiledCase("large + 1", .integer64),
  CompiledCase("large * small", .integer64), CompiledCase("small / small", .integer64),
  CompiledCase("rate / small", .double),
  CompiledCase("sum * 3", .decimal), CompiledCase("sum + 0.1 + rate", .double),
  CompiledCase("-small", .integer16), CompiledCase("-sum", .decimal),
  CompiledCase("rate ** 2", .double), CompiledCase("small ** 2", .integer64),
  CompiledCase("sum ** 2", .decimal),
  CompiledCase("modulus:by:(small, 3)", .integer16),
  CompiledCase("abs:(large)", .integer64), CompiledCase("trunc:(rate)", .integer64),
  CompiledCase("sqrt:(small)", .double),
  CompiledCase("bitwiseAnd:with:(small, 3)", .integer16), CompiledCase("clamp(small, 0, 100)", .integer16),
  CompiledCase("max:(small, 3)", .integer32),
  CompiledCase("uppercase:(name)", .string), CompiledCase("canonical:(name)", .string),
  CompiledCase("length:(name)", .integer32),
  CompiledCase("concat(name, ' ', owner.name)", .string),
  CompiledCase("concat(small, sum, opened, code)", .string), CompiledCase("trim(name)", .string),
  CompiledCase("replace(name, 'X', '')", .string), CompiledCase("substr(name, 1, 1)", .string),
  CompiledCase("coalesce(name, other, 'none')", .string),
  CompiledCase("coalesce(small, rate, 1.5)", .double),
  CompiledCase("transform(name, 'Any-Latin; Latin-ASCII; Lower')", .string),
  CompiledCase("hash(name)", .string), CompiledCase("parseInt(name)", .integer16),
  CompiledCase("parseDouble(name)", .double), CompiledCase("parseDate(name, 'yyyy-MM-dd')", .date),
  CompiledCase("formatDate(opened, 'yyyy-MM-dd')", .string),
  CompiledCase("formatNumber(rate, '0.00')", .string), CompiledCase("now()", .date),
  CompiledCase("CAST(small, 'NSString')", .string),
  CompiledCase("CAST(opened, 'NSNumber')", .double), CompiledCase("CAST(rate, 'NSDate')", .date),
  CompiledCase("CAST(name, 'NSNumber')", .double),
  CompiledCase("TERNARY(small > 1, name, other)", .string),
  CompiledCase("TERNARY(name == nil, 1, 2.5)", .decimal),
  CompiledCase("TERNARY(small != 9, TERNARY(small == 9, entries.@avg.price, sum), -3) * 1.1", .decimal),
  CompiledCase("TERNARY(small != 1, 1, 0)", .boolean),
  CompiledCase("TERNARY(ANY entries.amount != 1, 1, 0)", .integer16),
  CompiledCase("TERNARY(ALL entries.text BEGINSWITH 'a', 1, 0)", .integer16),
  CompiledCase("TERNARY(NONE tags.name ==[cd] 'A', 1, 0)", .integer16),
  CompiledCase("TERNARY(owner.age IN {1, 32, nil}, 1, 0)", .integer16),
  CompiledCase("TERNARY(name MATCHES '[a-z]*', 1, 0)", .integer16),
  CompiledCase("TERNARY(owner == owner.partner.partner, 1, 0)", .integer16),
  CompiledCase("TERNARY(tags.name CONTAINS name, 1, 0)", .integer16),
  CompiledCase("TERNARY('x' IN name, 1, 0)", .integer16),
  CompiledCase("TERNARY(code == '6BA7B810-9DAD-11D1-80B4-00C04FD430C8', 1, 0)", .integer16),
  CompiledCase("TERNARY(sum == 10.11, 1, 0)", .integer16),
  CompiledCase("TERNARY(sum * 2 > rate, 1, 0)", .integer16),
  CompiledCase("TERNARY(large > rate, 1, 0)", .integer16),
  CompiledCase("TERNARY(small BETWEEN {0, owner.age}, 1, 0)", .integer16),
  CompiledCase("TERNARY(NOT name < other, 1, 0)", .integer16),
]

@Suite struct `Value expressions as SQL` {
  @Test(arguments: compiled)
  func `SQL gives what objects give, row by row`(_ value: CompiledCase) throws {
    var random = SeededGenerator(seed: 7)
    try withNewStore(of: Ledger.model, objects: Ledger.objects(&random)) { db, schema, _ in
      let trial = try ValueTrial(db, schema, Ledger.model)
      let attribute = Ledger.attribute("result", value.type)
      let expression = try parseExpression(value.expression)
      var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model)
      #expect(throws: Never.self) { try compiler.value(expression, as: attribute) }
      #expect(try trial.differences(expression, "Account", as: attribute) == [])
    }
  }

  @Test(arguments: [
    ("FUNCTION($source, 'name')", AttributeType.string, "method"),
    ("entries.amount", .integer16, "to-many key path"),
    ("tags[FIRST].name", .string, "cannot begin"), ("name", .integer16, "another type"),
    ("owner", .integer16, "another type"),
    ("name + 1", .integer16, "not a number"), ("TERNARY(small > 1, name, 1)", .string, "different types"),
    ("entries.@distinctUnionOfObjects.text", .string, "collection"),
    ("$manager.x", .string, "an object of the caller"),
    ("TERNARY(name > 1, 1, 0)", .integer16, "different types"),
    ("mode:(entries.amount)", .integer16, "to-many key path"),
    ("0.1234567890123456789", .decimal, "more digits"),
    ("TERNARY(name ==[l] 'a', 1, 0)", .integer16, "locale"),
  ])
  func `What SQL would answer otherwise, or not at all, is refused`(
    _ text: String, _ type: AttributeType, _ word: String
  ) throws {
    try withNewStore(of: Ledger.model) { _, schema, _ in
      var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model)
      let before = compiler.from
      let error = #expect(throws: NotExpressibleInSQL.self) {
        try compiler.value(parseExpression(text), as: Ledger.attribute("result", type))
      }
      #expect(error?.reason.contains(word) == true, "\(error?.reason ?? "")")
      #expect(compiler.from == before)
    }
  }

  @Test func `Several expressions of one mapping share their joins; a filter has the meaning of a fetch`()
    throws
  {
    try withNewStore(of: Ledger.model) { _, schema, _ in
      var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model, schemaName: "source")
      let text = Ledger.attribute("x", .string)
      #expect(try compiler.value(parseExpression("$source.owner.name"), as: text) == "t1.ZNAME")
      #expect(try compiler.value(parseExpression("owner.partner.name"), as: text) == "t2.ZNAME")
      #expect(try compiler.filter(parsePredicate("owner.age != 3")) == "(t1.ZAGE <> 3)")
      #expect(try compiler.condition(parsePredicate("owner.age != 3")) == "NOT (t1.ZAGE IS 3)")
      #expect(
        compiler.from
          == "source.ZACCOUNT t0 LEFT JOIN source.ZOWNER t1 ON t1.Z_PK = t0.ZOWNER "
          + "LEFT JOIN source.ZOWNER t2 ON t2.Z_PK = t1.ZPARTNER")
      let owner = try compiler.object(parseExpression("$source.owner.partner"))
      #expect(owner.key == "t1.ZPARTNER")
      #expect(owner.entityName == "Owner")
      #expect(compiler.isOfEntity(includesSubentities: false) == "t0.Z_ENT = 1")
      #expect(compiler.isOfEntity(includesSubentities: true) == "1")
    }
  }

  @Test(arguments: [
    "concat(code)", "concat(opened)", "concat(small)", "concat(name)", "concat(name, owner.name)",
  ])
  func `A filter joins the texts that a value does`(_ text: String) throws {
    var random = SeededGenerator(seed: 7)
    try withNewStore(of: Ledger.model, objects: Ledger.objects(&random)) { db, schema, _ in
      db.registerExpressionFunctions()
      func compiler() throws -> RowCompiler {
        try RowCompiler("Account", schema: schema, model: Ledger.model)
      }
      var values = try compiler()
      let value = try values.value(parseExpression(text), as: Ledger.attribute("x", .string))
      let all = try Row.fetchAll(db, sql: "SELECT t0.Z_PK, \(value) FROM \(values.from)")
      let sought = try #require(
        all.lazy.compactMap { $0[1] as String? }.first { !$0.contains("'") && !$0.contains("\\") })
      var filters = try compiler()
      let filter = try filters.filter(parsePredicate("\(text) == '\(sought)'"))
      let found = try Int64.fetchAll(db, sql: "SELECT t0.Z_PK FROM \(filters.from) WHERE \(filter)")
      #expect(Set(found) == Set(all.filter { $0[1] as String? == sought }.map { $0[0] as Int64 }))
    }
  }

  @Test(arguments: ["code", "opened", "sum"]) func `A filter takes no cell for the text of a value`(
    _ key: String
  ) throws {
    try withNewStore(of: Ledger.model) { _, schema, _ in
      var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model)
      #expect(throws: NotExpressibleInSQL.self) {
        try compiler.filter(parsePredicate("CAST(\(key), 'NSString') == '1'"))
      }
    }
  }

  @Test func `Errors of a row end the statement with the evaluator's words`() throws {
    let account = ManagedObject("Account", 1, values: ["small": .integer(0), "large": .integer(.max)])
    try withNewStore(of: Ledger.model, objects: [account]) { db, schema, _ in
      db.registerExpressionFunctions()
      for (text, words) in [
        ("1 / small", "divides by zero"), ("large + 1", "overflows"), ("large", "does not fit"),
      ] {
        var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model)
        let sql = try compiler.value(parseExpression(text), as: Ledger.attribute("x", .integer16))
        let error = #expect(throws: DatabaseError.self) {
          try Row.fetchAll(db, sql: "SELECT \(sql) FROM \(compiler.from)")
        }
        #expect(error?.message?.contains(words) == true, "\(error?.message ?? "")")
      }
    }
  }

  @Test func `A cell of another type than its attribute is an error, not a wrong value`() throws {
    let account = ManagedObject("Account", 1, values: ["small": .integer(0)])
    try withNewStore(of: Ledger.model, objects: [account]) { db, schema, _ in
      db.registerExpressionFunctions()
      try db.execute(sql: "UPDATE ZACCOUNT SET ZSMALL = 'many', ZNAME = X'61'")
      var compiler = try RowCompiler("Account", schema: schema, model: Ledger.model)
      let sql = try compiler.value(parseExpression("abs:(small)"), as: Ledger.attribute("x", .integer16))
      #expect(throws: DatabaseError.self) { try Row.fetchAll(db, sql: "SELECT \(sql) FROM \(compiler.from)") }
    }
  }
}
