import Foundation
import ModelCommands
import TestSupport
import Testing

/// Histories of two genuine apps with the mistakes that apps made, checked commit by commit against the one before it.
@Suite("The gate over a history", .needsFixtures) struct HistoryTests {
  /// One commit, and what the gate is expected to find in it.
  struct Commit: Sendable {
    var name: String
    /// New findings of weight, as `code severity`, without a lock and with one that was made from tags.
    var expected: [String]
    var withLock: [String]?
    /// The tag that it gets afterwards.
    var tag: String?
    var edit: @Sendable (PackageHistory) throws -> Void

    init(
      _ name: String, _ expected: [String] = [], withLock: [String]? = nil, tag: String? = nil,
      edit: @escaping @Sendable (PackageHistory) throws -> Void
    ) {
      (self.name, self.expected, self.withLock, self.tag) = (name, expected, withLock, tag)
      self.edit = edit
    }
  }

  private static let nickname = #"        <attribute name="nickname" optional="YES" attributeType="String"/>"#
  private static let color =
    #"<attribute name="streamUrl" optional="YES" attributeType="String" syncable="YES"/>"#

  /// OctoPod's versions up to the eighth, in six releases.
  static let octoPod: [Commit] = [
    Commit("the first release", ["MC7011 warning"], tag: "v1.0") {
      try $0.add("OctoPod")
      try $0.add("OctoPod v2")
    },
    Commit("v3, transformables without a transformer", ["MC1208 warning"]) { try $0.add("OctoPod v3") },
    Commit("v4, an optional attribute", tag: "v1.1") { try $0.add("OctoPod v4") },
    Commit("the shipped v4 edited", ["MC7026 error"], withLock: ["MC7001 error"]) {
      try $0.insert(nickname, afterEntity: "Printer", in: "OctoPod v4")
    },
    Commit("the rescue: v4 as it was, v5 beside it", ["MC1208 warning"], tag: "v1.2") {
      try $0.restore("OctoPod v4")
      try $0.add("OctoPod v5")
    },
    Commit("v6, which needs a mapping", ["MC3103 error"]) {
      try $0.add("OctoPod v6")
      try $0.replace(
        color, #"<attribute name="streamUrl" optional="YES" attributeType="Date" usesScalarValueType="NO"/>"#,
        in: "OctoPod v6")
    },
    Commit("v6 mended on main", ["MC7026 error"], withLock: ["MC7026 warning"], tag: "v1.3") {
      try $0.restore("OctoPod v6")
    },
    Commit("v3 removed", ["MC7027 error"], withLock: ["MC7004 error"]) { try $0.remove("OctoPod v3") },
    Commit("v3 brought back") { try $0.restore("OctoPod v3") },
    Commit("v7, a rename without an identifier", ["MC3204 error"]) {
      try $0.add("OctoPod v7")
      try $0.replace("name=\"streamUrl\"", "name=\"streamURL\"", in: "OctoPod v7")
    },
    Commit("v7 with the identifier", ["MC7028 warning"], withLock: [], tag: "v1.4") {
      try $0.replace("name=\"streamURL\"", "name=\"streamURL\" elementID=\"streamUrl\"", in: "OctoPod v7")
    },
    Commit("the package moved", tag: "v1.5") { try $0.move(to: "Sources/Storage") },
    // One step to v7 fills in the other default than the steps through v2 do: a note of the edit (MC3402).
    Commit("a default of the shipped v7", ["MC7028 warning"]) {
      try $0.replace(defaultOfOrientation("0"), defaultOfOrientation("1"), in: "OctoPod v7")
    },
    Commit("the default taken back") {
      try $0.replace(defaultOfOrientation("1"), defaultOfOrientation("0"), in: "OctoPod v7")
    },
    Commit("v8, optional attributes") {
      try $0.add("OctoPod v8")
      try $0.replace("name=\"streamUrl\"", "name=\"streamURL\" elementID=\"streamUrl\"", in: "OctoPod v8")
    },
    Commit("v8 edited on main", ["MC7026 error"], withLock: ["MC7026 warning"]) {
      try $0.repository.git("branch", "side")
      try $0.insert(nickname, beforeEndOfEntity: "Printer", in: "OctoPod v8")
    },
    Commit("a merge of two edits of v8", ["MC7026 error"], withLock: ["MC7026 warning"]) {
      try $0.repository.git("checkout", "--quiet", "side")
      try $0.insert(
        nickname.replacing("nickname", with: "location"), afterEntity: "Printer", in: "OctoPod v8")
      try $0.repository.commit("v8 edited on the side")
      try $0.repository.git("checkout", "--quiet", "main")
      try $0.repository.git("merge", "--quiet", "--no-edit", "side")
    },
  ]

