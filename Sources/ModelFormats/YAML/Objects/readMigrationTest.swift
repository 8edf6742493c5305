package import Foundation
package import ManagedModel

/// What a migration of one store is expected to give: a file of `Tests/Migrations/<Model>`.
///
/// ```yaml
/// from: V1
/// to: V3
/// store: ../../../Models/Trails/Released/V1.sqlite
/// expect:
///   counts: {Trip: 12}
///   objects:
///     Trip:
///       p1: {title: Ridge}
///   queries:
///     - {entity: Trip, where: "title BEGINSWITH 'R'", count: 3}
/// ```
/// Instead of `store:`, `objects:` states the objects of a store of the version `from`.
package struct MigrationTest: Sendable {
  package var file: String
  package var from: String
  package var fromPlace: SourceRange
  /// Nil for the current version.
  package var to: String?
  package var toPlace: SourceRange
  /// From the file's folder.
  package var store: String?
  package var storePlace: SourceRange?
  package var counts: [(entity: String, count: Int, place: SourceRange)] = []
  /// How many objects predicates are expected to find.
  package var queries: [(entity: String, predicate: String?, count: Int, place: SourceRange)] = []
  private let objectsNode: YAMLNode?
  private let expectedNode: YAMLNode?
  /// Where `expect:` stands, for what it does not say.
  package var expectationPlace: SourceRange
  /// How many lines come before the key that follows `expect:`; nil where none does.
  package var lineCountBeforeNextKey: Int?

  /// Whether anything is expected at all.
  package var isEmpty: Bool { counts.isEmpty && queries.isEmpty && expectedNode == nil }

  /// The objects of the store that is to be migrated.
  package func objects(of model: ManagedObjectModel) throws(DiagnosticsError) -> [ManagedObject] {
    try read(objectsNode, model, isComplete: true).map(\.object)
  }

  /// The objects that are expected: all of the entities that are named.
  package func expectedObjects(
    of model: ManagedObjectModel
  ) throws(DiagnosticsError) -> (objects: [ObjectFileReading.Entry], entities: [String: SourceRange]) {
    var entities: [String: SourceRange] = [:]
    if case .mapping(let pairs)? = expectedNode?.content {
      for pair in pairs { entities[pair.key] = pair.keyRange }
    }
    return (try read(expectedNode, model, isComplete: false), entities)
  }

  private func read(
    _ node: YAMLNode?, _ model: ManagedObjectModel, isComplete: Bool
  ) throws(DiagnosticsError) -> [ObjectFileReading.Entry] {
    guard let node else { return [] }
    let reading = LanguageReading(file: file)
    let objects = ObjectFileReading(node, model: model, reading)
    if isComplete, !reading.diagnostics.hasErrors { objects.checkObjects() }
    if reading.finished.hasErrors { throw DiagnosticsError(reading.finished) }
    return objects.objects
  }

  fileprivate init?(_ node: YAMLNode, file: String, _ reading: LanguageReading) {
    self.file = file
    let known = ["from", "to", "store", "objects", "expect"]
    let pairs = reading.pairs(of: node, "a migration test") ?? []
    for pair in pairs where !known.contains(pair.key) {
      reading.diagnostics.append(
        .badTest("'\(pair.key.abridged)' is not a key of a migration test", pair.keyRange))
    }
    guard let from = node["from"], let name = from.text, !name.isEmpty else {
      reading.diagnostics.append(.badTest("'from' is missing: the version of the store", node.range))
      return nil
    }
    (self.from, fromPlace) = (name, from.range)
    (to, toPlace) = (node["to"]?.text, node["to"]?.range ?? from.range)
    (store, storePlace) = (node["store"]?.text, node["store"]?.range)
    objectsNode = node["objects"]
    let expect = node["expect"]
    expectationPlace = pairs.first { $0.key == "expect" }?.keyRange ?? from.range
    expectedNode = expect?["objects"]
    let nextKey = pairs.drop { $0.key != "expect" }.dropFirst().first
    lineCountBeforeNextKey = nextKey.map { $0.keyRange.start.line - 1 }
    if (store == nil) == (objectsNode == nil) {
      reading.diagnostics.append(.badTest("a test has either 'store' or 'objects'", node.range))
    }
    if let expect { readExpectations(expect, reading) }
  }

  private mutating func readExpectations(_ node: YAMLNode, _ reading: LanguageReading) {
    for pair in reading.pairs(of: node, "'expect'") ?? []
    where !["counts", "objects", "queries"].contains(pair.key) {
      reading.diagnostics.append(.badTest("'\(pair.key.abridged)' is not a key of 'expect'", pair.keyRange))
    }
    if let section = node["counts"] {
      for pair in reading.pairs(of: section, "'counts'") ?? [] {
        guard let count = pair.value.text.flatMap({ Int($0) }), count >= 0 else {
          reading.diagnostics.append(.badTest("'\(pair.key.abridged)' needs a number", pair.value.range))
          continue
        }
        counts.append((pair.key, count, pair.value.range))
      }
    }
    guard let section = node["queries"] else { return }
    guard case .sequence(let elements) = section.content else {
      reading.diagnostics.append(.badTest("'queries' is a list", section.range))
      return
    }
    for element in elements {
      guard let entity = element["entity"]?.text, let count = element["count"]?.text.flatMap({ Int($0) })
      else {
        reading.diagnostics.append(
          .badTest("a query has an 'entity', a 'where' and a 'count'", element.range))
        continue
      }
      queries.append((entity, element["where"]?.text, count, element["count"]?.range ?? element.range))
    }
  }
}

/// Reads a migration test.
///
/// - Parameter file: the path to show in places.
/// - Throws: everything that is wrong with the file.
package func readMigrationTest(yaml: Data, file: String) throws(DiagnosticsError) -> MigrationTest {
  let (node, reading) = LanguageReading.read(yaml, file: file)
  let test = node.flatMap { MigrationTest($0, file: file, reading) }
  guard let test, !reading.finished.hasErrors else { throw DiagnosticsError(reading.finished) }
  return test
}

/// The same from a regular file of at most 8 MB.
package func readMigrationTest(at path: String) throws(DiagnosticsError) -> MigrationTest {
  try readMigrationTest(yaml: readFile(URL(filePath: path), shownAs: path), file: path)
}

extension Diagnostic.Code {
  /// A file of `Tests/Migrations` says nothing that can be tested.
  package static let badMigrationTest = Self("MC7025")
}

extension Diagnostic {
  fileprivate static func badTest(_ message: String, _ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .badMigrationTest, .error, message, place: place,
      help: ["`modelc explain MC7025` shows a whole test"])
  }
}
