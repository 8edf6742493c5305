public import Foundation

/// The 32 bytes by which Core Data recognises one entity of one model version.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  /// - Parameter data: 32 bytes; anything else yields nil.
  package init?(data: Data) {
    guard data.count == 32 else { return nil }
    self.init(digest: data)
  }

  /// - Parameter digest: 32 bytes.
  init(digest: some Sequence<UInt8>) { bytes = Array(digest) }

  /// The 32 bytes.
  public var data: Data { Data(bytes) }

  /// 64 lower-case hexadecimal digits.
  public var hexadecimal: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// The hash as ``hexadecimal``.
  public var description: String { hexadecimal }
}
