import ManagedModel
import Testing

@Suite("Inferring a mapping model")
struct InferMappingModelTests {
  private func infer(
    _ old: [EntityDescription], _ new: [EntityDescription]
  ) -> (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    inferMappingModel(
      from: ModelVersion(name: "V1", model: ManagedObjectModel(entities: old)),
      to: ModelVersion(name: "V2", model: ManagedObjectModel(entities: new)))
  }

  private func book(_ attributes: AttributeDescription...) -> [EntityDescription] {
    [EntityDescription(name: "Book", attributes: attributes)]
  }

  @Test func `entities are copied, transformed, added and removed`() {
    let same = EntityDescription(name: "Same", attributes: [.init(name: "a", type: .string)])
    let old = EntityDescription(name: "Cabin", attributes: [.init(name: "beds", type: .integer16)])
    let new = EntityDescription(
      name: "Hut", attributes: [.init(name: "beds", type: .integer16)], renamingIdentifier: "Cabin")
    let (mapping, diagnostics) = infer([same, old, .init(name: "Gone")], [same, new, .init(name: "Fresh")])
    #expect(diagnostics.isEmpty)
    #expect(
      mapping.entityMappings.map {
        "\($0.mappingType) \($0.sourceEntityName ?? "-") \($0.destinationEntityName ?? "-")"
      }
        == ["add - Fresh", "transform Cabin Hut", "copy Same Same", "remove Gone -"])
  }

  @Test func `a renamed attribute is carried, a new one is left to its default`() throws {
    let (mapping, diagnostics) = infer(
      book(.init(name: "name", type: .string)),
      book(
        .init(name: "title", type: .string, renamingIdentifier: "name"),
        .init(name: "rating", type: .integer16)))
    #expect(diagnostics.isEmpty)
    let book = try #require(mapping.mappings(toEntity: "Book").first)
    #expect(
      book.attributeMappings == [
        .init(name: "title", value: .source("name")), .init(name: "rating", value: .constant(nil)),
      ])
  }

  @Test func `a name carried through three versions keeps the first one's identifier`() throws {
    let second = book(.init(name: "title", type: .string, renamingIdentifier: "name"))
    let third = book(.init(name: "headline", type: .string, renamingIdentifier: "name"))
    let (mapping, diagnostics) = infer(second, third)
    #expect(diagnostics.isEmpty)
    #expect(mapping.entityMappings.first?.attributeMappings.first?.value == .source("title"))
  }

  @Test func `two attributes can swap their names`() {
    let (mapping, diagnostics) = infer(
      book(.init(name: "a", type: .string), .init(name: "b", type: .string)),
      book(
        .init(name: "a", type: .string, renamingIdentifier: "b"),
        .init(name: "b", type: .string, renamingIdentifier: "a")))
    #expect(diagnostics.isEmpty)
    #expect(mapping.entityMappings.first?.attributeMappings.map(\.value) == [.source("b"), .source("a")])
  }

  @Test(arguments: ["title", nil])
  func `a broken chain of renames is refused`(identifier: String?) {
    let second = book(.init(name: "title", type: .string, renamingIdentifier: "name"))
    let third = book(
      .init(name: identifier == nil ? "title" : "headline", type: .string, renamingIdentifier: identifier))
    #expect(infer(second, third).diagnostics.map(\.code) == [.brokenRenameChain])
  }

  @Test func `two attributes that stand for one are refused`() {
    let (_, diagnostics) = infer(
      book(.init(name: "a", type: .string)),
      book(.init(name: "a", type: .string), .init(name: "b", type: .string, renamingIdentifier: "a")))
    #expect(diagnostics.map(\.code) == [.ambiguousRenaming])
  }

  static let typePairs = AttributeType.allCases.flatMap { old in AttributeType.allCases.map { (old, $0) } }
    .filter { $0 != $1 && ![$0, $1].contains(.undefined) }

  @Test(arguments: typePairs)
  func `numbers convert, Booleans and integers too`(old: AttributeType, new: AttributeType) {
    let codes = infer(book(.init(name: "a", type: old)), book(.init(name: "a", type: new))).diagnostics.map(
      \.code)
    let opaque: Set<AttributeType> = [.binary, .transformable]
    let pair = Set([old, new])
    let isBoolean = pair.contains(.boolean) && pair.contains(where: \.isInteger)
    if old.isNumeric && new.isNumeric || isBoolean {
      #expect(codes.isEmpty)
    } else if opaque.contains(old) && opaque.contains(new) {
      #expect(codes == [.reinterpretedBytes])
    } else {
      #expect(codes == [.incompatibleAttributeTypes])
    }
  }

  @Test func `an inherited change is reported once, where it is declared`() {
    func model(_ type: AttributeType) -> [EntityDescription] {
      [
        EntityDescription(name: "Parent", attributes: [.init(name: "a", type: type)]),
        EntityDescription(name: "Child", superentityName: "Parent"),
      ]
    }
    let (mapping, diagnostics) = infer(model(.string), model(.date))
    #expect(diagnostics.map { $0.subject?.entity } == ["Parent"])
    #expect(mapping.mappings(toEntity: "Child").first?.attributeMappings.count == 1)
  }

  @Test func `a to-many that becomes to-one is refused, the other way is not`() {
    func model(maxCount: Int) -> [EntityDescription] {
      [
        EntityDescription(
          name: "A", relationships: [.init(name: "b", destinationEntityName: "B", maxCount: maxCount)]),
        EntityDescription(name: "B"),
      ]
    }
    #expect(infer(model(maxCount: 0), model(maxCount: 1)).diagnostics.map(\.code) == [.toManyBecomesToOne])
    #expect(infer(model(maxCount: 1), model(maxCount: 0)).diagnostics.map(\.code) == [.storageFormMoves])
  }

  @Test func `one root may gain a parent, two may not share one`() {
    let one = infer(
      [.init(name: "A")], [.init(name: "A", superentityName: "P"), .init(name: "P", isAbstract: true)])
    #expect(one.diagnostics.isEmpty)
    let two = infer(
      [.init(name: "A"), .init(name: "B")],
      [
        .init(name: "A", superentityName: "P"), .init(name: "B", superentityName: "P"),
        .init(name: "P", isAbstract: true),
      ])
    #expect(two.diagnostics.map(\.code) == [.hierarchyMerge])
  }

  @Test func `transient attributes are neither source nor destination`() throws {
    let (mapping, _) = infer(
      book(.init(name: "a", type: .string, isTransient: true), .init(name: "b", type: .string)),
      book(.init(name: "a", type: .string), .init(name: "b", type: .string, isTransient: true)))
    let book = try #require(mapping.entityMappings.first)
    #expect(book.attributeMappings == [.init(name: "a", value: .constant(nil))])
  }
}
