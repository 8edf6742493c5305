import Foundation
import StoreRepair
import TestSupport
import Testing

@Suite("Logs as they come") struct LogReadingTests {
  private static let error = "Error Domain=NSCocoaErrorDomain Code=134100 \"(null)\""
  private static let first = "0a1b2c3d 4e5f6071 8293a4b5 c6d7e8f9"

  private func hashes(_ text: String) -> [PrintedHashes] { readLog(Data(text.utf8)).printed }

  @Test func `hashes are read in every form`() {
    let digits = ["0a1b2c3d4e5f6071", "11223344"]
    let value = "{length = 32, bytes = 0x0a1b2c3d 4e5f6071 ... 11223344 }"
    let both = ["Hut": digits, "Stay_1": digits]
    for text in [
      "NSStoreModelVersionHashes =     {\n  Hut = \(value);\n  \"Stay_1\" = \(value);\n};\n",
      "{Hut = \(value); Stay_1 = \(value);}", "\"Hut\": \(value)\n\"Stay_1\": \(value)\n}",
      #"{"log":"{\n   Hut = \#(value);\n   \"Stay_1\" = \#(value);\n};\n"}"#,
      #"{\\n   Hut = \#(value);\\n   \\\"Stay_1\\\" = \#(value);\\n};"#,
    ] {
      let found = hashes(text)
      #expect(found.map { $0.digits.mapValues { [$0.beginning, $0.end] } } == [both], "\(text)")
      #expect(found.allSatisfy { $0.isClosed }, "\(text)")
    }
    let whole = Array(repeating: "0A1b2c3d", count: 8).joined(separator: " ")
    #expect(hashes("Hut = <\(whole)>;\n}").first?.digits["Hut"]?.isWhole == true)
  }

  @Test func `a hash that is cut is its visible beginning, and less than four bytes are none`() {
    for count in 0...Self.first.count {
      let cut = String(Self.first.prefix(count))
      let found = hashes("{\n  Hut = {length = 32, bytes = 0x\(cut)")
      let digits = cut.filter { $0 != " " }
      #expect(found.map { $0.digits["Hut"]?.beginning } == (digits.count < 8 ? [] : [digits]))
      #expect(found.allSatisfy { !$0.isClosed })
    }
    #expect(hashes("Hut = {length = 20, bytes = 0x\(Self.first) };\n}").isEmpty)
    #expect(hashes("Hut = {length = 32, bytes = 0x\(Self.first) };\n}").isEmpty)
    #expect(hashes("Hut = <NSManagedObject: 0x600>;\n}").isEmpty)
  }

  @Test func `where the pieces end that are read does not matter`() {
    var generator = SeededGenerator(seed: 23)
    let text =
      KindLog.all.map(\.text).joined(separator: "\n") + "\nHut = <" + Self.first + " " + Self.first
      + ">;\n}\n"
    let whole = readLog(Data(text.utf8))
    #expect(whole.findings.count >= 40 && whole.printed.count == 1)
    for _ in 0..<6 {
      let size = Int.random(in: 7...2000, using: &generator)
      let pieces = readLog(Data(text.utf8), chunk: size)
      #expect(pieces.findings == whole.findings, "pieces of \(size)")
      #expect(pieces.printed == whole.printed && pieces.lineCount == whole.lineCount)
    }
  }

  @Test func `UTF-16 is read, in both orders and with or without its mark`() throws {
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      let data = try #require("Größe\nError – \(Self.error)\n".data(using: encoding))
      #expect(data.isEmpty == false)
      let triage = readLog(data, chunk: 13)
      // The mark or the first letters tell the order; "Gr" is ASCII.
      #expect(triage.findings.map(\.kind.name) == ["hash-mismatch"], "\(encoding)")
    }
  }

  @Test func `a line without an end is read in pieces`() {
    let filler = String(repeating: "x", count: 3 << 20)
    let triage = readLog(Data("\(filler)\(Self.error)\(filler)\(Self.error)\(filler)".utf8))
    #expect(triage.findings.map(\.kind.name) == ["hash-mismatch"])
    #expect(triage.findings.first?.count == 2)
    #expect(triage.findings.first.map { $0.excerpt.utf8.count < 300 } == true)
    #expect(triage.lineCount == 1)
  }

  @Test func `noise is no answer`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<10 {
      let bytes = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let triage = readLog(Data(bytes))
      #expect(triage.saysNothing && !triage.isText)
    }
  }
}
