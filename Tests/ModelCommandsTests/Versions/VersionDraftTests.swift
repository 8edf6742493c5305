import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ModelCommands

@Suite("New versions") struct VersionDraftTests {
  private let content = "# The first release.\nentities:\n  Hut: {}   # a hut\n"

  /// The list after a new version was added, and the new file.
  private func draft(
    _ list: String, _ name: String = "V4", from: String? = nil, isCurrent: Bool = false,
    files: [String] = ["V1", "V2", "V3", "fix"]
  ) throws -> (list: String, file: String) {
    try withTemporaryFolder { folder in
      let listFile = folder.appending(path: "versions.yaml")
      try Data(list.utf8).write(to: listFile)
      for file in files { try Data(content.utf8).write(to: folder.appending(path: "\(file).yaml")) }
      let draft = try VersionDraft(name: name, from: from, isCurrent: isCurrent, folder: folder.path)
      #expect(try String(contentsOf: listFile, encoding: .utf8) == list)
      try draft.write()
      let (model, diagnostics) = readVersionedModel(folder: folder)
      // Some of the files are not listed, which is a warning.
      #expect(!diagnostics.hasErrors)
      #expect(model?.versions.last?.name == name)
      return (
        try String(contentsOf: listFile, encoding: .utf8),
        try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
      )
    }
  }

  @Test func `what goes with the copied version, of an included model, goes with the new one`() {
    let list = "versions: [V1]\ninclude:\n  - model: ../Core\n    versions: {V1: C1}\n  - model: ../Kit\n"
    let edited = addingCounterparts(of: "V2", like: "V1", to: Data(list.utf8), file: "versions.yaml")
    #expect(String(decoding: edited, as: UTF8.self) == list.replacing("{V1: C1}", with: "{V1: C1, V2: C1}"))
  }

  @Test func `the file is a copy, comments and all`() throws {
    #expect(try draft("current: V1\nversions: [V1]\n").file == content)
  }

  @Test(arguments: [
    // Lines.
    (
      "current: V3\nversions:\n  - V1\n  - V2\n  - V3\n",
      "current: V3\nversions:\n  - V1\n  - V2\n  - V3\n  - V4\n"
    ),
    ("current: V1\nversions:\n- V1", "current: V1\nversions:\n- V1\n- V4"),
    (
      "# Ours.\nversions:   # oldest first\n  -   V1\n  -   V2   # released\n\n  # drafts follow\ncurrent: V2  # now\n",
      "# Ours.\nversions:   # oldest first\n  -   V1\n  -   V2   # released\n  -   V4\n\n  # drafts follow\ncurrent: V2  # now\n"
    ),
    ("current: V1\r\nversions:\r\n  - V1\r\n", "current: V1\r\nversions:\r\n  - V1\r\n  - V4\r\n"),
    (
      "current: V2\nversions:\n  - V1\n  - name: V2\n",
      "current: V2\nversions:\n  - V1\n  - name: V2\n  - V4\n"
    ),
    // In brackets.
    ("current: V2\nversions: [V1, V2]\n", "current: V2\nversions: [V1, V2, V4]\n"),
    ("versions: [ \"V1\" ,]\ncurrent: V1\n", "versions: [ \"V1\", V4 ,]\ncurrent: V1\n"),
    (
      "current: V2\nversions: [\n  V1,\n  V2  # last\n]\n",
      "current: V2\nversions: [\n  V1,\n  V2,\n  V4  # last\n]\n"
    ),
    ("{current: V1, versions: [V1]}\n", "{current: V1, versions: [V1, V4]}\n"),
  ])
  func `the list gains one entry, and keeps its layout`(_ list: String, _ expected: String) throws {
    #expect(try draft(list).list == expected)
  }

  @Test(arguments: [
    // A copy of another than the last of the main line leaves from it.
    ("current: V1\nversions: [V1, V2]\n", "current: V1\nversions: [V1, V2, {name: V4, from: V1}]\n"),
    (
      "current: V2\nversions:\n  - V1\n  - V2\n  - {name: fix, from: V1}\n",
      "current: V2\nversions:\n  - V1\n  - V2\n  - {name: fix, from: V1}\n  - V4\n"
    ),
    (
      "current: fix\nversions:\n  - V1\n  - V2\n  - name: fix\n    from: V1\n",
      "current: fix\nversions:\n  - V1\n  - V2\n  - name: fix\n    from: V1\n  - {name: V4, from: fix}\n"
    ),
    // The main line goes on from where branches come together.
    (
      "current: V3\nversions: [V1, V2, {name: fix, from: V1}, {name: V3, from: [V2, fix]}]\n",
      "current: V3\nversions: [V1, V2, {name: fix, from: V1}, {name: V3, from: [V2, fix]}, V4]\n"
    ),
  ])
  func `a branch says where it leaves`(_ list: String, _ expected: String) throws {
    #expect(try draft(list).list == expected)
  }

