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

  /// - Parameter updates: whether what is expected is rewritten from what came out.
  /// - Returns: the findings, and the file where it was written anew.
  func run(store: String?, updates: Bool) throws -> (findings: [Diagnostic], updated: String?) {
    let temporary = try TemporaryFolder("test")
    defer { temporary.remove() }
    let folder = temporary.url
    let source = store ?? folder.appending(path: "source.sqlite").path
    if let store {
      guard FileManager.default.fileExists(atPath: store) else {
        throw DiagnosticsError(
          .fileUnreadable, "there is no store '\(store)'", place: test.storePlace ?? test.fromPlace,
          help: ["paths are relative to the test's folder; `modelc release --fixture 1000` keeps a store"])
      }
      guard try subject.model.versionOfStore(at: store, wanted: from.name) != nil else {
        throw DiagnosticsError(
          .unmet(
            "'\(store)' is not a store of '\(from.name)'", test.storePlace ?? test.fromPlace,
            "`modelc inspect \(store.shellWord)` shows what it is"))
      }
    } else {
      _ = try makeFixture(at: source, of: from, .objects(test.objects(of: from.model)))
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
    guard !test.isEmpty else {
      let help = "`modelc test --update` writes the actual result into the file; read it before you commit it"
      return ([.unmet("the test has no expectation", test.expectationPlace, help)], nil)
    }
    return (try countFindings(objects) + objectFindings(objects) + queryFindings(result), nil)
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
        findings.append(
          .unmet(
            "'\(entry.object.id)' is expected, but missing", entry.nameRange,
            "if that is right, `modelc test --update` removes it"))
        continue
      }
      for (property, value) in entry.stated.sorted(by: { $0.key < $1.key })
      where !agree(entry.object, object, property) {
        findings.append(
          .unmet(
            "'\(property)' of '\(entry.object.id)' is not as expected", value.range,
            notes: ["values are not shown in messages"],
            "`modelc test --update` writes the actual result; git shows the difference"))
      }
    }
    let known = Set(expected.map(\.object.id))
    for object in objects where !known.contains(object.id) {
      guard let place = entities[object.id.entityName] else { continue }
      findings.append(
        .unmet(
          "'\(object.id)' is not expected", place,
          "if that is right, `modelc test --update` writes it"))
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
          let fetch = try request.compiled(
            schema: schema, model: to.model, now: Date.now.timeIntervalSinceReferenceDate)
          let rows = try Row.fetchAll(db, sql: fetch.sql)
          return rows.count == query.count
            ? nil : .otherCount(query.predicate ?? query.entity, query.count, rows.count, query.place)
        } catch let error as DiagnosticsError {
          let reason = error.diagnostics.first?.message ?? ""
          return .unmet("the query '\(query.predicate ?? "")' cannot be run: \(reason)", query.place)
        }
      }
    }
  }

  // MARK: update

  /// Writes the file anew: what it says of the store is left unchanged, what it expects is what came out.
  private func update(_ objects: [ManagedObject]) throws -> String? {
    let text = String(decoding: try readFile(URL(filePath: test.file), shownAs: test.file), as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    let start = lines.firstIndex { $0.hasPrefix("expect:") } ?? lines.count
    var end = min(max(start, test.lineCountBeforeNextKey ?? lines.count), lines.count)
    // What stands above the next key, or at the end, is not about what is expected.
    func isAbove(_ line: String) -> Bool { line.isEmpty || line.hasPrefix("#") }
    while end > start + 1, isAbove(lines[end - 1]) { end -= 1 }
    var kept = Array(lines[..<start])
    while kept.last?.isEmpty == true { kept.removeLast() }
    let all = kept + expectation(objects) + lines[end...]
    let written = all.joined(separator: "\n") + (end < lines.count ? "" : "\n")
    // If 'expect' is written in another way, as in quotes, the text has it twice now: that throws.
    _ = try readMigrationTest(yaml: Data(written.utf8), file: test.file)
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
    let written = objects.yaml(hierarchy).split(separator: "\n").map { "    \($0)" }
    return lines + ["  objects:"] + written
  }
}

extension Diagnostic {
  /// What a migration test expects, and did not come out.
  static func unmet(_ message: String, _ place: SourceRange, notes: [Note] = [], _ help: String...) -> Self {
    Self(.unexpectedResult, .error, message, place: place, notes: notes, help: help)
  }

  fileprivate static func unknownTestEntity(
    _ name: String, _ place: SourceRange, _ model: ManagedObjectModel
  ) -> Self {
    Self(
      .unexpectedResult, .error, "there is no entity '\(name)' to expect", place: place,
      help: .didYouMean(name, among: model.entities.map(\.name)))
  }

  fileprivate static func otherCount(_ what: String, _ expected: Int, _ found: Int, _ place: SourceRange)
    -> Self
  {
    unmet(
      "'\(what)' has \(counted(found, "object")), and \(expected) \(expected == 1 ? "is" : "are") expected",
      place, "if the new number is right, `modelc test --update` writes it")
  }
}
