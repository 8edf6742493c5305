import Foundation
import GRDB
import TestSupport
import Testing

/// What `modelc triage --format json` prints, as far as tests look at it.
private struct TriageRecord: Decodable {
  struct Finding: Decodable { var kind: String }
  struct Version: Decodable, Equatable { var model, version: String }
  struct Nearest: Decodable { var version: String, equal: Int, differing: [String] }
  struct Store: Decodable {
    var entities: Int
    var whole, closed: Bool
    var versions: [Version]
    var differingFromCurrent: [String]
    var nearest: Nearest?
  }
  var findings: [Finding]
  var stores: [Store]
}

@Suite("modelc triage", .needsFixtures) struct TriageTests {
  /// How a program of a certain age prints 32 bytes.
  private enum Form: CaseIterable { case since2019, before, with16Bytes }

  private static func printed(_ hash: Data, _ form: Form) -> String {
    let digits = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let words = (0..<8).map { String(digits.dropFirst($0 * 8).prefix(8)) }
    return switch form {
    case .since2019:
      "{length = 32, bytes = 0x\(words[0]) \(words[1]) ... \(words[6]) \(words[7]) }"
    case .with16Bytes:
      "{length = 32, bytes = 0x\(words[..<4].joined(separator: " ")) ... \(words[6]) \(words[7]) }"
    case .before: "<\(words.joined(separator: " "))>"
    }
  }

  /// A console's log of a store that does not open, from the store's own metadata.
  private static func log(of store: GenuineModel.Store, _ form: Form, in folder: URL) throws -> String {
    let copy = try Fixtures.copyStore(store.path, into: folder)
    let queue = try DatabaseQueue(path: copy.path)
    let row = try queue.read { try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA") }
    try queue.close()
    let metadata =
      try unsafe PropertyListSerialization.propertyList(from: #require(row), format: nil) as? [String: Any]
    let hashes = try #require(metadata?["NSStoreModelVersionHashes"] as? [String: Data])
    let lines = hashes.sorted { $0.key < $1.key }.map { "        \($0.key) = \(printed($0.value, form));\n" }
    return """
      CoreData: error: -addPersistentStoreWithType:SQLite configuration:(null) URL:file://\(copy.path) options:(null) \
      ... returned error Error Domain=NSCocoaErrorDomain Code=134100 "(null)" UserInfo={metadata={
          NSPersistenceFrameworkVersion = 1327;
          NSStoreModelVersionHashes =     {
      \(lines.joined())    };
          NSStoreType = SQLite;
      }, reason=The model used to open the store is incompatible with the one used to create the store}

      """
  }

  private func triage(_ log: String, _ arguments: String..., in folder: URL) throws -> TriageRecord {
    try Data(log.utf8).write(to: folder.appending(path: "console.log"))
    let run = try Modelc.run(
      ["triage", "console.log", "--no-git", "--format", "json"] + arguments, in: folder)
    #expect(run.code == 0, "\(run)")
    return try run.decoded(as: TriageRecord.self)
  }

  @Test(arguments: GenuineModel.stores) func `a genuine store's version is known by its log`(
    _ store: GenuineModel.Store
  ) throws {
    let package = Fixtures.url(store.package).path
    try withTemporaryFolder { folder in
      for form in Form.allCases {
        let log = try Self.log(of: store, form, in: folder)
        let record = try triage(log, "--models", package, in: folder)
        #expect(record.findings.map(\.kind) == ["hash-mismatch"])
        let found = try #require(record.stores.first)
        #expect(record.stores.count == 1 && found.closed && found.whole == (form == .before))
        #expect(found.versions.map(\.version).contains(store.version), "\(found)")
      }
      // A log that is cut is known by what is left of it, and another model has no such version.
      let log = try Self.log(of: store, .since2019, in: folder)
      let hash = try #require(log.firstRange(of: "bytes = 0x"))
      let cut = try triage(
        String(log[..<log.index(hash.upperBound, offsetBy: 13)]), "--models", package, in: folder)
      #expect(cut.stores.first?.closed == false)
      #expect(cut.stores.first?.versions.map(\.version).contains(store.version) == true)
      let other = store.package == GenuineModel.moody.package ? GenuineModel.books : GenuineModel.moody
      let unknown = try triage(log, "--models", Fixtures.url(other.package).path, in: folder)
      #expect(unknown.stores.first?.versions.isEmpty == true)
    }
  }

  @Test func `entities that differ are named, and the nearest version where none fits`() throws {
    let moody = GenuineModel.moody
    try withTemporaryFolder { folder in
      let log = try Self.log(of: moody.stores[0], .since2019, in: folder)
      let package = Fixtures.url(moody.package).path
      let text = try Modelc.run("triage", "console.log", "--models", package, in: write(log, to: folder))
      #expect(text.stdout.contains("Moody of Moody, by the digits that it prints"), "\(text)")
      #expect(text.stdout.contains("different in the current version: "), "\(text)")
      let searched = text.stdout.split(separator: "\n").last
      #expect(searched?.contains("Moody (6 versions)") == true, "\(text)")
      #expect(
        text.stdout.contains("`\(Modelc.executable.path) plan --models \(package) --from Moody`"), "\(text)")
      let forged = log.replacing("bytes = 0x", with: "bytes = 0xffffffff", maxReplacements: 1)
      let other = try Modelc.run("triage", "console.log", "--models", package, in: write(forged, to: folder))
      #expect(other.stdout.contains("of no known version; none has the digits that it prints"), "\(other)")
      #expect(other.code == 0)
    }
  }

  /// What a store's metadata say in base64: the digest of all hashes, and one hash as a property list has it.
  @Test func `base64 alone names the version`() throws {
    let package = Fixtures.url(GenuineModel.bookmarks.package).path
    let digest = "f3zhRcli1vU1KL1eGWk+BkpW5eZLLlkgDMaIRfi7mC3a9eGmHvJvEoHfMAaXAYLC9Ua3nas4g1P8aXw0xiQM2g=="
    try withTemporaryFolder { folder in
      let run = try Modelc.run("triage", "console.log", "--models", package, in: write(digest, to: folder))
      #expect(run.code == 0 && run.stdout.contains("2g==: BookmarksModel 4 of BookmarksModel"), "\(run)")
      let hash = "<data>\naghslUTArcZnTjexos1Lx+3NlN4iTGH8YDhkhEy1+PY=\n</data>"
      let other = try Modelc.run("triage", "console.log", "--models", package, in: write(hash, to: folder))
      #expect(other.code == 0 && other.stdout.contains("'BookmarkEntity' in BookmarksModel 4"), "\(other)")
    }
  }

  private func write(_ log: String, to folder: URL) throws -> URL {
    try Data(log.utf8).write(to: folder.appending(path: "console.log"))
    return folder
  }

  @Test func `a version that was edited since is found in git`() throws {
    let books = GenuineModel.books
    try Repository.with { repository in
      let package = repository.folder.appending(path: "Model.xcdatamodeld")
      try FolderSnapshot(Fixtures.url(books.package)).write(to: package)
      try repository.write("*.sqlite*\n*.log\n", to: ".gitignore")
      try repository.commit("released")
      let contents = "Model.xcdatamodeld/Model1.xcdatamodel/contents"
      let text = try String(contentsOf: repository.folder.appending(path: contents), encoding: .utf8)
      try repository.write(text.replacing("optional=\"YES\"", with: ""), to: contents)
      let log = try Self.log(of: books.stores[0], .since2019, in: repository.folder)
      try repository.write(log, to: "console.log")
      let run = try repository.modelc("triage", "console.log", "--models", "Model.xcdatamodeld")
      #expect(run.stdout.contains("of no known version"), "\(run)")
      #expect(run.stderr.contains("MC5111") && run.stderr.contains("'Model1' as it was in commit"), "\(run)")
      let quiet = try repository.modelc("triage", "console.log", "--models", "Model.xcdatamodeld", "--no-git")
      #expect(!quiet.stderr.contains("MC5111"), "\(quiet)")
    }
  }

  @Test func `commands name the store of the log where it is here, and run`() throws {
    let moody = GenuineModel.moody
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let log = try Self.log(of: moody.stores[0], .since2019, in: folder).replacing(".moody", with: ".sqlite")
      let store = folder.appending(path: "Moody.sqlite")
      try FileManager.default.moveItem(at: folder.appending(path: "Moody.moody"), to: store)
      let before = try Data(contentsOf: store)
      try place.write(log, to: "console.log")
      let run = try place.modelc("triage", "console.log", "--models", Fixtures.url(moody.package).path)
      let commands = run.stdout.split(separator: "`").map(String.init)
        .filter { $0.hasPrefix(Modelc.executable.path + " ") }
      #expect(commands.count >= 6 && commands.contains { $0.contains(store.path) }, "\(run)")
      for command in commands {
        #expect(!command.contains("STORE"))
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let pasted = try Modelc.run(words, in: folder)
        #expect([0, 1].contains(pasted.code), "\(pasted)")
      }
      #expect(try Data(contentsOf: store) == before)
    }
  }