  @Test func `another version can be copied, and be current at once`() throws {
    let list = "current: V3   # shipped\nversions: [V1, V2, V3]\n"
    #expect(
      try draft(list, from: "V2", isCurrent: true).list
        == "current: V4   # shipped\nversions: [V1, V2, V3, {name: V4, from: V2}]\n")
    #expect(try draft(list, from: "V3").list == "current: V3   # shipped\nversions: [V1, V2, V3, V4]\n")
  }

  @Test(arguments: [
    ("V 4", "V 4"), ("4", "\"4\""), ("no", "\"no\""), ("V#4", "V#4"), ("it's", "it's"), ("- x", "\"- x\""),
    ("ä", "ä"), ("1.10", "\"1.10\""),
  ])
  func `a name that YAML would take for something else is quoted`(_ name: String, _ written: String) throws {
    let list = "current: V1\nversions: [V1]\n"
    #expect(
      try draft(list, name, isCurrent: true).list == "current: \(written)\nversions: [V1, \(written)]\n")
  }

  @Test func `a comma counts in brackets alone`() throws {
    #expect(
      try draft("current: V1\nversions: [V1]\n", "V4, V5", isCurrent: true).list
        == "current: V4, V5\nversions: [V1, \"V4, V5\"]\n")
  }

  @Test(
    arguments: [
      ("V1", nil, "MC2102"), ("v1", nil, "MC2102"), ("versions", nil, "MC1101"), ("a/b", nil, "MC1101"),
      ("", nil, "MC1101"), (".x", nil, "MC1101"), ("V4", "V9", "MC2101"), ("V3", nil, "MC0012"),
      ("V4", "V2", "MC0009"),
    ] as [(String, String?, String)])
  func `what cannot be is refused, and nothing is written`(_ name: String, _ from: String?, _ code: String)
    throws
  {
    try withTemporaryFolder { folder in
      let list = "current: V1\nversions: [V1, V2]\n"
      try Data(list.utf8).write(to: folder.appending(path: "versions.yaml"))
      for file in ["V1", "V3"] { try Data(content.utf8).write(to: folder.appending(path: "\(file).yaml")) }
      let error = #expect(throws: (any Error).self) {
        try VersionDraft(name: name, from: from, isCurrent: false, folder: folder.path).write()
      }
      let (found, status) = try OutputOptions().explain(#require(error))
      #expect(found.map(\.code.description) == [code])
      #expect(code != "MC0012" || status == 2)
      // As the list has it.
      #expect(name != "v1" || found.first?.message.contains("'V1'") == true)
      #expect(try String(contentsOf: folder.appending(path: "versions.yaml"), encoding: .utf8) == list)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
          "V1.yaml", "V3.yaml", "versions.yaml",
        ])
    }
  }

  @Test func `a list that cannot be read is said so`() throws {
    #expect(throws: DiagnosticsError.self) { try draft("versions: [\n") }
    #expect(throws: DiagnosticsError.self) { try draft("current: V1\nversions: []\n") }
  }
}

@Suite("The table of versions") struct VersionTableTests {
  @Test func `the sample, with a draft that is still a copy`() throws {
    var model = try Package.trails()
    let last = try #require(model.versions.last)
    model.versions.append(ModelVersion(name: "V7", model: last.model, predecessorNames: ["V6"]))
    #expect(
      VersionTable(model).text == """
        Trails: 7 versions
          version  follows  entities  checksum       state
          V1                       5  db2BVSM9+Sb7…
          V2       V1              6  cKxMqTFbMywt…
          V3       V2              8  PkpU55Bv6CpM…
          V4       V3              9  SPuwSM4iFFYy…
          V5       V4              7  RcW1FldQq9Ad…
          V6       V5              8  lCv/8nHq9PoO…  current
          V7       V6              8  lCv/8nHq9PoO…  draft, same hashes as V6
        """)
  }

  @Test func `as JSON, with every key`() throws {
    let json = VersionTable.result.json(of: (VersionTable(try Package.trails()), []))
    #expect(json["model"] == "Trails")
    #expect(json["current"] == "V6")
    #expect(json["diagnostics"] == [])
    guard case .array(let versions)? = json["versions"] else {
      Issue.record("no versions")
      return
    }
    #expect(versions.map { $0["name"] } == ["V1", "V2", "V3", "V4", "V5", "V6"])
    #expect(versions.map { $0["predecessor"] } == [.null, "V1", "V2", "V3", "V4", "V5"])
    for version in versions {
      guard case .object(let members) = version else { continue }
      #expect(
        members.map(\.key) == [
          "name", "predecessor", "predecessors", "state", "checksum", "fingerprint", "entities", "unverified",
          "sameHashesAs", "since", "firstTag", "released", "tag", "differences",
        ])
    }
  }

  @Test func `entities whose hash rests on an unconfirmed rule are marked`() throws {
    let composite = CompositeDescription(
      name: "Point", elements: [AttributeDescription(name: "x", type: .double)])
    let line = CompositeDescription(
      name: "Line", elements: [AttributeDescription(name: "from", type: .composite, compositeName: "Point")])
    let hut = EntityDescription(
      name: "Hut", attributes: [AttributeDescription(name: "at", type: .composite, compositeName: "Line")])
    let model = ManagedObjectModel(
      entities: [hut, EntityDescription(name: "Trail")], composites: [composite, line])
    var version = ModelVersion(name: "V1", model: model)
    version.unprovenHashes = ["Trail": ["dictionaries"]]
    let versioned = VersionedModel(name: "T", versions: [version], currentVersionName: "V1")
    guard case .array(let versions)? = VersionTable.result.json(of: (VersionTable(versioned), []))["versions"]
    else {
      Issue.record("no versions")
      return
    }
    #expect(versions.first?["unverified"] == ["Hut", "Trail"])
  }
}
