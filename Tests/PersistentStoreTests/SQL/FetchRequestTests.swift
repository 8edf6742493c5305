import Foundation
import GRDB
import ManagedModel
import PersistentStore
import Testing

/// A predicate over the store of ``Hike``, and the keys of the objects that it finds.
struct FetchCase: Sendable, CustomTestStringConvertible {
  var entity: String
  var predicate: String
  var keys: [Int64]

  var testDescription: String { "\(entity): \(predicate)" }

  init(_ entity: String, _ predicate: String, _ keys: Int64...) {
    self.entity = entity
    self.predicate = predicate
    self.keys = keys
  }

  static var all: [FetchCase] { values + texts + paths + collections }

  static let values = [
    FetchCase("Hut", "TRUEPREDICATE", 1, 4), FetchCase("Hut", "FALSEPREDICATE"),
    FetchCase("Place", "TRUEPREDICATE", 1, 2, 3, 4),
    FetchCase("Hut", "beds > 0", 1), FetchCase("Hut", "beds == -1", 4), FetchCase("Hut", "0 < beds", 1),
    FetchCase("Hut", "beds + 21 == 20", 4), FetchCase("Hut", "beds * 2 / 4 >= 10", 1),
    FetchCase("Hut", "abs:(beds) == 1", 4), FetchCase("Hut", "beds BETWEEN {19, 20}", 1),
    FetchCase("Hut", "beds IN {20, 21}", 1), FetchCase("Hut", "NOT beds IN {20, 21}", 4),
    FetchCase("Place", "height == nil", 2, 3, 4), FetchCase("Place", "height != nil", 1),
    // A comparison with null is neither true nor false.
    FetchCase("Place", "height != 2000"), FetchCase("Place", "height != 1", 1),
    FetchCase("Place", "height > 1", 1),
    FetchCase("Place", "NOT height == 1", 1), FetchCase("Place", "height != 1 OR height == nil", 1, 2, 3, 4),
    FetchCase("Visit", "date < CAST('2001-01-01T00:00:00Z', 'NSDate')", 3),
    FetchCase("Visit", "date < CAST(0, 'NSDate')", 3), FetchCase("Visit", "date == CAST(0.25, 'NSDate')", 2),
    FetchCase("Hut", "TERNARY(beds > 0, 1, 2) == 2", 4),
    FetchCase("Hut", "beds > 0 AND note == 'a' OR beds < 0", 1, 4),
    FetchCase("Hut", "visitCount == 2", 1),
  ]

  static let texts = [
    FetchCase("Hut", "name BEGINSWITH 'A'", 1), FetchCase("Hut", "name BEGINSWITH[c] 'a'", 1),
    FetchCase("Hut", "name BEGINSWITH ''", 1, 4), FetchCase("Hut", "name BEGINSWITH[cd] 'bar'", 4),
    FetchCase("Hut", "name BEGINSWITH[n] 'Bär'", 4), FetchCase("Hut", "name ENDSWITH 'lp'", 1),
    FetchCase("Hut", "name ENDSWITH[d] 'hutte'", 4), FetchCase("Hut", "name ENDSWITH ''", 1, 4),
    FetchCase("Hut", "name CONTAINS 'renh'", 4), FetchCase("Hut", "name CONTAINS[cd] 'ARENH'", 4),
    FetchCase("Hut", "name LIKE 'A?p'", 1), FetchCase("Hut", "name LIKE 'a*'"),
    FetchCase("Hut", "name LIKE[c] 'a*'", 1),
    FetchCase("Hut", "name LIKE 'A[l]p'"), FetchCase("Hut", "name MATCHES 'A.p|x'", 1),
    FetchCase("Hut", "name MATCHES 'l'"), FetchCase("Hut", "name MATCHES[c] 'ALP'", 1),
    FetchCase("Hut", "name ==[cd] 'BARENHUTTE'", 4), FetchCase("Hut", "name IN[c] {'ALP', 'x'}", 1),
    FetchCase("Hut", "lowercase:(name) == 'bärenhütte'", 4), FetchCase("Hut", "length:(name) > 3", 4),
    FetchCase("Hut", "'Al' IN name", 1),
  ]

