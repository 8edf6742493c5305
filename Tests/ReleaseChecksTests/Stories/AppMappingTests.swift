import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

/// Of an app's package only what Xcode compiles into the app counts.
@Suite("Mappings that the app has") struct AppMappingTests {
  private func version(_ attributes: String) -> String {
    let other = #"<entity name="\#(String(repeating: "é", count: 300))" isAbstract="YES"/>"#
    return #"<model><entity name="Hütte">\#(attributes)</entity>\#(other)</model>"#
  }

  private let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
  private let beds = #"<attribute name="beds" attributeType="Integer 32" defaultValueString="4"/>"#
  private let long = String(repeating: "中文-", count: 20)
  private let file = "Migrations/App/step.yaml"

  /// A package of two versions, and a mapping file between them.
  private func withApp(
    in place: String = "An App/My Models", _ attributes: String, extra: String = "",
    _ body: (_ app: App) throws -> Void
  ) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let package = "\(place)/App.xcdatamodeld"
      try project.write(version(name), to: "\(package)/App.xcdatamodel/contents")
      try project.write(version(name + beds), to: "\(package)/\(long).xcdatamodel/contents")
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>\(long).xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
      try project.write("versions: [App, \(long)]\n", to: "\(place)/modelc.yaml")
      try project.write(
        """
        from: App
        to: \(long)
        entityMappings:
          HüttenMap: {source: Hütte, destination: Hütte, attributes: {\(attributes)}\(extra)}
        """, to: file)
      try project.commit("an app")
      try body(App(project: project, place: place))
    }
  }

  private struct App {
    let project: ReleasedProject
    let place: String
    var package: String { "\(place)/App.xcdatamodeld" }

    func modelc(_ arguments: String...) -> Int32 {
      ModelcCommand.run(arguments + ["-q", "-C", project.path, "--models", project.file(package)])
    }

    /// The exit code, and the codes of errors about mappings.
    func check() throws -> [String] {
      let (code, found) = try project.check("--level", "path", "-C", project.path, models: package)
      let errors = found.filter { $0.severity == "error" }.map(\.code)
      #expect(code == (errors.isEmpty ? 0 : 1), "\(found)")
      return errors
    }
  }

  @Test(arguments: ["An App/My Models", "."])
  func `a mapping file is not in the app until it is exported`(_ place: String) throws {
    let values = #"name: 'uppercase:($source.name)', beds: 'TERNARY($source.name == nil, 1, 6)'"#
    try withApp(in: place, values) { app in
      #expect(try app.check() == ["MC4208"])
      // It compiles all the same.
      #expect(app.modelc("compile", "-o", app.project.file("Out")) == 0)
      #expect(app.modelc("map", "export", "App-\(long)") == 0)
      #expect(try app.check() == [])
      let model = app.project.file("\(place)/App-\(long).xcmappingmodel")
      let read = try readXcodeMappingModel(at: URL(filePath: model))
      #expect(read.modelName == "App" && read.diagnostics == [])
      let own = try #require(read.mappingModel.entityMappings.first { $0.name == "HüttenMap" })
      #expect(
        own.attributeMappings.map(\.expression) == [
          "TERNARY($source.name == nil, 1, 6)", "uppercase:($source.name)",
        ])
      // Again, it is the same; another one is not written over.
      #expect(app.modelc("export", "--as", "xcmappingmodel") == 0)
      try app.project.edit(file, "1, 6", "1, 7")
      #expect(try app.check() == ["MC4209"])
      #expect(app.modelc("map", "export", "App", long) == 2)
      #expect(app.modelc("map", "export", "App", long, "--force") == 0)
      #expect(try app.check() == [])
    }
  }

  /// Xcode compiles the hashes of the snapshots in it, and Core Data goes by them.
  @Test(arguments: [true, false])
  func `a version is edited after its mapping model was made`(_ isStatedInYAML: Bool) throws {
    try withApp("beds: 3") { app in
      #expect(app.modelc("map", "export", "App", long) == 0)
      if !isStatedInYAML { try FileManager.default.removeItem(atPath: app.project.file(file)) }
      #expect(try app.check() == [])
      let contents = "\(app.package)/\(long).xcdatamodel/contents"
      try app.project.edit(contents, "Integer 32", "Integer 64")
      #expect(try app.check() == ["MC4211"])
      let stale = try app.project.check(models: app.package).found.filter { $0.code == "MC4211" }
      #expect(
        stale.map { $0.place(in: app.project) }
          == ["\(app.place)/App-\(long).xcmappingmodel/xcmapping.xml:1"])
      if isStatedInYAML {
        #expect(app.modelc("map", "export", "App", long, "--force") == 0)
      } else {
        // Where modelc migrates the stores, Core Data looks for no mapping model.
        let settings = "\(app.place)/modelc.yaml"
        try app.project.edit(settings, "\n", "\nmigratedBy: modelc\n")
        #expect(try app.check() == [])
        try app.project.edit(settings, "migratedBy: modelc\n", "")
        try app.project.edit(contents, "Integer 64", "Integer 32")
      }
      #expect(try app.check() == [])
    }
  }

  @Test(arguments: ["AppTests/Data", "An App/Tests", "Other"])
  func `a mapping model of tests or of another project is not in the app`(_ place: String) throws {
    try withApp("beds: 3") { app in
      #expect(app.modelc("map", "export", "App-\(long)") == 0)
      #expect(try app.check() == [])
      let name = "App-\(long).xcmappingmodel"
      let other = app.project.file(place)
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
      try FileManager.default.moveItem(
        atPath: app.project.file("\(app.place)/\(name)"), toPath: "\(other)/\(name)")
      if place == "Other" {
        #expect(try app.check() == [])
        try app.project.write("", to: "\(place)/Other.xcodeproj/project.pbxproj")
        #expect(try app.check() == [])
        try FileManager.default.copyItem(
          atPath: app.project.file(app.package), toPath: "\(other)/App.xcdatamodeld")
      }
      #expect(try app.check() == ["MC4208"])
    }
  }

  @Test func `modelc may be what migrates, and what is inferred needs no mapping model`() throws {
    try withApp("beds: 3") { app in
      #expect(try app.check() == ["MC4208"])
      try app.project.write("versions: [App, \(long)]\nmigratedBy: modelc\n", to: "\(app.place)/modelc.yaml")
      #expect(try app.check() == [])
    }
    try withApp("name: $source.name") { app in
      let found = try app.check()
      #expect(found == [])
    }
  }

  @Test func `what Xcode cannot say is named, and the gate stays red`() throws {
    try withApp("beds: parseInt($source.name)", extra: ", groupBy: $source.name, keep: first") { app in
      let project = Project(folder: app.project.path, modelsFolder: app.project.file(app.package))
      let found = try project.exportMappings([], to: nil, overwrites: false).diagnostics
      #expect(found.map(\.code.description) == ["MC4210"])
      #expect(found.first?.notes.count == 3)
      #expect(try app.check() == ["MC4209"])
    }
  }

  private var mapping: String { "App-\(long).xcmappingmodel" }

  /// A package whose mapping model is Xcode's alone, in a commit.
  private func withShipped(in place: String, _ body: (_ app: App) throws -> Void) throws {
    try withApp(in: place, "beds: 3") { app in
      #expect(app.modelc("map", "export", "App", long) == 0)
      try FileManager.default.removeItem(atPath: app.project.file(file))
      try app.project.commit("a mapping model")
      try body(app)
    }
  }

  /// What is new of all models below the folder: codes of errors, and of warnings of mappings.
  private func found(_ app: App) throws -> [String] {
    try app.project.check("--level", "path", "--against", "HEAD").found.filter {
      $0.state == "new" && ($0.severity == "error" || $0.code.hasPrefix("MC41"))
    }.map(\.code)
  }

  @Test func `a project is moved, with its mapping model and without it`() throws {
    try withShipped(in: "App") { app in
      let git = app.project.repository
      try FileManager.default.createDirectory(
        atPath: app.project.file("Sub"), withIntermediateDirectories: true)
      try git.git("mv", "App", "Sub/App")
      let moved = ["--against", "HEAD", "-C", app.project.file("Sub")]
      func errors() throws -> [String] {
        try app.project.check("--level", "path", arguments: moved).found
          .filter { $0.state == "new" && $0.severity == "error" }.map(\.code)
      }
      #expect(try errors() == [])
      try git.git("rm", "-rqf", "Sub/App/\(mapping)")
      #expect(try errors() == ["MC7053"])
    }
  }

  @Test func `a mapping model that a sparse checkout leaves out stops what would infer its step`() throws {
    try withShipped(in: "App") { app in
      try app.project.write(version(beds), to: "Other/Other.xcdatamodeld/Other.xcdatamodel/contents")
      try app.project.commit("another model, without mapping models")
      #expect(app.modelc("plan", "--from", "App") == 0)
      try app.project.repository.git("sparse-checkout", "set", "--no-cone", "/*", "!*.xcmappingmodel/")
      for base in [[], ["--against", "HEAD"]] {
        let found = try app.project.check("--level", "path", arguments: base).found
        #expect(found.filter { $0.severity == "error" }.map(\.code) == ["MC0019"], "\(found)")
      }
      #expect(app.modelc("plan", "--from", "App") != 0)
      let left = try app.project.check("--level", "path", "--against", "HEAD").found
        .filter { $0.code == "MC0019" }
      try #require(left.first).pasteHelp()
      #expect(try found(app) == [])
    }
  }

  @Test(arguments: [true, false])
  func `a mapping model that cannot be read stops what would infer its step`(_ isAlone: Bool) throws {
    try withShipped(in: "App") { app in
      if !isAlone {
        try app.project.write(version(beds), to: "Other/Other.xcdatamodeld/Other.xcdatamodel/contents")
      }
      let file = "App/\(mapping)/xcmapping.xml"
      func errors() throws -> [String] {
        try app.project.check("--level", "path").found.filter { $0.severity == "error" }.map(\.code)
      }
      let before = try errors()
      #expect(before == [] && app.modelc("plan", "--from", "App") == 0)
      // A merge that is not finished leaves the name of the package in the text.
      try app.project.edit(file, "<database>", "<<<<<<< HEAD\n<database>")
      let merged = try errors()
      #expect(merged == ["MC0201"] && app.modelc("plan", "--from", "App") != 0)
      // A pointer names none: it may be of the other model.
      try app.project.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n", to: file)
      let pointer = try errors()
      #expect(pointer == (isAlone ? ["MC0202"] : []))
    }
  }

  @Test func `a compiled mapping model that cannot be read stops what would infer its step`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      try package.write("App 2", "body", "more")
      let build = package.project.file("build")
      #expect(ModelcCommand.run(["compile", "-q", package.project.file(package.name), "-o", build]) == 0)
      let bundle = "\(build)/App.momd"
      func plan() -> Int32 { ModelcCommand.run(["plan", "-q", "--from", "App", "--models", bundle]) }
      #expect(plan() == 0)
      try package.project.write("noise", to: "build/Step.cdm")
      #expect(plan() != 0)
      let found = try package.project.check("--level", "path", models: "build/App.momd").found
      #expect(found.filter { $0.severity == "error" }.map(\.code) == ["MC2203"])
      // It may be another model's, if there is one.
      try FileManager.default.copyItem(atPath: bundle, toPath: "\(build)/Other.momd")
      #expect(plan() == 0)
    }
  }

  @Test func `mapping models behind the limit of folders are not left out in silence`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      for name in ["a", "b", "c"] { try package.project.write("", to: "\(name)/file") }
      let project = Project(folder: package.project.path)
      let models = try project.readModels().models
      let counts = [2, 20].map { limit in
        project.readMappings(for: models, forRun: FileTrees(limit: limit)).diagnostics
          .count { $0.code == .fileUnreadable && $0.message.contains("mapping models in the others") }
      }
      #expect(counts == [1, 0])
    }
  }

  @Test func `a mapping model elsewhere in the repository is not left out in silence`() throws {
    try withShipped(in: "App") { app in
      let git = app.project.repository
      try FileManager.default.createDirectory(
        atPath: app.project.file("Steps"), withIntermediateDirectories: true)
      try git.git("mv", "App/\(mapping)", "Steps/\(mapping)")
      func plan(in folder: String) -> Int32 {
        ModelcCommand.run(["plan", "--from", "App", "-q", "-C", app.project.file(folder)])
      }
      #expect(plan(in: ".") == 0 && plan(in: "App") != 0)
      let below = ["-C", app.project.file("App")]
      let found = try app.project.check("--level", "path", arguments: below).found
      #expect(found.filter { $0.severity == "error" }.map(\.code) == ["MC4105"], "\(found)")
      // A package of this name that is nearer has it.
      try FileManager.default.copyItem(
        atPath: app.project.file(app.package), toPath: app.project.file("Steps/App.xcdatamodeld"))
      #expect(plan(in: "App") == 0)
    }
  }

  @Test(arguments: [true, false])
  func `a mapping model behind a link is not left out in silence`(isFolder: Bool) throws {
    try withShipped(in: "App") { app in
      let files = FileManager.default
      let moved = app.project.file("build/\(mapping)")
      try files.createDirectory(atPath: app.project.file("build"), withIntermediateDirectories: true)
      try files.moveItem(atPath: app.project.file("App/\(mapping)"), toPath: moved)
      let link = app.project.file(isFolder ? "App/Steps" : "App/\(mapping)")
      try files.createSymbolicLink(
        atPath: link, withDestinationPath: isFolder ? app.project.file("build") : moved)
      func errors() throws -> [String] {
        try app.project.check("--level", "path").found.filter { $0.severity == "error" }.map(\.code)
      }
      let linked = try errors()
      #expect(linked == ["MC4105"] && app.modelc("plan", "--from", "App") != 0)
      // A copy of one that is used is nothing new.
      try files.copyItem(atPath: moved, toPath: app.project.file("App/Copy.xcmappingmodel"))
      let copied = try errors()
      #expect(copied == [] && app.modelc("plan", "--from", "App") == 0)
    }
  }

  @Test func `each of two packages of one name has its own mapping models`() throws {
    try withShipped(in: "Sources/A") { app in
      let git = app.project.repository
      try FileManager.default.copyItem(
        atPath: app.project.file("Sources/A"), toPath: app.project.file("Sources/B"))
      try app.project.commit("two targets")
      #expect(try found(app) == [])
      try git.git("rm", "-rq", "Sources/A/\(mapping)")
      #expect(try found(app) == ["MC7053"])
      // What lies as near to both is both's.
      try git.git("mv", "Sources/B/\(mapping)", "Sources/Step.xcmappingmodel")
      #expect(try found(app) == [])
      #expect(ModelcCommand.run(["release", "-q", "-C", app.project.path, "--model", "App"]) == 2)
      let several = #expect(throws: UsageError.self) {
        _ = try Project(ofRunIn: app.project.path).step(from: "App", to: long)
      }
      #expect(several?.diagnostic.help.map { $0.hasSuffix("App.xcdatamodeld`") } == [true, true])
      #expect(Set(several?.diagnostic.help ?? []).count == 2)
    }
  }

  @Test func `a package or a version that has another name keeps its mapping models, as in the app`() throws {
    try withShipped(in: "App") { app in
      let git = app.project.repository
      try git.git("mv", app.package, "App/Huts.xcdatamodeld")
      #expect(try found(app) == [])
      try git.git(
        "mv", "App/Huts.xcdatamodeld/\(long).xcdatamodel", "App/Huts.xcdatamodeld/Huts 2.xcdatamodel")
      try app.project.edit("App/Huts.xcdatamodeld/.xccurrentversion", long, "Huts 2")
      try app.project.edit("App/modelc.yaml", long, "Huts 2")
      #expect(try found(app) == [])
      try FileManager.default.removeItem(atPath: app.project.file("App/\(mapping)"))
      #expect(try found(app) == ["MC7053"])
    }
  }

  @Test func `the order that a revision states is its own`() throws {
    try withShipped(in: "App") { app in
      try app.project.write("versions: [\(long), App]\n", to: "App/modelc.yaml")
      #expect(try Set(found(app)) == ["MC7053", "MC4105"])
      let help = try app.project.check("--level", "path", "--against", "HEAD").found.map(\.help)
      #expect(help.contains { $0.contains { $0.hasPrefix("list 'App' before '\(long)'") } })
    }
  }

  @Test func `a version leads to itself in no step`() throws {
    try withApp("beds: 3") { app in
      #expect(app.modelc("map", "new", "App", "App") == 2)
      #expect(app.modelc("map", "export", "App-App") == 2)
      #expect(app.modelc("map", "export", "App") == 2)
      try app.project.edit(file, "to: \(long)", "to: App")
      #expect(app.modelc("map", "rebase") == 1)
      let text = try String(contentsOfFile: app.project.file(file), encoding: .utf8)
      #expect(text.contains("versionHashes:\n  App: {Hütte: "))
    }
  }

  @Test
  func `one version is exported beside mapping files of others, and a model that is named twice is one`()
    throws
  {
    try ReleasedProject.with { project in
      try project.write(ReleasedProject.upperCasing(from: "V1", to: "V2"), to: "Migrations/Huts/V1-V2.yaml")
      let place = ["-q", "-C", project.path, "-o", project.file("Out")]
      #expect(ModelcCommand.run(["export", "V1", "--as", "swiftdata"] + place) == 0)
      #expect(ModelcCommand.run(["compile", "Huts", project.file("Models/Huts")] + place) == 0)
    }
  }
}
