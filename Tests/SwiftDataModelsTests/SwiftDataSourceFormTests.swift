import Foundation
import ManagedModel
import SwiftDataModels
import SwiftDeclarations
import TestSupport
import Testing

/// Source that compiles is read, in whichever form its author wrote it.
@Suite("Forms of Swift source", .readsSwift)
struct SwiftDataSourceFormTests {
  @Test(
    "An attribute is the one that SwiftData stores, whatever it begins with or is called",
    arguments: [
      ("var a = UUID().uuidString", AttributeType.string, nil),
      ("var a: String = Constants.placeholder", .string, nil),
      ("var a = Constants.placeholder", .string, nil), ("var a = Constants.retries", .integer64, nil),
      ("var a = Settings()", .composite, nil), ("var a = Settings.standard", .composite, nil),
      ("var a = Date.now.addingTimeInterval(60)", .date, nil),
      ("var a = Date().timeIntervalSince1970", .double, nil),
      ("var a = greeting()", .string, nil), ("var a = Mood.random()", .string, nil),
      ("var a = \"a\" + Constants.placeholder", .string, nil),
      ("var a = Calendar.current.startOfDay(for: .now)", .date, nil),
      ("var a = Int.random(in: 1...6)", .integer64, nil), ("var a = [String]()", .transformable, nil),
      ("var a: CLLocationDegrees", .double, nil), ("var a: TimeInterval?", .double, nil),
      ("var a: OSStatus", .integer32, "integers other than Int"),
      ("var a: App.Mood", .string, nil), ("var a: SchemaV5.Kind", .string, nil),
      ("var a: Color.Resolved?", .composite, nil),
      ("var a: Weather", .composite, nil), ("var a: Shape", .composite, "enums whose cases hold values"),
      ("@Attribute(.codable) var a: Settings", .binary, ".codable"),
      ("var a: Money", .binary, "types of other modules"),
      ("var a: Locale?", .binary, "types of other modules"),
      ("var a: [Settings] = []", .transformable, "arrays of values other than String and Data"),
      ("let a: Int", .integer64, nil), ("var a: Described", .composite, nil),
    ] as [(String, AttributeType, String?)])
  func attributes(_ declaration: String, _ type: AttributeType, _ unproven: String?) throws {
    let (model, diagnostics) = readSource(
      """
      import Foundation
      import SwiftUI
      import MoneyKit
      enum Constants { static let placeholder = "none"; static var retries: Int { 3 } }
      struct Settings: Codable { var theme = "dark"; static let standard = Settings() }
      enum Mood: String, Codable { case good, bad; static func random() -> Mood { .good } }
      enum Weather: Codable { case sun, rain }
      enum Shape: Codable { case none, circle(Double) }
      protocol Named: Codable { var name: String { get } }
      struct Described: Named { var name: String }
      enum SchemaV5 { enum Kind: String, Codable { case a } }
      func greeting() -> String { "hello" }
      @Model final class Trip { \(declaration); init() {} }
      """)
    let version = try #require(model?.versions.first)
    let attribute = try #require(version.model.entities.first?.attributes.first)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    #expect(attribute.type == type)
    #expect(version.unprovenHashes == (unproven.map { ["Trip": [$0]] } ?? [:]))
    #expect(diagnostics.count { $0.code == .unproven } == (unproven == nil ? 0 : 1))
  }

  @Test("Types and key paths are named through their schema, or through the module")
  func qualified() throws {
    let (model, diagnostics) = readSource(
      """
      enum V5: VersionedSchema {
        static var versionIdentifier = Schema.Version(5, 0, 0)
        static var models: [any PersistentModel.Type] { [V5.Trip.self, App.V5.Stop.self] }
        @Model final class Trip {
          #Unique<V5.Trip>([\\V5.Trip.name])
          #Index<Trip>([\\App.V5.Trip.name, \\.start])
          var name = "", start = 0
          @Relationship(inverse: \\V5.Stop.trip) var stops: [App.V5.Stop] = []
          init() {}
        }
        @Model final class Stop { var trip: V5.Trip?; init() {} }
      }
      """)
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    let trip = try #require(model?.versions.first?.model.entities.first { $0.name == "Trip" })
    #expect(trip.relationships.map(\.inverseName) == ["trip"])
    #expect(trip.uniquenessConstraints == [["name"]])
    #expect(trip.fetchIndexes.map(\.name) == ["SwiftDataIndexOnBinarynamestart"])
  }