  private static func defaultOfOrientation(_ value: String) -> String {
    #"name="cameraOrientation" attributeType="Integer 16" defaultValueString="\#(value)""#
  }

  /// iNaturalist's versions from the ninth on, in eight releases.
  static let iNaturalist: [Commit] = [
    Commit("the first release", ["MC7011 warning"], tag: "v2.10") {
      try $0.add("INaturalist2.9")
      try $0.add("INaturalist2.10")
    },
    Commit("2.11, an entity more", tag: "v2.11") { try $0.add("INaturalist2.11") },
    Commit("2.12, optional attributes", tag: "v2.12") { try $0.add("INaturalist2.12") },
    Commit("the shipped 2.12 edited", ["MC7026 error"], withLock: ["MC7001 error"]) {
      try $0.insert(nickname, afterEntity: "Comment", in: "INaturalist2.12")
    },
    Commit(
      "the rescue: 2.12 as it was, 2.13 beside it, which drops an entity", ["MC7008 error"], tag: "v2.13"
    ) {
      try $0.restore("INaturalist2.12")
      try $0.add("INaturalist2.13")
    },
    Commit("2.14, an optional attribute", tag: "v2.14") { try $0.add("INaturalist2.14") },
    Commit("2.15, which drops two entities", ["MC7008 error"], tag: "v2.15") {
      try $0.add("INaturalist2.15")
    },
    Commit("the package moved") { try $0.move(to: "iOS") },
    Commit("2.16, a rename without an identifier", ["MC3204 error"], tag: "v2.16") {
      try $0.add("INaturalist2.16")
    },
    Commit("2.17, an optional attribute", tag: "v2.17") { try $0.add("INaturalist2.17") },
    Commit("2.9 removed", ["MC7027 error"], withLock: ["MC7004 error"]) { try $0.remove("INaturalist2.9") },
  ]

  @Test(arguments: [false, true])
  func `OctoPod's history with what went wrong`(_ hasLock: Bool) throws {
    let source = "gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld"
    try run(Self.octoPod, of: source, hasLock: hasLock)
  }

  @Test(arguments: [false, true])
  func `iNaturalist's history with what went wrong`(_ hasLock: Bool) throws {
    let source = "inaturalist+INaturalistIOS/INaturalistIOS/INaturalist.xcdatamodeld"
    try run(Self.iNaturalist, of: source, hasLock: hasLock)
  }

  /// Makes the commits one by one, checks each against the one before it, and prints the table.
  private func run(_ commits: [Commit], of source: String, hasLock: Bool) throws {
    try Repository.with { repository in
      let history = try PackageHistory(repository: repository, source: Fixtures.url(source))
      try repository.write("notes\n", to: "README.md")
      try repository.commit("notes")
      var table = ["\(source), \(hasLock ? "with a lock from tags" : "without a lock")"]
      var differences = 0
      for commit in commits {
        try commit.edit(history)
        if try !repository.git("status", "--porcelain").isEmpty { try repository.commit(commit.name) }
        let expected = hasLock ? commit.withLock ?? commit.expected : commit.expected
        let found = try history.newFindings()
        if found != expected { differences += 1 }
        table.append(
          "\(found == expected ? "as expected" : "DIFFERENT  ") | \(commit.name) | expected \(words(expected)) | "
            + "found \(words(found))")
        guard let tag = commit.tag else { continue }
        try repository.git("tag", tag)
        if hasLock { try history.lockFromTags() }
      }
      print(table.joined(separator: "\n"))
      #expect(differences == 0, "\(table.joined(separator: "\n"))")
    }
  }

