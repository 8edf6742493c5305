import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// Defaults that the app makes when it starts.
@Suite("Defaults of structs and enums", .readsSwift)
struct SwiftDataDefaultTests {
  private let types = """
    struct Look: Codable { var size: Int? = 3; var font: String? }
    struct Frame: Codable { var width: Int; init(width: Int = 2) { self.width = width } }
    struct Plain: Codable { var size: Int?; var font: String? = nil }
    enum Era: Codable { case old, new }

    """

  @Test(
    "The plainest value is one whose members all begin with nil; another is not told by the source",
    arguments: [
      ("Look = Look()", EvaluatedDefault.unknown), ("Frame = Frame()", .unknown), ("Plain = Plain()", .plain),
      ("Era = Era.new", .unknown), ("Date = Date(timeIntervalSinceNow: 60)", .unknown),
      ("Date = Date(timeIntervalSinceNow: 0)", .launchDate),
    ])
  func made(_ property: String, _ expected: EvaluatedDefault) throws {
    let trip = try entity("Trip", of: types + "@Model final class Trip { var a: \(property); init() {} }")
    #expect(trip.attributes.first?.defaultValue == .evaluated(expected))
  }

  @Test(
    "Rows need what a new struct's default puts into its members, optional ones too",
    arguments: [
      ("; var a: Look = Look()", ["a.size", "a.font"]), ("; var a: Era = Era.new", ["a.old", "a.new"]),
      ("; var a: Frame = Frame()", ["a.width"]), ("; var a: Plain = Plain()", []), ("; var a: Look?", []),
    ])
  func requirements(_ property: String, _ expected: [String]) throws {
    func version(_ text: String) throws -> ModelVersion {
      try #require(readSource(text).model?.currentVersion)
    }
    func trip(_ more: String) -> String { "@Model final class Trip { var name = \"\"\(more); init() {} }" }
    let (old, new) = (try version(trip("")), try version(types + trip(property)))
    let (before, after) = (EntityHierarchy(old.model), EntityHierarchy(new.model))
    let mapping = try #require(inferMappingModel(from: old, to: new).mappingModel.entityMappings.first)
    let found = mapping.requirements(from: before, to: after)
    #expect(found.map(\.property.name) == expected)
    #expect(found.allSatisfy { $0.past == .computed })
    // Of a struct that rows have already its members are as they were.
    let longer = try version(
      types.replacing("var size: Int? = 3", with: "var size: Int? = 3; var more: Int") + trip(property))
    let next = inferMappingModel(from: new, to: longer).mappingModel.entityMappings.first
    let gained = next?.requirements(from: after, to: EntityHierarchy(longer.model)) ?? []
    #expect(gained.map(\.past) == (property.hasSuffix("Look()") ? [.absent] : []))
  }

  @Test(
    "The raw value of a case is the default that the source says",
    arguments: [
      ("Status.done.rawValue", "finished"), ("Trip.Status.open.rawValue", "open"),
      ("Self.first.rawValue", "open"),
      ("Trip.open.rawValue", "finished"), ("Own.done.rawValue", nil),
      ("Status(rawValue: \"open\")!.rawValue", nil),
      ("UUID().uuidString", nil),
    ] as [(String, String?)])
  func raw(_ value: String, _ expected: String?) throws {
    let trip = try entity(
      "Trip",
      of: """
        enum Own: String { case done; var rawValue: String { "d" }; init?(rawValue: String) { self = .done } }
        @Model final class Trip {
          enum Status: String { case open, done = "finished" }
          static let first: Status = .open
          static let open = Status.done
          var a: String = \(value)
          var b = \(value)
          init() {}
        }
        """)
    let known = expected.map { DefaultValue.text($0) } ?? .evaluated(.unknown)
    #expect(trip.attributes.map(\.defaultValue) == [known, known])
  }

  @Test func `An empty dictionary is one, and advice names the property's own type`() throws {
    let trip = try entity(
      "Trip",
      of: types + """
        @DebugDescription @Model final class Trip {
          var a: [String: Int] = [:]
          @Attribute(.codable) var b: Look
          var c: [[String: Int]]
          init() {}
        }
        """)
    #expect(trip.attributes[0].defaultValue == .evaluated(.plain))
    #expect(trip.attributes[1].requiredPropertyAdvice == "make it optional: `var b: Look?`")
    #expect(trip.attributes[2].requiredPropertyAdvice.contains("`var c: [[String: Int]] = []`"))
  }
}
