import ManagedModel
import Testing

@Suite("Composing mapping models")
struct ComposeMappingModelsTests {
  private func compose(_ versions: [[AttributeDescription]]) throws -> [PropertyMapping] {
    let models = versions.enumerated().map { index, attributes in
      ModelVersion(
        name: "V\(index + 1)",
        model: ManagedObjectModel(entities: [EntityDescription(name: "Book", attributes: attributes)]))
    }
    let steps = zip(models, models.dropFirst()).map { inferMappingModel(from: $0, to: $1).mappingModel }
    let first = try #require(steps.first)
    let whole = steps.dropFirst().reduce(first) { $0.composed(with: $1) }
    return try #require(whole.mappings(toEntity: "Book").first).attributeMappings
  }

  @Test func `renames chain`() throws {
    let mappings = try compose([
      [.init(name: "name", type: .string)],
      [.init(name: "title", type: .string, renamingIdentifier: "name")],
      [.init(name: "headline", type: .string, renamingIdentifier: "name")],
    ])
    #expect(mappings == [.init(name: "headline", value: .source("name"))])
  }

  @Test func `a name that comes back does not bring old values back`() throws {
    let mappings = try compose([
      [.init(name: "x", type: .string)], [], [.init(name: "x", type: .string, defaultValue: "new")],
    ])
    #expect(mappings == [.init(name: "x", value: .constant(.string("new")))])
  }

  @Test func `a default of the middle version is converted with the type`() throws {
    let mappings = try compose([
      [], [.init(name: "n", type: .integer16, defaultValue: "3")], [.init(name: "n", type: .double)],
    ])
    #expect(
      mappings == [.init(name: "n", value: .converted(.constant(.integer(3)), from: .integer16, to: .double))]
    )
  }

  @Test func `an entity that came and went leaves nothing, one that went is removed once`() {
    func version(_ name: String, _ entities: [String]) -> ModelVersion {
      ModelVersion(
        name: name, model: ManagedObjectModel(entities: entities.map { EntityDescription(name: $0) }))
    }
    let (v1, v2, v3) = (version("V1", ["A", "Old"]), version("V2", ["A", "B"]), version("V3", ["A"]))
    let whole = inferMappingModel(from: v1, to: v2).mappingModel.composed(
      with:
        inferMappingModel(from: v2, to: v3).mappingModel)
    #expect(whole.entityMappings.map(\.name) == ["IEM_Copy_A", "IEM_Remove_Old"])
  }
}