  @Test func `what says nothing is refused, and nothing is invented`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("all is well\n", to: "notes.txt")
      try place.write("", to: "empty.log")
      let checksum = "NSStoreModelVersionChecksumKey db2BVSM9+Sb7d58vRShktRKqTe3O+36+TFSE3J9rmZs="
      try place.write("SQLite format 3\u{0}\n\(checksum)\n", to: "versions.sqlite")
      try place.write("\u{0}\u{1}\u{2}\u{0}\u{0}", to: "binary")
      let store = try place.copyStore(GenuineModel.books.stores[0].path)
      for (path, message) in [
        ("notes.txt", "'notes.txt' says nothing about a store"), ("empty.log", "'empty.log' says nothing"),
        ("binary", "'binary' is not text"), (store, "is not a log but a SQLite file"),
        ("versions.sqlite", "is not a log but a SQLite file"),
        ("-", "'-' says nothing"),
      ] {
        let run = try place.modelc("triage", path)
        #expect(run.code == 1 && run.stderr.contains("MC0015") && run.stderr.contains(message), "\(run)")
      }
      for path in ["stores", "absent.log"] {
        let run = try place.modelc("triage", path)
        #expect(run.code == 2 && run.stderr.contains("MC0009"), "\(run)")
      }
    }
  }

  @Test func `a log steers no terminal`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(
        "\u{1B}[31mCode=134100\u{1B}]0;title\u{7} Hut\u{1B}[2J = {length = 32, bytes = 0x0a1b2c3d ... 11223344 };\n}",
        to: "console.log")
      for format in ["text", "json"] {
        let run = try place.modelc("triage", "console.log", "--format", format)
        #expect(run.code == 0 && !run.stdout.contains("\u{1B}") && !run.stdout.contains("\u{7}"), "\(run)")
      }
    }
  }
}
