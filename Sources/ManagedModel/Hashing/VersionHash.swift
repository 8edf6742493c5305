public import Foundation

/// The 32 bytes by which Core Data recognises one entity of one model version.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  public let data: Data

  /// - Parameter data: 32 bytes; anything else yields nil.
  public init?(data: Data) {
    guard data.count == 32 else { return nil }
    self.data = data
  }

  init(digest: some Sequence<UInt8>) { self.data = Data(digest) }

  /// Reads 64 hexadecimal digits.
  public init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    self.data = Data(bytes)
  }

  /// 64 lower-case hexadecimal digits.
  public var hexadecimal: String {
    data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  public var description: String { hexadecimal }
}
