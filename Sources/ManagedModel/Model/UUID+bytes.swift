package import Foundation

extension UUID {
  /// - Parameter bytes: sixteen of them, in the order of the text; the nil UUID where there are others.
  package init(bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<uuid_t>.size else {
      self.init(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
      return
    }
    self.init(uuid: unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: uuid_t.self) })
  }

  /// Version 4 of RFC 9562, as Foundation makes them: of 128 bits, in the order of the text, six say the version.
  package init(version4 first: UInt64, _ second: UInt64) {
    let words = [first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000, second & 0x3FFF_FFFF_FFFF_FFFF | 1 << 63]
    self.init(
      bytes: words.flatMap { word in unsafe withUnsafeBytes(of: word.bigEndian) { unsafe Array($0) } })
  }

  package var bytes: Data { unsafe withUnsafeBytes(of: uuid) { unsafe Data($0) } }
}
