import Foundation
import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

/// Which files are read of a folder, a package or a repository, and by which plan.
@Suite("Folders of Swift source", .readsSwift)
struct SwiftDataSourceFolderTests {
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

  @Test func `a type of the app may have the name of one of Swift's`() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Trip.swift": "import SwiftData\n@Model final class Trip { var span: Duration; init() {} }",
        "Duration.swift": "enum Duration: String, Codable { case short, long }",
      ]
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let model = SwiftReading().readSource(at: folder).model
      #expect(model?.versions.first?.model.entities.first?.attributes.map(\.type) == [.string])
    }
  }

  @Test("What makes a struct Codable may be in a file of its own")
  func conformance() throws {
    try withTemporaryFolder { folder in
      let files = [
        "Trip.swift":
          "import SwiftData\n@Model final class Trip { var place: Place; init() {} }\nstruct Place { var name = \"\" }",
        "Place+Codable.swift": "extension Place: Codable {}", "Other.swift": "struct Place2 {}",
      ]
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
      let (model, diagnostics) = SwiftReading().readSource(at: folder)
      #expect(!diagnostics.hasErrors, "\(diagnostics)")
      #expect(model?.versions.first?.model.entities.first?.attributes.map(\.type) == [.composite])
    }
  }

  @Test(
    "What a file lacks may be anywhere in its package or repository", arguments: ["Package.swift", ".git"])
  func areas(_ mark: String) throws {
    try withTemporaryFolder { folder in
      let top = folder.appending(path: mark)
      try FileManager.default.createDirectory(at: top, withIntermediateDirectories: true)
      for (name, text) in [
        ("A", plan("Trip")), ("B", "import SwiftData\n@Model final class Trip { init() {} }"),
      ] {
        let own = folder.appending(path: name)
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: own.appending(path: "\(name).swift"))
      }
      let read = SwiftReading().readSource(at: folder.appending(path: "A/A.swift"))
      #expect(!read.diagnostics.hasErrors, "\(read.diagnostics)")
      #expect(read.model?.currentVersion?.model.entities.map(\.name) == ["Trip"])
    }
  }

  @Test("A file need not import SwiftData: another one of its module may do it for all")
  func exportedImport() throws {
    try withTemporaryFolder { folder in
      try Data("@_exported import SwiftData".utf8).write(to: folder.appending(path: "Exports.swift"))
      for name in ["Hut", "Peak"] {
        let text = "@Model final class \(name) { init() {} }"
        try Data(text.utf8).write(to: folder.appending(path: name + ".swift"))
      }
      let bare = plan("Hut").dropFirst("import SwiftData\n".count)
      try Data(bare.utf8).write(to: folder.appending(path: "HutPlan.swift"))
      func entities() -> [String]? {
        SwiftReading().readSource(at: folder).model?.versions.flatMap { $0.model.entities.map(\.name) }
      }
      #expect(entities() == ["Hut"])
      try FileManager.default.removeItem(at: folder.appending(path: "HutPlan.swift"))
      #expect(entities()?.sorted() == ["Hut", "Peak"])
      try FileManager.default.removeItem(at: folder.appending(path: "Exports.swift"))
      #expect(folder.path.isSwiftDataSource)
    }
  }

  @Test("A folder with a @Model class that is left out for its name is named, unless it holds tests")
  func leftOut() throws {
    try withTemporaryFolder { folder in
      let model = "import SwiftData\n@Model final class Trip { init() {} }"
      for (name, text) in [
        ("App/Trip.swift", model), ("LabTests/Lab.swift", model.replacing("Trip", with: "Lab")),
        ("AppTests/Sample.swift", model.replacing("Trip", with: "Sample")),
        ("AppTests/Cases/TripTests.swift", "import XCTest"), ("vendor/Text.swift", "struct Text {}"),
      ] {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let (read, diagnostics) = SwiftReading().readSource(at: folder)
      #expect(read?.versions.first?.model.entities.map(\.name) == ["Trip"])
      let warnings = diagnostics.filter { $0.severity == .warning }
      #expect(warnings.map { $0.place?.file.hasSuffix("LabTests/Lab.swift") } == [true], "\(warnings)")
    }
  }

  @Test func `of a plan alone the schema is named that is in another file`() throws {
    let (model, found) = readSource(
      "enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [V1.self] } }")
    #expect(model == nil && found.map(\.code) == [.noSwiftDataModel])
    #expect(found.first?.notes.map { $0.message.contains("'V1'") } == [true])
  }

  @Test("Of two plans one is chosen by its file, or by its name")
  func plans() throws {
    try inPackage { folder in
      let file = folder.appending(path: "Sources/App/Plans/NotePlan.swift")
      let (model, diagnostics) = SwiftReading().readSource(at: file)
      #expect(!diagnostics.hasErrors, "\(diagnostics)")
      #expect(model?.versions.map { $0.model.entities.map(\.name) } == [["Note"]])
      #expect(model?.versions.first?.model.entities.first?.attributes.first?.enumTypeName == "Kind")
      let several = SwiftReading().readSource(at: folder).diagnostics
      #expect(several.map(\.code) == [.noSwiftDataModel])
      let chosen = SwiftReading(plan: "TripPlan").readSource(at: folder)
      #expect(chosen.model?.versions.map { $0.model.entities.map(\.name) } == [["Trip"]])
      let wrong = SwiftReading(plan: "Plan").readSource(at: folder)
      #expect(wrong.diagnostics.map(\.code) == [.noSuchPlan])
      // A folder has no line.
      #expect(wrong.diagnostics.allSatisfy { $0.place == nil })
      let qualified = SwiftReading(plan: "App.TripPlan").readSource(at: folder)
      #expect(qualified.model?.versions.map { $0.model.entities.map(\.name) } == [["Trip"]])
    }
  }

  @Test func `an older source is read by its only plan, whatever that was called`() {
    let text = """
      import SwiftData
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { var name = ""; init() {} }
      }
      enum OldPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self] }
        static var stages: [MigrationStage] { [] }
      }
      """
    let file = text.parseSwiftFile(path: "App.swift", platform: .iOS).file
    func plan(newestOnly: Bool) -> String? {
      [file].swiftDataModel(name: "App", source: "App.swift", plan: "Plan", newestOnly: newestOnly).model?
        .planName
    }
    #expect(plan(newestOnly: true) == "OldPlan")
    #expect(plan(newestOnly: false) == nil)
  }

  @Test("A type that another schema nests does not stand for the one of a file")
  func nestedNames() throws {
    try inPackage { folder in
      let frozen = """
        import SwiftData
        enum Old: VersionedSchema {
          static let versionIdentifier = Schema.Version(0, 1, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          enum Kind: String, Codable { case a }
          @Model final class Trip { var kind: Kind; init() {} }
        }
        """
      let place = folder.appending(path: "Sources/App/Old.swift")
      try frozen.write(to: place, atomically: true, encoding: .utf8)
      let (model, diagnostics) = SwiftReading(plan: "TripPlan").readSource(at: folder)
      #expect(!diagnostics.hasErrors, "\(diagnostics)")
      #expect(model?.currentVersion?.model.entities.first?.attributes.first?.enumTypeName == "Kind")
    }
  }

  @Test(
    "A folder is the same by whatever path",
    arguments: [".", "./", "../Sources", "App/..", "App/../../Sources/"])
  func paths(_ path: String) throws {
    try inPackage { folder in
      let sources = folder.appending(path: "Sources")
      let url = URL(filePath: path, relativeTo: URL(filePath: sources.path + "/"))
      let (model, _) = SwiftReading(plan: "TripPlan").readSource(at: url)
      #expect(model?.name == "Sources")
      #expect(model?.versions.count == 1)
      #expect(url.path.isSwiftDataSource)
    }
  }
}
