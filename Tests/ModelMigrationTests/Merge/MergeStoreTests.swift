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
}

/// A photo of its own for each person, in a file where it is large.
@Suite("Merging stores with large values and one-to-one relationships") struct MergeLargeValueTests {
  private static let model = modelOf(
    """
    Person
      name: string
      photo -> Photo.person
    Photo
      data: binary?, external
      person -> Person.photo
    """)

  private func store(_ name: String, in folder: URL, _ people: [(String, UInt8, Int)]) throws -> TestStore {
    let store = try TestStore(
      name, in: folder, of: ModelVersion(name: "V1", model: Self.model), usesWAL: false,
      objects: people.enumerated().flatMap { index, person -> [ManagedObject] in
        let (id, photo) = (
          ManagedObject.ID(entityName: "Person", primaryKey: Int64(index + 1)),
          ManagedObject.ID(entityName: "Photo", primaryKey: Int64(index + 1))
        )
        return [
          ManagedObject(
            "Person", id.primaryKey, values: ["name": .string(person.0)], toOne: ["photo": photo]),
          ManagedObject("Photo", photo.primaryKey, toOne: ["person": id]),
        ]
      })
    let folder = URL(filePath: externalDataFolder(ofStoreAt: store.url.path)).appending(
      path: "_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try store.write { db in
      for (index, person) in people.enumerated() {
        let data = Data(repeating: person.1, count: person.2)
        let file = UUID().uuidString
        let isLarge = person.2 > 1_000
        if isLarge { try data.write(to: folder.appending(path: file)) }
        try db.execute(
          sql: "UPDATE ZPHOTO SET ZDATA = ? WHERE Z_PK = ?",
          arguments: [isLarge ? Data([2]) + Data(file.utf8) + Data([0]) : Data([1]) + data, index + 1])
      }
    }
    return store
  }

  private func merge(_ old: TestStore, into new: TestStore, _ rules: MergeRules) throws -> MergeReport {
    var options = MigrationOptions()
    options.keepsBackup = false
    return try rules.merge(
      storeAt: old.url.path, into: new.url.path, models: [versionedModel([Self.model])], options: options)
  }

  private func photos(_ store: TestStore) throws -> [String] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql:
          "SELECT p.ZNAME, f.ZDATA FROM ZPERSON p JOIN ZPHOTO f ON f.Z_PK = p.ZPHOTO AND f.ZPERSON = p.Z_PK ORDER BY 1"
      )
    }.map { row in
      let (name, cell) = (String.fromDatabaseValue(row[0]) ?? "", Data.fromDatabaseValue(row[1]) ?? Data())
      let file = String(decoding: cell.dropFirst().dropLast(), as: UTF8.self)
      let data =
        cell.first == 2 ? try readExternalData(file, ofStoreAt: store.url.path) ?? Data() : cell.dropFirst()
      return "\(name) \(data.first ?? 0) \(data.count)"
    }
  }

  @Test func `values in files are compared, and go along`() throws {
    try withTemporaryFolder { folder in
      let size = 300_000
      let old = try store("Old.sqlite", in: folder, [("A", 1, size), ("B", 2, size), ("C", 3, 10)])
      let new = try store("New.sqlite", in: folder, [("B", 2, size), ("A", 9, size)])
      let rules = MergeRules(match: ["Person": ["name"], "Photo": ["person"]])
      #expect(try merge(old, into: new, rules).entities.map(\.added) == [1, 1])
      #expect(try photos(new) == ["A 9 \(size)", "B 2 \(size)", "C 3 10"])
      // The photo of A is another one, that of B the same.
      var replacing = rules
      replacing.existing = ["Photo": .replace]
      #expect(try merge(old, into: new, replacing).entities.map(\.changed) == [0, 1])
      #expect(try photos(new) == ["A 1 \(size)", "B 2 \(size)", "C 3 10"])
      #expect(try merge(old, into: new, replacing).hasChanges == false)
    }
  }

  @Test func `a second photo of one person is refused, not dropped`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("A", 1, 300_000)])
      let new = try store("New.sqlite", in: folder, [("A", 9, 300_000)])
      let bytes = try Data(contentsOf: new.url)
      let error = #expect(throws: DiagnosticsError.self) {
        try merge(old, into: new, MergeRules(match: ["Person": ["name"]]))
      }
      #expect(error?.diagnostics.map(\.code) == [.partnerTaken])
      #expect(try Data(contentsOf: new.url) == bytes)
    }
  }
}