  private func words(_ codes: [String]) -> String {
    codes.isEmpty ? "nothing" : codes.joined(separator: ", ")
  }
}

/// A package of Xcode's that grows in a repository, version by version, from a genuine one.
final class PackageHistory {
  let repository: Repository
  private let source: URL
  private var folder = ""
  private var package: String { folder + source.lastPathComponent }
  private var project: ReleasedProject { ReleasedProject(repository: repository) }

  init(repository: Repository, source: URL) throws { (self.repository, self.source) = (repository, source) }

  private func contents(_ version: String) -> String { "\(package)/\(version).xcdatamodel/contents" }

  /// Brings a genuine version, and makes it the current one.
  func add(_ version: String) throws {
    try restore(version)
    try repository.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key>
        <string>\(version).xcdatamodel</string>
      </dict></plist>
      """, to: "\(package)/.xccurrentversion")
  }

  /// A genuine version as it is.
  func restore(_ version: String) throws {
    let text = try String(
      contentsOf: source.appending(path: "\(version).xcdatamodel/contents"), encoding: .utf8)
    try repository.write(text, to: contents(version))
  }

  func remove(_ version: String) throws {
    try repository.git("rm", "-r", "--quiet", "\(package)/\(version).xcdatamodel")
  }

  func replace(_ old: String, _ new: String, in version: String) throws {
    try project.edit(contents(version), old, new)
  }

  func insert(_ line: String, afterEntity entity: String, in version: String) throws {
    try change(version) { lines in
      let start = try #require(lines.firstIndex { $0.contains("<entity name=\"\(entity)\"") })
      lines.insert(line, at: start + 1)
    }
  }

  func insert(_ line: String, beforeEndOfEntity entity: String, in version: String) throws {
    try change(version) { lines in
      let start = try #require(lines.firstIndex { $0.contains("<entity name=\"\(entity)\"") })
      let end = try #require(lines[start...].firstIndex { $0.contains("</entity>") })
      lines.insert(line, at: end)
    }
  }

  private func change(_ version: String, _ body: (inout [String]) throws -> Void) throws {
    let text = try String(contentsOfFile: project.file(contents(version)), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    try body(&lines)
    try repository.write(lines.joined(separator: "\n"), to: contents(version))
  }

  /// Moves the package, with its lock where it has one.
  func move(to place: String) throws {
    try FileManager.default.createDirectory(
      atPath: project.file(place), withIntermediateDirectories: true)
    try repository.git("mv", package, "\(place)/\(source.lastPathComponent)")
    let lock = package.dropLast(".xcdatamodeld".count) + ".released.lock"
    if FileManager.default.fileExists(atPath: project.file(String(lock))) {
      try repository.git("mv", String(lock), place)
    }
    folder = place + "/"
  }

  /// What the gate finds at today's commit that the one before it did not have, without remarks.
  func newFindings() throws -> [String] {
    let found = try project.check("--against", "HEAD~1", models: package).found
    let own = found.filter { $0.state == "new" && ["error", "warning"].contains($0.severity) }
    return Set(own.map { "\($0.code) \($0.severity)" }).sorted()
  }

  /// Builds the lock from the tags that there are, and commits it.
  func lockFromTags() throws {
    let code = ModelcCommand.run(
      ["release", "-q", "--models", project.file(package), "--from-tags", "v*"])
    #expect(code == 0)
    if try !repository.git("status", "--porcelain").isEmpty { try repository.commit("the lock") }
  }
}
