import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Differences of versions") struct VersionDifferenceTests {
  /// Between two versions of the sample.
  private func difference(_ from: String, _ to: String) throws -> (VersionDifference, ManagedObjectModel) {
    let model = try Package.trails()
    func named(_ name: String) throws -> NamedVersion {
      NamedVersion(
        label: name, modelName: model.name, version: try #require(model.version(named: name)),
        siblings: model,
        isChosen: true)
    }
    let later = try named(to)
    return (VersionDifference(from: try named(from), to: later), later.version.model)
  }

  @Test func `as text: a line each, a mark where it moves hashes, then the hashes`() throws {
    #expect(
      try difference("V2", "V3").0.text() == """
        V2 → V3: 11 changes; * changes version hashes
          lightweight; 2 of 2 older versions can update without a mapping model

          * Hut: parent none → Place
          * Hut.elevation moved up to Place
          * Hut.name moved up to Place
          * Hut.warden removed (string, optional)
            Hut: index byElevation removed (elevation desc, name)

          * Place added (abstract, with elevation, name)

          * Stage.ascent: type integer32 → double

          * Summit added (child of Place, with hasCross)

          * Visit.photoCount added (integer64, optional, derived from photos.@count)

            model: identifiers 2 → 3
            retired: Hut.warden added

        5 of 8 version hashes differ
          Hut     ed04a9c04a00…   → fec1c9aad257…
          Place   no such entity  → d0f0f8cab540…
          Stage   e0d062ae6003…   → aa71f2f0e643…
          Summit  no such entity  → 8d38d954a1a1…
          Visit   14dd6267ca59…   → 86acb797e0a2…
        """)
  }

  @Test func `the same version twice`() throws {
    let same = try difference("V3", "V3").0
    #expect(same.isEmpty)
    #expect(same.text() == "V3 → V3: no differences")
    #expect(same.markdown() == "### `V3` → `V3`\n\nNo differences.")
  }

  @Test func `as Markdown: a table that no name can break`() throws {
    #expect(
      try difference("V1", "V2").0.markdown() == """
        ### `V1` → `V2`

        Lightweight.

        | Change | Changes the hash of |
        |---|---|
        | `Companion added (with name, visits)` | `Companion` |
        | `Hut.website added (uri, optional)` | `Hut` |
        | `Trail.region: no longer optional` | `Trail` |
        | `Trail.region: default none → Alps` |  |
        | `Visit.companions added (to-many Companion, inverse visits)` | `Visit` |
        | `Visit.note renamed from text` | `Visit` |
        | `Visit.rating added (integer16, required, default 3)` | `Visit` |
        | `model: identifiers 1 → 2` |  |

        4 of 6 version hashes differ: `Companion`, `Hut`, `Trail`, `Visit`.
        """)
    let line = VersionDifference(from: hostile(owner: "a|b`c\n"), to: hostile(owner: "d")).markdown()
    #expect(line.contains("| <code>Hut: userInfo.owner 'a&#124;b&#96;c ' → d</code> |  |"))
  }

  @Test func `as Mermaid: a class for each entity, its changes as members`() throws {
    let (difference, later) = try difference("V2", "V3")
    #expect(
      ModelDiagram(difference, later: later).mermaid == """
        classDiagram
          %% V2 → V3: + added, - removed, # changed
          class E0["Hut"] {
            # parent none → Place, moves hash
            # elevation moved up to Place, moves hash
            # name moved up to Place, moves hash
            - warden removed [string, optional], moves hash
            - index byElevation removed [elevation desc, name]
          }
          class E1["Place"] {
            + Place added [abstract, with elevation, name], moves hash
          }
          class E2["Stage"] {
            # ascent#58; type integer32 → double, moves hash
          }
          class E3["Summit"] {
            + Summit added [child of Place, with hasCross], moves hash
          }
          class E4["Visit"] {
            + photoCount added [integer64, optional, derived from photos.@count], moves hash
          }
          class E5["model"] {
            # identifiers 2 → 3
            + retired#58; Hut.warden added
          }
          E1 <|-- E0
          E0 "0..1" -- "*" E2 : stages / hut
          E0 "0..1" -- "*" E4 : visits / hut
          E1 <|-- E3
          classDef added fill:#dafbe1,stroke:#1a7f37
          cssClass "E1,E3" added
        """)
    let hostile = VersionDifference(from: hostile(owner: "}\n(a) {<b>~"), to: hostile(owner: "\"%%;"))
    let text = ModelDiagram(hostile, later: ManagedObjectModel()).mermaid
    #expect(text.split(separator: "\n").count == 5)
    #expect(text.filter { "{}".contains($0) } == "{}")
    #expect(!text.contains("(") && !text.contains("~") && !text.dropFirst(20).contains("%%;"))
  }

  @Test func `as JSON, with every key`() throws {
    let json = VersionDifference.result.json(of: (try difference("V2", "V3").0, []))
    #expect(json["from"] == "V2")
    #expect(json["to"] == "V3")
    #expect(json["diagnostics"] == [])
    guard case .array(let changes)? = json["changes"], case .array(let hashes)? = json["hashes"] else {
      Issue.record("no lists")
      return
    }
    #expect(changes.count == 11)
    #expect(
      changes.contains([
        "kind": "changed", "entity": "Stage", "property": "ascent", "fact": "type", "old": "integer32",
        "new": "double", "line": "Stage.ascent: type integer32 → double", "movesHash": true,
        "entities": ["Stage"],
      ]))
    #expect(
      changes.contains([
        "kind": "added", "entity": nil, "property": nil, "fact": "retired", "old": nil, "new": "Hut.warden",
        "line": "retired: Hut.warden added", "movesHash": false, "entities": [],
      ]))
    #expect(hashes.map { $0["entity"] } == ["Hut", "Place", "Stage", "Summit", "Visit"])
    #expect(hashes[1]["from"] == .null)
    guard case .string(let hash)? = hashes[1]["to"] else {
      Issue.record("no hash")
      return
    }
    #expect(hash.count == 64 && hash.allSatisfy(\.isHexDigit))
  }

  private func hostile(owner: String) -> NamedVersion {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Hut", userInfo: ["owner": owner])])
    return NamedVersion(
      label: "V", version: ModelVersion(name: "V", model: model), isChosen: true)
  }
}

