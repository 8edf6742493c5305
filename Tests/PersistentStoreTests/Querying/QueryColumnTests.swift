import ManagedModel
import PersistentStore
import Testing

@Suite("The columns of a query") struct QueryColumnTests {
  @Test(arguments: [("title", ["object", "title"]), ("object", ["SELF", "object"])])
  func `no attribute has the name of the object's own column`(name: String, columns: [String]) throws {
    let note = EntityDescription(name: "Note", attributes: [.init(name: name, type: .string)])
    let model = ManagedObjectModel(entities: [note])
    let query = try compileObjectQuery(
      parseObjectQuery("Note"), schema: layOutStore(for: model, frameworkVersion: 1344), model: model)
    #expect(query.columns.map(\.name) == columns)
  }
}
