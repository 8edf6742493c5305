import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

extension StoreInspection {
  /// The object of `inspect STORE`.
  func json(store: String) -> JSONValue {
    .object([
      .init("store", .string(store)),
      .init("versions", JSONValue(recognition.versions.map(\.versionName))),
      .init("recognisedBy", .string(recognition.recognisedBy.rawValue)),
      .init("models", JSONValue(recognition.versions.map(\.modelName))),
      .init("mergedFrom", .array(recognition.mergedFrom.map(\.json))),
      .init("nearest", .array(recognition.nearest.map(\.json))),
      .init("uuid", .string(metadata.uuid)),
      .init("frameworkVersion", JSONValue(metadata.frameworkVersion)),
      .init("bytes", .integer(Int64(byteCount))),
      .init("journalMode", .string(journalMode)),
      .init("persistentHistory", .boolean(hasPersistentHistory)),
      .init("history", history?.json ?? nil),
      .init("cloudKit", .boolean(hasCloudKitTables)),
      .init("cloudKitTables", JSONValue(cloudKitTableNames)),
      .init("externalFiles", externalFiles?.json ?? nil),
      .init("entities", .array(entities.map(\.json))),
      .init(
        "tables",
        .array(
          tableByteCounts.sorted { $0.key < $1.key }.map {
            .object([.init("name", .string($0.key)), .init("bytes", .integer($0.value))])
          })),
      .init("indexes", .array(indexes.map(\.json))),
      .init(
        "metadata", .object(metadata.values.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })),
      .init("diagnostics", .array(diagnostics.map(\.json))),
    ])
  }
}

extension StoreInspection.Entity {
  fileprivate var json: JSONValue {
    .object([
      .init("name", .string(name)), .init("hash", JSONValue(hash?.hexadecimal)),
      .init("number", JSONValue(number)),
      .init("table", JSONValue(tableName)), .init("rows", JSONValue(rows)),
      .init("rowsAtMost", count.bound),
    ])
  }
}

extension StoreInspection.RowCount {
  /// The number that there are no more than, where they were not counted.
  fileprivate var bound: JSONValue { if case .atMost(let rows) = self { .integer(rows) } else { nil } }
  fileprivate var exact: JSONValue { if case .exact(let rows) = self { JSONValue(rows) } else { nil } }
}

extension StoreInspection.History {
  fileprivate var json: JSONValue {
    .object([
      .init("transactions", transactions.exact), .init("transactionsAtMost", transactions.bound),
      .init("changes", changes.exact), .init("changesAtMost", changes.bound),
    ])
  }
}

extension StoreInspection.ExternalFiles {
  fileprivate var json: JSONValue {
    .object([.init("count", JSONValue(count)), .init("bytes", .integer(byteCount))])
  }
}

extension StoreInspection.Index {
  fileprivate var json: JSONValue {
    .object([
      .init("name", .string(name)), .init("table", .string(tableName)),
      .init("columns", JSONValue(columnNames)), .init("unique", .boolean(isUnique)),
    ])
  }
}

extension RecognisedVersion {
  fileprivate var json: JSONValue {
    .object([
      .init("model", .string(modelName)), .init("version", .string(versionName)),
      .init("configuration", JSONValue(configuration)),
    ])
  }
}

extension NearestVersion {
  fileprivate var json: JSONValue {
    .object([
      .init("model", .string(modelName)), .init("version", .string(versionName)),
      .init("equal", JSONValue(equal)), .init("total", JSONValue(total)),
      .init(
        "differing",
        .array(
          differing.map { difference in
            .object([
              .init("entity", .string(difference.entity)), .init("property", JSONValue(difference.property)),
              .init("store", JSONValue(difference.store)), .init("version", JSONValue(difference.version)),
            ])
          })),
    ])
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