@Suite("Differences of genuine versions", .needsFixtures) struct GenuineDifferenceTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld")

  /// Over every two neighbours among genuine versions: changes are there exactly where fingerprints differ, they
  /// claim the hashes that differ and no others, and a hash-equal pair is one finding, never two.
  @Test(arguments: packages)
  func `changes explain hashes and fingerprints`(_ package: URL) throws {
    guard let model = readXcodeModelPackage(at: package).model else { return }
    for (old, new) in zip(model.versions, model.versions.dropFirst()) {
      for (from, to) in [(old.model, new.model), (new.model, old.model)] {
        let changes = compareModels(from: from, to: to)
        #expect(changes.isEmpty == (from.fingerprint == to.fingerprint))
        let (before, after) = (from.entityVersionHashesByName, to.entityVersionHashesByName)
        let renamed = Set(changes.filter { $0.kind == .renamed && $0.property == nil }.compactMap(\.old))
        let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let claimed = Set(changes.flatMap(\.entitiesWithMovedHash))
        #expect(claimed.subtracting(renamed) == differing.subtracting(renamed))
        #expect(changes.allSatisfy { !$0.line.contains { $0.isNewline } })
      }
    }
    let twins = model.checkVersionDifferences().filter { ["MC2103", "MC2105"].contains($0.code.description) }
    #expect(Set(twins.map(\.subject?.version)).count == twins.count)
  }

  @Test func `RestKit's versions 2 and 4 are one to Core Data`() throws {
    let url = Fixtures.url("RestKit+RestKit/Tests/Models/VersionedModel.xcdatamodeld")
    let model = try #require(readXcodeModelPackage(at: url).model)
    let table = VersionTable(model)
    #expect(
      table.text == """
        VersionedModel: 4 versions
          version           follows           entities  checksum       state
          VersionedModel                             2  +q1645kxrZA5…
          VersionedModel 2  VersionedModel           2  8HnsBYURoCfO…
          VersionedModel 3  VersionedModel 2         2  KHIb5XAy1m+l…
          VersionedModel 4  VersionedModel 3         2  8HnsBYURoCfO…  current, same hashes as VersionedModel 2
        """)
    let finding = try #require(model.checkVersionDifferences().first { $0.code == .hashEqualVersions })
    #expect(finding.severity == .warning)
    #expect(finding.place?.file.hasSuffix("VersionedModel 4.xcdatamodel/contents") == true)
    #expect(finding.notes.first?.message == "model: identifiers 2.0 → 4.0")
    guard case .array(let versions)? = VersionTable.result.json(of: (table, [finding]))["versions"] else {
      Issue.record("no versions")
      return
    }
    #expect(versions.map { $0["sameHashesAs"] } == [.null, .null, .null, "VersionedModel 2"])
    #expect(versions.map { $0["state"] } == ["earlier", "earlier", "earlier", "current"])
    #expect(versions[3]["checksum"] == versions[1]["checksum"])
    #expect(versions[3]["fingerprint"] != versions[1]["fingerprint"])
  }

  @Test func `a store is held against a version by its own model`() throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore(
        "objcio+core-data/Migrations/MigrationsTests/Moody 2.moody", into: folder)
      let package = Fixtures.url("objcio+core-data/Migrations/Migrations/Moody.xcdatamodeld").path
      let project = Project(folder: folder.path)
      let own = try project.findVersion(store.path)
      let second = try project.findVersion(package + "#Moody 2")
      let same = VersionDifference(from: own, to: second)
      #expect(same.hashes.isEmpty)
      #expect(same.changes.allSatisfy { !$0.isHashed })
      let first = try project.findVersion(package + "#Moody")
      let lines = VersionDifference(from: first, to: own).changes.filter(\.isHashed).map(\.line)
      #expect(lines.contains { $0.contains("remoteID renamed from remoteIdentifier") })
      // Without a name, the current version of the package; without a second one, that of the package too.
      #expect(try project.findVersion(package).version.name == "Moody 6")
      #expect(try project.currentVersion(like: first).version.name == "Moody 6")
    }
  }
}
