import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// A1 of `acceptance.md`: a model whose version hashes a book prints from a real store.
@Suite("A1: notes, a hash oracle")
struct NotesTests {
  private static let v1 = """
    entities:
      Category:
        attributes: {name: string}
        relationships:
          notes: {toMany: Note, inverse: category}
      Note:
        attributes: {title: string, createdAt: date, updatedAt: date, contents: string?}
        relationships:
          category: {to: Category, inverse: notes}
          tags: {toMany: Tag, inverse: notes}
      Tag:
        attributes: {name: string}
        relationships:
          notes: {toMany: Note, inverse: tags}
    """

  private static func v2(_ color: String) -> String {
    let category = "  Category:\n    attributes: {name: string"
    return v1.replacing(category, with: category + ", colorAsHex: string = \"\(color)\"")
  }

  private func hash(_ entity: String, _ version: ModelVersion) -> String {
    version.entityVersionHashesByName[entity].map { "\($0)" } ?? ""
  }

  private func objects() -> [ManagedObject] {
    let date = AttributeValue.date(700_000_000)
    var note = ManagedObject(
      "Note", 1, values: ["title": .string("One"), "createdAt": date, "updatedAt": date])
    note.toOne["category"] = .init(entityName: "Category", primaryKey: 2)
    note.toMany["tags"] = [.init(entityName: "Tag", primaryKey: 1)]
    return [
      ManagedObject("Category", 1, values: ["name": .string("Work")]),
      ManagedObject("Category", 2, values: ["name": .string("Home")]), note,
      ManagedObject("Tag", 1, values: ["name": .string("short")]),
    ]
  }

  @Test func `hashes and columns are those of the real store`() throws {
    let model = try writtenModel(Self.v1, Self.v2("FFFFFF"))
    let (first, second) = (model.versions[0], model.versions[1])
    let hashes = [hash("Category", first), hash("Tag", first), hash("Category", second)]
    #expect(
      hashes == [
        "fa37182cb55c9960577e91aeb9fc0c14092dcec2564459a119bb513f45641c4a",
        "b740a6fb4c426dd14ea60b335a71b968da756f6fe34822272cb4a849ebf7dc73",
        "ff73e8dcf5caec7ad8c6c164864383bc21467f2773b3a502a90009b29f1e8faf",
      ])
    // One word of the eight is misprinted in the book.
    let printed = "b76dea89b30116c0c283030ae66c8678e411956bfee29910fbbe70be034a4d56"
    #expect(words(hash("Note", first)).filter { !words(printed).contains($0) }.count <= 1)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects())
      let columns = try store.read { try $0.columns(in: "ZNOTE").map(\.name) }
      #expect(
        columns == [
          "Z_PK", "Z_ENT", "Z_OPT", "ZCATEGORY", "ZCREATEDAT", "ZUPDATEDAT", "ZCONTENTS", "ZTITLE",
        ])
      #expect(try store.read { try Int.fetchAll($0, sql: "SELECT Z_ENT FROM ZNOTE") } == [2])
    }
  }

  private func words(_ hash: String) -> [String] {
    stride(from: 0, to: hash.count, by: 8).map { String(hash.dropFirst($0).prefix(8)) }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `every category gets the default`(_ route: RouteRequest) throws {
    let model = try writtenModel(Self.v1, Self.v2("FFFFFF"))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects())
      let before = try store.objects(model.first)
      try store.migrate(model, route: route)
      let colored = before.map { object in
        var object = object
        if object.id.entityName == "Category" { object.values["colorAsHex"] = .string("FFFFFF") }
        return object
      }
      #expect(try store.objects(model.last) == colored)
    }
  }

  @Test func `another default gives the same hash`() throws {
    let model = try writtenModel(Self.v1, Self.v2("FFFFFF"), Self.v2("white"))
    #expect(
      model.versions[1].entityVersionHashesByName == model.versions[2].entityVersionHashesByName)
    let found = model.checkVersionDifferences()
    #expect(found.map { "\($0.code) \($0.subject?.version ?? "")" } == ["MC2103 V3"])
  }

  /// Its own model is the source then; without that, nothing but the hashes is left to compare.
  @Test func `a store of the first version against the second alone says what differs`() throws {
    let model = try writtenModel(Self.v1, Self.v2("FFFFFF"))
    var second = model
    second.versions.removeFirst()
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects())
      let other = try store.copy(named: "other.sqlite")
      try other.migrate(second)
      #expect(try other.objects(second.versions[0].model).count == objects().count)
      try store.write { db in try db.execute(sql: "DELETE FROM Z_MODELCACHE") }
      let error = #expect(throws: DiagnosticsError.self) { try store.migrate(second) }
      let found = try #require(error?.diagnostics.first)
      // Opening it, Core Data says 134100; migrating it without the first version, 134130.
      #expect(error?.diagnostics.count == 1 && found.cocoaCode == 134130)
      let text = ([found.message] + found.notes.map(\.message)).joined(separator: "\n")
      #expect(text.contains("Category"), "\(text)")
      #expect(!text.contains("Note.") && !text.contains("Tag."), "\(text)")
    }
  }
}