  static let paths = [
    FetchCase("Visit", "hut.name == 'Alp'", 1, 2), FetchCase("Visit", "hut == nil"),
    FetchCase("Visit", "hut.note == nil", 3), FetchCase("Visit", "companion.hut.name == 'Alp'", 1, 2),
    FetchCase("Place", "region.code != nil", 1, 2), FetchCase("Place", "region == nil", 3, 4),
    FetchCase("Trail", "highest.name == 'Peak'", 1), FetchCase("Photo", "visit.hut.beds < 0", 7),
    FetchCase("Photo", "visit.companion == nil", 7),
  ]

  static let collections = [
    FetchCase("Hut", "visits.@count == 2", 1), FetchCase("Region", "places.@count > 1", 1),
    FetchCase("Trail", "huts.@count == 0", 2, 3), FetchCase("Trail", "marks.@count == 2", 1),
    FetchCase("Hut", "visits.@max.date > CAST(1, 'NSDate')", 1),
    FetchCase("Trail", "huts.@sum.beds == 19", 1),
    FetchCase("Trail", "huts.@sum.beds == 0", 2, 3), FetchCase("Trail", "sum:(huts.beds) == 19", 1),
    FetchCase("Trail", "ANY huts.beds < 0", 1),
    FetchCase("Trail", "ANY huts.visits.date < CAST(0, 'NSDate')", 1),
    FetchCase("Hut", "ANY trails.title == 'one'", 1, 4),
    FetchCase("Hut", "ANY visits.date < CAST(0, 'NSDate')", 4),
    FetchCase("Trail", "ALL huts.beds > 0", 2, 3), FetchCase("Trail", "NONE huts.beds > 100", 1, 2, 3),
    FetchCase("Trail", "NONE huts.beds > 0", 2, 3), FetchCase("Trail", "NOT ANY huts.beds > 0", 2, 3),
    FetchCase("Hut", "SUBQUERY(visits, $v, $v.date > CAST(1, 'NSDate')).@count == 1", 1),
    FetchCase("Hut", "SUBQUERY(visits, $v, $v.companion.hut == SELF).@count == visits.@count", 1),
    FetchCase("Hut", "SUBQUERY(visits, $v, beds > 0)[SIZE] == 2", 1),
    FetchCase("Summit", "ANY neighbours.name == 'Top'", 2),
    FetchCase("Summit", "ANY neighbours.name == 'Peak'", 3),
    FetchCase("Trail", "ANY leadsTo.title == 'two'", 1),
    FetchCase("Trail", "ANY comesFrom.title == 'one'", 2),
    FetchCase("Visit", "SELF IN hut.visits", 1, 2, 3), FetchCase("Trail", "ANY marks.colour == 'red'", 1),
    FetchCase("Region", "ANY places.name CONTAINS 'ea'", 1),
    FetchCase("Photo", "visit.hut.visits.@count == 1", 7),
  ]
}