  @Test("Of a property that cannot be read, its inverse says nothing more")
  func consequences() {
    let errors = readSource(
      """
      @Model final class Trip { @Relationship(inverse: \\Stop.trip) var stops: [Stop] = []; init() {} }
      @Model final class Stop { var trip = unknown(); init() {} }
      """
    ).diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.code) == [.unknownInSource])
    #expect(errors.first?.subject?.property == "trip")
  }

  /// The files of a package with two plans, in a folder of their own.
  private func inPackage<Result>(_ body: (URL) throws -> Result) throws -> Result {
    try withTemporaryFolder { folder in
      let files = [
        "Package.swift": "", "Sources/App/Trip.swift": trip("Trip", "Kind"),
        "Sources/App/Note.swift": trip("Note", "Kind"),
        "Sources/Kit/Kind.swift": "public enum Kind: String, Codable { case a, b }",
        "Sources/App/Plans/TripPlan.swift": plan("Trip"), "Sources/App/Plans/NotePlan.swift": plan("Note"),
      ]
      for (path, text) in files {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
      }
      return try body(folder)
    }
  }

  private func trip(_ name: String, _ kind: String) -> String {
    "import SwiftData\n@Model final class \(name) { var kind: \(kind); init() {} }"
  }

  private func plan(_ name: String) -> String {
    """
    import SwiftData
    enum \(name)SchemaV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [\(name).self] }
    }
    enum \(name)Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [\(name)SchemaV1.self] }
      static var stages: [MigrationStage] { [] }
    }
    """
  }

  @Test("Of two plans one is chosen by its file, or by its name")
  func plans() throws {
    try inPackage { folder in
      let file = folder.appending(path: "Sources/App/Plans/NotePlan.swift")
      let (model, diagnostics) = readSwiftDataSource(at: file, platform: .iOS)
      #expect(!diagnostics.hasErrors, "\(diagnostics)")
      #expect(model?.versions.map { $0.model.entities.map(\.name) } == [["Note"]])
      #expect(model?.versions.first?.model.entities.first?.attributes.first?.enumTypeName == "Kind")
      let several = readSwiftDataSource(at: folder, platform: .iOS).diagnostics
      #expect(several.map(\.code) == [.noSwiftDataModel])
      let chosen = SwiftDataPlan.$current.withValue("TripPlan") {
        readSwiftDataSource(at: folder, platform: .iOS)
      }
      #expect(chosen.model?.versions.map { $0.model.entities.map(\.name) } == [["Trip"]])
      let wrong = SwiftDataPlan.$current.withValue("Plan") { readSwiftDataSource(at: folder, platform: .iOS) }
      #expect(wrong.diagnostics.map(\.code) == [.noSuchPlan])
    }
  }

  @Test(
    "A folder is the same by whatever path",
    arguments: [".", "./", "../Sources", "App/..", "App/../../Sources/"])
  func paths(_ path: String) throws {
    try inPackage { folder in
      let sources = folder.appending(path: "Sources")
      let url = URL(filePath: path, relativeTo: URL(filePath: sources.path + "/"))
      let (model, _) = SwiftDataPlan.$current.withValue("TripPlan") {
        readSwiftDataSource(at: url, platform: .iOS)
      }
      #expect(model?.name == "Sources")
      #expect(model?.versions.count == 1)
      #expect(isSwiftDataSource(url.path))
    }
  }
}
