import Foundation
import TestSupport
import Testing

/// A model that lies elsewhere than in the base is compared with what it was there.
@Suite("Models that moved") struct MovedModelTests {
  private static let source = """
    import Foundation
    import SwiftData
    @Model final class Stop {
      var name: String = ""
      var note: String?
      init() {}
    }

    """

  /// The codes of new findings, remarks and MC7011 apart, but MC7050.
  private func new(_ project: ReleasedProject, _ models: String, _ base: String = "HEAD") throws -> [String] {
    try project.check("--against", base, models: models).found
      .filter { $0.state == "new" && ($0.severity == "error" || $0.code == "MC7050") }.map(\.code)
  }

  @Test(
    arguments: [
      // Of a file; of a folder whose file lay higher up; of a folder that was there without a model; of a package.
      ("App/Models.swift", "Sources/Data/Models.swift", "Sources/Data/Models.swift"),
      ("App/Models.swift", "Sources/Data/Models.swift", "Sources"),
      ("App/Models.swift", "Lib/Models.swift", "Lib"),
      ("One/Sources/Data/Models.swift", "Two/Sources/Data/Models.swift", "Two"),
      ("Models.swift", "App/Models.swift", "App"),
    ], ["staged", "committed", "on disk alone"])
  func `source that lies in another folder or package`(
    _ places: (old: String, new: String, models: String), _ how: String
  ) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(Self.source, to: places.old)
      for folder in ["App", "Lib", "Two"] { try project.write("let x = 1\n", to: "\(folder)/Other.swift") }
      try project.commit("one")
      let folder = URL(filePath: project.file(places.new)).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if how == "on disk alone" {
        try FileManager.default.moveItem(
          atPath: project.file(places.old), toPath: project.file(places.new))
      } else {
        try repository.git("mv", places.old, places.new)
      }
      if how == "committed" { try project.commit("moved") }
      let base = how == "committed" ? "HEAD~1" : "HEAD"
      #expect(try new(project, places.models, base) == [])
      try project.edit(places.new, "note", "memo")
      #expect(try new(project, places.models, base) == ["MC3204"])
    }
  }

  @Test func `a model that became a package with versions is restored from where it was`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(
        "<model><entity name=\"Note\"><attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/></entity></model>",
        to: "App/Shop.xcdatamodel/contents")
      try project.commit("a model")
      let package = "App/Shop.xcdatamodeld"
      try FileManager.default.createDirectory(
        atPath: project.file(package), withIntermediateDirectories: true)
      try repository.git("mv", "App/Shop.xcdatamodel", package + "/")
      try project.edit("\(package)/Shop.xcdatamodel/contents", "String", "Date")
      let found = try project.check("--against", "HEAD").found.filter { $0.code == "MC7026" }
      try #require(found.count == 1)
      try found[0].pasteHelp()
      #expect(try !project.check("--against", "HEAD").found.contains { $0.code == "MC7026" })
    }
  }

  @Test func `a folder of source that had no model has a new one`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write("let x = 1\n", to: "App/Other.swift")
      try project.commit("one")
      try project.write(Self.source, to: "App/Models.swift")
      #expect(try new(project, "App") == ["MC7050"])
    }
  }

  private static func version(_ attribute: String) -> String {
    """
    <model>
    <entity name="Note">
    <attribute name="body" optional="YES" attributeType="String"/>
    <attribute name="date" optional="YES" attributeType="Date"/>
    <attribute name="\(attribute)" optional="YES" attributeType="String"/>
    </entity>
    </model>

    """
  }

  @Test func `one version on its own moves, and into a package`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(Self.version("name"), to: "App/App.xcdatamodel/contents")
      try project.commit("one")
      try FileManager.default.createDirectory(
        atPath: project.file("Lib"), withIntermediateDirectories: true)
      try repository.git("mv", "App/App.xcdatamodel", "Lib")
      try project.edit("Lib/App.xcdatamodel/contents", "\"name\"", "\"title\"")
      #expect(try new(project, "Lib/App.xcdatamodel") == ["MC7026"])
      try FileManager.default.createDirectory(
        atPath: project.file("Lib/App.xcdatamodeld"), withIntermediateDirectories: true)
      try repository.git("add", "-A")
      try repository.git("mv", "Lib/App.xcdatamodel", "Lib/App.xcdatamodeld")
      #expect(try new(project, "Lib/App.xcdatamodeld") == ["MC7026"])
      let found = try project.check("--against", "HEAD", models: "Lib/App.xcdatamodeld").found
      try #require(found.first { $0.code == "MC7026" }).pasteHelp()
      #expect(try new(project, "Lib/App.xcdatamodeld") == [])
    }
  }

  @Test(arguments: ["Shared/App.xcdatamodeld", "Shared/Models.swift", "Shared/Source"])
  func `a link that git does not know is what it leads to`(_ target: String) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let isPackage = target.hasSuffix("d")
      let file =
        isPackage
        ? "\(target)/V1.xcdatamodel/contents"
        : target.hasSuffix(".swift") ? target : "\(target)/Models.swift"
      try project.write(isPackage ? Self.version("name") : Self.source, to: file)
      try project.commit("one")
      let link = "App/\(URL(filePath: target).lastPathComponent)"
      try FileManager.default.createDirectory(
        atPath: project.file("App"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: project.file(link), withDestinationPath: project.file(target))
      #expect(try new(project, link) == [])
      try project.edit(file, isPackage ? "name=\"name\"" : "note", isPackage ? "name=\"title\"" : "memo")
      #expect(try new(project, link) == [isPackage ? "MC7026" : "MC3204"])
    }
  }
}
