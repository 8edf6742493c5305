import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel
@testable import ModelFormats

/// A version written as a change of another one: `extends`.
@Suite struct ExtendsTests {
  private static let base = """
    identifiers: [one]
    entities:
      Place:
        abstract: true
        attributes: {name: string}
      Hut:
        parent: Place
        class: {name: CDHut, module: Huts}
        attributes:
          beds: integer16 = 0
          fax: string?
          note: {type: string?, maxLength: 5, userInfo: {owner: a, kept: b}}
        relationships:
          visits: {toMany: Visit, inverse: hut, ordered: true}
        fetchIndexes:
          byBeds: [beds desc]
        uniquenessConstraints: [[name]]
      Visit:
        relationships:
          hut: {to: Hut, inverse: visits}
    composites:
      Position: {latitude: double = 0, longitude: double = 0}
    configurations:
      Local: [Hut, Place, Visit]
    fetchRequests:
      All: {entity: Hut, limit: 3}

    """

  /// The whole of V2, which says `change`, over ``base``; and what was found.
  private func read(_ change: String, _ base: String = base) throws -> (ManagedObjectModel?, [String]) {
    let (model, findings, _) = try readFolder(["V1": base, "V2": "extends: V1\n" + change])
    return (model?.version(named: "V2")?.model, findings)
  }

  private func readFolder(
    _ files: [String: String], order: [String]? = nil
  ) throws -> (model: VersionedModel?, findings: [String], diagnostics: [Diagnostic]) {
    try withTemporaryFolder { folder in
      let names = order ?? files.keys.sorted()
      try Data("current: \(names[0])\nversions: [\(names.joined(separator: ", "))]\n".utf8)
        .write(to: folder.appending(path: "versions.yaml"))
      for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml")) }
      let (model, diagnostics) = readVersionedModel(folder: folder)
      let findings = diagnostics.map { finding in
        let file = finding.place?.file.split(separator: "/").last ?? "nowhere"
        let start = finding.place?.start ?? SourceLocation(line: 0, column: 0)
        return "\(file):\(start.line):\(start.column) \(finding.code) \(finding.message)"
      }
      return (model, findings, diagnostics)
    }
  }

  /// Each change of ``base`` with what the same version says written out: `old → new` for every line that differs.
  @Test(arguments: [
    ("", []),
    ("identifiers: [two, three]", ["[one] → [two, three]"]),
    (
      "entities: {Hut: {attributes: {stars: integer16 = 3}}}",
      ["kept: b}} → kept: b}}|      stars: integer16 = 3"]
    ),
    ("entities: {Hut: {attributes: {beds: integer32}}}", ["integer16 = 0 → integer32"]),
    ("entities: {Hut: {attributes: {beds: {default: 4}}}}", ["integer16 = 0 → integer16 = 4"]),
    (
      "entities: {Hut: {attributes: {beds: {type: integer16, default: 4}}}}",
      ["integer16 = 0 → integer16 = 4"]
    ),
    ("entities: {Hut: {attributes: {beds: {optional: true}}}}", ["integer16 = 0 → integer16? = 0"]),
    ("entities: {Hut: {attributes: {beds: {remove: [default]}}}}", ["integer16 = 0 → integer16"]),
    (
      "entities: {Hut: {attributes: {fax: {optional: false, default: ''}}}}",
      ["fax: string? → fax: string = ''"]
    ),
    ("entities: {Hut: {attributes: {note: {type: string}}}}", ["{type: string?, max → {type: string, max"]),
    ("entities: {Hut: {attributes: {note: {userInfo: {owner: c}}}}}", ["owner: a → owner: c"]),
    (
      "entities: {Hut: {attributes: {note: {remove: [userInfo.owner, maxLength]}}}}",
      [", maxLength: 5 → ", "owner: a,  → "]
    ),
    ("entities: {Hut: {class: {module: Cabins}}}", ["module: Huts → module: Cabins"]),
    ("entities: {Hut: {class: Cabin}}", ["{name: CDHut, module: Huts} → Cabin"]),
    ("entities: {Hut: {remove: [parent, class.module]}}", ["    parent: Place| → ", ", module: Huts → "]),
    ("remove: [Hut.fax]", ["      fax: string?| → "]),
    ("entities: {Hut: {remove: [fax]}}", ["      fax: string?| → "]),
    (
      "remove: [Visit, Hut.visits]\nconfigurations: {Local: [Hut, Place]}",
      [
        ", Visit] → ]", "      visits: {toMany: Visit, inverse: hut, ordered: true}| → ",
        "  Visit:|    relationships:|      hut: {to: Hut, inverse: visits}| → ",
      ]
    ),
    // Taken away and stated anew: nothing of the old one stays.
    (
      "remove: [Hut.note]\nentities: {Hut: {attributes: {note: {type: string?, minLength: 1}}}}",
      ["maxLength: 5, userInfo: {owner: a, kept: b}} → minLength: 1}"]
    ),
    (
      "remove: [composites.Position.longitude, configurations, fetchRequests.All.limit]",
      [", longitude: double = 0 → ", "configurations:|  Local: [Hut, Place, Visit]| → ", ", limit: 3 → "]
    ),
    (
      "composites: {Position: {altitude: double?, latitude: double = 1}}",
      [
        "{latitude: double = 0, longitude: double = 0} → {latitude: double = 1, longitude: double = 0, altitude: double?}"
      ]
    ),
    ("entities: {Hut: {relationships: {visits: {remove: [ordered]}}}}", [", ordered: true → "]),
    (
      "entities: {Hut: {relationships: {visits: {to: Visit, remove: [ordered]}}}}",
      ["toMany: Visit, inverse: hut, ordered: true → to: Visit, inverse: hut"]
    ),
    (
      "entities: {Hut: {fetchIndexes: {byBeds: {where: beds > 0}}, uniquenessConstraints: [[name, beds]]}}",
      ["byBeds: [beds desc] → byBeds: {elements: [beds desc], where: beds > 0}", "[[name]] → [[name, beds]]"]
    ),
    (
      "fetchRequests: {All: {limit: 4}}\nretired: [Hut.pager]",
      ["limit: 3}| → limit: 4}|retired: [Hut.pager]|"]
    ),
    (
      "entities: {Trail: {attributes: {length: double?}}}",
      ["composites: →   Trail: {attributes: {length: double?}}|composites:"]
    ),
  ])
  func `a change says what the whole written out does`(_ change: String, _ edits: [String]) throws {
    let (model, findings) = try read(change + "\n")
    #expect(findings == [])
    var text = Self.base
    for edit in edits {
      let parts = edit.replacing("|", with: "\n").components(separatedBy: " → ")
      try #require(parts.count == 2 && text.contains(parts[0]), "\(edit)")
      text = text.replacing(parts[0], with: parts[1])
    }
    let whole = readModel(yaml: Data(text.utf8), file: "V2.yaml")
    #expect(whole.diagnostics == [], "\(text)")
    #expect(model == whole.model)
  }

