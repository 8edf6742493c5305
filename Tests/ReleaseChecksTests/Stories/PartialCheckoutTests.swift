import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

/// What a checkout lacks, what links lead to, and what is next to the models.
@Suite("Models that a check does not see") struct PartialCheckoutTests {
  @Test func `a model that a sparse checkout leaves out is not missing, but not checked`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for app in ["A", "B"] {
        try repository.write(
          "<model><entity name=\"\(app)\"/></model>",
          to: "\(app)/\(app).xcdatamodeld/\(app).xcdatamodel/contents")
      }
      try repository.commit("two apps")
      try repository.git("sparse-checkout", "set", "--cone", "A")
      let found = try project.new("--against", "HEAD").filter { ["MC7054", "MC0019"].contains($0.code) }
      #expect(found.map { "\($0.code) \($0.severity)" } == ["MC0019 warning"], "\(found)")
      try #require(found.first).pasteHelp()
      #expect(try !project.new("--against", "HEAD").contains { ["MC7054", "MC0019"].contains($0.code) })
      try repository.git("rm", "-rqf", "--sparse", "B")
      try repository.commit("one app")
      #expect(try project.new("--against", "HEAD~1").contains { $0.code == "MC7054" })
    }
  }

  @Test(arguments: [(["A"], "error"), (["A", "B"], "warning")])
  func `a mapping model that is left out, and that this clone lacks, is the only model's`(
    _ apps: [String], _ severity: String
  ) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for app in apps {
        try repository.write(
          "<model><entity name=\"\(app)\"/></model>",
          to: "\(app)/\(app).xcdatamodeld/\(app).xcdatamodel/contents")
      }
      try repository.write("<database/>", to: "Step.xcmappingmodel/xcmapping.xml")
      try repository.commit("a mapping model")
      try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!*.xcmappingmodel/")
      let blob = try repository.git("rev-parse", "HEAD:Step.xcmappingmodel/xcmapping.xml").prefix(40)
      try FileManager.default.removeItem(
        atPath: project.file(".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"))
      let found = try project.check().found.filter { $0.message.contains("sparse checkout") }
      #expect(found.map(\.severity) == [severity], "\(found)")
      #expect(found.first?.message.hasSuffix("Step.xcmappingmodel': it is not read") == true, "\(found)")
    }
  }

  @Test func `a submodule that is not checked out is named`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.write(
        "[submodule \"lib\"]\n\tpath = Modules/lib\n\turl = ../lib\n", to: ".gitmodules")
      try FileManager.default.createDirectory(
        atPath: project.file("Modules/lib"), withIntermediateDirectories: true)
      try repository.commit("an app")
      let found = try project.check().found.filter { $0.code == "MC0019" }
      #expect(found.map(\.severity) == ["warning"], "\(found)")
      try repository.write("", to: "Modules/lib/README")
      #expect(try !project.check().found.contains { $0.code == "MC0019" })
    }
  }

  @Test func `an order of versions that a shallow clone does not know is named`() throws {
    try Repository.with { repository in
      for (name, entity) in [("Launch", "A"), ("Winter", "B"), ("Beta", "C")] {
        try repository.write(
          "<model><entity name=\"\(entity)\"/></model>",
          to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
        try repository.commit(name)
      }
      try repository.git("clone", "--quiet", "--depth", "1", "file://\(repository.folder.path)", "down")
      let project = ReleasedProject(repository: repository)
      for (path, isNamed) in [("down/App.xcdatamodeld", true), ("App.xcdatamodeld", false)] {
        let found = try project.check(models: path).found
        #expect(found.contains { $0.code == "MC0019" && $0.severity == "warning" } == isNamed, "\(found)")
      }
    }
  }

  @Test func `a link to a package elsewhere is named, and one to a package that is checked is not`() throws {
    try Repository.with { repository in
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "ios/App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.write(
        "<model><entity name=\"B\"/></model>", to: "Shared/B.xcdatamodeld/B.xcdatamodel/contents")
      for (name, target) in [("B", "../Shared/B"), ("C", "App/App"), ("D", "none")] {
        try FileManager.default.createSymbolicLink(
          atPath: repository.folder.appending(path: "ios/\(name).xcdatamodeld").path,
          withDestinationPath: "\(target).xcdatamodeld")
      }
      try repository.commit("two apps")
      let app = ReleasedProject(repository: Repository(folder: repository.folder.appending(path: "ios")))
      let links = try app.check().found.filter { $0.code == "MC0009" }
      #expect(links.map(\.severity) == ["warning"], "\(links)")
      #expect(links.first?.help.first?.hasSuffix("/Shared/B.xcdatamodeld`") == true, "\(links)")
      #expect(try !ReleasedProject(repository: repository).check().found.contains { $0.code == "MC0009" })
      // A link to the folder that holds the package, and to one around the project.
      try FileManager.default.removeItem(atPath: app.file("B.xcdatamodeld"))
      // More links to one folder are one finding, and a copy of what is checked is none.
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "Copy/App.xcdatamodeld/App.xcdatamodel/contents")
      for (name, target) in [("Libs", "../Shared"), ("More", "../Shared"), ("Old", "../Copy"), ("Top", "..")]
      {
        try FileManager.default.createSymbolicLink(
          atPath: app.file(name), withDestinationPath: target)
      }
      let folders = try app.check().found.filter { $0.code == "MC0009" }
      #expect(folders.count == 1 && folders.first?.message.contains("Libs' is a link") == true, "\(folders)")
      #expect(folders.first?.help.first?.hasSuffix("/Shared/B.xcdatamodeld`") == true, "\(folders)")
    }
  }

  @Test func `of a very large tree a part is searched, which is known`() throws {
    try withTemporaryFolder { folder in
      for name in ["a/b", "c"] {
        try FileManager.default.createDirectory(
          at: folder.appending(path: name), withIntermediateDirectories: true)
      }
      #expect(
        [1, 3, 4, 5].map { XcodeFiles(below: folder.path, limit: $0).isWhole } == [false, false, true, true])
    }
  }

  @Test func `classes of SwiftData beside a package are named`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try repository.write(
        "<model><entity name=\"A\"/></model>", to: "App/App.xcdatamodeld/App.xcdatamodel/contents")
      try repository.commit("an app")
      #expect(try !project.check().found.contains { $0.code == "MC7054" })
      try repository.write("import SwiftData\n@Model final class B { init() {} }\n", to: "App/B.swift")
      let found = try project.check().found.filter { $0.code == "MC7054" }
      #expect(found.map(\.severity) == ["warning"], "\(found)")
      let allowed = "allow: [{code: MC7054, of: SwiftData, reason: checked by another job}]\n"
      try repository.write(allowed, to: "App/modelc.yaml")
      #expect(try !project.check().found.contains { $0.code == "MC7054" && $0.state == "new" })
    }
  }

  @Test func `a package that goes into a submodule is compared with what the repository had`() throws {
    try Repository.with { inner in
      try Repository.with { outer in
        let project = ReleasedProject(repository: outer)
        func write(_ type: String, in place: Repository, _ path: String) throws {
          try place.write(
            "<model><entity name=\"Note\"><attribute name=\"n\" optional=\"YES\" attributeType=\"\(type)\"/></entity></model>",
            to: path + "App.xcdatamodeld/App.xcdatamodel/contents")
        }
        try write("Integer 16", in: outer, "Core/")
        try outer.commit("an app")
        try write("Integer 32", in: inner, "")
        try inner.commit("edited on its way")
        try outer.git("rm", "-rq", "Core")
        try outer.run([
          "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.folder.absoluteString,
          "Core",
        ])
        try outer.commit("a submodule")
        let found = try project.check("--against", "HEAD~1").found
        #expect(found.contains { $0.code == "MC7026" && $0.severity == "error" }, "\(found)")
        #expect(!found.contains { $0.code == "MC7050" || $0.code == "MC7054" })
      }
    }
  }
}
