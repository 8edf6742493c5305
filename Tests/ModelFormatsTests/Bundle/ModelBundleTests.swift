import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

@Suite(.needsFixtures)
struct GenuineModelBundleTests {
  static let resources = "alemar11+CoreDataPlus/Tests/Resources/"

  private func genuine(_ name: String) -> URL {
    Fixtures.url(Self.resources + "\(name)/Fixtures/\(name).momd")
  }

  private func versionInfo(_ url: URL) throws -> NSDictionary {
    let data = try Data(contentsOf: url.appending(path: "VersionInfo.plist"))
    return try #require(
      try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
  }

  @Test(arguments: [("SampleModel", 3), ("SampleModel3", 3)])
  func `a genuine bundle reads with the hashes that it records`(_ name: String, _ count: Int) throws {
    let (model, diagnostics) = try readModelBundle(at: genuine(name))
    #expect(diagnostics.isEmpty)
    #expect(model.versions.count == count)
    #expect(model.currentVersionName == name)
    for version in model.versions {
      #expect(version.recordedHashes == version.model.entityVersionHashesByName)
      #expect(version.recordedHashes?.isEmpty == false)
    }
  }

  @Test(arguments: ["SampleModel", "SampleModel3"])
  func `hashes and checksums compiled from source equal the genuine ones byte for byte`(_ name: String) throws
  {
    let source = Fixtures.url(Self.resources + "\(name)/\(name).xcdatamodeld")
    let model = try #require(readXcodeModelPackage(at: source).model)
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try model.writeBundle(to: url)
      let (ours, theirs) = (try versionInfo(url), try versionInfo(genuine(name)))
      var compared = 0
      for key in ["NSManagedObjectModel_VersionHashes", "NSManagedObjectModel_VersionChecksums"] {
        guard let expected = theirs[key] as? NSDictionary else { continue }
        #expect(ours[key] as? NSDictionary == expected)
        compared += expected.count
      }
      #expect(compared == (name == "SampleModel3" ? 6 : 3))
    }
  }

  @Test(arguments: Fixtures.all(withExtension: "xcdatamodeld"))
  func `every genuine model can be compiled, read back and found up to date`(_ source: URL) throws {
    let model = try #require(readXcodeModelPackage(at: source).model)
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "\(model.name).momd")
      try model.writeBundle(to: url)
      #expect(try model.checkBundle(at: url).isEmpty)
      let (back, diagnostics) = try readModelBundle(at: url)
      #expect(diagnostics.isEmpty)
      #expect(back.name == model.name)
      #expect(back.currentVersionName == model.currentVersionName)
      #expect(back.versions.map(\.name) == model.versions.map(\.name))
      for (version, original) in zip(back.versions, model.versions) {
        #expect(version.model == withValuesForTexts(original.model))
        #expect(version.entityVersionHashesByName == original.entityVersionHashesByName)
      }
    }
  }
}

@Suite struct ModelBundleTests {
  private func version(_ name: String, _ entity: String = "E") -> ModelVersion {
    ModelVersion(name: name, model: ManagedObjectModel(entities: [EntityDescription(name: entity)]))
  }

  private func model(_ versions: [ModelVersion]) -> VersionedModel {
    VersionedModel(name: "M", versions: versions, currentVersionName: versions.last?.name ?? "")
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return contents
  }

  @Test func `the order of versions and their predecessors come back`() throws {
    try withTemporaryFolder { folder in
      var hotfix = version("V2-hotfix")
      hotfix.predecessorNames = ["V9"]
      let model = model([version("V9"), version("V2"), hotfix, version("A")])
      let url = folder.appending(path: "M.momd")
      try model.writeBundle(to: url)
      let back = try readModelBundle(at: url).model
      #expect(back.versions.map(\.name) == ["V9", "V2", "V2-hotfix", "A"])
      #expect(back.versions.map(\.predecessorName) == [nil, nil, "V9", nil])
      #expect(back.currentVersionName == "A")
    }
  }

