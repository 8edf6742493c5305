import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Versions named on a command line") struct FindVersionTests {
  private let hut = "entities: {Hut: {attributes: {name: string?}}}\n"
  private let lodge = "entities: {Hut: {attributes: {name: string?, beds: integer16 = 0}}}\n"

  /// A project with the model Trails, and Roads where asked for.
  private func withProject(_ models: [String] = ["Trails"], _ body: (Project, URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for model in models {
        let place = folder.appending(path: "Models/\(model)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for (name, text) in [
          ("versions.yaml", "current: V2\nversions: [V1, V2]\n"), ("V1.yaml", hut), ("V2.yaml", lodge),
        ] {
          try Data(text.utf8).write(to: place.appending(path: name))
        }
      }
      try body(Project(folder: folder.path), folder)
    }
  }

  private func refusal(_ body: () throws -> NamedVersion) throws -> Diagnostic {
    let error = try #require(throws: DiagnosticsError.self) { _ = try body() }
    return try #require(error.diagnostics.first)
  }

  @Test func `a version of the project, by its name or with the model's`() throws {
    try withProject { project, folder in
      for argument in ["V1", "Trails/V1", folder.appending(path: "Models/Trails").path + "#V1"] {
        let found = try project.findVersion(argument)
        #expect(found.version.name == "V1")
        #expect(found.modelName == "Trails")
        #expect(found.label == argument)
        #expect(try project.currentVersion(like: found).version.name == "V2")
      }
      #expect(try project.findVersion(folder.appending(path: "Models/Trails").path).version.name == "V2")
    }
  }

  @Test func `a path of one of several models is planned for the model that is named`() throws {
    try withProject(["Trails", "Roads"]) { _, folder in
      func plan(_ words: String...) -> Int32 {
        ModelcCommand.run(["plan", "-q", "-C", folder.path] + words)
      }
      #expect(plan("--from", "V1") == 2 && plan("--from", "V1", "--to", "V2") == 2)
      #expect(plan("--from", "Roads/V1") == 0 && plan("--from", "V1", "--model", "Roads") == 0)
    }
  }

  @Test func `a version with mistakes is shown without a checksum`() throws {
    try withProject { project, folder in
      func head() throws -> String {
        try ShownVersion(project.findVersion("V2"), entity: nil).text(
          width: 80, style: Styler(usesColor: false))
      }
      #expect(try head().hasPrefix("V2: 1 entity, checksum "))
      let broken = lodge.replacing("Hut: {", with: "Hut: {x: 1, ")
      try Data(broken.utf8).write(to: folder.appending(path: "Models/Trails/V2.yaml"))
      #expect(try head().hasPrefix("V2: 1 entity\n"))
    }
  }

  @Test func `a step that two models have is of neither, unless one is named`() throws {
    try withProject(["Roads", "Trails"]) { project, folder in
      let error = #expect(throws: UsageError.self) { try project.step(from: "V1", to: "V2") }
      #expect(error?.diagnostic.message == "'V1-V2' is a step of 2 models: Roads, Trails")
      #expect(error?.diagnostic.code == .severalModels)
      let any = try project.step(from: "V1", to: "V2", isOfAny: true)
      let trails = try Project(folder: folder.path, modelName: "Trails").step(from: "V1", to: "V2")
      #expect([any.model.name, trails.model.name] == ["Roads", "Trails"])
    }
  }

  @Test func `a model file, a compiled bundle and a .mom of it`() throws {
    try withProject { project, folder in
      let file = folder.appending(path: "Models/Trails/V1.yaml").path
      #expect(try project.findVersion(file).version.model.entities.map(\.name) == ["Hut"])
      let model = try #require(try project.readModels().models.first)
      let bundle = folder.appending(path: "Trails.momd")
      try model.writeBundle(to: bundle)
      #expect(try project.findVersion(bundle.path).label == bundle.path + "#V2")
      let first = try project.findVersion(bundle.path + "#V1")
      let single = try project.findVersion(bundle.appending(path: "V1.mom").path)
      #expect(VersionDifference(from: first, to: single).isEmpty)
      #expect(try VersionDifference(from: first, to: project.findVersion("V1")).isEmpty)
      #expect(try project.currentVersion(like: first).version.name == "V2")
    }
  }

  /// A version is not held against a store where its classes are missing.
  @Test(.readsSwift)
  func `what of a source could not be read is told with each version`() throws {
    try withTemporaryFolder { folder in
      let schema = """
        import SwiftData
        enum V1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
          @Model final class Stop { var name = ""; init() {} }
        }
        """
      let place = folder.appending(path: "Schema.swift")
      try Data(schema.utf8).write(to: place)
      let project = Project(folder: folder.path)
      #expect(try project.findVersion(place.path).unread.map(\.code.description) == ["MC2603"])
      let classes = "import SwiftData\nextension V1 { @Model final class Trip { init() {} } }"
      try Data(classes.utf8).write(to: folder.appending(path: "Trip.swift"))
      #expect(try project.findVersion(place.path).unread == [])
    }
  }

  @Test(.readsSwift)
  func `a type that is declared twice is told with the version that lacks what is of it`() throws {
    try withTemporaryFolder { folder in
      let source = """
        import SwiftData
        struct Tag: Codable { var a = 1 }
        struct Tag: Codable { var b = 1 }
        @Model final class Trip { var tag: Tag?; var n = 0; init() {} }
        """
      let place = folder.appending(path: "Models.swift")
      try Data(source.utf8).write(to: place)
      let found = try Project(folder: folder.path).findVersion(place.path)
      #expect(found.diagnostics.map(\.code.description) == ["MC2605"])
    }
  }

  @Test(arguments: ["V3", "Trails/V3", "Trails#V1", "absent.sqlite", "absent.momd", "", "#"])
  func `what names nothing is refused`(_ argument: String) throws {
    try withProject { project, folder in
      let unknown = try refusal { try project.findVersion(argument) }
      #expect(unknown.code == .fileUnreadable)
      // Of a model that is there it can be nothing else than a version.
      let model = folder.appending(path: "Models/Trails").path
      let version = try refusal { try project.findVersion("\(model)#V7") }
      #expect(version.code == .noCurrentVersion)
      #expect([unknown, version].allSatisfy { exitStatus(for: [$0]) == 2 })
    }
  }

  @Test func `a mistake is met with the nearest name`() throws {
    try withProject { project, _ in
      let refusal = try refusal { try project.findVersion("V11") }
      #expect(refusal.help == ["did you mean 'V1'?"])
    }
  }

  @Test func `a name that two models have must be said with the model's`() throws {
    try withProject(["Roads", "Trails"]) { project, folder in
      #expect(
        try refusal { try project.findVersion("V1") }.help == ["write 'Roads/V1'", "write 'Trails/V1'"])
      let named = try project.findVersion("Roads/V1")
      #expect(try project.currentVersion(like: named).modelName == "Roads")
      let file = try project.findVersion(folder.appending(path: "Models/Roads/V1.yaml").path)
      #expect(try project.currentVersion(like: file).modelName == "Roads")
      let other = folder.appending(path: "other.yaml")
      try Data(hut.utf8).write(to: other)
      let alone = try project.findVersion(other.path)
      #expect(try refusal { try project.currentVersion(like: alone) }.code == .noCurrentVersion)
      let several = try [
        refusal { try project.currentVersion() }, refusal { try project.findVersion("V1") },
      ]
      #expect(several.allSatisfy { $0.code == .severalModels && exitStatus(for: [$0]) == 2 })
      #expect(several[0].help == ["name one: `--model Roads`"])
    }
  }

  @Test func `what is there and cannot be read is not unknown`() throws {
    try withProject { project, folder in
      let other = folder.appending(path: "other.yaml")
      try Data(hut.utf8).write(to: other)
      let alone = try project.findVersion(other.path)
      try Data("entities: {\n".utf8).write(to: folder.appending(path: "Models/Trails/V1.yaml"))
      for name in ["V1", "Trails/V1"] {
        #expect(try refusal { try project.findVersion(name) }.code.description == "MC0001", "\(name)")
      }
      try Data("versions: [\n".utf8).write(to: folder.appending(path: "Models/Trails/versions.yaml"))
      #expect(try refusal { try project.currentVersion(like: alone) }.code.description == "MC0001")
      try FileManager.default.removeItem(at: folder.appending(path: "Models"))
      let absent = try refusal { try project.currentVersion(like: alone) }
      #expect(absent.code == .noCurrentVersion && absent.help.contains { $0.contains("modelc init") })
    }
  }

  @Test func `models of one name are told apart by their paths`() throws {
    try withTemporaryFolder { folder in
      let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Hut" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/></entity>
        </model>
        """
      for target in ["App", "Watch"] {
        let version = folder.appending(path: "\(target)/Huts.xcdatamodeld/Huts.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: version.appending(path: "contents"))
      }
      let refusal = try refusal { try Project(folder: folder.path).currentVersion() }
      #expect(refusal.code == .severalModels)
      #expect(refusal.help.first?.contains("/App/Huts.xcdatamodeld") == true, "\(refusal)")
    }
  }

  @Test func `a version with errors is still held against another, and they are said`() throws {
    try withProject { project, folder in
      let file = folder.appending(path: "Models/Trails/V2.yaml")
      try Data((lodge + "colour: red\n").utf8).write(to: file)
      let found = try project.findVersion("V2")
      #expect(found.diagnostics.map(\.code) == [.unknownKey])
      #expect(try project.findVersion("V1").diagnostics == [])
    }
  }
}
