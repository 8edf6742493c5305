import ManagedModel
import Testing

/// What a step requires of objects; the gate and both plans ask the same.
@Suite("Requirements of a step") struct RequirementTests {
  /// Each as `name past`.
  private func requirements(
    _ old: EntityDescription, _ new: EntityDescription, _ others: EntityDescription...
  ) -> [String] {
    let source = ManagedObjectModel(entities: [old] + others)
    let destination = ManagedObjectModel(entities: [new] + others)
    let mapping = inferMappingModel(
      from: ModelVersion(name: "V1", model: source), to: ModelVersion(name: "V2", model: destination)
    ).mappingModel
    let (before, after) = (EntityHierarchy(source), EntityHierarchy(destination))
    return mapping.mappings(toEntity: new.name).flatMap { $0.requirements(from: before, to: after) }
      .map { "\($0.property.name) \($0.past)" }
  }

  private func hut(_ attributes: AttributeDescription...) -> EntityDescription {
    EntityDescription(name: "Hut", attributes: attributes)
  }

  private func owned(_ owner: RelationshipDescription...) -> EntityDescription {
    EntityDescription(name: "Hut", relationships: owner)
  }

  @Test func `of attributes`() {
    let optional = AttributeDescription(name: "beds", type: .integer16, isOptional: true)
    let required = AttributeDescription(name: "beds", type: .integer16)
    let filled = AttributeDescription(name: "beds", type: .integer16, defaultValue: "1")
    let wider = AttributeDescription(name: "beds", type: .integer32)
    #expect(requirements(hut(), hut(optional)) == [])
    #expect(requirements(hut(required), hut(required)) == [])
    #expect(requirements(hut(required), hut(wider)) == [])
    #expect(requirements(hut(), hut(required)) == ["beds absent"])
    #expect(requirements(hut(optional), hut(required)) == ["beds optional"])
    #expect(requirements(hut(optional), hut(wider)) == ["beds optional"])
    #expect(requirements(hut(optional), hut(filled)) == ["beds computed"])
    #expect(requirements(hut(), hut(filled)) == ["beds computed"])
  }

  @Test func `of relationships`() {
    let person = EntityDescription(name: "Person")
    func owner(_ isOptional: Bool) -> RelationshipDescription {
      RelationshipDescription(
        name: "owner", destinationEntityName: "Person", isOptional: isOptional, maxCount: 1)
    }
    #expect(requirements(owned(), owned(owner(true)), person) == [])
    #expect(requirements(owned(owner(false)), owned(owner(false)), person) == [])
    #expect(requirements(owned(), owned(owner(false)), person) == ["owner absent"])
    #expect(requirements(owned(owner(true)), owned(owner(false)), person) == ["owner optional"])
  }
}
