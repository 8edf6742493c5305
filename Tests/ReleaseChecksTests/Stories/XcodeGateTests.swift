import Foundation
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// The same gate on models that Xcode keeps.
@Suite("Stories of the gate on .xcdatamodeld", .needsFixtures) struct XcodeGateTests {
  private func withPackage(
    _ source: String, releasing versions: [String],
    _ body: (_ project: ReleasedProject, _ package: String) throws -> Void
  ) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let original = Fixtures.url(source)
      let name = original.lastPathComponent
      try FileManager.default.copyItem(at: original, to: repository.folder.appending(path: name))
      let path = project.file(name)
      let model = try #require(ModelReader().read(path).model)
      _ = try model.releaseVersions(versions, at: path, tag: nil, date: "2026-01-31", rows: 20)
      try project.commit("released")
      try body(project, name)
    }
  }

  private func tell(
    _ project: ReleasedProject, _ package: String, _ file: String, _ old: String, _ new: String,
    _ line: Int
  ) throws {
    let path = "\(package)/\(file).xcdatamodel/contents"
    // Kept stores are migrated once, at the end.
    #expect(try project.check("--level", "path", "--against", "HEAD", models: package).code == 0)
    try project.edit(path, old, new)
    try project.commit("edited in place")
    let (code, found) = try project.check("--level", "path", "--against", "HEAD~1", models: package)
    #expect(code == 1)
    let own = found.filter { $0.code == "MC7001" }
    #expect(own.contains { $0.place(in: project) == "\(path):\(line)" }, "\(found)")
    try project.edit(path, new, old)
    #expect(try project.check("--against", "HEAD~1", models: package).code == 0)
  }

  @Test func `within a package its versions are no models, and what is out stays readable`() throws {
    let source = "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld"
    try withPackage(source, releasing: ["Moody 4", "Moody 5"]) { project, package in
      let inside = ReleasedProject(repository: Repository(folder: URL(filePath: project.file(package))))
      let contents = "Moody 5.xcdatamodel/contents"
      try inside.edit(contents, "<attribute name=\"", "<attribute name=\"x")
      #expect(try inside.check("--level", "path").found.contains { $0.code == "MC7001" })
      try project.repository.git("checkout", "--quiet", ".")
      let last = "\(package)/Moody 4.xcdatamodel/contents"
      try project.write("<model", to: last)
      try project.commit("a released version that no Xcode reads")
      let (code, found) = try project.check("--level", "path", "--against", "HEAD", models: package)
      #expect(code == 1 && found.contains { $0.code == "MC0201" && $0.state == "new" }, "\(found)")
    }
  }

  @Test func `a released version of Moody is edited in place`() throws {
    let source = "objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld"
    try withPackage(source, releasing: ["Moody 4", "Moody 5"]) { project, package in
      let text = try String(
        contentsOfFile: project.file("\(package)/Moody 5.xcdatamodel/contents"), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let index = try #require(
        lines.firstIndex { $0.contains("<attribute") && $0.contains("optional=\"YES\"") })
      let old = String(lines[index])
      try tell(
        project, package, "Moody 5", old, old.replacing("optional=\"YES\"", with: "optional=\"NO\""),
        index + 1)
    }
  }

  @Test func `an attribute of a released version of Bookmarks is retyped`() throws {
    let source = "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
    try withPackage(source, releasing: ["BookmarksModel 4", "BookmarksModel 5"]) { project, package in
      let text = try String(
        contentsOfFile: project.file("\(package)/BookmarksModel 5.xcdatamodel/contents"), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let index = try #require(lines.firstIndex { $0.contains("<attribute name=\"title\"") })
      let old = String(lines[index])
      let new = old.replacing(
        "attributeType=\"String\"", with: "attributeType=\"Date\" usesScalarValueType=\"NO\"")
      try tell(project, package, "BookmarksModel 5", old, new, index + 1)
    }
  }
}
