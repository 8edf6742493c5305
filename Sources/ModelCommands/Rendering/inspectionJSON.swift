import Foundation
import ManagedModel
import ModelArchives
import PersistentStore
import StoreFiles
import StoreVerification

extension StoreInspection {
  /// The object of `inspect STORE`.
  func json(store: String) -> JSONValue {
    [
      "store": .string(store), "versions": JSONValue(recognition.versions.map(\.versionName)),
      "recognisedBy": .string(recognition.recognisedBy.rawValue),
      "models": JSONValue(recognition.versions.map(\.modelName)),
      "mergedFrom": .array(recognition.mergedFrom.map(\.json)),
      "nearest": .array(recognition.nearest.map(\.json)), "uuid": .string(metadata.uuid),
      "frameworkVersion": JSONValue(metadata.frameworkVersion), "bytes": .integer(Int64(byteCount)),
      "journalMode": .string(journalMode), "persistentHistory": .boolean(hasPersistentHistory),
      "history": history?.json ?? nil, "cloudKit": .boolean(hasCloudKitTables),
      "cloudKitTables": JSONValue(cloudKitTableNames), "externalFiles": externalFiles?.json ?? nil,
      "entities": .array(entities.map(\.json)),
      "tables": .array(
        tableByteCounts.sorted { $0.key < $1.key }.map {
          ["name": .string($0.key), "bytes": .integer($0.value)]
        }),
      "indexes": .array(indexes.map(\.json)),
      "metadata": .object(metadata.values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) }),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
  }
}

extension StoreInspection.Entity {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "hash": JSONValue(hash?.hexadecimal), "number": JSONValue(number),
      "table": JSONValue(tableName), "rows": JSONValue(rows), "rowsAtMost": count.bound,
    ]
  }
}

extension StoreInspection.RowCount {
  /// The number that there are no more than, where they were not counted.
  fileprivate var bound: JSONValue { if case .atMost(let rows) = self { .integer(rows) } else { nil } }
  fileprivate var exact: JSONValue { if case .exact(let rows) = self { JSONValue(rows) } else { nil } }
}

extension StoreInspection.History {
  fileprivate var json: JSONValue {
    [
      "transactions": transactions.exact, "transactionsAtMost": transactions.bound, "changes": changes.exact,
      "changesAtMost": changes.bound,
    ]
  }
}

extension StoreInspection.ExternalFiles {
  fileprivate var json: JSONValue {
    ["count": JSONValue(count), "bytes": .integer(byteCount)]
  }
}

extension StoreInspection.Index {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "table": .string(tableName), "columns": JSONValue(columnNames),
      "unique": .boolean(isUnique),
    ]
  }
}

extension RecognisedVersion {
  fileprivate var json: JSONValue {
    [
      "model": .string(modelName), "version": .string(versionName), "configuration": JSONValue(configuration),
    ]
  }
}

extension NearestVersion {
  fileprivate var json: JSONValue {
    [
      "model": .string(modelName), "version": .string(versionName), "equal": JSONValue(equal),
      "total": JSONValue(total),
      "differing": .array(
        differing.map { difference in
          [
            "entity": .string(difference.entity), "property": JSONValue(difference.property),
            "store": JSONValue(difference.store), "version": JSONValue(difference.version),
          ]
        }),
    ]
  }
}

extension PropertyListValue {
  /// Bytes become hexadecimal digits where they are a version hash, else Base64; a date its ISO 8601 form.
  fileprivate var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let value): .integer(value)
    case .unsignedInteger(let value): .string("\(value)")
    case .real(let value): .number(value)
    case .boolean(let value): .boolean(value)
    case .date(let date): .string(date.formatted(.iso8601))
    case .data(let data):
      .string(
        data.count == 32 ? data.map { String(format: "%02x", $0) }.joined() : data.base64EncodedString())
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let values):
      .object(values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    case .entries, .reference: .null
    }
  }
}
