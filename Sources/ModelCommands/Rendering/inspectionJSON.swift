import Foundation
import ManagedModel
import ModelArchives
import PersistentStore

extension StoreInspection {
  /// The object of `inspect STORE`.
  static let result = JSONObject<(store: String, found: Self)>("inspection", "What a store is.").adding([
    "store": .store(\.store),
    "versions": .value(
      { $0.found.recognition.versions.map(\.versionName) },
      "The versions that it fits; several where their hashes are equal."),
    "recognisedBy": .word(\.found.recognition.recognisedBy, "The evidence that decided."),
    "models": .value(
      { $0.found.recognition.versions.map(\.modelName) }, "The models of those versions, in the same order."
    ),
    "mergedFrom": .value(
      \.found.recognition.mergedFrom, "Versions of several models that it holds together."),
    "nearest": .value(\.found.recognition.nearest, "Where no version fits: those that are nearest."),
    "uuid": .value(\.found.metadata.uuid, "The store's identifier."),
    "frameworkVersion": .value(
      \.found.metadata.frameworkVersion, "The number of the Core Data that wrote it."),
    "bytes": .value(\.found.byteCount, "The size of its file."),
    "journalMode": .value(\.found.journalMode, "SQLite's journal mode."),
    "persistentHistory": .value(\.found.hasPersistentHistory, "Whether it keeps persistent history."),
    "history": .value(\.found.history),
    "cloudKit": .value(\.found.hasCloudKitTables, "Whether Core Data mirrors it to CloudKit."),
    "cloudKitTables": .value(\.found.cloudKitTableNames, "The tables for that."),
    "externalFiles": .value(\.found.externalFiles),
    "entities": .value(\.found.entities, "In numbering order."),
    "tables": .list(
      { $0.found.tableByteCounts.sorted { $0.key < $1.key } }, of: tableSize,
      "By name; none where a large store was not counted (--count)."),
    "indexes": .value(\.found.indexes, "In the order of creation."),
    "metadata": .named(
      { $0.found.metadata.values.sorted { $0.key < $1.key } },
      "The store's metadata; bytes as hexadecimal digits or Base64."),
    "diagnostics": .diagnostics(\.found.diagnostics),
  ])

  private static let tableSize = JSONObject<(key: String, value: Int64)>(
    "tableSize", "A table with its indexes."
  ).adding(["name": .value(\.key), "bytes": .value(\.value)])
}

extension StoreInspection.Entity: JSONResult {
  static let result = JSONObject<Self>("storeEntity", "An entity of a store.").adding([
    "name": .value(\.name), "hash": .value(\.hash, "Its version hash, in hexadecimal digits."),
    "number": .value(\.number, "Z_ENT of its rows."), "table": .value(\.tableName),
    "rows": .value(\.rows, "Objects of this very entity; null if they were not counted."),
    "rowsAtMost": .value(\.count.bound, "Where they were not counted: the highest key of the table."),
  ])
}

extension StoreInspection.RowCount {
  /// The number that there are no more than, where they were not counted.
  fileprivate var bound: Int64? { if case .atMost(let rows) = self { rows } else { nil } }
  var exact: Int? { if case .exact(let rows) = self { rows } else { nil } }
}

extension StoreInspection.History: JSONResult {
  static let result = JSONObject<Self>("history", "Persistent history.").adding([
    "transactions": .value(\.transactions.exact),
    "transactionsAtMost": .value(\.transactions.bound, "Where not counted."),
    "changes": .value(\.changes.exact), "changesAtMost": .value(\.changes.bound, "Where not counted."),
  ])
}

extension StoreInspection.ExternalFiles: JSONResult {
  static let result = JSONObject<Self>("externalFiles", "Large values in files of their own.")
    .adding(["count": .value(\.count), "bytes": .value(\.byteCount)])
}

extension StoreInspection.Index: JSONResult {
  static let result = JSONObject<Self>("index", "An index of the file.").adding([
    "name": .value(\.name), "table": .value(\.tableName),
    "columns": .value(\.columnNames, "None where an element is an expression."),
    "unique": .value(\.isUnique, "Whether it keeps a uniqueness constraint."),
  ])
}

extension RecognisedVersion: JSONResult {
  static let result = JSONObject<Self>("recognisedVersion", "A version that a store fits.").adding([
    "model": .value(\.modelName), "version": .value(\.versionName),
    "configuration": .value(\.configuration),
  ])
}

extension NearestVersion: JSONResult {
  static let result = JSONObject<Self>("nearestVersion", "A version that a store nearly fits.").adding([
    "model": .value(\.modelName), "version": .value(\.versionName),
    "equal": .value(\.equal, "Entities with equal hashes."), "total": .value(\.total, "Entities of both."),
    "differing": .value(\.differing, "What differs."),
  ])
}

extension Difference: JSONResult {
  static let result = JSONObject<Self>("storeDifference", "What a store and a version say differently.")
    .adding([
      "entity": .value(\.entity), "property": .value(\.property),
      "store": .value(\.store, "What the store has."), "version": .value(\.version, "What the version has."),
    ])
}

extension PropertyListValue: JSONWritable {
  static let shape = JSONShape.anything

  /// Bytes become hexadecimal digits where they are a version hash, else Base64; a date its ISO 8601 form.
  var json: JSONValue {
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
