import ManagedModel
import Testing

@Suite("Entity hierarchy")
struct EntityHierarchyTests {
  let hierarchy = EntityHierarchy(
    ManagedObjectModel(entities: [
      .init(name: "SDKTask", attributes: [.init(name: "id", type: .uuid)]),
      .init(name: "ScheduledMember"),
      .init(name: "SContact", superentityName: "SDKTask", attributes: [.init(name: "mail", type: .string)]),
      .init(name: "sAlpha", superentityName: "SDKTask"),
      .init(name: "Deep", superentityName: "sAlpha"),
    ]))

  @Test func `numbers follow names without regard to case, depth first`() {
    #expect(hierarchy.namesInNumberingOrder == ["ScheduledMember", "SDKTask", "sAlpha", "Deep", "SContact"])
  }

  @Test func `properties are inherited, the root's first`() {
    #expect(hierarchy.attributes(of: "SContact").map(\.name) == ["id", "mail"])
    #expect(hierarchy.declaringEntityName(of: "id", seenFrom: "Deep") == "SDKTask")
    #expect(hierarchy.rootName(of: "Deep") == "SDKTask")
    #expect(hierarchy.isKind("Deep", of: "SDKTask") && !hierarchy.isKind("SDKTask", of: "Deep"))
  }
}
