import Foundation
import TestSupport
import Testing

@Suite("modelc version prune") struct VersionPruneTests {
  private struct Result: Decodable {
    struct Version: Decodable {
      var version, outcome: String
      var stores: Int?
      var tags, losses, mappedSteps: [String]
      var tag: String?
      var sameHashesAs: String?
    }
    var removed: [Version]
    var kept, removedFiles, writtenFiles, left: [String]
    var keptStores: Int
    var applied: Bool
    var diagnostics: [DiagnosticRecord]
  }

  private static let list = """
    # All that shipped.
    current: V4
    versions:
      - V1          # 2019
      - {name: V2}
      # with telephones
      - V3          # 2021
      - V4

    """

  /// Four released versions, of which the last two extend those before them; V2 → V3 has a mapping.
  private func withProject(_ body: (Workplace, Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try FolderTemplates.write("prune", to: folder.appending(path: "P")) { start in
        let place = Workplace(folder: start)
        try place.write(Self.list, to: "Models/Huts/versions.yaml")
        for (name, text) in [
          ("V1", "entities:\n  Hut:\n    attributes: {name: string = '', fax: string?}\n"),
          ("V2", "extends: V1\nentities:\n  Hut:\n    attributes: {phone: string?}\n"),
          (
            "V3",
            "# The third.\nextends: V2\nentities:\n  Hut:\n    # new\n    attributes: {telephone: string?}\nremove: [Hut.phone]\n"
          ), ("V4", "extends: V3\nentities:\n  Hut:\n    attributes: {beds: integer16 = 0}  # 2023\n"),
        ] { try place.write(text, to: "Models/Huts/\(name).yaml") }
        try place.write(
          "from: V2\nto: V3\nentityMappings:\n  HutToHut:\n    source: Hut\n    destination: Hut\n    attributes: {telephone: phone}\n",
          to: "Migrations/Huts/phones.yaml")
        for (name, from) in [("old", "V2"), ("new", "V3")] {
          try place.write(
            "from: \(from)\nobjects: {Hut: {p1: {name: A}}}\nexpect: {counts: {Hut: 1}}\n",
            to: "Tests/Migrations/Huts/\(name).yaml")
        }
        let repository = Repository(folder: start)
        try repository.git("init", "--quiet", "--initial-branch", "main")
        for (version, day) in [("V1", "2019"), ("V2", "2020"), ("V3", "2022"), ("V4", "2024")] {
          try place.write(
            Self.list.replacing("current: V4", with: "current: \(version)"), to: "Models/Huts/versions.yaml")
          expectSuccess(
            try place.modelc("release", version, "--tag", "v\(version.dropFirst())", "--fixture", "9"))
          try repository.git("add", "-A")
          try repository.git("commit", "--quiet", "-m", version)
          try repository.shell(
            "GIT_COMMITTER_DATE=\(day)-06-01T12:00:00Z git tag -a v\(version.dropFirst()) -m \(version)")
        }
        expectSuccess(try place.modelc("check"))
      }
      let place = Workplace(folder: folder.appending(path: "P"))
      try body(place, Repository(folder: place.folder))
    }
  }

  private func json(_ place: Workplace, _ arguments: String...) throws -> Result {
    let run = try Modelc.run(["version", "prune"] + arguments + ["--format", "json"], in: place.folder)
    #expect(run.code == 0, "\(run)")
    return try run.decoded()
  }

