import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// A name means what the compiler takes it for.
@Suite("Names in Swift source", .readsSwift)
struct SwiftDataNameTests {
  /// Reads files of one program, each by its name; all name SwiftData.
  private func read(_ files: [String: String]) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    let parsed = files.sorted { $0.key < $1.key }.map { name, text in
      ("import SwiftData\n" + text).parseSwiftFile(path: name, platform: .iOS).file
    }
    return parsed.swiftDataModel(name: "App", source: ".")
  }

  private func attribute(_ name: String, of entity: String, in model: VersionedModel?) throws
    -> AttributeDescription
  {
    let found = model?.currentVersion?.model.entities.first { $0.name == entity }
    return try #require(found?.attributes.first { $0.name == name })
  }

  @Test func `Of two structs of one name each class has its own, whichever is met first`() throws {
    let classes = [
      "@Model final class Trip { struct Place: Codable { var text: String }; var place: Place; init() {} }\n",
      "@Model final class Path { var place: Place; init() {} }\nstruct Place: Codable { var zone: Int }\n",
    ]
    for text in [classes.joined(), classes.reversed().joined()] {
      let (model, _) = read(["Models.swift": text])
      for (entity, type) in [("Trip", AttributeType.string), ("Path", .integer64)] {
        let place = try attribute("place", of: entity, in: model).compositeName
        let composite = model?.currentVersion?.model.composites.first { $0.name == place }
        #expect(composite?.elements.map(\.type) == [type])
      }
    }
  }

  @Test func `no property is called description, also of a struct that a class stores`() throws {
    let text = """
      struct Fee: Codable { var amount = 0; var description = "" }
      @Model final class Hut { var description: String = ""; var hash: Int = 0; var fee = Fee(); init() {} }
      """
    let version = try #require(readSource(text).model?.currentVersion)
    let found = checkModels(of: [version]).filter { $0.code == .reservedName }
    let errors = found.filter { $0.severity == .error }
    #expect(errors.allSatisfy { $0.message.contains("cannot store '") }, "\(found)")
    #expect(errors.count == 2 && found.count == 3, "\(found)")
  }

  @Test func `What an array or a dictionary holds is no column, and may be called description`() throws {
    let text = """
      struct Step: Codable { var description = "" }
      @Model final class Hut { var steps: [Step] = []; var more: [String: Step] = [:]; init() {} }
      """
    let version = try #require(readSource(text).model?.currentVersion)
    #expect(!checkModels(of: [version]).contains { $0.code == .reservedName })
  }

  @Test func `A module's type is no type of the program's with its name`() throws {
    let text = "@Model final class Trip { var at: Date = Date(); var words: Set<String> = []; init() {} }\n"
    let (model, diagnostics) = readSource(
      "typealias Date = Foundation.Date\ntypealias Set = Swift.Set\n" + text)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let plain = try #require(readSource(text).model?.currentVersion)
    #expect(model?.currentVersion?.makesStores(of: plain) == true)
    let own =
      "struct Data: Codable { var bytes = 0 }\n@Model final class Trip { var a: Data?; var b: Foundation.Data?; init() {} }"
    #expect(try entity("Trip", of: own).attributes.map(\.type) == [.composite, .binary])
  }

  @Test func `What is private is another file's own`() throws {
    func file(_ name: String, _ type: String, _ limit: String) -> String {
      """
      private typealias Code = \(type)
      private enum Defaults { static let limit = \(limit) }
      private struct Look: Codable { var code: Code }
      private func made() -> Code { fatalError() }
      @Model final class \(name) { var code: Code; var a = Defaults.limit; var b = made(); var look: Look; init() {} }
      """
    }
    let (model, diagnostics) = read([
      "Alarm.swift": file("Alarm", "String", "10"), "Timer.swift": file("Timer", "Int", "9.5"),
    ])
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    for (entity, code, limit) in [
      ("Alarm", AttributeType.string, AttributeType.integer64), ("Timer", .integer64, .double),
    ] {
      #expect(try attribute("code", of: entity, in: model).type == code)
      #expect(try attribute("a", of: entity, in: model).type == limit)
      #expect(try attribute("b", of: entity, in: model).type == code)
      let look = try attribute("look", of: entity, in: model).compositeName
      let composite = model?.currentVersion?.model.composites.first { $0.name == look }
      #expect(composite?.elements.map(\.type) == [code])
    }
    #expect(try attribute("a", of: "Alarm", in: model).defaultValue?.text == "10")
    #expect(try attribute("a", of: "Timer", in: model).defaultValue?.text == "9.5")
  }

  @Test func `Two declarations of a name that a file sees are refused`() {
    let trip = "@Model final class Trip { var a: Code; init() {} }"
    for other in ["typealias Code = Int", "enum Code: Int, Codable { case a }"] {
      let own = other.replacing("Int", with: "String")
      let codes = read(["A.swift": own, "B.swift": other, "Trip.swift": trip]).diagnostics.filter {
        $0.severity == .error
      }.map(\.code)
      #expect(codes == [.ambiguousName], "\(other)")
    }
    let constant = read([
      "A.swift": "let code = 1", "B.swift": "let code = \"\"",
      "Trip.swift": "@Model final class Trip { var a = code; init() {} }",
    ])
    #expect(constant.diagnostics.filter { $0.severity == .error }.map(\.code) == [.unknownInSource])
  }

  @Test func `A class has the types and constants of those that it inherits from`() throws {
    let (model, diagnostics) = read([
      "App.swift": """
      enum Kind: Int, Codable { case a, b }
      class Base { enum Fuel: String, Codable { case gas, electric } }
      @Model class Vehicle {
        enum Kind: String, Codable { case car, bike }
        static let seats = 4
        var kind: Kind
        init() {}
      }
      @Model final class Car: Vehicle { var second: Kind?; var third: Car.Kind?; var seats = Car.seats }
      @Model final class Truck: Base { var fuel: Fuel; init() {} }
      """
    ])
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(try attribute("second", of: "Car", in: model).type == .string)
    #expect(try attribute("third", of: "Car", in: model).type == .string)
    #expect(try attribute("seats", of: "Car", in: model).defaultValue?.text == "4")
    #expect(try attribute("fuel", of: "Truck", in: model).type == .string)
    // Two that inherit from each other compile nowhere, and end.
    _ = read(["App.swift": "@Model class A: B { var a: Kind }\n@Model class B: A { var b = A.most }"])
  }

  @Test func `An alias with parameters is the type that it is given`() throws {
    let (model, diagnostics) = read([
      "Trip.swift": """
      import MapKit
      typealias List<T> = [T]
      typealias Table<Key, Value> = [Key: List<Value>]
      @Model final class Trip {
        enum Kind: String, Codable { case a }
        var stops: List<Stop>
        var names: List<String>
        var kind: Maybe<Kind>
        var table: Table<String, Data>
        init() {}
      }
      @Model final class Stop { var trip: Trip?; init() {} }
      """, "Maybe.swift": "typealias Maybe<Value> = Optional<Value>",
    ])
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let trip = model?.currentVersion?.model.entities.first { $0.name == "Trip" }
    #expect(trip?.relationships.map(\.inverseName) == ["trip"])
    #expect(try attribute("names", of: "Trip", in: model).attributeValueClassName == "Array<String>")
    #expect(try attribute("kind", of: "Trip", in: model).type == .string)
    #expect(try attribute("kind", of: "Trip", in: model).isOptional)
    #expect(
      try attribute("table", of: "Trip", in: model).attributeValueClassName
        == "Dictionary<String, Array<Data>>")
  }

  @Test func `Extensions of models and of what they store are read, whatever their files name`() throws {
    let files = [
      "Models.swift": """
      import SwiftData
      enum Status: Int, Codable { case on, off }
      struct Settings: Codable { var theme: String = "dark" }
      @Model final class Job { var status: Status; init() {} }
      @Model final class Trip { var status: Status; var name = Settings.title; var day = Date.first; init() {} }
      """,
      "Trip+Status.swift": "extension Trip { enum Status: String, Codable { case draft, sent } }",
      "Settings+Title.swift": "extension Settings { static let title = \"x\" }",
      "Days.swift": "extension Date { static let first = 1 }",
      // Another module's, which nothing asks for.
      "Other.swift": "enum Status: Double, Codable { case a }",
    ]
    func model(without left: String? = nil, at name: String? = nil) throws -> (VersionedModel?, [Diagnostic])
    {
      try withTemporaryFolder { folder in
        for (name, text) in files where name != left {
          try Data(text.utf8).write(to: folder.appending(path: name))
        }
        return SwiftReading().readSource(at: name.map { folder.appending(path: $0) } ?? folder)
      }
    }
    for name in [nil, "Models.swift"] {
      let (read, diagnostics) = try model(at: name)
      #expect(!diagnostics.hasErrors, "\(diagnostics)")
      #expect(try attribute("status", of: "Trip", in: read).type == .string)
      #expect(try attribute("status", of: "Job", in: read).type == .integer64)
      #expect(try attribute("name", of: "Trip", in: read).type == .string)
      #expect(try attribute("day", of: "Trip", in: read).type == .integer64)
    }
    // A constant that is nowhere is of no type.
    let errors = try model(without: "Settings+Title.swift").1.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.unknownInSource])
  }
}
