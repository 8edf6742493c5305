import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import StoreFixtures

/// Runs one migration test: makes or copies its store, migrates it, and compares the result with what is expected.
struct TestSession {
  let test: MigrationTest
  let from: ModelVersion
  let to: ModelVersion
  let subject: CheckedModel
  let options: CheckOptions

  /// - Parameter updates: whether what is expected is rewritten from what came out.
  /// - Returns: the findings, and the file where it was written anew.
  func run(store: String?, updates: Bool) throws -> (findings: [Diagnostic], updated: String?) {
    let temporary = try TemporaryFolder("test")
    defer { temporary.remove() }
    let folder = temporary.url
    let source = try store ?? makeStore(in: folder)
    if let store {
      guard FileManager.default.fileExists(atPath: store) else {
        throw DiagnosticsError(.noTestStore(store, test.storePlace ?? test.fromPlace))
      }
      guard try subject.model.versionOfStore(at: store, wanted: from.name) != nil else {
        throw DiagnosticsError(.otherTestStore(store, from.name, test.storePlace ?? test.fromPlace))
      }
    }
    let result = folder.appending(path: "result.sqlite").path
    do {
      _ = try migrateStore(
        at: source, models: [subject.model], to: .file(result),
        options: MigrationOptions(targetVersion: to.name), custom: subject.mappings.custom)
    } catch let error as MigrationRefusedError {
      throw DiagnosticsError(error.plan.diagnostics.filter { $0.severity == .error })
    } catch let error as MigrationValidationError {
      throw DiagnosticsError(error.diagnostics)
    }
    let objects = try readAllObjects(ofStoreAt: result, as: to)
    if updates { return ([], try update(objects)) }
    guard !test.isEmpty else { return ([.nothingExpected(test.expectationPlace)], nil) }
    return (try countFindings(objects) + objectFindings(objects) + queryFindings(result), nil)
  }

  private func makeStore(in folder: URL) throws -> String {
    let path = folder.appending(path: "source.sqlite").path
    let objects = try test.objects(of: from.model)
    _ = try makeFixture(at: path, of: from, .objects(objects))
    return path
  }

  private func countFindings(_ objects: [ManagedObject]) -> [Diagnostic] {
    let hierarchy = EntityHierarchy(to.model)
    return test.counts.compactMap { expected in
      guard hierarchy.entity(named: expected.entity) != nil else {
        return .unknownTestEntity(expected.entity, expected.place, to.model)
      }
      let count = objects.count { hierarchy.isKind($0.id.entityName, of: expected.entity) }
      return count == expected.count
        ? nil : .otherCount(expected.entity, expected.count, count, expected.place)
    }
  }

  private func objectFindings(_ objects: [ManagedObject]) throws -> [Diagnostic] {
    let (expected, entities) = try test.expectedObjects(of: to.model)
    let byID = Dictionary(firstOf: objects.map { ($0.id, $0) })
    var findings: [Diagnostic] = []
    for entry in expected {
      guard let object = byID[entry.object.id] else {
        findings.append(.missingObject(entry.object.id, entry.place))
        continue
      }
      for (property, place) in entry.stated.sorted(by: { $0.key < $1.key })
      where !agree(entry.object, object, property) {
        findings.append(.otherValue(entry.object.id, property, place))
      }
    }
    let known = Set(expected.map(\.object.id))
    for object in objects where !known.contains(object.id) {
      if let place = entities[object.id.entityName] { findings.append(.unexpectedObject(object.id, place)) }
    }
    return findings
  }

  private func agree(_ expected: ManagedObject, _ object: ManagedObject, _ property: String) -> Bool {
    if let relationship = EntityHierarchy(to.model).relationship(named: property, of: object.id.entityName) {
      guard relationship.isToMany else { return expected.toOne[property] == object.toOne[property] }
      let (left, right) = (expected.toMany[property] ?? [], object.toMany[property] ?? [])
      return relationship.isOrdered ? left == right : Set(left) == Set(right)
    }
    return expected.values[property] == object.values[property]
  }

  private func queryFindings(_ store: String) throws -> [Diagnostic] {
    guard !test.queries.isEmpty else { return [] }
    return try openStore(store, among: [subject.model]).read { db in
      let (schema, _) = try db.readPhysicalSchema().bound(to: to.model)
      db.registerFetchFunctions()
      return try test.queries.compactMap { query in
        guard EntityHierarchy(to.model).entity(named: query.entity) != nil else {
          return .unknownTestEntity(query.entity, query.place, to.model)
        }
        let request = FetchRequestDescription(
          name: "query", entityName: query.entity, predicate: query.predicate)
        do {
          let fetch = try request.compiled(schema: schema, model: to.model)
          let rows = try Row.fetchAll(db, sql: fetch.sql)
          return rows.count == query.count
            ? nil : .otherCount(query.predicate ?? query.entity, query.count, rows.count, query.place)
        } catch let error as DiagnosticsError {
          return .badQuery(query.predicate ?? "", error.diagnostics.first?.message ?? "", query.place)
        }
      }
    }
  }

