import ManagedModel
import Testing

@Suite("Fingerprint")
struct FingerprintTests {
  @Test(arguments: VersionHashesTests.unhashedChanges.indices)
  func `sees every fact that the version hash leaves out, but not the order`(index: Int) {
    let (name, change) = VersionHashesTests.unhashedChanges[index]
    #expect((fingerprint { _ in } == fingerprint(change)) == (name == "order"), "\(name)")
  }

  @Test func `compares default texts by value`() {
    #expect(
      fingerprint { $0.attributes[0].defaultValue = "0" }
        == fingerprint { $0.attributes[0].defaultValue = "0.0" })
    #expect(
      fingerprint { $0.attributes[0].defaultValue = "0" }
        != fingerprint { $0.attributes[0].defaultValue = "1" })
  }

  @Test func `does not see what only Xcode reads`() {
    var model = notesModel()
    let before = model.fingerprint
    model.editorSettings.sourceLanguage = "Swift"
    #expect(model.fingerprint == before)
  }

  private func fingerprint(_ change: (inout EntityDescription) -> Void) -> String {
    var entity = EntityDescription(
      name: "Parent", attributes: [.init(name: "a", type: .integer16), .init(name: "b", type: .string)],
      relationships: [.init(name: "r", destinationEntityName: "Parent")])
    change(&entity)
    return ManagedObjectModel(entities: [entity]).fingerprint
  }
}
