import Foundation
import ManagedModel
import ModelArchives
import PersistentStore

/// Users' values as a page has them: masked unless they are asked for; texts cut short, dates in ISO 8601, lists and
/// dictionaries of archives as JSON, small pictures as `data:` URLs, of other bytes what tells them apart.
struct PageValues {
  /// Bytes of one picture, and of all pictures on a page. A larger one is named with its size.
  private static let limits = (picture: 50_000, page: 1_000_000)

  let showsValues: Bool
  /// The store with the files of external data.
  let store: String
  private var pictureBytes = 0

  init(ofStoreAt store: String, showsValues: Bool) { (self.store, self.showsValues) = (store, showsValues) }

  var hasPictures: Bool { pictureBytes > 0 }

  /// Nil if there is no value.
  mutating func text(_ value: QueryValue) -> String? {
    if value == .absent { return nil }
    if !showsValues { return "•••" }
    switch value {
    case .value(.binary(let data)): return text(data, size: Int64(data.count))
    case .external(let file):
      guard let data = try? readExternalData(file, ofStoreAt: store, upTo: Self.limits.picture + 1) else {
        return "a file that is missing"
      }
      let status = try? FileStatus(atPath: ExternalFolder.data.path(ofStoreAt: store) + "/" + file)
      return text(data, size: max(status?.size ?? 0, Int64(data.count)))
    default: return value.csvText(ofStoreAt: store).map(shortened)
    }
  }

  /// - Parameters:
  ///   - data: all bytes, or the first of many.
  ///   - size: how many there are.
  private mutating func text(_ data: Data, size: Int64) -> String {
    let hash = data.count < size ? nil : VersionHash(data: Data(SHA256.digest(of: data)))
    let digest = hash.map { ", SHA-256 \($0.hexadecimal.prefix(8))" } ?? ""
    guard let kind = pictureKind(data) else {
      if data.count <= 24 { return data.base64EncodedString() }
      let kind = data.isKeyedArchive ? "archive, " : ""
      return data.plainValueText.map(shortened) ?? kind + size.humanSize + digest
    }
    guard size <= Self.limits.picture, pictureBytes + data.count <= Self.limits.page else {
      return "\(kind.uppercased()), \(size.humanSize)\(digest)"
    }
    pictureBytes += data.count
    return "data:image/\(kind);base64,\(data.base64EncodedString())"
  }

  /// A text that looks like a picture stands in quotes: the page takes it for a text.
  private func shortened(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(200)
    let shown = String(start) + (start.endIndex < text.endIndex ? "…" : "")
    return shown.hasPrefix("data:") ? "'\(shown)'" : shown
  }

  /// By the first bytes, as browsers tell pictures apart.
  private func pictureKind(_ data: Data) -> String? {
    if data.starts(with: Data("RIFF".utf8)), data.dropFirst(8).starts(with: Data("WEBP".utf8)) {
      return "webp"
    }
    let starts: KeyValuePairs = [
      "png": Data([0x89] + "PNG\r\n\u{1A}\n".utf8), "jpeg": Data([0xFF, 0xD8, 0xFF]),
      "gif": Data("GIF8".utf8),
    ]
    return starts.first { data.starts(with: $0.value) }?.key
  }
}
