import Foundation
import ModelArchives
import TestSupport
import Testing

@Suite("Zip files") struct ZipArchiveTests {
  /// By Python's zipfile: a packed `V1.mom` of 300 bytes, a stored `S.cdm`, a link, two names that lead out.
  private static let sample = """
    UEsDBBQAAAAIALQFe10JGZeJBwAAACwBAAAbAAAAUGF5bG9hZC9BLmFwcC9ULm1vbWQvVjEubW9tS0wcBcQCAFBLAwQUAAAACAC0BXtdgxbcjAMAAAABAAAAGAAA
    AFBheWxvYWQvQS5hcHAvSW5mby5wbGlzdKsAAFBLAwQUAAAAAAAAACEACrkfKQsAAAALAAAAEgAAAFBheWxvYWQvQS5hcHAvbGluay9ldGMvcGFzc3dkUEsDBBQA
    AAAIALQFe10VJtv7AwAAAAEAAAAKAAAALi4vb3V0Lm1vbasEAFBLAwQUAAAACAC0BXtdFSbb+wMAAAABAAAADwAAAGEvLi4vLi4vb3V0Lm1vbasEAFBLAwQUAAAA
    AAC0BXtdC/lDVgYAAAAGAAAAEwAAAFBheWxvYWQvQS5hcHAvUy5jZG1zdG9yZWRQSwECFAMUAAAACAC0BXtdCRmXiQcAAAAsAQAAGwAAAAAAAAAAAAAAgAEAAAAA
    UGF5bG9hZC9BLmFwcC9ULm1vbWQvVjEubW9tUEsBAhQDFAAAAAgAtAV7XYMW3IwDAAAAAQAAABgAAAAAAAAAAAAAAIABQAAAAFBheWxvYWQvQS5hcHAvSW5mby5w
    bGlzdFBLAQIUAxQAAAAAAAAAIQAKuR8pCwAAAAsAAAASAAAAAAAAAAAAAAD/oXkAAABQYXlsb2FkL0EuYXBwL2xpbmtQSwECFAMUAAAACAC0BXtdFSbb+wMAAAAB
    AAAACgAAAAAAAAAAAAAAgAG0AAAALi4vb3V0Lm1vbVBLAQIUAxQAAAAIALQFe10VJtv7AwAAAAEAAAAPAAAAAAAAAAAAAACAAd8AAABhLy4uLy4uL291dC5tb21Q
    SwECFAMUAAAAAAC0BXtdC/lDVgYAAAAGAAAAEwAAAAAAAAAAAAAAgAEPAQAAUGF5bG9hZC9BLmFwcC9TLmNkbVBLBQYAAAAABgAGAIUBAABGAQAAAAA=
    """

  private static let bytes = Data(base64Encoded: sample, options: .ignoreUnknownCharacters) ?? Data()
  private static let contents = [
    "Payload/A.app/T.momd/V1.mom": Data(repeating: 0x61, count: 300),
    "Payload/A.app/Info.plist": Data("x".utf8),
    "Payload/A.app/S.cdm": Data("stored".utf8),
  ]

  /// What is read of the bytes as a zip file, by name; nil for a refusal.
  private func read(_ bytes: Data, limit: Int = 1 << 20) throws -> [String: Data]? {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "A.ipa")
      try bytes.write(to: file)
      do {
        let zip = try ZipArchive(file)
        let pairs = try zip.entries.map { ($0.path, try zip.read($0, limit: limit)) }
        return Dictionary(pairs) { first, _ in first }
      } catch is ArchiveFlaw {
        return nil
      }
    }
  }

  @Test func `files are read, and links and names that lead out are not listed`() throws {
    #expect(try read(Self.bytes) == Self.contents)
    #expect(try read(Self.bytes, limit: 299) == nil)
  }

  @Test func `one that is cut off is refused at every length`() throws {
    for count in stride(from: 0, to: Self.bytes.count, by: 7) {
      #expect(try read(Self.bytes.prefix(count)) == nil, "\(count)")
    }
  }

  /// A changed bit is noticed, or is in something that nobody needs: a date, a version, the name.
  @Test func `changed bytes change no content unnoticed`() throws {
    let known = Set(Self.contents.values).union([Data("y".utf8), Data("/etc/passwd".utf8)])
    for index in Self.bytes.indices {
      for change: UInt8 in [0x01, 0x80, 0xFF] {
        var bytes = Self.bytes
        bytes[index] ^= change
        guard let found = try read(bytes) else { continue }
        #expect(Set(found.values).isSubset(of: known))
        #expect(!found.keys.contains { $0.split(separator: "/").contains("..") })
      }
    }
  }

  /// The numbers of the end are all ones, and the larger form before it has them.
  @Test func `one in the form for more than 4 GB`() throws {
    func number(_ value: Int, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
    func archive(directory: Int, size: Int, count: Int) -> Data {
      let files = Self.bytes.dropLast(22)
      let large =
        number(0x0606_4B50, 4) + number(44, 8) + number(0, 4) + number(0, 8) + number(count, 8)
        + number(count, 8)
        + number(size, 8) + number(directory, 8)
      let locator = number(0x0706_4B50, 4) + number(0, 4) + number(files.count, 8) + number(1, 4)
      let end = number(0x0605_4B50, 4) + number(0, 4) + Data(repeating: 0xFF, count: 12) + number(0, 2)
      return files + large + locator + end
    }
    #expect(try read(archive(directory: 0x146, size: 0x185, count: 6)) == Self.contents)
    for numbers in [(Int.max, 0x185, 6), (0x146, Int.max, 6), (0x146, 0x185, Int.max), (-1, -1, -1)] {
      #expect(try read(archive(directory: numbers.0, size: numbers.1, count: numbers.2)) == nil)
    }
  }
}
