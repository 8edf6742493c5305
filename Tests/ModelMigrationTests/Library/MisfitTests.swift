import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// What a program hands over and no model has.
@Suite struct MisfitTests {
  private func model(_ name: String, _ entity: String) throws -> VersionedModel {
    let old = "entities:\n  \(entity): {attributes: {title: string?}}\n"
    var model = try CustomTrial([old, old.replacing("{title", with: "{slug: string?, title")]).model
    model.name = name
    return model
  }

  private func mapping(_ source: String = "V1", _ entity: String = "Note") throws -> [CustomMappingModel] {
    let text = """
      from: \(source)
      to: V2
      entityMappings:
        Mapping: {source: \(entity), destination: \(entity), attributes: {slug: $source.title}}
      """
    return readMappingFile(yaml: Data(text.utf8), file: "m.yaml").mappingModels
  }

  /// The message of the one error with which plan and migration answer; nil if they have none.
  private func refusal(_ migrator: StoreMigrator) async throws -> String? {
    try await withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: migrator.models[0].versions[0], objects: objects("Note", ["title": .string("a")]))
      let planned = try migrator.plan(for: store.url).diagnostics.filter { $0.severity == .error }
      do {
        _ = try await migrator.migrate(store.url).report
        #expect(planned == [])
        return nil
      } catch let error as DiagnosticsError {
        #expect(error.diagnostics == planned && planned.map(\.code.description) == ["MC4101"])
        return planned.first?.message
      }
    }
  }

  @Test func `a misspelt version or model is an error, not silence`() async throws {
    let model = try model("Notes", "Note")
    #expect(
      try await refusal(StoreMigrator(models: [model], mappingModels: try mapping("v1")))
        == "the mapping from 'v1' to 'V2' is for the version 'v1', which 'Notes' does not have")
    #expect(
      try await refusal(
        StoreMigrator(models: [model], custom: CustomMigrations(mappingModels: ["Note": try mapping()])))
        == "mapping models or post-processing steps are passed for the model 'Note', which does not exist")
    let step = PostProcessingStep(name: "slug", version: "v2") { _ in }
    #expect(
      try await refusal(
        StoreMigrator(models: [model], custom: CustomMigrations(postProcessing: ["Notes": [step]])))
        == "post-processing step 'slug' is for the version 'v2', which 'Notes' does not have")
    #expect(try await refusal(StoreMigrator(models: [model], mappingModels: try mapping())) == nil)
  }

  @Test func `of two models with versions of one name a mapping is for the one that has its entities`()
    async throws
  {
    let models = [try model("Notes", "Note"), try model("Trails", "Trail")]
    let migrator = StoreMigrator(models: models, mappingModels: try mapping("V1", "Trail"))
    #expect(migrator.custom.mappingModels.mapValues(\.count) == ["Trails": 1])
    #expect(try await refusal(migrator) == nil)
  }

  @Test func `one that fits two models is told`() throws {
    let both = [try model("Notes", "Note"), try model("Others", "Note")]
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: both[0].versions[0], objects: objects("Note", [:]))
      let plan = try StoreMigrator(models: both, mappingModels: try mapping()).plan(for: store.url)
      let found = plan.diagnostics.filter { $0.code.description == "MC4101" }
      #expect(found.map(\.severity) == [.warning] && !plan.isBlocked)
    }
  }
}
