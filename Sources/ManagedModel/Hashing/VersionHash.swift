public import Foundation

/// The 32 bytes by which Core Data recognises one entity of one model version.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  /// In four words, the first bytes in the first word's lowest: a model has thousands of hashes.
  private var words: (UInt64, UInt64, UInt64, UInt64)

  /// - Parameter data: 32 bytes; anything else yields nil.
  package init?(data: Data) {
    guard data.count == 32 else { return nil }
    self.init(digest: data)
  }

  /// - Parameter digest: 32 bytes; what is missing counts as zero.
  init(digest: some Sequence<UInt8>) {
    words = (0, 0, 0, 0)
    for (index, byte) in digest.prefix(32).enumerated() {
      let bits = UInt64(byte) << UInt64(index % 8 * 8)
      switch index / 8 {
      case 0: words.0 |= bits
      case 1: words.1 |= bits
      case 2: words.2 |= bits
      default: words.3 |= bits
      }
    }
  }

  /// Whether all 32 bytes are equal.
  public static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  /// Hashes the first word: the value is a hash already.
  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  /// The 32 bytes.
  public var data: Data { Data(bytes) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    let words = (
      words.0.littleEndian, words.1.littleEndian, words.2.littleEndian, words.3.littleEndian
    )
    unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
  }

  /// 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The hash as ``hexadecimal``.
  public var description: String { hexadecimal }
}
