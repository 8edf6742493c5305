import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct VersionedModelTests {
  /// Reads a folder `Trails` with the files, and says each finding as `file:line:column code`.
  private func read(_ files: [String: String]) throws -> (model: VersionedModel?, findings: [String]) {
    try withTemporaryFolder { folder in
      let models = folder.appending(path: "Trails")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      for (name, text) in files { try Data(text.utf8).write(to: models.appending(path: name)) }
      let (model, diagnostics) = readVersionedModel(folder: models)
      // Most of these lists leave out some of the files.
      let errors = diagnostics.filter { $0.severity == .error }
      return (model, errors.map { finding(in: models, $0) })
    }
  }

  private func finding(in folder: URL, _ diagnostic: Diagnostic) -> String {
    guard let place = diagnostic.place else { return "nowhere \(diagnostic.code)" }
    let file = place.file.replacingOccurrences(of: folder.relativePath + "/", with: "")
    return "\(file):\(place.start.line):\(place.start.column) \(diagnostic.code)"
  }

  private let version = "entities:\n  Hut:\n    attributes: {name: string}\n"

  @Test func `a folder with its versions is a model`() throws {
    let list = "current: V3\nversions:\n  - V1\n  - V2\n  - {name: V2-hotfix, from: V2}\n  - V3\n"
    let (model, findings) = try read([
      "versions.yaml": list, "V1.yaml": version, "V2.yaml": version, "V2-hotfix.yaml": version,
      "V3.yaml": version,
    ])
    #expect(findings == [])
    let read = try #require(model)
    #expect(read.name == "Trails")
    #expect(read.currentVersionName == "V3")
    #expect(read.versions.map(\.name) == ["V1", "V2", "V2-hotfix", "V3"])
    #expect(read.versions.map(\.predecessorName) == [nil, "V1", "V2", "V2"])
    #expect(read.currentVersion?.sourceMap?.file.hasSuffix("Trails/V3.yaml") == true)
    #expect(writeVersions(read) == list)
  }

  @Test(arguments: [
    "current: V3\nversions:\n  - V1\n  - V2\n  - {name: fix, from: V1}\n  - {name: fix2, from: fix}\n  - V3\n",
    "current: V1\nversions:\n  - V1\n  - V2\n  - {name: fix, from: V1}\n  - V3\n",
    "current: V2\nversions:\n  - V1\n  - {name: fix, from: V1}\n  - V2\n  - V3\n",
  ])
  func `branches are read back as they were written`(list: String) throws {
    let names = ["V1", "V2", "V3", "fix", "fix2"]
    let files = Dictionary(uniqueKeysWithValues: names.map { ("\($0).yaml", version) })
    let (model, findings) = try read(files.merging(["versions.yaml": list]) { $1 })
    #expect(findings == [])
    #expect(writeVersions(try #require(model)) == list)
  }

  @Test(arguments: [
    ("versions: [V1, V2]\n", ["versions.yaml:1:1 MC2101"]),
    ("current: V9\nversions: [V1, V2]\n", ["versions.yaml:1:10 MC2101"]),
    ("current: V1\nversions: [V1, V2, V1]\n", ["versions.yaml:2:20 MC2102"]),
    ("current: V1\nversions: [V1, {name: V2, from: V7}]\n", ["versions.yaml:2:33 MC2106"]),
    ("current: V1\nversions: [V1, {name: V2, from: V2}]\n", ["versions.yaml:2:33 MC2106"]),
    ("current: V1\nversions: [{name: V1, from: V2}, V2]\n", ["versions.yaml:2:29 MC2106"]),
    ("current: V1\nversions: [V1, ../V2]\n", ["versions.yaml:2:16 MC1101"]),
    ("current: V1\nversions: [V1, versions]\n", ["versions.yaml:2:16 MC1101"]),
    ("current: V1\nversions: [V1, {from: V1}]\n", ["versions.yaml:2:16 MC0005"]),
    ("current: V1\n", ["versions.yaml:1:1 MC0005"]),
    ("current: V1\nversions: V1\n", ["versions.yaml:2:11 MC0004"]),
    ("curent: V1\nversions: [V1]\n", ["versions.yaml:1:1 MC0003", "versions.yaml:1:1 MC2101"]),
    ("current: V1\nversions: [V1, V3]\n", ["V3.yaml:1:1 MC0009"]),
    ("current: [\n", ["versions.yaml:2:1 MC0001"]),
  ])
  func `a list that makes no sense is reported at its place`(list: String, expected: [String]) throws {
    let (_, findings) = try read(["versions.yaml": list, "V1.yaml": version, "V2.yaml": version])
    #expect(findings == expected)
  }

  @Test func `the findings of all files come in one run`() throws {
    let (model, findings) = try read([
      "versions.yaml": "current: V1\nversions: [V1, V2, V3]\n", "V1.yaml": "entities: {E: {colour: red}}\n",
      "V2.yaml": "entities: [\n", "V3.yaml": version,
    ])
    #expect(findings == ["V1.yaml:1:16 MC0003", "V2.yaml:2:1 MC0001"])
    #expect(model?.versions.map(\.name) == ["V1", "V3"])
  }

  @Test func `what is no readable file is MC0009, and never stalls`() throws {
    try withTemporaryFolder { folder in
      #expect(readVersionedModel(folder: folder).diagnostics.map(\.code.description) == ["MC0009"])
      let list = "current: loop\nversions: [loop, folder, dangling, pipe, absent]\n"
      try Data(list.utf8).write(to: folder.appending(path: "versions.yaml"))
      let manager = FileManager.default
      try manager.createSymbolicLink(
        at: folder.appending(path: "loop.yaml"), withDestinationURL: folder.appending(path: "loop2.yaml"))
      try manager.createSymbolicLink(
        at: folder.appending(path: "loop2.yaml"), withDestinationURL: folder.appending(path: "loop.yaml"))
      try manager.createSymbolicLink(
        at: folder.appending(path: "dangling.yaml"), withDestinationURL: folder.appending(path: "nowhere"))
      try manager.createDirectory(
        at: folder.appending(path: "folder.yaml"), withIntermediateDirectories: false)
      #expect(unsafe mkfifo(folder.appending(path: "pipe.yaml").path, 0o600) == 0)
      let (model, diagnostics) = readVersionedModel(folder: folder)
      #expect(model?.versions.isEmpty == true)
      #expect(diagnostics.map(\.code.description) == Array(repeating: "MC0009", count: 5))
      #expect(diagnostics.allSatisfy { $0.notes.first?.place != nil })
    }
  }

  @Test func `a symbolic link to a file is followed`() throws {
    try withTemporaryFolder { folder in
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: folder.appending(path: "versions.yaml"))
      try Data(version.utf8).write(to: folder.appending(path: "real"))
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "V1.yaml"), withDestinationURL: folder.appending(path: "real"))
      let (model, diagnostics) = readVersionedModel(folder: folder)
      #expect(diagnostics == [])
      #expect(model?.versions.count == 1)
    }
  }

  @Test func `a file of 100 MB is refused unread`() throws {
    try withTemporaryFolder { folder in
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: folder.appending(path: "versions.yaml"))
      let file = folder.appending(path: "V1.yaml")
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 100 << 20)
      try handle.close()
      let start = ContinuousClock.now
      #expect(readVersionedModel(folder: folder).diagnostics.map(\.code.description) == ["MC0007"])
      #expect(ContinuousClock.now - start < .seconds(1))
    }
  }

  @Test func `places show the path as it was given`() {
    let (_, diagnostics) = readVersionedModel(folder: URL(filePath: "Models/No Such"))
    #expect(diagnostics.map { $0.place?.file } == ["Models/No Such/versions.yaml"])
    let (_, absolute) = readVersionedModel(folder: URL(filePath: "/no/such", directoryHint: .isDirectory))
    #expect(absolute.map { $0.place?.file } == ["/no/such/versions.yaml"])
  }

  @Test func `names that are hard to write are read back`() throws {
    let names = ["Moody 2", "NO", "1.10", "a #b", "größe"]
    let versions = names.map { ModelVersion(name: $0, model: ManagedObjectModel()) }
    let written = writeVersions(VersionedModel(name: "M", versions: versions, currentVersionName: "1.10"))
    var files = ["versions.yaml": written]
    for name in names { files["\(name).yaml"] = version }
    let (model, findings) = try read(files)
    #expect(findings == [])
    #expect(model?.versions.map(\.name) == names)
    #expect(model?.currentVersionName == "1.10")
  }
}