  @Test func `a chain of changes, in any order of the list`() throws {
    let files = [
      "A": "entities: {E: {attributes: {a: string}}}\n",
      "B": "extends: A\nentities: {E: {attributes: {b: string}}}\n",
      "C": "extends: B\nentities: {E: {attributes: {a: string?}}}\n",
      "D": "extends: C\nremove: [E.b]\n",
    ]
    for order in [["A", "B", "C", "D"], ["D", "C", "B", "A"], ["C", "A", "D", "B"]] {
      let (model, findings, _) = try readFolder(files, order: order)
      #expect(findings == [])
      let properties = try ["A", "B", "C", "D"].map { name in
        try #require(model?.version(named: name)?.model.entities.first?.attributes).map {
          $0.name + ($0.isOptional ? "?" : "")
        }
      }
      #expect(properties == [["a"], ["a", "b"], ["a?", "b"], ["a?"]])
    }
  }

  @Test(arguments: [
    (["V1": "extends: V1\n"], ["V1.yaml:1:10 MC2108 version 'V1' extends itself"]),
    (
      ["V1": "extends: V2\n", "V2": "extends: V3\n", "V3": "extends: V1\n", "V4": "extends: V3\n"],
      ["V1.yaml:1:10 MC2108 version 'V1' extends itself through 'V2', 'V3'"]
    ),
    (
      ["V1": "entities: {}\n", "V2": "extends: V9\n", "V3": "extends: V2\n"],
      ["V2.yaml:1:10 MC2108 this version extends 'V9', which versions.yaml does not list"]
    ),
    (
      ["V1": "entities: {}\n", "V2": "extends: ../V1\n"],
      [
        "V2.yaml:1:10 MC2108 this version extends '../V1', which versions.yaml does not list"
      ]
    ),
    (
      ["V1": "entities: [\n", "V2": "extends: V1\n"],
      [
        "V1.yaml:2:1 MC0001 did not find expected node content"
      ]
    ),
    (
      ["V1": "entities: {}\n", "V2": "extends: [V1]\n"],
      ["V2.yaml:1:10 MC0004 'extends' is a text, not a list"]
    ),
    (["V1": "entities: {}\n", "V2": "extends:\n"], ["V2.yaml:1:1 MC0004 'extends' is a text, not nothing"]),
  ])
  func `what cannot be extended is told at its place, once`(_ files: [String: String], _ expected: [String])
    throws
  {
    let (_, findings, _) = try readFolder(files)
    #expect(findings.map { $0.replacing("V2.yaml:1:9 MC0004", with: "V2.yaml:1:1 MC0004") } == expected)
  }

  @Test(
    arguments: [
      (
        "remove: [Hut.faks]\n", "V2.yaml:2:10 MC2109 'V1' has no 'Hut.faks' to remove",
        "did you mean 'Hut.fax'?"
      ),
      ("remove: [Huts]\n", "V2.yaml:2:10 MC2109 'V1' has no 'Huts' to remove", "did you mean 'Hut'?"),
      ("remove: [Hut.fax, Hut.fax]\n", "V2.yaml:2:19 MC2109 'V1' has no 'Hut.fax' to remove", nil),
      (
        "entities: {Hut: {remove: [bed]}}\n", "V2.yaml:2:27 MC2109 'V1' has no 'Hut.bed' to remove",
        "did you mean 'beds'?"
      ),
      (
        "entities: {Hut: {attributes: {bedz: {default: 3}}}}\n",
        "V2.yaml:2:31 MC2109 'V1' has no attribute 'Hut.bedz' to change", "did you mean 'beds'?"
      ),
      (
        "entities: {Hut: {relationships: {owner: {inverse: huts}}}}\n",
        "V2.yaml:2:34 MC2109 'V1' has no relationship 'Hut.owner' to change",
        "to add a relationship, write its 'to' or 'toMany'"
      ),
      (
        "entities: {Huts: {attributes: {beds: {default: 3}}}}\n",
        "V2.yaml:2:12 MC2109 'V1' has no entity 'Huts' to change", "did you mean 'Hut'?"
      ),
      (
        "entities: {Lodge: {remove: [beds]}}\n",
        "V2.yaml:2:12 MC2109 'V1' has no entity 'Lodge' to change", "to add an entity, write all of it"
      ),
      (
        "fetchRequests: {Al: {limit: 4}}\n",
        "V2.yaml:2:17 MC2109 'V1' has no fetch request 'fetchRequests.Al' to change",
        "did you mean 'All'?"
      ),
      (
        "entities: {Hut: {attributes: {beds: integer16 = 0}}}\n",
        "V2.yaml:2:31 MC2110 'Hut.beds' is already the same in 'V1': this changes nothing", nil
      ),
      (
        "entities: {Hut: {attributes: {note: {maxLength: 5}}}}\n",
        "V2.yaml:2:31 MC2110 'Hut.note' is already the same in 'V1': this changes nothing", nil
      ),
      (
        "entities: {Hut: {attributes: {note: {userInfo: {owner: a}}}}}\n",
        "V2.yaml:2:31 MC2110 'Hut.note' is already the same in 'V1': this changes nothing", nil
      ),
      (
        "entities: {Hut: {}}\n",
        "V2.yaml:2:12 MC2110 'Hut' is already the same in 'V1': this changes nothing", nil
      ),
      (
        "entities: {Hut: }\n", "V2.yaml:2:12 MC2110 'Hut' is already the same in 'V1': this changes nothing",
        nil
      ),
      (
        "entities: {Hut: {parent: Place}}\n",
        "V2.yaml:2:18 MC2110 'Hut.parent' is already the same in 'V1': this changes nothing", nil
      ),
      (
        "identifiers: [one]\n",
        "V2.yaml:2:1 MC2110 'identifiers' is already the same in 'V1': this changes nothing", nil
      ),
      ("remove: Hut\n", "V2.yaml:2:9 MC0004 'remove' is a list, not 'Hut'", nil),
      (
        "entities: {Hut: {attributes: {beds: {defualt: 3}}}}\n",
        "V2.yaml:2:38 MC0003 an attribute has no key 'defualt'", nil
      ),
    ] as [(String, String, String?)])
  func `what has nothing to act on is told at its place`(
    _ change: String, _ expected: String, _ help: String?
  ) throws {
    let (_, findings, diagnostics) = try readFolder(["V1": Self.base, "V2": "extends: V1\n" + change])
    #expect(findings == [expected])
    if let help { #expect(diagnostics.first?.help == [help]) }
  }

  /// Edits are made in the version's own file, and fix it.
  @Test(arguments: [
    "entities:\n  Hut:\n    attributes:\n      bedz: {default: 3}\n", "remove: [Hut.faks]\n",
    "entities:\n  Hut:\n    attributes:\n      beds: integer16 = 0\n      stars: integer16 = 0\n",
    "entities:\n  Hut:\n    attributes:\n      beds: integer16 = 0\n",
  ])
  func `the edits that a finding offers mend it`(_ change: String) throws {
    var text = "extends: V1\n" + change
    for _ in 0..<5 {
      let (_, findings, diagnostics) = try readFolder(["V1": Self.base, "V2": text])
      guard let finding = diagnostics.first else { return }
      #expect(finding.fixIts.isEmpty == false, "\(findings)")
      #expect(finding.fixIts.allSatisfy { $0.range.file.hasSuffix("V2.yaml") })
      let (data, applied) = applyFixIts([finding.fixIts], to: Data(text.utf8))
      #expect(applied == [0])
      text = String(decoding: data, as: UTF8.self)
    }
    Issue.record("not mended: \(text)")
  }

  @Test func `what a version takes over is told where it stands, and once`() throws {
    let base =
      "entities:\n  Hut:\n    attributes: {beds: intger16}\n    relationships:\n      trail: {to: Trail}\n  Trail: {}\n"
    let (model, findings, _) = try readFolder([
      "V1": base, "V2": "extends: V1\nentities: {Hut: {attributes: {stars: integer16}}}\n",
      "V3": "extends: V2\nremove: [Trail]\n", "V4": "extends: V3\nidentifiers: ['4']\n",
    ])
    #expect(findings == ["V1.yaml:3:24 MC1201 there is no type 'intger16'"])
    let versions = try #require(model).versions
    let told = (versions.flatMap { checkModel(of: $0, minimum: .error) }).reportedOnce(of: versions)
    // Only from V3 on is there no trail; V3 is named, V4 adds nothing to it.
    let missing = told.filter { $0.code.description == "MC1303" }
    #expect(missing.count == 1)
    let finding = try #require(missing.first)
    #expect(finding.place?.file.hasSuffix("V1.yaml") == true && finding.place?.start.line == 5)
    #expect(finding.notes.last?.message == "in version 'V3', which extends this one")
    #expect(finding.notes.last?.place?.file.hasSuffix("V3.yaml") == true)
    #expect(finding.fixIts.allSatisfy { $0.range.file.hasSuffix("V3.yaml") })
  }

  @Test func `a few small files cannot ask for much`() throws {
    let filler = String(repeating: "# a comment that makes the file large, line after line\n", count: 60_000)
    var files = ["V1": "entities: {}\n" + filler]
    for number in 2...60 { files["V\(number)"] = "extends: V1\nidentifiers: ['\(number)']\n" }
    let (_, findings, _) = try readFolder(files)
    #expect(!findings.isEmpty)
    #expect(findings.allSatisfy { $0.contains("1:10 MC0007") })
  }

  @Test func `a long chain costs no stack`() throws {
    var files = ["V0": "entities: {E: {}}\n"]
    let count = 400
    for number in 1...count { files["V\(number)"] = "extends: V\(number - 1)\nidentifiers: ['\(number)']\n" }
    let (model, findings, _) = try readFolder(files, order: (0...count).map { "V\($0)" }.reversed())
    #expect(findings == [])
    #expect(model?.version(named: "V\(count)")?.model.versionIdentifiers == ["\(count)"])
  }

  @Test func `a version file alone finds what it extends beside it`() throws {
    try withTemporaryFolder { folder in
      try Data(Self.base.utf8).write(to: folder.appending(path: "V1.yaml"))
      let file = folder.appending(path: "V2.yaml")
      try Data("extends: V1\nremove: [Hut.fax]\n".utf8).write(to: file)
      let reading = try readVersionFile(at: file, shownAs: "V2.yaml")
      #expect(reading.diagnostics == [])
      #expect(reading.model?.entities[1].attributes.map(\.name) == ["beds", "note"])
      try Data("extends: V3\n".utf8).write(to: file)
      let unknown = try readVersionFile(at: file, shownAs: "V2.yaml").diagnostics
      #expect(unknown.map(\.message) == ["this version extends 'V3', which has no file in this folder"])
      try Data("entities: [\n".utf8).write(to: folder.appending(path: "V1.yaml"))
      try Data("extends: V1\n".utf8).write(to: file)
      let broken = try readVersionFile(at: file, shownAs: "V2.yaml")
      #expect(broken.model == nil && broken.diagnostics.hasErrors)
    }
    let alone = readModel(yaml: Data("extends: V1\n".utf8), file: "V2.yaml")
    #expect(alone.model == nil)
    #expect(alone.diagnostics.map(\.code.description) == ["MC2108"])
  }

  @Test func `without extends, remove is an unknown key`() throws {
    for text in ["entities: {}\nremove: [E]\n", "entities: {E: {remove: [a]}}\n"] {
      let finding = try #require(readModel(yaml: Data(text.utf8), file: "V1.yaml").diagnostics.first)
      #expect(finding.code.description == "MC0003")
      #expect(finding.help == ["only a version that 'extends' another one removes something"])
    }
  }
}
