import ManagedModel
import Testing

@Suite("A way on which models only grow") struct OnlyAddsTests {
  private func version(_ name: String, _ entities: EntityDescription...) -> ModelVersion {
    ModelVersion(name: name, model: ManagedObjectModel(entities: entities))
  }

  private func entity(_ name: String, _ attributes: AttributeDescription...) -> EntityDescription {
    var entity = EntityDescription(name: name)
    entity.attributes = attributes
    return entity
  }

  private let x = AttributeDescription(name: "x", type: .string, isOptional: true)
  private let y = AttributeDescription(name: "y", type: .string, isOptional: true)

  @Test func `new entities and attributes are growth`() {
    #expect([version("1", entity("A", x)), version("2", entity("B"), entity("A", y, x))].onlyAdds)
    #expect([version("1", entity("A", x)), version("2", entity("A", x))].onlyAdds)
    // An identifier that is the name of nothing takes nothing over.
    var idle = y
    idle.renamingIdentifier = "yBefore"
    #expect([version("1", entity("A", x)), version("2", entity("A", x, idle))].onlyAdds)
  }

  @Test func `all else is not`() {
    let first = version("1", entity("A", x, y))
    var renamed = AttributeDescription(name: "z", type: .string, isOptional: true)
    renamed.renamingIdentifier = "x"
    var retyped = x
    retyped.type = .integer16
    var child = entity("A", x, y)
    child.superentityName = "B"
    var taken = entity("C")
    taken.renamingIdentifier = "A"
    let others = [
      version("2", entity("A", x)), version("2", entity("A", x, y, renamed)),
      version("2", entity("A", retyped, y)),
      version("2", entity("B"), child), version("2"), version("2", entity("A", x, y), taken),
    ]
    for other in others { #expect(![first, other].onlyAdds) }
    // What goes and comes back is lost on the way, and kept past it.
    #expect(![first, version("2", entity("A", x)), first].onlyAdds)
  }
}
