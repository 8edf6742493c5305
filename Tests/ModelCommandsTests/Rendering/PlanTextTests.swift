import ManagedModel
import ModelMigration
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Plans between versions as text") struct PlanTextTests {
  @Test func `handlers of a stage are named, and that nobody looks at what they do`() throws {
    let versions = versionsOf(["Hut\n  name: string?", "Hut\n  name: string?\n  note: string?"])
    var model = VersionedModel(name: "Huts", versions: versions, currentVersionName: "V2")
    model.stages = [
      .custom(
        CustomMigrationStage(currentVersionName: "V1", nextVersionName: "V2", willMigrateHandler: "Fill"))
    ]
    let text = planText(try planPath(from: "V1", models: [model]))
    let stage =
      "  stage  V1 → V2, handlers: 'Fill' before\n         what they do with objects is not looked at\n"
    #expect(text.contains(stage), "\(text)")
  }
  @Test func `what a later step derives is computed, and does not start empty`() throws {
    let hut = "Hut\n  name: string?\n  hs => Hut"
    let derived = "\n  n: integer64?, derived hs.@count"
    let versions = versionsOf([hut, "\(hut)\n  note: string?", "\(hut)\n  note: string?\(derived)"])
    let model = VersionedModel(name: "Huts", versions: versions, currentVersionName: "V3")
    let mapping = CustomMappingModel(sourceVersionName: "V1", destinationVersionName: "V2")
    let custom = CustomMigrations(mappingModels: ["Huts": [mapping]])
    let text = planText(try planPath(from: "V1", models: [model], custom: custom))
    #expect(text.contains("Hut.note starts empty") && text.contains("Hut.n is computed"), "\(text)")
  }

  @Test func `the end of a relationship that nobody wrote follows the written one, and does not start empty`()
    throws
  {
    func version(_ more: String) -> String {
      "Author\(more)\n  books => Book.author\n  edits => Book.editor\n"
        + "Book\n  author -> Author.books\n  editor -> Author.edits"
    }
    let model = VersionedModel(
      name: "Books", versions: versionsOf([version(""), version("\n  name: string?")]),
      currentVersionName: "V2")
    let editor = "destinationInstances(\"AuthorToAuthor\", $source.editor)"
    let mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2", drops: ["Book.author"],
      entityMappings: [
        CustomEntityMapping(
          name: "AuthorToAuthor", sourceEntityName: "Author", destinationEntityName: "Author"),
        CustomEntityMapping(
          name: "BookToBook", sourceEntityName: "Book", destinationEntityName: "Book",
          relationshipMappings: [CustomPropertyMapping(name: "author", expression: editor)]),
      ])
    let custom = CustomMigrations(mappingModels: ["Books": [mapping]])
    let text = planText(try planPath(from: "V1", models: [model], custom: custom))
    #expect(text.contains("Author.books follows 'Book.author'"), "\(text)")
    #expect(text.contains("Author.name starts empty"), "\(text)")
  }
}
