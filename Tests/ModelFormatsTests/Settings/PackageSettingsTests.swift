import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelFormats

@Suite("modelc.yaml beside a package") struct PackageSettingsTests {
  private func version(_ attributes: String...) -> String {
    let listed = attributes.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
    return #"<model><entity name="Task">\#(listed.joined())</entity></model>"#
  }

  /// A package of three versions, whose names are in no order, with a file beside it.
  private func read(
    _ settings: String?, in folder: URL
  ) throws -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    let package = folder.appending(path: "App.xcdatamodeld")
    for (name, text) in [
      ("Old", version("title", "phone")), ("Summer", version("title", "note")), ("Autumn", version("title")),
    ] {
      let place = package.appending(path: "\(name).xcdatamodel/contents")
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: place)
    }
    if let settings { try Data(settings.utf8).write(to: folder.appending(path: "modelc.yaml")) }
    return ModelReader().read(at: package)
  }

  @Test func `it gives the order that names do not`() throws {
    try withTemporaryFolder { folder in
      let guessed = try read(nil, in: folder)
      #expect(guessed.model?.versions.map(\.name) == ["Autumn", "Old", "Summer"])
      #expect(guessed.model?.isOrderGuessed == true)
      let (model, diagnostics) = try read(
        "versions: [Old, {name: Summer, infer: false}, Autumn]\nchain: stepwise\nprofile: cloudkit\n",
        in: folder)
      #expect(diagnostics.map(\.code.description) == [])
      #expect(model?.versions.map(\.name) == ["Old", "Summer", "Autumn"])
      #expect(model?.isOrderGuessed == false)
      #expect(model?.isStepwise == true)
      #expect(model?.versions.map(\.allowsInference) == [true, false, true])
      #expect(model?.versions.allSatisfy { $0.model.profile == .cloudKit } == true)
    }
  }

  @Test func `without a repository a file in the folder of another project is not its own`() throws {
    try withTemporaryFolder { folder in
      let other = folder.appending(path: "Theirs")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      try Data("versions: [A]\n".utf8).write(to: other.appending(path: "modelc.yaml"))
      let mine = folder.appending(path: "Mine")
      let alone = try read(nil, in: mine).diagnostics
      #expect(alone.allSatisfy { $0.code != .misplacedSettings })
      try FileManager.default.createDirectory(
        at: folder.appending(path: ".git"), withIntermediateDirectories: true)
      let together = try read(nil, in: mine).diagnostics
      #expect(together.contains { $0.code == .misplacedSettings })
    }
  }

  @Test func `a branch says where it leaves`() throws {
    try withTemporaryFolder { folder in
      let (model, diagnostics) = try read("versions: [Old, {name: Summer, from: Old}, Autumn]\n", in: folder)
      #expect(diagnostics.isEmpty)
      let found = try #require(model)
      #expect(found.versions.map(\.predecessorNames) == [[], ["Old"], ["Old"]])
    }
  }

  @Test func `what is retired holds from the first version without it, and no hash or fingerprint moves`()
    throws
  {
    try withTemporaryFolder { folder in
      let before = try #require(try read("versions: [Old, Summer, Autumn]\n", in: folder).model)
      let model = try #require(
        try read("versions: [Old, Summer, Autumn]\nretired: [Task.phone, Task.note]\n", in: folder).model)
      #expect(model.versions.map(\.retired) == [[], ["Task.phone"], ["Task.phone", "Task.note"]])
      #expect(model.versions.map(\.versionChecksum) == before.versions.map(\.versionChecksum))
      #expect(model.versions.map(\.model.fingerprint) == before.versions.map(\.model.fingerprint))
    }
  }

  @Test func `a version that is not listed is taken as the last one, and told`() throws {
    try withTemporaryFolder { folder in
      let (model, diagnostics) = try read("versions: [Summer, Old]\n", in: folder)
      #expect(model?.versions.map(\.name) == ["Summer", "Old", "Autumn"])
      #expect(diagnostics.map(\.code.description) == ["MC2106"])
      #expect(diagnostics.map(\.severity) == [.warning])
    }
  }

  @Test(arguments: [
    ("versions: [Old, Sumer, Autumn]", ["MC2111", "MC2106"], "did you mean 'Summer'?"),
    ("retired: [Task.phon]", ["MC2111"], "did you mean 'Task.phone'?"),
    ("models: {Ap: {chain: stepwise}}", ["MC2111"], "did you mean 'App'?"),
    ("current: Old", ["MC0003"], "the current version is chosen in Xcode's File inspector"),
    ("suppress: []", ["MC0003"], "the key is 'allow'"),
    ("allow: [{code: MC7008}]", ["MC0005"], ""), ("allow: [{code: 7008, reason: x}]", ["MC0004"], ""),
    ("allow: [{code: MC7008, reason: x, until: soon}]", ["MC0004"], ""),
    ("budget: {seconds: 0}", ["MC0004"], ""), ("budget: {rows: 0}", ["MC0004"], ""),
    ("versions: [Old, Old, Summer, Autumn]", ["MC2102"], ""),
    ("stages: [{lightweight: [Old, Winter]}]", ["MC2204"], ""), ("versions: {", ["MC0001"], ""),
  ])
  func `a mistake is told at its place`(text: String, codes: [String], help: String) throws {
    try withTemporaryFolder { folder in
      let (model, diagnostics) = try read(text + "\n", in: folder)
      #expect(Set(diagnostics.map(\.code.description)).isSuperset(of: codes), "\(diagnostics)")
      #expect(diagnostics.hasErrors)
      #expect(diagnostics.allSatisfy { $0.place?.file.hasSuffix("modelc.yaml") == true })
      #expect(help.isEmpty || diagnostics.contains { $0.help.contains(help) }, "\(diagnostics)")
      // The package itself is read all the same.
      #expect(model?.versions.count == 3)
    }
  }

  @Test func `of several packages each has its own keys, and keys of none are refused`() throws {
    try withTemporaryFolder { folder in
      let other = folder.appending(path: "Other.xcdatamodeld/Other.xcdatamodel/contents")
      try FileManager.default.createDirectory(
        at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(version("title").utf8).write(to: other)
      let (model, found) = try read(
        "models:\n  App: {chain: stepwise}\n  Other: {disposable: true}\n", in: folder)
      #expect(found.isEmpty)
      #expect(model?.isStepwise == true && model?.isDisposable == false)
      let package = folder.appending(path: "Other.xcdatamodeld")
      #expect(ModelReader().read(at: package).model?.isDisposable == true)
      #expect(try read("chain: stepwise\n", in: folder).diagnostics.map(\.code.description) == ["MC2111"])
    }
  }

  @Test func `at a revision the file of that revision holds`() throws {
    try Repository.with { repository in
      _ = try read("versions: [Summer, Old, Autumn]\n", in: repository.folder.appending(path: "App"))
      try repository.commit("first")
      let place = repository.folder.appending(path: "App/modelc.yaml")
      try Data("versions: [Autumn, Summer, Old]\n".utf8).write(to: place)
      let path = repository.folder.appending(path: "App/App.xcdatamodeld").path
      #expect(ModelReader().read(path).model?.versions.map(\.name) == ["Autumn", "Summer", "Old"])
      let (then, diagnostics) = try #require(try ModelReader().read(at: path, in: "HEAD"))
      #expect(diagnostics.isEmpty)
      #expect(then?.versions.map(\.name) == ["Summer", "Old", "Autumn"])
    }
  }
}