  @Test func `a bundle is replaced whole and nothing is left beside it`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try model([version("V1"), version("V2")]).writeBundle(to: url)
      let first = try contents(of: url)
      #expect(Set(first.keys) == ["V1.mom", "V2.mom", "VersionInfo.plist"])
      try model([version("V3")]).writeBundle(to: url)
      #expect(try Set(contents(of: url).keys) == ["V3.mom", "VersionInfo.plist"])
      try model([version("V1"), version("V2")]).writeBundle(to: url)
      #expect(try contents(of: url) == first)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["M.momd"])
    }
  }

  @Test func `a check names what differs`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      #expect(try model([version("V1")]).checkBundle(at: url).map(\.code.description) == ["MC2201"])
      try model([version("V1"), version("V2")]).writeBundle(to: url)
      let findings = try model([version("V2", "F"), version("V3")]).checkBundle(at: url)
      #expect(
        findings.flatMap(\.notes).map(\.message) == [
          "'V2.mom' differs", "'V3.mom' is missing", "'VersionInfo.plist' differs", "'V1.mom' is not needed",
        ])
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "../x", ".hidden", "a\u{0}b", String(repeating: "x", count: 300)])
  func `a version name never leaves the bundle`(_ name: String) throws {
    try withTemporaryFolder { folder in
      let error = try #require(throws: DiagnosticsError.self) {
        try model([version(name)]).writeBundle(to: folder.appending(path: "M.momd"))
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC2107"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func `two names that differ by case alone are refused`() throws {
    try withTemporaryFolder { folder in
      let error = try #require(throws: DiagnosticsError.self) {
        try model([version("V1"), version("v1")]).writeBundle(to: folder.appending(path: "M.momd"))
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC2107"])
    }
  }

  @Test func `a folder that is no bundle is never replaced`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data("precious".utf8).write(to: url.appending(path: "thesis.txt"))
      for target in [url, folder.appending(path: "M")] {
        let error = try #require(throws: DiagnosticsError.self) {
          try model([version("V1")]).writeBundle(to: target)
        }
        #expect(error.diagnostics.map(\.code.description) == ["MC2205"])
      }
      #expect(try contents(of: url) == ["thesis.txt": Data("precious".utf8)])
    }
  }

  @Test func `recorded hashes win and a difference is told`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      let foreign = try #require(VersionHash(data: Data(repeating: 7, count: 32)))
      let version = ModelVersion(name: "V1", model: version("V1").model, recordedHashes: ["E": foreign])
      try model([version]).writeBundle(to: url)
      let (back, diagnostics) = try readModelBundle(at: url)
      #expect(back.versions.first?.entityVersionHashesByName == ["E": foreign])
      #expect(diagnostics.map(\.code.description) == ["MC2202"])
      #expect(diagnostics.first?.notes.count == 1)
    }
  }

  @Test func `a version that cannot be read does not keep the others back`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try model([version("V1"), version("V2")]).writeBundle(to: url)
      try Data("broken".utf8).write(to: url.appending(path: "V1.mom"))
      let (back, diagnostics) = try readModelBundle(at: url)
      #expect(back.versions.map(\.name) == ["V2"])
      #expect(diagnostics.map(\.code.description) == ["MC2203"])
      #expect(diagnostics.first?.place?.file.hasSuffix("M.momd/V1.mom") == true)
      try FileManager.default.removeItem(at: url.appending(path: "V2.mom"))
      let error = try #require(throws: DiagnosticsError.self) { try readModelBundle(at: url) }
      #expect(error.diagnostics.map(\.code.description) == ["MC2203", "MC2203"])
    }
  }

  @Test func `hashes of other entities than the model's are told`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try model([version("V1")]).writeBundle(to: url)
      let other = ManagedObjectModel(entities: [EntityDescription(name: "F")]).keyedArchive()
      try other.write(to: url.appending(path: "V1.mom"))
      let (back, diagnostics) = try readModelBundle(at: url)
      #expect(diagnostics.map(\.code.description) == ["MC2203"])
      #expect(
        diagnostics.first?.notes.map(\.message) == [
          "'E' is in only one of them", "'F' is in only one of them",
        ])
      #expect(back.versions.first?.entityVersionHashesByName.keys.sorted() == ["F"])
    }
  }

  @Test func `a VersionInfo that names files elsewhere, or is damaged, is refused`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "M.momd")
      try model([version("V1"), version("V2")]).writeBundle(to: url)
      let info = url.appending(path: "VersionInfo.plist")
      let hash = Data(repeating: 1, count: 32)
      let lists: [[String: [String: [String: Data]]]] = [
        ["NSManagedObjectModel_VersionHashes": ["../V1": ["E": hash]]],
        ["NSManagedObjectModel_VersionHashes": ["V1": ["E": Data([1])]]],
      ]
      for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
        for list in lists {
          try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0).write(
            to: info)
          let error = try #require(throws: DiagnosticsError.self) { try readModelBundle(at: url) }
          #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
        }
      }
      try Data("bplist00nonsense".utf8).write(to: info)
      let damaged = try #require(throws: DiagnosticsError.self) { try readModelBundle(at: url) }
      #expect(damaged.diagnostics.first?.message.contains("not a property list") == true)
      try FileManager.default.removeItem(at: info)
      let missing = try #require(throws: DiagnosticsError.self) { try readModelBundle(at: url) }
      #expect(missing.diagnostics.first?.message.contains("has no 'VersionInfo.plist'") == true)
    }
  }

  @Test func `a single compiled model reads as a model of one version`() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "One.mom")
      try version("V").model.keyedArchive().write(to: url)
      let model = try readModelBundle(at: url).model
      #expect((model.name, model.currentVersionName, model.versions.count) == ("One", "One", 1))
      let error = try #require(throws: DiagnosticsError.self) {
        try readModelBundle(at: folder.appending(path: "none.momd"))
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC0009"])
    }
  }

  @Test func `a folder that may not be written keeps what is there`() throws {
    try withTemporaryFolder { folder in
      // A file where a folder would have to be: fails for every user, root included.
      let file = folder.appending(path: "file")
      try Data().write(to: file)
      let error = try #require(throws: DiagnosticsError.self) {
        try model([version("V1")]).writeBundle(to: file.appending(path: "M.momd"))
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC2206"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }
  }
}
