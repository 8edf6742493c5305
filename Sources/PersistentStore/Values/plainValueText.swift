package import Foundation
import ManagedModel
import ModelArchives

extension Data {
  /// The value of a transformable attribute as JSON, where its bytes are a property list or a keyed archive of plain values;
  /// else nil.
  ///
  /// A single text stands for itself. Dates are ISO 8601, data is Base64, sets are sorted lists.
  package var plainValueText: String? {
    guard let value = try? decodePlainValue() else { return nil }
    if let text = value as? String { return text }
    guard
      let json = try? JSONSerialization.data(
        withJSONObject: plain(value), options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    else { return nil }
    return String(decoding: json, as: UTF8.self)
  }
}

private func plain(_ value: Any) -> Any {
  switch value {
  case let text as String: text
  // JSON has no infinities.
  case let number as NSNumber: number.doubleValue.isFinite ? number : "\(number)"
  case let date as Date:
    date.timeIntervalSinceReferenceDate.isoDate ?? "\(date.timeIntervalSinceReferenceDate)"
  case let data as Data: data.base64EncodedString()
  case let url as URL: url.absoluteString
  case let uuid as UUID: uuid.uuidString
  case let values as [Any]: values.map(plain)
  case let values as Set<AnyHashable>:
    values.map { plain($0.base) }.sorted { "\($0)" < "\($1)" }
  case let values as [AnyHashable: Any]:
    Dictionary(firstOf: values.map { ("\(plain($0.base))", plain($1)) })
  default: NSNull()
  }
}
