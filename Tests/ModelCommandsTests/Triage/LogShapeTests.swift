import Foundation
import StoreRepair
import Testing

@testable import ModelCommands

/// Logs as people have them: broken by a terminal, shortened, of another language, of a store that is not theirs.
@Suite("Logs as people paste them") struct LogShapeTests {
  private static let log = """
    CoreData: error: -addPersistentStoreWithType:SQLite URL:file:///var/mobile/Huts.sqlite returned error \
    Error Domain=NSCocoaErrorDomain Code=134100 "The model used to open the store is incompatible with the \
    one used to create the store" {metadata: Hut = {length = 32, bytes = 0x42b5f2a6 13ee5e9f … 956c5275};}
    """

  private func wrapped(at width: Int, words: Bool, quote: String = "") -> String {
    var lines = [""]
    for word in words ? Self.log.split(separator: " ").map(String.init) : Self.log.map(String.init) {
      let last = lines[lines.count - 1]
      let longer = words && !last.isEmpty ? "\(last) \(word)" : last + word
      if longer.count > width, !last.isEmpty { lines.append(word) } else { lines[lines.count - 1] = longer }
    }
    return lines.map { quote + $0 + "\n" }.joined()
  }

  @Test func `lines that were broken are put together`() {
    let whole = readLog(Data(Self.log.utf8))
    #expect(whole.findings.map(\.kind.name) == ["hash-mismatch"] && whole.printed.count == 1)
    for width in [60, 72, 75, 80, 100] {
      // A terminal breaks anywhere, a mail between words.
      for text in [wrapped(at: width, words: false), wrapped(at: max(width, 72), words: true, quote: "> ")] {
        let found = readLog(Data(text.utf8))
        #expect(found.findings.map(\.kind.name) == ["hash-mismatch"], "\(text)")
        #expect(found.printed.map(\.digits) == whole.printed.map(\.digits), "\(text)")
        #expect(found.lineCount == text.split(separator: "\n").count)
      }
    }
  }

  @Test func `lines that were not broken stay apart`() {
    let text =
      "2026-11-20 09:41 NSCocoaErrorDomain\n2026 started, with a longer line than the one before it\n"
    #expect(readLog(Data(text.utf8)).saysNothing)
  }

  @Test(arguments: [
    ("{length = 32, bytes = 0x42b5f2a6 13ee5e9f … 956c5275}", "42b5f2a613ee5e9f", "956c5275"),
    ("hash 42b5f2a6 13ee5e9f ... 956c5275", "42b5f2a613ee5e9f", "956c5275"),
    ("0x42b5f2a613ee5e9f…956c5275", "42b5f2a613ee5e9f", "956c5275"),
    (String(repeating: "42b5F2a6", count: 8), String(repeating: "42b5f2a6", count: 8), ""),
  ])
  func `hashes without a name`(_ text: String, _ beginning: String, _ end: String) {
    let digests = readLog(Data(text.utf8)).digests
    #expect(digests == [PrintedHashes.Digits(beginning: beginning, end: end)])
  }

  @Test func `a checksum alone`() {
    let checksum = Data(repeating: 7, count: 32).base64EncodedString()
    #expect(readLog(Data("it was \(checksum)".utf8)).checksums == [checksum])
    let digest = Data(repeating: 7, count: 64).base64EncodedString()
    for log in [
      digest, "NSStoreModelVersionHashesDigest = \"\(digest)\";",
      "\(digest.prefix(50))\n\(digest.dropFirst(50))\n",
    ] {
      #expect(readLog(Data(log.utf8)).checksums == [digest], "\(log)")
    }
  }

  @Test(arguments: [
    ("打开失败，错误代码：134110。", "migration-failed"), ("（NSSQLiteErrorDomain错误264。）", "store-recovery-read-only"),
    ("Der Vorgang ist fehlgeschlagen (Fehlercode 134140).", "missing-mapping-model"),
    ("SQLite-Fehler 3850", "store-lock-refused"), ("CoreData: error: (5) database is locked", "store-busy"),
    ("CoreData: error: (264) attempt to write a readonly database", "store-recovery-read-only"),
    ("SQLite error code:522, 'disk I/O error'", "store-io"),
  ])
  func `numbers in other languages, and with details`(_ text: String, _ kind: String) {
    #expect(readLog(Data(text.utf8)).findings.map(\.kind.name) == [kind])
  }

  @Test func `an app and its widget are one story`() {
    let lines = ["CoreData: error: (5) database is locked", "SQLite error code:3850, 'disk I/O error'"]
    for text in [lines, lines.reversed()].map({ $0.joined(separator: "\n") }) {
      let found = readLog(Data(text.utf8)).findings
      #expect(found.map(\.kind.name) == ["store-race"] && found.first?.count == 2)
    }
  }

  @Test func `what happens to a store of the system is no finding`() {
    let text = """
      photoanalysisd CoreData: error: SQLite error code:11 at /var/mobile/Media/PhotoData/Photos.sqlite
      Huts CoreData: error: SQLite error code:13, 'database or disk is full'
      """
    let found = readLog(Data(text.utf8))
    #expect(found.findings.map(\.kind.name) == ["disk-full"])
    #expect(found.systemStores.map(\.owner) == ["Photos"] && !found.saysNothing)
  }

  @Test(arguments: [
    "NSFilePath=/var/Application Support/Huts.sqlite, NSSQLiteErrorDomain=11}",
    "NSURL=file:///var/Application%20Support/Huts.sqlite, NSSQLiteErrorDomain=11}",
  ])
  func `a store is named by its path and by its URL`(_ text: String) {
    let log = "Error Domain=NSCocoaErrorDomain Code=259 \"(null)\" UserInfo={\(text)"
    #expect(readLog(Data(log.utf8)).stores == ["/var/Application Support/Huts.sqlite"])
  }

  @Test(arguments: [
    ("Can't find model for source store", "Cocoa 134130"), ("duplicate column name: ZNAME", ""),
    ("Error Domain=NSCocoaErrorDomain Code=134110 \"(null)\"", "Cocoa 134110"),
    ("NSCocoaErrorDomain Code=513", "Cocoa 513"), ("CKErrorDomain Code=6", "CloudKit 6"),
    ("Can't merge models with two different entities named 'Hut'", ""),
    ("Unable to find a configuration named 'Cloud'", ""),
  ])
  func `a message is explained by its number, or by its kind`(_ message: String, _ error: String) {
    let explained = ExplainedNumber.inMessage(message)
    #expect(explained.map { $0.error?.description ?? "" } == [error])
    let kind = explained.first?.kind
    let first = error.isEmpty ? kind?.title : kind.map { "\(error): \($0.title)" }
    #expect(kind != nil && explained.first?.text.components(separatedBy: "\n").first == first)
    #expect(ModelcCommand.run(["explain", "-q", message]) == 0)
  }

  @Test func `every number that triage knows is explained`() {
    for error in logKinds.flatMap({ $0.errors + $0.together }) {
      let code = ModelcCommand.run(["explain", "-q", error.domain.rawValue, "\(error.code)"])
      #expect(code == 0, "\(error)")
    }
    for code in Set(catalogue.flatMap(\.cocoaCodes)) {
      #expect(ModelcCommand.run(["explain", "-q", "\(code)"]) == 0, "\(code)")
    }
    for words in [["134999"], ["Cocoa"], ["Cocoa", "x"], ["SQLite", "99999"]] {
      #expect(ModelcCommand.run(["explain", "-q"] + words) != 0, "\(words)")
    }
  }
}
