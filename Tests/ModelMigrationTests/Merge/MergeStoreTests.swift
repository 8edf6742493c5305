import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@testable import ModelMigration

@Suite("Merging stores") struct MergeStoreTests {
  private static let model = modelOf(
    """
    Line
      name: string
      note: string?
      stops => Stop.line
      tags => Tag.lines
    Stop
      number: integer32
      name: string?
      line -> Line.stops
    Tag
      word: string
      lines => Line.tags
    """)

  /// Two stores of the model: lines by name, each with the numbers of its stops, and tags with the lines that have them.
  private func store(
    _ name: String, in folder: URL, _ lines: [(name: String, note: String?, stops: [Int64])],
    tags: [(word: String, lines: [Int])] = [], stopName: String? = nil
  ) throws -> TestStore {
    var objects: [ManagedObject] = []
    var key: Int64 = 0
    for (index, line) in lines.enumerated() {
      var object = ManagedObject("Line", Int64(index + 1))
      object.values = ["name": .string(line.name)]
      if let note = line.note { object.values["note"] = .string(note) }
      for number in line.stops {
        key += 1
        var stop = ManagedObject("Stop", key)
        stop.values = ["number": .integer(number)]
        if let stopName { stop.values["name"] = .string(stopName) }
        stop.toOne["line"] = object.id
        objects.append(stop)
      }
      objects.append(object)
    }
    for (index, tag) in tags.enumerated() {
      var object = ManagedObject("Tag", Int64(index + 1))
      object.values = ["word": .string(tag.word)]
      object.toMany["lines"] = tag.lines.map { ManagedObject.ID(entityName: "Line", primaryKey: Int64($0)) }
      objects.append(object)
    }
    return try TestStore(
      name, in: folder, of: ModelVersion(name: "V1", model: Self.model), usesWAL: false, objects: objects)
  }

  private func merge(
    _ old: TestStore, into new: TestStore, _ rules: MergeRules = MergeRules(), isDryRun: Bool = false
  ) throws -> MergeReport {
    var options = MigrationOptions()
    options.keepsBackup = false
    return try rules.merge(
      storeAt: old.url.path, into: new.url.path, models: [versionedModel([Self.model])], options: options,
      isDryRun: isDryRun)
  }

  private func lines(_ store: TestStore, _ sql: String) throws -> [String] {
    try store.read { db in
      try Row.fetchAll(db, sql: sql).map { row in
        row.databaseValues.map { String.fromDatabaseValue($0) ?? "\($0)" }.joined(separator: " ")
      }
    }
  }

  private static let stops =
    "SELECT l.ZNAME, s.ZNUMBER, s.ZNAME FROM ZSTOP s JOIN ZLINE l ON l.Z_PK = s.ZLINE ORDER BY 1, 2"

