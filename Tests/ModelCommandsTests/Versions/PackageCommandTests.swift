import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

/// A package of Xcode's, `App.xcdatamodeld`, with versions that are broken or that the project does not have.
@Suite("Commands on Xcode's packages") struct PackageCommandTests {
  private static let hut =
    "<entity name=\"Hut\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
  private static let sound = "\(hut)</entity>"
  private static let conflict = "\n<<<<<<< HEAD\n\(hut)</entity>"
  private static let twice = "\(hut)<attribute name=\"name\" attributeType=\"Integer 16\"/></entity>"
  private static let entityTwice = "\(hut)</entity><entity name=\"Hut\"/>"
  private static let circle = "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>"

  /// - Parameters:
  ///   - versions: the entities of A, B and so on; the last one is current.
  ///   - body: takes the folder and the package.
  private func withPackage(
    _ versions: String..., body: (_ folder: URL, _ package: String) throws -> Void
  ) throws {
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodeld")
      let names = ["A", "B", "C"].prefix(versions.count)
      for (name, entities) in zip(names, versions) {
        try write("<model>\(entities)</model>", to: package.appending(path: "\(name).xcdatamodel/contents"))
      }
      try write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(names.last ?? "").xcdatamodel</string></dict></plist>",
        to: package.appending(path: ".xccurrentversion"))
      try body(folder, package.path)
    }
  }

  private func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func run(_ arguments: String...) -> Int32 { ModelcCommand.run(arguments + ["-q"]) }

  @Test func `a store's version is found in a package below, where the folder has one of its own`() throws {
    try withPackage(Self.sound) { folder, _ in
      let file = folder.appending(path: "Sub/B.xcdatamodeld/B.xcdatamodel/contents")
      try write("<model><entity name=\"Trail\"/></model>", to: file)
      let found = VersionSearch(Project(folder: folder.path)).findings(of: "b.sqlite") { version in
        version.model.entities.contains { $0.name == "Trail" }
      }
      #expect(found.map(\.code) == [.versionInHistory])
      #expect(found.first?.help.first?.hasSuffix("/Sub/B.xcdatamodeld`") == true, "\(found)")
    }
  }

  @Test(arguments: [conflict, twice, entityTwice])
  func `adopt writes nothing of a package of which it could not write all`(_ entities: String) throws {
    try withPackage(Self.sound, entities) { folder, package in
      let project = folder.appending(path: "P").path
      #expect(run("adopt", package, "-C", project) == 1)
      #expect(!FileManager.default.fileExists(atPath: project))
      // Nor of one that stands before it.
      let other = folder.appending(path: "Other.xcdatamodel")
      try write("<model>\(Self.sound)</model>", to: other.appending(path: "contents"))
      #expect(run("adopt", other.path, package, "-C", project) == 1)
      #expect(!FileManager.default.fileExists(atPath: project))
    }
  }

  @Test func `adopt writes nothing into a package`() throws {
    try withPackage(Self.sound) { folder, package in
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      #expect(run("adopt", package, "--models", package) == 2)
      #expect(run("adopt", package, "-C", package) == 2)
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
    }
  }

  @Test func `no other version stands for a current one that cannot be read`() throws {
    try withPackage(Self.sound, Self.conflict) { folder, package in
      for arguments in [
        ["show", package], ["show", "-C", folder.path], ["show", package, "Hut"],
        ["diff", "\(package)#A", package], ["diff", "\(package)#A", "-C", folder.path],
        ["export", package, "--as", "mermaid"], ["export", "--as", "dbml", "-C", folder.path],
        ["export", package, "--as", "ckdb"],
        ["fixture", package, "--rows", "1", "-o", folder.appending(path: "a.sqlite").path],
      ] { #expect(ModelcCommand.run(arguments) == 1, "\(arguments)") }
      for arguments in [
        ["show", package, "A"], ["show", "\(package)#A"], ["diff", "\(package)#A", "\(package)#A"],
        ["export", "\(package)#A", "--as", "svg"],
      ] { #expect(ModelcCommand.run(arguments) == 0, "\(arguments)") }
      let refused = #expect(throws: DiagnosticsError.self) {
        try Project(folder: folder.path).findVersion(package).requireCurrent()
      }
      #expect(refused?.diagnostics.map(\.code.description) == ["MC0208", "MC0201"])
    }
  }

  @Test(arguments: [twice, entityTwice, circle])
  func `nothing is concluded of a version that compile refuses`(_ entities: String) throws {
    try withPackage(Self.sound, entities) { folder, package in
      for arguments in [
        ["diff", "\(package)#A", package], ["diff", package, "\(package)#A"],
        ["export", package, "--as", "mermaid"], ["export", package, "--as", "dbml"],
        ["export", "A-B", "--as", "svg", "-C", folder.path], ["export", package, "--as", "ckdb"],
        ["export", package, "--as", "html"], ["compile", "-C", folder.path],
      ] { #expect(ModelcCommand.run(arguments) == 1, "\(arguments)") }
      #expect(run("export", "\(package)#A", "--as", "mermaid") == 0)
    }
  }

  @Test func `export deletes no version, and says what the package has`() throws {
    try withPackage(Self.sound, Self.sound) { folder, package in
      let place = folder.appending(path: "P").path
      #expect(run("adopt", package, "-C", place) == 0)
      let added = URL(filePath: package).appending(path: "C.xcdatamodel/contents")
      try write("<model><entity name=\"New\"/></model>", to: added)
      #expect(run("export", "--as", "xcdatamodeld", "-o", package, "-C", place) == 1)
      #expect(FileManager.default.fileExists(atPath: added.path))
      let project = Project(folder: place)
      let one = try project.exportModels("A", as: .xcdatamodeld, to: package)
      #expect(one.first?.model.versions.map(\.name) == ["A", "B", "C"])
      #expect(one.first?.model.currentVersionName == "B")
      // What the refusal says.
      #expect(
        run("adopt", added.deletingLastPathComponent().path, "--into", "App", "-C", place) == 0)
      #expect(run("export", "--as", "xcdatamodeld", "-o", package, "-C", place) == 0)
      #expect(FileManager.default.fileExists(atPath: added.path))
    }
  }

  @Test func `models of one name do not replace each other in one folder`() throws {
    try withPackage(Self.sound, Self.sound) { folder, package in
      for part in ["Phone", "Watch"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: part), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          at: URL(filePath: package), to: folder.appending(path: "\(part)/App.xcdatamodeld"))
      }
      try FileManager.default.removeItem(atPath: package)
      let other = "<model>\(Self.hut)</entity><entity name=\"Tour\"/></model>"
      try write(other, to: folder.appending(path: "Watch/App.xcdatamodeld/B.xcdatamodel/contents"))
      let place = folder.appending(path: "Out").path
      for command in [
        ["compile"], ["export", "--as", "momd"], ["export", "--as", "xcdatamodeld"],
        ["export", "--as", "swiftdata"],
      ] {
        #expect(ModelcCommand.run(command + ["-C", folder.path, "-o", place, "-q"]) == 2, "\(command)")
      }
      #expect(!FileManager.default.fileExists(atPath: place))
      let phone = folder.appending(path: "Phone/App.xcdatamodeld").path
      #expect(run("compile", phone, "-C", folder.path, "-o", place) == 0)
      // What is compiled next to its source is that model.
      #expect(run("compile", "-C", "\(folder.path)/Phone", "-o", "\(folder.path)/Phone") == 0)
      #expect(run("compile", "-C", "\(folder.path)/Phone", "-o", "\(folder.path)/Phone") == 0)
    }
  }

  @Test func `compiled models of one name are refused if they differ, and have no source`() throws {
    func model(_ notes: String, _ path: String?) -> VersionedModel {
      var model = VersionedModel(name: "App", versions: [versionOf("A", notes)], currentVersionName: "A")
      model.bundlePath = path
      return model
    }
    let (phone, watch) = (model("Hut", "Phone.app/App.momd"), model("Tour", "Watch.app/App.momd"))
    let error = #expect(throws: UsageError.self) { try [phone, watch].requireNamesOfTheirOwn(in: "Out") }
    #expect(error?.diagnostic.notes == ["models: Phone.app/App.momd, Watch.app/App.momd"])
    try [phone, model("Hut", "Copy.app/App.momd")].requireNamesOfTheirOwn(in: "Out")
    try [phone, watch, model("Tour", nil)].requireNamesOfTheirOwn(in: "Out")
  }

  @Test func `no model in YAML begins beside a package of its name`() throws {
    try withPackage(Self.sound, Self.sound) { folder, package in
      let version = URL(filePath: package).appending(path: "A.xcdatamodel").path
      #expect(run("adopt", version, "--into", "App", "-C", folder.path) == 2)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Models").path))
      #expect(run("adopt", version, "--into", "Other", "-C", folder.path) == 0)
    }
  }

  @Test func `a command for YAML says at once what makes YAML of a package`() throws {
    try withPackage(Self.sound, Self.sound) { folder, package in
      for models in [nil, package] {
        let error = #expect(throws: DiagnosticsError.self) {
          try Project(folder: folder.path, modelsFolder: models).modelPaths(onlyFolders: true)
        }
        let help = try #require(error?.diagnostics.first?.help)
        #expect(help.contains { $0.contains("`modelc adopt \(package.shellWord)") })
        #expect(!help.contains { $0.contains("--models") })
      }
    }
  }

  @Test func `a mapping file against the order of the versions is named`() throws {
    try withPackage(Self.sound, Self.sound, Self.sound) { folder, package in
      let place = folder.appending(path: "P")
      #expect(run("adopt", package, "-C", place.path) == 0)
      let project = Project(folder: place.path)
      func mapping(_ from: String, _ to: String, _ rest: String = "") throws {
        try write(
          "from: \(from)\nto: \(to)\n\(rest)", to: place.appending(path: "Migrations/App/\(from)-\(to).yaml"))
      }
      try mapping("B", "A")
      let error = #expect(throws: DiagnosticsError.self) {
        try project.exportMappings([], to: nil, overwrites: false)
      }
      #expect(error?.diagnostics.map(\.code.description) == ["MC4105"])
      // A downgrade in the file of its step is no file of its own.
      try mapping("B", "C", "reverse: {}\n")
      let exported = try project.exportMappings([], to: nil, overwrites: false)
      #expect(exported.files.count == 1)
      #expect(exported.diagnostics.map(\.code.description) == ["MC4105"])
      #expect(try project.exportMappings(["B", "A"], to: nil, overwrites: false).files.count == 1)
    }
  }
}
