import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Pages about stores and migrations") struct PageTests {
  private static let evil = "</script><script>alert(1)</script>\u{202E}<!--TITLE-->/*DATA*/"

  private static func page(_ subject: PageSubject) -> String {
    let version = ModelVersion(
      name: "V1", model: ManagedObjectModel(entities: [EntityDescription(name: "Hut")]))
    return ModelPage(
      model: VersionedModel(name: "Huts", versions: [version], currentVersionName: "V1"), subject: subject
    ).html()
  }

  @Test(arguments: [PageSubject.Kind.store, .comparison, .migration])
  func `what a page is about is data, whatever it says`(_ kind: PageSubject.Kind) throws {
    let json: JSONValue = [
      "store": .string(Self.evil), "entities": .object([.init(Self.evil, .string(Self.evil))]),
    ]
    let page = Self.page(PageSubject(kind: kind, title: Self.evil, json: json))
    let data = try #require(PageData(page))
    #expect(data.scriptTags == [2, 2])
    #expect(data[kind.rawValue, "entities", Self.evil] == Self.evil && data["title"] == Self.evil)
    #expect(!data.policy.contains("img-src"))
  }

  @Test func `pictures are allowed where there are some, and nothing else`() throws {
    let page = Self.page(PageSubject(kind: .store, title: "a", json: [:], hasPictures: true))
    let parts = try #require(PageData(page)).policy.components(separatedBy: "; ")
    #expect(parts.first == "default-src 'none'" && parts.last == "img-src data:" && parts.count == 6)
  }

  private static let png = Data([0x89] + "PNG\r\n\u{1A}\n".utf8)
  private static func picture(_ size: Int) -> Data { png + Data(count: size - png.count) }

  @Test func `values are masked unless they are asked for`() {
    let all: [QueryValue] = [
      .value(.string("Ada")), .value(.date(0)), .value(.binary(Self.png)), .unreadable("x"), .external("y"),
    ]
    var values = PageValues(ofStoreAt: "none.sqlite", showsValues: false)
    #expect(all.map { values.text($0) } == all.map { _ in "•••" })
    #expect(values.text(.absent) == nil && !values.hasPictures)
  }

  @Test func `values are text as people read it`() throws {
    let list = try NSKeyedArchiver.archivedData(
      withRootObject: ["sun", "<b>"] as NSArray, requiringSecureCoding: true)
    let long = String(repeating: "\u{1F600}", count: 300)
    let cases: [(value: AttributeValue, text: String)] = [
      (.date(-0.5), "2000-12-31T23:59:59.5Z"), (.double(.infinity), ".inf"),
      (.binary(list), #"["sun","<b>"]"#),
      (.binary(Data([1, 2, 3])), "AQID"),
      (.string("data:image/png;base64,AAAA"), "'data:image/png;base64,AAAA'"),
      (.string(long), String(long.prefix(200)) + "…"),
    ]
    var values = PageValues(ofStoreAt: "none.sqlite", showsValues: true)
    for (value, text) in cases { #expect(values.text(.value(value)) == text) }
    // Bytes that are equal in size and beginning are told apart.
    let blobs = [UInt8(0), 1].map { values.text(.value(.binary(Data(count: 30_000) + [$0]))) ?? "" }
    #expect(blobs.allSatisfy { $0.hasPrefix("30 kB, SHA-256 ") } && blobs[0] != blobs[1])
    #expect(!values.hasPictures)
  }

  @Test func `small pictures are embedded, until the page has enough`() {
    var values = PageValues(ofStoreAt: "none.sqlite", showsValues: true)
    let starts: [(String, Data)] = [
      ("png", Self.png), ("jpeg", Data([0xFF, 0xD8, 0xFF, 0xE0])), ("gif", Data("GIF89a".utf8)),
      ("webp", Data("RIFF\0\0\0\0WEBP".utf8)),
    ]
    for (kind, data) in starts {
      let text = "data:image/\(kind);base64,\(data.base64EncodedString())"
      #expect(values.text(.value(.binary(data))) == text)
    }
    #expect(values.hasPictures)
    #expect(values.text(.value(.binary(Self.picture(50_001))))?.hasPrefix("PNG, 50 kB, SHA-256 ") == true)
    let texts = (0..<25).compactMap { _ in values.text(.value(.binary(Self.picture(50_000)))) }
    #expect(texts.count { $0.hasPrefix("data:") } == 19 && texts.last?.hasPrefix("PNG, ") == true)
  }

  /// Only the beginning of a large file is read.
  @Test func `files of external data are looked at`() throws {
    try withTemporaryFolder { folder in
      let data = folder.appending(path: ".a_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let names = (0..<3).map { _ in UUID().uuidString }
      try Self.picture(300).write(to: data.appending(path: names[0]))
      try Self.picture(1_200_000).write(to: data.appending(path: names[1]))
      var values = PageValues(ofStoreAt: folder.appending(path: "a.sqlite").path, showsValues: true)
      let texts = names.map { values.text(.external($0)) ?? "" }
      #expect(texts[0].hasPrefix("data:image/png;base64,") && texts[1] == "PNG, 1.2 MB")
      #expect(texts[2] == "a file that is missing")
    }
  }
}

@Suite("Progress of many stores") struct FleetProgressTests {
  /// What a terminal shows in the end: the lines that were not erased.
  private static func screen(_ text: String) -> [String] {
    var lines = [""]
    var rest = text.replacing("\u{1B}[?7l", with: "").replacing("\u{1B}[?7h", with: "")[...]
    while let next = rest.first {
      if rest.hasPrefix("\u{1B}[A") {
        lines.removeLast()
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("\r\u{1B}[K") {
        lines[lines.count - 1] = ""
        rest = rest.dropFirst(4)
      } else {
        if next == "\n" { lines.append("") } else { lines[lines.count - 1].append(next) }
        rest = rest.dropFirst()
      }
    }
    return lines
  }

  @Test func `a line for each store that goes on, one for all, and nothing at the end`() {
    let written = Locked("")
    let progress = FleetProgress(total: 4) { text in written.withLock { $0 += text } }
    var during: [String] = []
    progress.showing("a.sqlite") { _ in
      progress.showing("b\u{1B}[2J.sqlite") { monitor in
        monitor.report(.copy, entity: "Hut", completed: 1, total: 2)
        during = Self.screen(written.withLock { $0 })
      }
    }
    #expect(during.count == 3 && during[0].hasSuffix("  plan  a.sqlite"))
    #expect(during[1].contains("copy Hut  b") && !during[1].contains("\u{1B}"))
    #expect(during[2] == "0 done, 0 failed of 4")
    progress.end(isFailure: false) { written.withLock { $0 += "migrated a\n" } }
    progress.end(isFailure: true) { written.withLock { $0 += "failed b\n" } }
    progress.finish()
    #expect(Self.screen(written.withLock { $0 }) == ["migrated a", "failed b", ""])
  }

  @Test func `the line of one store is cut at the margin`() {
    let written = Locked("")
    let printer = ProgressPrinter(style: .bar, store: "a") { text in written.withLock { $0 += text } }
    printer.show(MigrationProgress(phase: .copy, entity: String(repeating: "Hut", count: 100)))
    #expect(written.withLock { $0 }.contains("HutHut\u{1B}[?7h"))
  }
}