  // MARK: update

  /// Writes the file anew: what it says of the store is left unchanged, what it expects is what came out.
  private func update(_ objects: [ManagedObject]) throws -> String? {
    let text = String(decoding: try readFile(URL(filePath: test.file), shownAs: test.file), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var kept = lines.prefix { !$0.hasPrefix("expect:") }.map(String.init)
    while kept.last?.isEmpty == true { kept.removeLast() }
    let written = (kept + expectation(objects)).joined(separator: "\n") + "\n"
    guard written != text else { return nil }
    try Data(written.utf8).write(to: URL(filePath: test.file), options: .atomic)
    return test.file
  }

  private func expectation(_ objects: [ManagedObject]) -> [String] {
    let hierarchy = EntityHierarchy(to.model)
    var lines = ["expect:", "  counts:"]
    let names = hierarchy.namesInNumberingOrder.filter { hierarchy.entity(named: $0)?.isAbstract == false }
    for name in names {
      lines.append("    \(name): \(objects.count { hierarchy.isKind($0.id.entityName, of: name) })")
    }
    if !test.queries.isEmpty { lines.append("  queries:") }
    for query in test.queries {
      let predicate = query.predicate.map { ", where: \($0.quotedScalar)" } ?? ""
      lines.append("    - {entity: \(query.entity)\(predicate), count: \(query.count)}")
    }
    // Large stores are counted, small ones written object by object.
    guard objects.count <= 50 else { return lines }
    lines.append("  objects:")
    var last: String?
    for object in objects {
      let name = object.id.entityName
      if last != name { lines.append("    " + name.entityYAML.trimmingCharacters(in: .newlines)) }
      last = name
      let own = object.yaml(ObjectShape(name, hierarchy: hierarchy))
      lines += own.split(separator: "\n").map { "    \($0)" }
    }
    return lines
  }
}

extension Diagnostic {
  fileprivate static func noTestStore(_ store: String, _ place: SourceRange) -> Self {
    Self(
      .fileUnreadable, .error, "there is no store '\(store)'", place: place,
      help: ["a path begins at the test's own folder; `modelc release --fixture 1000` keeps a store"])
  }

  fileprivate static func otherTestStore(_ store: String, _ version: String, _ place: SourceRange) -> Self {
    Self(
      .unexpectedResult, .error, "'\(store)' is not a store of '\(version)'", place: place,
      help: ["`modelc inspect \(store.shellWord)` says what it is"])
  }

  fileprivate static func nothingExpected(_ place: SourceRange) -> Self {
    Self(
      .unexpectedResult, .error, "the test expects nothing", place: place,
      help: ["`modelc test --update` writes the actual result into the file; read it before you commit it"])
  }

  fileprivate static func unknownTestEntity(
    _ name: String, _ place: SourceRange, _ model: ManagedObjectModel
  ) -> Self {
    Self(
      .unexpectedResult, .error, "there is no entity '\(name)' to expect", place: place,
      help: nearestName(to: name, among: model.entities.map(\.name)).map { ["did you mean '\($0)'?"] } ?? [])
  }

  fileprivate static func otherCount(_ what: String, _ expected: Int, _ found: Int, _ place: SourceRange)
    -> Self
  {
    Self(
      .unexpectedResult, .error,
      "'\(what)' has \(counted(found, "object")), and \(expected) \(expected == 1 ? "is" : "are") expected",
      place: place,
      help: ["if the new number is right, `modelc test --update` writes it"])
  }

  fileprivate static func missingObject(_ id: ManagedObject.ID, _ place: SourceRange) -> Self {
    Self(
      .unexpectedResult, .error, "'\(id.reference)' is expected, but missing", place: place,
      help: ["if that is right, `modelc test --update` removes it"])
  }

  fileprivate static func unexpectedObject(_ id: ManagedObject.ID, _ place: SourceRange) -> Self {
    Self(
      .unexpectedResult, .error, "'\(id.reference)' is not expected", place: place,
      help: ["if that is right, `modelc test --update` writes it"])
  }

  fileprivate static func otherValue(_ id: ManagedObject.ID, _ property: String, _ place: SourceRange) -> Self
  {
    Self(
      .unexpectedResult, .error, "'\(property)' of '\(id.reference)' is not what is expected",
      place: place, notes: ["values are not shown in messages"],
      help: ["`modelc test --update` writes the actual result; git shows the difference"])
  }

  fileprivate static func badQuery(_ predicate: String, _ reason: String, _ place: SourceRange) -> Self {
    Self(.unexpectedResult, .error, "the query '\(predicate)' cannot be run: \(reason)", place: place)
  }
}