  /// The members of a composite are filled together, URIs of objects that get other keys are told, and columns that no
  /// model knows go along.
  @Test func `what is filled, and what is carried over as it is`() throws {
    let version = ModelVersion(
      name: "V1",
      model: modelOf(
        """
        Hut
          name: string
          height: Measure?
          link: uri?
        composite Measure
          value: double?
          unit: string?
        """))
    func hut(_ key: Int64, _ name: String, _ values: [String: AttributeValue]) -> ManagedObject {
      ManagedObject("Hut", key, values: values.merging(["name": .string(name)]) { $1 })
    }
    try withTemporaryFolder { folder in
      let old = try TestStore(
        "Old.sqlite", in: folder, of: version, usesWAL: false,
        objects: [
          hut(1, "A", ["height.value": .double(8268), "height.unit": .string("feet")]),
          hut(2, "B", ["height.value": .double(9000), "height.unit": .string("feet")]),
          hut(3, "C", ["link": .uri("x-coredata://7E0F/Hut/p1")]),
        ])
      let new = try TestStore(
        "New.sqlite", in: folder, of: version, usesWAL: false,
        objects: [hut(1, "A", ["height.value": .double(2520)]), hut(2, "B", [:])])
      for store in [old, new] {
        try store.write {
          try $0.execute(sql: "ALTER TABLE ZHUT ADD COLUMN ZOWN; UPDATE ZHUT SET ZOWN = Z_PK")
        }
      }
      try old.write {
        try $0.execute(sql: "ALTER TABLE ZHUT ADD COLUMN ZOLD; UPDATE ZHUT SET ZOLD = Z_PK")
      }
      var options = MigrationOptions()
      options.keepsBackup = false
      let report = try MergeRules(match: ["Hut": ["name"]], existingElsewhere: .fill).merge(
        storeAt: old.url.path, into: new.url.path, models: [versionedModel([version.model])], options: options
      )
      #expect(
        try lines(
          new, "SELECT ZNAME, ZVALUE, ifnull(ZUNIT, '-'), ZOWN FROM ZHUT WHERE ZNAME < 'C' ORDER BY 1")
          == ["A 2520.0 - 1", "B 9000.0 feet 2"])
      #expect(try lines(new, "SELECT ZOWN FROM ZHUT WHERE ZNAME = 'C'") == ["3"])
      #expect(
        report.diagnostics.filter { $0.code.description == "MC6403" }.map(\.message)
          == ["1 merged value of 'Hut.link' holds URIs of objects"])
      #expect(
        report.diagnostics.contains {
          $0.message.hasPrefix("1 merged object has a value in the column 'ZOLD'")
        })
    }
  }

  @Test func `children hang on the object that stays, and twice is once`() throws {
    try withTemporaryFolder { folder in
      let old = try store(
        "Old.sqlite", in: folder, [("1", "old", [10, 11]), ("2", nil, [20])],
        tags: [("fast", [1, 2]), ("old", [2])])
      let new = try store(
        "New.sqlite", in: folder, [("3", nil, [30]), ("1", nil, [11])], tags: [("fast", [1])])
      let bytes = try Data(contentsOf: old.url)
      let rules = MergeRules(match: ["Line": ["name"], "Stop": ["line", "number"], "Tag": ["word"]])
      let report = try merge(old, into: new, rules)
      #expect(
        report.entities.map { "\($0.entity) \($0.added) \($0.matched) \($0.changed)" } == [
          "Line 1 1 0", "Stop 2 1 0", "Tag 1 1 0",
        ])
      #expect(report.links == 3)
      #expect(try lines(new, Self.stops) == ["1 10 NULL", "1 11 NULL", "2 20 NULL", "3 30 NULL"])
      #expect(try lines(new, "SELECT ZNOTE FROM ZLINE WHERE ZNAME = '1'") == ["NULL"])
      #expect(
        try lines(new, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == ["Line 3", "Stop 4", "Tag 2"])
      #expect(try Data(contentsOf: old.url) == bytes)
      let merged = try Data(contentsOf: new.url)
      #expect(try merge(old, into: new, rules).hasChanges == false)
      #expect(try Data(contentsOf: new.url) == merged)
    }
  }

  @Test(arguments: [
    (MergeRules.Existing.keep, "new NULL", 0), (.fill, "new old", 1), (.replace, "NULL old", 1),
  ])
  func `what becomes of an object that both have`(
    _ mode: MergeRules.Existing, _ expected: String, _ changed: Int
  ) throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("1", nil, [10])], stopName: "old")
      let new = try store("New.sqlite", in: folder, [("1", "new", [10])])
      let rules = MergeRules(match: ["Line": ["name"], "Stop": ["number"]], existingElsewhere: mode)
      let report = try merge(old, into: new, rules)
      #expect(report.entities.filter { $0.entity == "Stop" }.map(\.changed) == [changed])
      #expect(
        try lines(new, "SELECT l.ZNOTE, s.ZNAME FROM ZSTOP s JOIN ZLINE l ON l.Z_PK = s.ZLINE") == [expected])
      #expect(try merge(old, into: new, rules).hasChanges == false)
    }
  }

  @Test func `without keys all values and references count, and equal objects are counted`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("1", nil, [7, 7, 7]), ("2", nil, [7])])
      let new = try store("New.sqlite", in: folder, [("2", nil, []), ("1", nil, [7, 7])])
      let report = try merge(old, into: new)
      #expect(report.entities.map { "\($0.entity) \($0.added) \($0.matched)" } == ["Line 0 2", "Stop 2 2"])
      #expect(try lines(new, Self.stops) == ["1 7 NULL", "1 7 NULL", "1 7 NULL", "2 7 NULL"])
    }
  }

  /// The key leads to no object, so that all else counts: also a reference to what is matched later.
  @Test func `a key of a missing object is no key, and twice is once`() throws {
    let model = modelOf(
      """
      Note
        text: string?
        line -> Line
        page -> Page
      Line
        name: string
      Page
        name: string
      """)
    let version = ModelVersion(name: "V1", model: model)
    var note = ManagedObject("Note", 1, values: ["text": .string("a")])
    note.toOne = [
      "line": .init(entityName: "Line", primaryKey: 1), "page": .init(entityName: "Page", primaryKey: 1),
    ]
    let others = ["Line", "Page"].map { ManagedObject($0, 1, values: ["name": .string("x")]) }
    try withTemporaryFolder { folder in
      let old = try TestStore("Old.sqlite", in: folder, of: version, usesWAL: false, objects: [note] + others)
      try old.write { db in try db.execute(sql: "UPDATE ZNOTE SET ZLINE = 99") }
      let new = try TestStore("New.sqlite", in: folder, of: version, usesWAL: false, objects: [])
      func merge() throws -> MergeReport {
        try MergeRules(match: ["Note": ["line"]]).merge(
          storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])])
      }
      let report = try merge()
      #expect(report.added == 3 && report.danglingReferences == 1)
      #expect(try lines(new, "SELECT p.ZNAME FROM ZNOTE n JOIN ZPAGE p ON p.Z_PK = n.ZPAGE") == ["x"])
      #expect(try merge().hasChanges == false)
    }
  }

  @Test func `rows of no entity are named, since they are not merged`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("A", nil, []), ("B", nil, [])])
      let new = try store("New.sqlite", in: folder, [("A", nil, [])])
      try old.write { try $0.execute(sql: "UPDATE ZLINE SET Z_ENT = 99 WHERE ZNAME = 'B'") }
      let report = try merge(old, into: new)
      #expect(!report.hasChanges && report.diagnostics.map(\.code) == [.entityNumbersInconsistent])
    }
  }

  @Test(arguments: ["Z_PRIMARYKEY SET Z_MAX", "ZLINE SET Z_PK"])
  func `a store without a key for a new object is refused`(_ highest: String) throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("A", nil, [])])
      let new = try store("New.sqlite", in: folder, [("B", nil, [])])
      try new.write { try $0.execute(sql: "UPDATE \(highest) = \(Int64.max)") }
      let error = #expect(throws: DiagnosticsError.self) { try merge(old, into: new) }
      #expect(refusalCodes(error) == ["MC5106"])
      #expect(try lines(new, "SELECT ZNAME FROM ZLINE") == ["B"])
    }
  }

  @Test(arguments: [true, false]) func `a key that several objects have is refused, on either side`(
    _ isOld: Bool
  ) throws {
    try withTemporaryFolder { folder in
      let one = [("1", String?.none, [Int64(7)])]
      let two = [("1", String?.none, [Int64(7), 7])]
      let old = try store("Old.sqlite", in: folder, isOld ? two : one)
      let new = try store("New.sqlite", in: folder, isOld ? one : two)
      let bytes = try Data(contentsOf: new.url)
      let error = #expect(throws: DiagnosticsError.self) {
        try merge(old, into: new, MergeRules(match: ["Stop": ["number"]]))
      }
      #expect(error?.diagnostics.map(\.code) == [.ambiguousMatch])
      #expect(error?.diagnostics.first?.message.contains(isOld ? "Old.sqlite" : "New.sqlite") == true)
      #expect(try Data(contentsOf: new.url) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  @Test(arguments: [MergeRules.Existing.replace, .keep])
  func `a unique value that another object has is refused`(_ mode: MergeRules.Existing) throws {
    let model = modelOf("Stop\n  number: integer32?\n  code: string?")
    var unique = model
    unique.entities[0].uniquenessConstraints = [["code"]]
    let version = ModelVersion(name: "V1", model: unique)
    func stop(_ key: Int64, _ number: Int64, _ code: String) -> ManagedObject {
      ManagedObject("Stop", key, values: ["number": .integer(number), "code": .string(code)])
    }
    try withTemporaryFolder { folder in
      // With `keep` the object is new, and its code is another one's; with `replace` it would get that code.
      let number: Int64 = mode == .keep ? 3 : 1
      let old = try TestStore(
        "Old.sqlite", in: folder, of: version, usesWAL: false, objects: [stop(1, number, "y")])
      let new = try TestStore(
        "New.sqlite", in: folder, of: version, usesWAL: false, objects: [stop(1, 1, "x"), stop(2, 2, "y")])
      let bytes = try Data(contentsOf: new.url)
      let rules = MergeRules(match: ["Stop": ["number"]], existingElsewhere: mode)
      let error = #expect(throws: DiagnosticsError.self) {
        try rules.merge(storeAt: old.url.path, into: new.url.path, models: [versionedModel([unique])])
      }
      #expect(error?.diagnostics.map(\.code) == [.constraintConflict])
      #expect(try Data(contentsOf: new.url) == bytes)
    }
  }

  /// A new owner's members are some new and some matched, whose references come later; a derived value is no difference.
  @Test(arguments: [MergeRules.Existing.replace, .fill])
  func `members of a new owner keep their order`(_ mode: MergeRules.Existing) throws {
    let model = modelOf(
      """
      List
        name: string
        count: integer64?, derived songs.@count
        songs => Song.list, ordered
      Song
        title: string
        list -> List.songs
      Live < Song
      """)
    let version = ModelVersion(name: "V1", model: model)
    func song(_ entity: String, _ key: Int64, _ title: String) -> ManagedObject {
      ManagedObject(entity, key, values: ["title": .string(title)])
    }
    try withTemporaryFolder { folder in
      let songs = [song("Song", 1, "one"), song("Live", 2, "two"), song("Song", 3, "three")]
      let list = ManagedObject(
        "List", 1, values: ["name": .string("Mix"), "count": .integer(3)], toMany: ["songs": songs.map(\.id)])
      let old = try TestStore("Old.sqlite", in: folder, of: version, usesWAL: false, objects: [list] + songs)
      let new = try TestStore(
        "New.sqlite", in: folder, of: version, usesWAL: false,
        objects: [song("Song", 1, "one"), song("Live", 2, "two")])
      let rules = MergeRules(match: ["Song": ["title"], "List": ["name"]], existingElsewhere: mode)
      func merge() throws -> MergeReport {
        try rules.merge(storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])])
      }
      _ = try merge()
      #expect(try lines(new, "SELECT ZTITLE FROM ZSONG ORDER BY Z_FOK_LIST") == ["one", "two", "three"])
      try new.write { try $0.execute(sql: "UPDATE ZLIST SET ZCOUNT = 7") }
      #expect(try !merge().hasChanges)
    }
  }

  /// Objects of two entities are never the same, whatever they are matched by.
  @Test func `a unique value that an object of another entity has is refused`() throws {
    let model = modelOf("Vehicle, unique code\n  code: string?\nCar < Vehicle\nTruck < Vehicle")
    let version = ModelVersion(name: "V1", model: model)
    try withTemporaryFolder { folder in
      func store(_ name: String, _ entity: String) throws -> TestStore {
        try TestStore(
          name, in: folder, of: version, usesWAL: false,
          objects: [ManagedObject(entity, 1, values: ["code": .string("x")])])
      }
      let (old, new) = (try store("Old.sqlite", "Truck"), try store("New.sqlite", "Car"))
      let error = #expect(throws: DiagnosticsError.self) {
        try MergeRules().merge(
          storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])])
      }
      let finding = try #require(error?.diagnostics.first)
      #expect(finding.code == .constraintConflict && finding.subject?.entity == "Truck")
      #expect(finding.help.allSatisfy { $0.contains("'Car'") && !$0.contains("--match") })
    }
  }

  /// The old store's object has no partner, or another one: the former partner is let go by both ends.
  @Test(arguments: [false, true]) func `a replaced partner is released`(_ hasOther: Bool) throws {
    let model = modelOf(
      "Driver\n  name: string\n  car -> Car.driver\nCar\n  plate: string\n  driver -> Driver.car")
    let version = ModelVersion(name: "V1", model: model)
    func object(_ entity: String, _ key: Int64, _ value: String, _ partner: (String, String)? = nil)
      -> ManagedObject
    {
      var object = ManagedObject(entity, key, values: [entity == "Car" ? "plate" : "name": .string(value)])
      if let partner { object.toOne[partner.0] = ManagedObject.ID(entityName: partner.1, primaryKey: 1) }
      return object
    }
    try withTemporaryFolder { folder in
      let old = try TestStore(
        "Old.sqlite", in: folder, of: version, usesWAL: false,
        objects: [object("Driver", 1, "Ann", hasOther ? ("car", "Car") : nil)]
          + (hasOther ? [object("Car", 1, "B", ("driver", "Driver"))] : []))
      let new = try TestStore(
        "New.sqlite", in: folder, of: version, usesWAL: false,
        objects: [
          object("Driver", 1, "Ann", ("car", "Car")), object("Car", 1, "A", ("driver", "Driver")),
        ])
      let rules = MergeRules(match: ["Driver": ["name"], "Car": ["plate"]], existingElsewhere: .replace)
      _ = try rules.merge(storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])])
      let pairs = "SELECT c.ZPLATE, ifnull(d.ZNAME, '-') FROM ZCAR c LEFT JOIN ZDRIVER d"
      let expected = hasOther ? ["A -", "B Ann"] : ["A -"]
      #expect(try lines(new, pairs + " ON c.ZDRIVER = d.Z_PK ORDER BY 1") == expected)
      #expect(try lines(new, pairs + " ON d.ZCAR = c.Z_PK ORDER BY 1") == expected)
    }
  }

  /// The old store's model is one, the new one's another, as when an app goes from Core Data to SwiftData.
  @Test func `a store of another model goes to the version of the other one`() throws {
    let (before, after) = (
      modelOf("Stop\n  number: integer32"), modelOf("Stop\n  number: integer32\n  seen: date?")
    )
    func stop(_ key: Int64, _ number: Int64) -> ManagedObject {
      ManagedObject("Stop", key, values: ["number": .integer(number)])
    }
    try withTemporaryFolder { folder in
      let old = try TestStore(
        "Old.sqlite", in: folder, of: ModelVersion(name: "V1", model: before),
        objects: [stop(1, 7), stop(2, 8)])
      let new = try TestStore(
        "New.sqlite", in: folder, of: ModelVersion(name: "V1", model: after), objects: [stop(1, 8)])
      let models = [versionedModel([before], name: "Before"), versionedModel([after], name: "After")]
      let report = try MergeRules(match: ["Stop": ["number"]]).merge(
        storeAt: old.url.path, into: new.url.path, models: models)
      #expect(report.plan.path == ["V1", "After V1"])
      #expect(report.entities.map { "\($0.added) \($0.matched)" } == ["1 1"])
      #expect(try lines(new, "SELECT ZNUMBER FROM ZSTOP ORDER BY 1") == ["7", "8"])
    }
  }

  @Test func `a dry run writes nothing, and a store is not merged into itself`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("1", nil, [1])])
      let new = try store("New.sqlite", in: folder, [("2", nil, [])])
      let bytes = try Data(contentsOf: new.url)
      #expect(try merge(old, into: new, isDryRun: true).added == 2)
      #expect(try Data(contentsOf: new.url) == bytes)
      #expect(throws: DiagnosticsError.self) { try merge(new, into: new) }
      #expect(throws: DiagnosticsError.self) {
        try merge(old, into: new, MergeRules(match: ["Lime": ["name"]]))
      }
      #expect(throws: DiagnosticsError.self) {
        try merge(old, into: new, MergeRules(match: ["Stop": ["stops"]]))
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }
  }

  /// Each message answers the one before it: the objects of the other store were read once more for each of them, which its
  /// size had no time for (MC6005).
  @Test(arguments: [[:], ["Message": ["question", "text"]]] as [[String: [String]]])
  func `a long chain is merged into a store with many objects`(_ match: [String: [String]]) throws {
    let model = modelOf(
      """
      Message
        text: string
        question -> Message.answers
        answers => Message.question
      """)
    func messages(_ count: Int64, answering isChain: Bool) -> [ManagedObject] {
      (1...count).map { key in
        var message = ManagedObject("Message", key)
        message.values = ["text": .string("\(key)")]
        if isChain, key > 1 {
          message.toOne["question"] = ManagedObject.ID(entityName: "Message", primaryKey: key - 1)
        }
        return message
      }
    }
    try withTemporaryFolder { folder in
      let version = ModelVersion(name: "V1", model: model)
      let old = try TestStore(
        "Old.sqlite", in: folder, of: version, usesWAL: false, objects: messages(1_000, answering: true))
      let new = try TestStore(
        "New.sqlite", in: folder, of: version, usesWAL: false, objects: messages(10_000, answering: false))
      var options = MigrationOptions()
      options.keepsBackup = false
      for added in [999, 0] {
        let report = try MergeRules(match: match).merge(
          storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])], options: options)
        #expect(report.added == added)
      }
      let links = "SELECT COUNT(*) FROM ZMESSAGE AS a JOIN ZMESSAGE AS q ON q.Z_PK = a.ZQUESTION"
      #expect(try lines(new, links + " AND a.ZTEXT = q.ZTEXT + 1") == ["999"])
    }
  }

  /// The end of the list was looked up for each member, among all members (MC6005).
  @Test func `a long list with members in other lists is merged at its end`() throws {
    let model = modelOf(
      """
      List, unique name
        name: string
        songs => Song.lists, ordered
      Song, unique title
        title: string
        lists => List.songs
      """)
    try withTemporaryFolder { folder in
      let version = ModelVersion(name: "V1", model: model)
      func mix(_ name: String) throws -> TestStore {
        let song = ManagedObject("Song", 1, values: ["title": .string(name)])
        let list = ManagedObject(
          "List", 1, values: ["name": .string("Mix")], toMany: ["songs": [song.id]])
        let store = try TestStore(name, in: folder, of: version, usesWAL: false, objects: [list, song])
        try store.write {
          try $0.execute(
            sql: """
              WITH RECURSIVE k (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM k WHERE i < 12000)
                INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 2, 1, '\(name) ' || i FROM k;
              DELETE FROM Z_1SONGS;
              INSERT INTO Z_1SONGS (Z_1LISTS, Z_2SONGS, Z_FOK_2SONGS) SELECT 1, Z_PK, 1024 * Z_PK FROM ZSONG;
              UPDATE Z_PRIMARYKEY SET Z_MAX = 12000 WHERE Z_ENT = 2
              """)
        }
        return store
      }
      let (old, new) = (try mix("Old.sqlite"), try mix("New.sqlite"))
      var options = MigrationOptions()
      options.keepsBackup = false
      let report = try MergeRules().merge(
        storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])], options: options)
      #expect(report.added == 12_000 && report.links == 12_000)
      let places = "SELECT COUNT(*), COUNT(DISTINCT Z_FOK_2SONGS) FROM Z_1SONGS WHERE Z_1LISTS = 1"
      #expect(try lines(new, places) == ["24000 24000"])
    }
  }

  @Test func `texts that differ behind a zero byte alone are of two objects`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("a\u{0}b", nil, []), ("", nil, [])])
      let new = try store("New.sqlite", in: folder, [("a\u{0}c", nil, []), ("", nil, [])])
      for _ in 0..<2 {
        _ = try merge(old, into: new)
        #expect(try lines(new, "SELECT hex(ZNAME) FROM ZLINE ORDER BY 1") == ["", "610062", "610063"])
      }
    }
  }

  @Test func `stores of two encodings are refused`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("1", nil, [1])])
      let new = TestStore(at: folder.appending(path: "New.sqlite"))
      let queue = try DatabaseQueue(path: new.url.path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA encoding = 'UTF-16le'")
        _ = try createStore(
          in: db, version: ModelVersion(name: "V1", model: Self.model), frameworkVersion: 1344, objects: [])
      }
      try queue.close()
      let error = #expect(throws: DiagnosticsError.self) { try merge(old, into: new) }
      #expect(error?.diagnostics.first?.message.contains("of another encoding") == true)
    }
  }

  @Test func `triggers of the app's own that do not run are named, where something is merged`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("1", nil, [1])])
      let new = try store("New.sqlite", in: folder, [("2", nil, [])])
      try new.write {
        try $0.execute(
          sql:
            "CREATE TABLE OWN (a); CREATE TRIGGER t AFTER INSERT ON ZLINE BEGIN INSERT INTO OWN VALUES (1); END"
        )
      }
      func told() throws -> [String] {
        try merge(old, into: new).diagnostics.map(\.message).filter { $0.contains("not run") }
      }
      #expect(try told() == ["the trigger 't' does not run for the merged objects"])
      #expect(try told() == [])
      // What SQLite keeps for a virtual table is not a table of the app's own.
      try old.write {
        try $0.execute(sql: "CREATE TABLE OWN (a); CREATE VIRTUAL TABLE words USING fts5(t)")
      }
      let left = try merge(old, into: new).diagnostics.map(\.message).filter { $0.contains("not merged") }
      #expect(left == ["2 tables of the app's own in '\(old.url.path)' are not merged: 'OWN', 'words'"])
      #expect(try lines(new, "SELECT COUNT(*) FROM OWN") == ["0"])
    }
  }
}