@Suite struct `Fetch requests as SQL` {
  @Test(arguments: FetchCase.all)
  func `A predicate finds the objects that it is about`(_ fetch: FetchCase) throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ in
      let compiled = try FetchRequestDescription(
        name: "test", entityName: fetch.entity, predicate: fetch.predicate
      ).compiled(schema: schema, model: SampleModels.hiking)
      db.registerFetchFunctions()
      let keys = try Row.fetchAll(db, sql: compiled.sql).compactMap { Int64.fromDatabaseValue($0[1]) }
      #expect(keys.sorted() == fetch.keys, "\(compiled.sql)")
    }
  }

  @Test func `The statement is what Core Data's would be: joins, kinds, order, limit`() throws {
    let request = FetchRequestDescription(
      name: "byRegion", entityName: "Hut", predicate: "region.code != nil AND name BEGINSWITH $prefix",
      sortDescriptors: [
        SortDescription(keyPath: "region.code", isAscending: false), SortDescription(keyPath: "name"),
      ],
      fetchLimit: 10, includesPropertyValues: false)
    let compiled = try compile(request)
    #expect(
      compiled.sql == """
        SELECT t0.Z_ENT, t0.Z_PK FROM ZPLACE t0 LEFT JOIN ZREGION t1 ON t1.Z_PK = t0.ZREGION \
        WHERE t0.Z_ENT = 4 AND (t1.ZCODE IS NOT NULL) AND (substr(t0.ZNAME, 1, length(:prefix)) = :prefix) \
        ORDER BY t1.ZCODE DESC, t0.ZNAME ASC LIMIT 10
        """)
    #expect(compiled.parameters == ["prefix"])
  }

  @Test func `Kinds of result`() throws {
    func sql(_ type: Int, distinct: Bool = false, subentities: Bool = true) throws -> String {
      try compile(
        FetchRequestDescription(
          name: "all", entityName: "Place", includesSubentities: subentities,
          returnsDistinctResults: distinct,
          resultType: type)
      ).sql
    }
    #expect(try sql(4) == "SELECT COUNT(*) FROM ZPLACE t0")
    #expect(try sql(1) == "SELECT t0.Z_ENT, t0.Z_PK FROM ZPLACE t0")
    #expect(try sql(0).contains("t0.Z_OPT"))
    #expect(try sql(0).contains("t0.ZBEDS"))
    #expect(try sql(1, distinct: true).hasPrefix("SELECT DISTINCT "))
    #expect(try sql(4, subentities: false).hasSuffix(" WHERE t0.Z_ENT = 3"))
  }

  @Test(arguments: [
    ("Place", "name ==[l] 'a'", "locale"), ("Hut", "FUNCTION(SELF, 'isOpen') == TRUE", "method"),
    ("Trail", "huts[0].beds == 1", "cannot begin"),
    ("Hut", "$other.name == name", "an object of the caller"), ("Hut", "random() > 1", "random"),
    ("Hut", "beds BETWEEN $range", "two bounds"),
  ])
  func `What has no form in SQL is said`(_ entity: String, _ predicate: String, _ word: String) throws {
    let request = FetchRequestDescription(name: "odd", entityName: entity, predicate: predicate)
    let error = #expect(throws: DiagnosticsError.self) { try compile(request) }
    #expect(
      error?.diagnostics.map(\.code.description) == ["MC1607"], "\(error?.diagnostics.first?.message ?? "")")
    #expect(
      error?.diagnostics.first?.message.contains(word) == true, "\(error?.diagnostics.first?.message ?? "")")
  }

  @Test func `A list is bound as JSON, and UUIDs are bytes`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ in
      let list = try FetchRequestDescription(name: "list", entityName: "Hut", predicate: "beds IN $numbers")
        .compiled(schema: schema, model: SampleModels.hiking)
      let rows = try Row.fetchAll(db, sql: list.sql, arguments: ["numbers": "[20, 30]"])
      #expect(rows.compactMap { Int64.fromDatabaseValue($0[1]) } == [1])
      guard case .uuid(let code)? = Hike.region.values["code"] else { return }
      let byCode = try FetchRequestDescription(
        name: "code", entityName: "Region", predicate: "code == '\(code)'"
      ).compiled(schema: schema, model: SampleModels.hiking)
      #expect(try Row.fetchAll(db, sql: byCode.sql).count == 1)
    }
  }

  @Test func `The plan shows whether an index serves`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ throws in
      func plan(_ predicate: String) throws -> String {
        let request = FetchRequestDescription(name: "plan", entityName: "Place", predicate: predicate)
        return try db.explain(request, schema: schema, model: SampleModels.hiking).plan.joined(
          separator: "\n")
      }
      #expect(try plan("name == 'Alp'").contains("USING INDEX Z_Place_UNIQUE_name"))
      #expect(try plan("name BEGINSWITH 'Al'").contains("USING INDEX Z_Place_UNIQUE_name"))
      #expect(try plan("name BEGINSWITH[c] 'Al'").contains("SCAN t0"))
      #expect(try plan("region.code == nil AND name != $other").contains("LEFT-JOIN"))
    }
  }

  private func compile(_ request: FetchRequestDescription) throws -> CompiledFetch {
    try request.compiled(
      schema: layOutStore(for: SampleModels.hiking, frameworkVersion: 1344), model: SampleModels.hiking)
  }
}