/// Two random stores of a random model: what SQL counts in them, before and after.
@Suite("Random merges") struct RandomMergeTests {
  @Test func `nothing is lost, nothing is doubled, and twice is once`() throws {
    var outcomes: [String: Int] = [:]
    try withTemporaryFolder { folder in
      for seed in EnginesAgreeTests.seeds {
        let model = RandomModel.draw(seed: seed).model
        if checkModel(model).hasErrors { continue }
        let version = ModelVersion(name: "V1", model: model)
        func store(_ name: String, _ objects: [ManagedObject]) throws -> TestStore {
          try TestStore("\(seed)-\(name).sqlite", in: folder, of: version, usesWAL: false, objects: objects)
        }
        let old = try store("old", RandomObjects.draw(model, seed: seed &+ 1))
        let new = try store("new", RandomObjects.draw(model, seed: seed &+ 2))
        let empty = try store("empty", [])
        defer { for store in [old, new, empty] { try? FileManager.default.removeItem(at: store.url) } }
        outcomes[try expectWhole(old, into: new, model, "seed \(seed)"), default: 0] += 1
        // Into a store that has nothing all of it goes, as it is.
        outcomes["empty: " + (try expectWhole(old, into: empty, model, "seed \(seed), empty")), default: 0] +=
          1
        let (before, after) = (
          colours(try old.objects(model), model), colours(try empty.objects(model), model)
        )
        if (try empty.objects(model)).isEmpty == false { #expect(before == after, "seed \(seed)") }
      }
    }
    print("random merges: \(outcomes)")
    #expect((outcomes["merged"] ?? 0) > 0)
    #expect(outcomes.keys.filter { $0.hasPrefix("empty: refused") }.isEmpty)
  }

  private func expectWhole(
    _ old: TestStore, into new: TestStore, _ model: ManagedObjectModel, _ label: String
  ) throws -> String {
    var options = MigrationOptions()
    options.keepsBackup = false
    func merge(_ old: TestStore, into new: TestStore) throws -> MergeReport {
      try MergeRules().merge(
        storeAt: old.url.path, into: new.url.path, models: [versionedModel([model])], options: options)
    }
    let before = try counts(new, model)
    let bytes = try Data(contentsOf: new.url)
    let report: MergeReport
    do { report = try merge(old, into: new) } catch {
      let found =
        (error as? DiagnosticsError)?.diagnostics ?? (error as? MigrationRefusedError)?.plan.diagnostics
      #expect(try Data(contentsOf: new.url) == bytes, "\(label)")
      let codes = found?.filter { $0.severity == .error }.map(\.code.description) ?? ["\(error)"]
      return "refused \(Set(codes).sorted().joined(separator: " "))"
    }
    let (source, after) = (try counts(old, model), try counts(new, model))
    // Objects with equal values, by what they are: at least as many as either store had, at most as many as both.
    for key in Set(before.keys).union(source.keys).union(after.keys) {
      let (own, others, all) = (before[key] ?? 0, source[key] ?? 0, after[key] ?? 0)
      #expect(all >= own && all <= own + others, "\(label): \(key): \(own), \(others), \(all)")
    }
    #expect(after.values.reduce(0, +) == before.values.reduce(0, +) + report.added, "\(label)")
    #expect(
      report.entities.reduce(0) { $0 + $1.added + $1.matched } == source.values.reduce(0, +), "\(label)")
    let again: MergeReport
    do { again = try merge(old, into: new) } catch {
      Issue.record("\(label): a second time \(error)")
      return "refused again"
    }
    #expect(!again.hasChanges, "\(label): again \(again.entities) \(again.links)")
    return "merged"
  }

  /// How many objects have the same values, derived ones apart.
  private func counts(_ store: TestStore, _ model: ManagedObjectModel) throws -> [String: Int] {
    let hierarchy = EntityHierarchy(model)
    return try store.objects(model).reduce(into: [:]) { counts, object in
      counts[values(of: object, hierarchy), default: 0] += 1
    }
  }

  private func values(of object: ManagedObject, _ hierarchy: EntityHierarchy) -> String {
    let own = object.values.filter {
      hierarchy.attribute(named: $0.key, of: object.id.entityName)?.isDerived != true
    }
    return "\(object.id.entityName) \(own.map { "\($0.key)=\($0.value)" }.sorted())"
  }

  /// What an object looks like with all that can be reached from it in a few steps; keys do not count.
  private func colours(_ objects: [ManagedObject], _ model: ManagedObjectModel) -> [Int] {
    let hierarchy = EntityHierarchy(model)
    var colours: [ManagedObject.ID: Int] = [:]
    for object in objects { colours[object.id] = values(of: object, hierarchy).hashValue }
    for _ in 0..<4 {
      var next = colours
      for object in objects {
        var parts = ["\(colours[object.id] ?? 0)"]
        for (name, id) in object.toOne { parts.append("\(name) \(colours[id] ?? 0)") }
        for (name, ids) in object.toMany {
          let members = ids.map { colours[$0] ?? 0 }
          let isOrdered = hierarchy.relationship(named: name, of: object.id.entityName)?.isOrdered == true
          parts.append("\(name) \(isOrdered ? members : members.sorted())")
        }
        next[object.id] = (parts.prefix(1) + parts.dropFirst().sorted()).hashValue
      }
      colours = next
    }
    return colours.values.sorted()
  }
}
