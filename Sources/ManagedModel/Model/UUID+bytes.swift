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

  /// Version 4 of RFC 9562, as Foundation makes them.
  ///
  /// - Parameter bytes: sixteen at random, of whose bits six say the version.
  package init(version4 bytes: [UInt8]) {
    var bytes = bytes
    if bytes.count > 8 {
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
    }
    self.init(bytes: bytes)
  }

  package var bytes: Data { unsafe withUnsafeBytes(of: uuid) { unsafe Data($0) } }
}
