import Foundation
import ManagedModel
import Testing

@testable import ModelArchives

@Suite struct BinaryPropertyListTests {
  @Test(arguments: [
    PropertyListValue.integer(0), .integer(255), .integer(256), .integer(65_536), .integer(4_294_967_296),
    .integer(-1), .integer(.min), .integer(.max), .string(""), .string("fifteen letters"), .string("Zürich"),
    .string(String(repeating: "é🏔", count: 300)), .boolean(true), .real(-0.0), .real(1.5),
    .data(Data(repeating: 7, count: 70_000)), .reference(0), .reference(70_000),
  ])
  func `a scalar comes back`(_ value: PropertyListValue) throws {
    let list = try BinaryPropertyList(PropertyListValue.array([value]).encoded())
    guard case .array(let nodes) = list[list.top], let node = nodes.first else {
      Issue.record("the list holds no array")
      return
    }
    let back: PropertyListValue? =
      switch list[node] {
      case .scalar(let scalar): scalar
      case .reference(let place): .reference(place)
      default: nil
      }
    #expect(back == value)
  }

  @Test func `Foundation reads the same values, in a list with many objects`() throws {
    let values = (0..<70_000).map { PropertyListValue.string("n\($0)") }
    let data = PropertyListValue.entries([.init("a", .array(values)), .init("b", .real(0.1))]).encoded()
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    #expect((list?["a"] as? [String])?.last == "n69999")
    #expect(list?["b"] as? Double == 0.1)
  }

  @Test func `Foundation's own lists read, dates and short floats included`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 123.5)
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["d": date, "f": NSNumber(value: Float(0.1)), "n": [1, -1]] as [String: Any],
      format: .binary, options: 0)
    let list = try #require(data.readPropertyList()?.dictionary)
    #expect(list["d"] == .date(date))
    #expect(list["f"] == .real(0.1))
    #expect(list["n"] == .array([.integer(1), .integer(-1)]))
  }
}

@Suite struct SharedObjectTests {
  private func attribute(
    in builder: inout KeyedArchiveBuilder, name: String, predicate: PropertyListValue
  ) -> PropertyListValue {
    let warning = builder.string("no")
    return builder.object(
      "NSAttributeDescription",
      [
        .init("NSPropertyName", builder.string(name)), .init("NSAttributeType", .integer(700)),
        .init("NSValidationPredicates", builder.collection("NSArray", [predicate])),
        .init("NSValidationWarnings", builder.collection("NSArray", [warning])),
      ])
  }

  private func archive(
    _ builder: inout KeyedArchiveBuilder, root: Int, properties: [PropertyListValue.Entry], entities: Int
  ) -> Data {
    let list = builder.dictionary("NSMutableDictionary", properties)
    var described: [PropertyListValue.Entry] = []
    for index in 0..<entities {
      let name = "E\(index)"
      let fields: [PropertyListValue.Entry] = [
        .init("NSEntityName", builder.string(name)), .init("NSProperties", list),
      ]
      described.append(.init(name, builder.object("NSEntityDescription", fields)))
    }
    let entities = builder.dictionary("NSMutableDictionary", described)
    builder.fill(root, as: "NSManagedObjectModel", [.init("NSEntities", entities)])
    return builder.data(root: root)
  }

  /// A predicate of two parts, each the same predicate of two parts, and so on: 2^60 when it is printed.
  @Test func `a predicate that shares its parts is refused and not unfolded`() throws {
    var builder = KeyedArchiveBuilder()
    let root = builder.reserve()
    var predicate = builder.object("NSTruePredicate", [])
    for _ in 0..<60 {
      let parts = builder.collection("NSArray", [predicate, predicate])
      predicate = builder.object(
        "NSCompoundPredicate",
        [.init("NSCompoundPredicateType", .integer(1)), .init("NSSubpredicates", parts)])
    }
    let property = attribute(in: &builder, name: "a", predicate: predicate)
    let data = archive(&builder, root: root, properties: [.init("a", property)], entities: 1)
    let error = try #require(throws: DiagnosticsError.self) { try data.unarchiveModel(file: "m") }
    #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
    #expect(error.diagnostics.first?.message.contains("without limit") == true)
  }

  @Test func `entities that share a long list of properties are refused`() throws {
    var builder = KeyedArchiveBuilder()
    let root = builder.reserve()
    let none = builder.object("NSTruePredicate", [])
    var properties: [PropertyListValue.Entry] = []
    for index in 0..<3000 {
      let name = "a\(index)"
      properties.append(.init(name, attribute(in: &builder, name: name, predicate: none)))
    }
    let data = archive(&builder, root: root, properties: properties, entities: 3000)
    let error = try #require(throws: (any Error).self) { try data.unarchiveModel(file: "m") }
    #expect("\(error)".contains("share their contents"))
  }
}
