import Foundation
import ModelArchives

/// The file is a store of Core Data's that is read and written as a whole: XML or binary instead of a SQLite database.
package struct AtomicStoreError: Error, Hashable, Sendable {
  package var name: String
  /// Of Core Data's type `XML`; else of `Binary`.
  package var isXML: Bool
  /// Nil if it cannot be read.
  package var metadata: StoreMetadata?

  /// Nil if the bytes begin no such store.
  init?(_ name: String, _ file: OpenFile, beginning bytes: [UInt8]) throws(SystemError) {
    self.name = name
    // A log begins so as well: `CoreData: error: …`.
    if bytes.starts(with: Array("CoreData".utf8)), bytes.dropFirst(8).first != UInt8(ascii: ":") {
      isXML = false
      metadata = try binaryMetadata(of: file, header: bytes)
    } else if isXMLStore(bytes) {
      isXML = true
      metadata = try xmlMetadata(of: file)
    } else {
      return nil
    }
  }
}

/// Metadata lies at the beginning; no genuine one comes near.
private let largestMetadata = 1 << 20

private func isXMLStore(_ bytes: [UInt8]) -> Bool {
  let text = String(decoding: bytes, as: UTF8.self)
  let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
  return start.hasPrefix("<") && (text.contains("CoreData.dtd\"") || text.contains("<databaseInfo>"))
}

/// The property list within `<metadata>`, and the `<UUID>` beside it.
private func xmlMetadata(of file: OpenFile) throws(SystemError) -> StoreMetadata? {
  let text = String(decoding: try file.read(largestMetadata, at: 0), as: UTF8.self)
  guard let info = text.firstRange(of: "</databaseInfo>").map({ text[..<$0.lowerBound] }),
    let start = info.firstRange(of: "<plist"),
    let end = info[start.lowerBound...].firstRange(of: "</plist>")
  else { return nil }
  let list = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + info[start.lowerBound..<end.upperBound]
  guard let values = Data(list.utf8).readPropertyList()?.dictionary else { return nil }
  let uuid = info.firstMatch(of: #/<UUID>([0-9A-Fa-f-]{36})<\/UUID>/#).map { String($0.1) }
  return StoreMetadata(uuid: uuid ?? "", values: values)
}

/// Two big-endian numbers in the header say where the metadata lies and how long it is. Third-party readers of such
/// files tell so; no genuine one is at hand.
private func binaryMetadata(of file: OpenFile, header: [UInt8]) throws(SystemError) -> StoreMetadata? {
  let (offset, count) = (header.number(at: 16, bytes: 8), header.number(at: 24, bytes: 8))
  guard header.count >= 64, offset >= 0, (1...largestMetadata).contains(count) else { return nil }
  let data = Data(try file.read(count, at: Int64(offset)))
  guard let plain = try? data.decodePlainValue(),
    let values = PropertyListValue(foundationValue: plain)?.dictionary
  else { return nil }
  return StoreMetadata(uuid: values["NSStoreUUID"]?.text ?? "", values: values)
}