  @Test func `old versions go with all that is theirs, and check is green`() throws {
    try withProject { place, repository in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "5", "-o", "../old.sqlite"))
      expectSuccess(try place.modelc("fixture", "V3", "--rows", "5", "-o", "../new.sqlite"))
      let before = try place.snapshot(".")
      let plan = try json(place, "--before", "V3")
      #expect(try place.snapshot(".") == before, "without --apply nothing is written")
      #expect(plan.removed.map(\.version) == ["V1", "V2"] && plan.kept == ["V3", "V4"] && !plan.applied)
      #expect(
        plan.removed.map(\.outcome) == ["inferred", "inferred"] && plan.removed.map(\.stores) == [nil, nil])
      #expect(plan.removed.map(\.losses) == [[], ["Hut.phone"]])
      #expect(plan.removed.map(\.mappedSteps) == [["V2 → V3"], ["V2 → V3"]])
      #expect(plan.keptStores == 2)

      let run = try place.modelc("version", "prune", "--before", "V3", "--apply")
      expectSuccess(run)
      #expect(run.stdout.contains("check finds no error; 2 kept stores migrate"))
      let after = try place.snapshot(".")
      let gone = Set(before.names).subtracting(after.names).filter { !$0.hasPrefix(".git/") }
      #expect(
        gone.sorted() == [
          "Migrations/Huts/phones.yaml", "Models/Huts/Released/V1.sqlite", "Models/Huts/Released/V1.yaml",
          "Models/Huts/Released/V2.sqlite", "Models/Huts/Released/V2.yaml", "Models/Huts/V1.yaml",
          "Models/Huts/V2.yaml", "Tests/Migrations/Huts/old.yaml",
        ])
      #expect(Set(plan.removedFiles) == gone)
      #expect(Set(after.names).subtracting(before.names) == [])
      let edited = after.names.filter { after[$0] != before[$0] && !$0.hasPrefix(".git/") }
      #expect(edited == ["Models/Huts/V3.yaml", "Models/Huts/released.lock", "Models/Huts/versions.yaml"])
      #expect(plan.writtenFiles.sorted() == edited)
      func text(_ path: String) -> String { String(decoding: after[path] ?? Data(), as: UTF8.self) }
      #expect(
        text("Models/Huts/versions.yaml") == """
          # All that shipped.
          current: V4
          versions:
            # with telephones
            - V3          # 2021
            - V4

          """)
      #expect(text("Models/Huts/V3.yaml").hasPrefix("# The third.\nentities:\n  Hut:\n"))
      #expect(run.stdout.contains("Models/Huts/V3.yaml, whole, without 1 line of comments"))
      let lines = text("Models/Huts/released.lock").split(separator: "\n").map { $0.split(separator: " ") }
      #expect(
        lines.dropFirst().map { "\($0[0].count == 44 ? "" : $0[0]) \($0.last ?? "")" }.prefix(4) == [
          " V3", " V4", "retired V1", "retired V2",
        ])

      // Green, also against what has them still; the tags do not bring them back.
      for options in [[], ["--against", "v4"], ["--against", "v1"]] {
        let check = try Modelc.run(["check", "--no-cache"] + options, in: place.folder)
        #expect(check.code == 0 && check.stdout.contains("no findings"), "\(check)")
      }
      expectSuccess(try place.modelc("release", "--from-tags", "*"))
      #expect(try place.snapshot(".")["Models/Huts/released.lock"] == after["Models/Huts/released.lock"])
      expectSuccess(try place.modelc("migrate", "../new.sqlite"))
      // By the model that it carries.
      let old = try place.modelc("migrate", "../old.sqlite")
      #expect(old.code == 0 && old.stderr.contains("it is 'V1', which was removed from the model"), "\(old)")
      #expect(try place.modelc("inspect", "../old.sqlite").stdout.contains("V4"))
      // A version of that name would be taken for the old one.
      try place.write(Self.list.replacing("V3 ", with: "V3 \n  - V2"), to: "Models/Huts/versions.yaml")
      try place.write("extends: V3\nremove: [Hut.fax]\n", to: "Models/Huts/V2.yaml")
      try place.replace("  - V1          # 2019\n  - {name: V2}\n", with: "", in: "Models/Huts/versions.yaml")
      #expect(try place.modelc("release", "V2").errors == ["MC7001"])
    }
  }

  @Test func `users of what would go are counted, and the command that strands nobody is printed`() throws {
    try withProject { place, _ in
      try place.write("version,stores\nV2,3\nv2,4\nV4,1000\n", to: "usage.csv")
      let before = try place.snapshot(".")
      let usage = ["--usage", "usage.csv"]
      let plan = try json(place, "--before", "V3", usage[0], usage[1])
      #expect(plan.removed.map(\.stores) == [0, 7] && plan.diagnostics.map(\.code) == ["MC7052"])
      let refused = try Modelc.run(
        ["version", "prune", "--before", "V3", "--apply"] + usage, in: place.folder)
      expectRefusal(refused, "MC7052", exit: 1)
      #expect(try place.snapshot(".") == before)
      #expect(refused.plainMessages.contains("7 stores are of 1 version that would be removed: V2"))
      let way = "version prune --before V2 --usage usage.csv Huts"
      #expect(refused.plainMessages.contains("`modelc \(way)` strands nobody"))
      expectSuccess(
        try Modelc.run(way.split(separator: " ").map(String.init) + ["--apply"], in: place.folder))
      #expect(try place.modelc("check").code == 0)
      let accepted = try Modelc.run(
        ["version", "prune", "--before", "V3", "--apply", "--accept-stranded"] + usage, in: place.folder)
      #expect(accepted.code == 0 && accepted.errors == [], "\(accepted)")
      #expect(try place.modelc("check").code == 0)
      // V1 and V2 are no versions any more, and the list may still have them.
      try place.write("V1,5\nV2,5\nV3,0\n", to: "usage.csv")
      expectSuccess(
        try Modelc.run(["version", "prune", "--before", "V4", "--apply"] + usage, in: place.folder))
    }
  }

  @Test func `tags since a day that make stores of what would go count as users`() throws {
    try withProject { place, _ in
      func tags(_ day: String) throws -> [[String]] {
        try json(place, "--before", "V4", "--tags-before", day).removed.map(\.tags)
      }
      #expect(try tags("2018-01-01") == [["v1"], ["v2"], ["v3"]])
      #expect(try tags("2020-06-01") == [[], ["v2"], ["v3"]])
      #expect(try tags("2023-01-01") == [[], [], []])
      let before = try place.snapshot(".")
      let run = try place.modelc(
        "version", "prune", "--before", "V4", "--tags-before", "2021-01-01", "--apply")
      expectRefusal(run, "MC7052", exit: 1)
      #expect(
        run.stderr.contains("V3: shipped by v3")
          && run.stderr.contains("--before V3 --tags-before 2021-01-01 Huts` strands"))
      #expect(try place.snapshot(".") == before)
    }
  }

  @Test func `what cannot be taken out is refused, and nothing is written`() throws {
    try withProject { place, repository in
      expectSuccess(try place.modelc("compile", "-o", "../Build"))
      try place.write("V9,3\n", to: "../usage.csv")
      try place.write(
        "import SwiftData\n@Model final class Hut { var name = \"\"; init() {} }\n", to: "../S/App.swift")
      let before = try place.snapshot(".")
      let refusals: [(arguments: [String], code: String, says: String)] = [
        (["--before", "V33"], "MC2101", "did you mean 'V3'?"),
        (["--before", "V1"], "MC7051", "none would be removed"),
        (
          ["--before", "V3", "HEAD:Models/Huts"], "MC0009",
          "'HEAD:Models/Huts' is not a model with a file for each version"
        ),
        (["--before", "V3", "../Build/Huts.momd"], "MC0009", "not a model with a file for each version"),
        (["--before", "V3", "../S/App.swift"], "MC0009", "delete the VersionedSchema"),
        (["--before", "V3", "--usage", "../usage.csv"], "MC2101", "'V9' is not a version of 'Huts'"),
        (["--before", "V3", "--usage", "absent.csv"], "MC0009", "absent.csv"),
      ]
      for refusal in refusals {
        let run = try Modelc.run(["version", "prune", "--apply"] + refusal.arguments, in: place.folder)
        let code: Int32 = refusal.code == "MC7051" ? 1 : 2
        #expect(run.errors == [refusal.code] && run.code == code, "\(run)")
        #expect(run.stderr.contains(refusal.says), "\(run)")
      }
      #expect(try place.snapshot(".") == before)

      // A version after the current one, and a branch that would follow nothing.
      try place.replace("current: V4", with: "current: V2", in: "Models/Huts/versions.yaml")
      #expect(try place.modelc("version", "prune", "--before", "V3").errors == ["MC7051"])
      try place.replace("current: V2", with: "current: V4", in: "Models/Huts/versions.yaml")
      try place.replace(
        "  - V4\n", with: "  - {name: V2-hotfix, from: V2}\n  - V4\n", in: "Models/Huts/versions.yaml")
      try place.write("extends: V2\n", to: "Models/Huts/V2-hotfix.yaml")
      let branch = try place.modelc("version", "prune", "--before", "V3", "--apply")
      #expect(
        branch.errors == ["MC7051"] && branch.stderr.contains("'V2-hotfix' would follow V3"), "\(branch)")
      #expect(try repository.git("status", "--short").split(separator: "\n").count == 2)
    }
  }

  @Test func `where check finds something new afterwards everything is put back`() throws {
    try withProject { place, _ in
      try place.write("current: V2\nversions: [V2]\ninclude: [../Huts]\n", to: "Models/All/versions.yaml")
      try place.write("entities: {Peak: {attributes: {name: string?}}}\n", to: "Models/All/V2.yaml")
      let before = try place.snapshot(".")
      let run = try place.modelc("version", "prune", "--before", "V3", "--apply", "Huts")
      #expect(run.code != 0 && run.errors.first == "MC7051" && run.stdout.isEmpty, "\(run)")
      #expect(run.stderr.contains("Models/All/versions.yaml"), "the finding itself follows")
      #expect(try place.snapshot(".") == before)
    }
  }

  @Test(.needsOtherUser)
  func `a folder that cannot be written to stops it half way, and everything is put back`() throws {
    try withProject { place, repository in
      // All is the other user's own, so that nothing but the folder stands in the way.
      if let user = ReadOnlyFolderTests.user { try repository.shell("chown -R \(user) .") }
      try repository.shell("chmod -R a+rwX . && chmod 555 Models/Huts/Released && chmod a+rx .. ../..")
      defer { _ = try? repository.shell("chmod 755 Models/Huts/Released") }
      let before = try place.snapshot("Models")
      let run = try Modelc.run(
        ["version", "prune", "--before", "V3", "--apply"], in: place.folder, asUser: ReadOnlyFolderTests.user)
      #expect(run.code != 0 && run.errors.count == 1 && run.stdout.isEmpty, "\(run)")
      #expect(try place.snapshot("Models") == before)
    }
  }

  @Test(.needsFixtures)
  func `a package of Xcode's: the versions that stay are the same bytes, and old stores have a way`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let package = GenuineModel.moody.package
      try FileManager.default.copyItem(
        at: Fixtures.url(package).deletingLastPathComponent(), to: place.url("App"))
      try place.copyStore(GenuineModel.moody.stores[1].path, as: "old.sqlite")
      let before = try place.snapshot("App")
      struct List: Decodable {
        struct Version: Decodable, Equatable { var name, checksum: String; var entities: [String: String] }
        var versions: [Version]
      }
      func versions() throws -> [List.Version] {
        let list: List = try place.modelc("version", "list", "--format", "json").decoded()
        return list.versions
      }
      let all = try versions()
      let plan = try json(place, "--before", "Moody 4")
      #expect(try place.snapshot("App") == before)
      #expect(plan.removed.map(\.version) == ["Moody", "Moody 2", "Moody 3"])
      expectSuccess(try place.modelc("version", "prune", "--before", "Moody 4", "--apply"))
      let after = try place.snapshot("App")
      let gone = before.names.filter { after[$0] == nil && $0.hasSuffix("/") }
      #expect(
        gone == [
          "Moody 2-Moody 3.xcmappingmodel/", "Moody 3-Moody 4.xcmappingmodel/",
          "Moody.xcdatamodeld/Moody 2.xcdatamodel/",
          "Moody.xcdatamodeld/Moody 3.xcdatamodel/", "Moody.xcdatamodeld/Moody.xcdatamodel/",
        ])
      #expect(after.names.allSatisfy { after[$0] == before[$0] || $0 == "Moody.released.lock" })
      #expect(after.names.contains("Moody.released.lock"))
      #expect(try versions() == all.suffix(3))
      #expect(try place.modelc("check").errors == [])
      // Inference alone leads on; what only a mapping kept is lost, and needs a word.
      let refused = try place.modelc("migrate", "stores/old.sqlite")
      #expect(Set(refused.errors) == ["MC3111"], "\(refused)")
      let old = try place.modelc("migrate", "stores/old.sqlite", "--allow-loss", "MC3111")
      #expect(old.code == 0 && old.errors == [], "\(old)")
      #expect(try place.modelc("inspect", "stores/old.sqlite").stdout.contains("Moody 6"))
    }
  }

  @Test func `a modelc.yaml beside a package loses the versions and what only they had`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ attributes: String...) -> String {
        let lines = attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
        return "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
          + "<entity name=\"Hut\" representedClassName=\"Hut\">\(lines.joined())</entity></model>"
      }
      for (name, text) in [
        ("First", version("name", "fax")), ("Next", version("name")), ("Last", version("name", "beds")),
      ] {
        try place.write(text, to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
      }
      try place.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Last.xcdatamodel</string></dict></plist>",
        to: "App.xcdatamodeld/.xccurrentversion")
      let guessed = try place.modelc("version", "prune", "--before", "Next", "--apply")
      #expect(guessed.errors == ["MC7051"] && guessed.stderr.contains("only the names suggest"), "\(guessed)")
      try place.write(
        "# The order.\nversions: [First, Next, Last]\nretired: [Hut.fax]  # 2020\n", to: "modelc.yaml")
      try place.write("// First.xcdatamodel\n", to: "App.xcodeproj/project.pbxproj")
      let run = try place.modelc("version", "prune", "--before", "Next", "--apply")
      expectSuccess(run)
      #expect(
        try String(contentsOf: place.url("modelc.yaml"), encoding: .utf8)
          == "# The order.\nversions: [Next, Last]\n")
      #expect(run.stdout.contains("remove them there in Xcode\n    App.xcodeproj"))
      #expect(try place.modelc("check").errors == [])
      let list = try place.modelc("version", "list").stdout
      #expect(!list.contains("First") && list.contains("Next") && list.contains("current"))
    }
  }
}
