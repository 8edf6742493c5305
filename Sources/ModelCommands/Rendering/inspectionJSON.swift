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

extension StoreInspection {
  static let shape = JSONShape.object(
    "inspection", "What a store is.",
    [
      "store": .storeName,
      "versions": .texts("The versions that it fits; several where their hashes are equal."),
      "recognisedBy": .words(of: Recognition.Basis.self, "The evidence that decided."),
      "models": .texts("The models of those versions, in the same order."),
      "mergedFrom": .list(of: RecognisedVersion.shape, "Versions of several models that it holds together."),
      "nearest": .list(of: NearestVersion.shape, "Where no version fits: those that are nearest."),
      "uuid": .text("The store's identifier."),
      "frameworkVersion": .integer("The number of the Core Data that wrote it.").orNull,
      "bytes": .integer("The size of its file."), "journalMode": .text("SQLite's journal mode."),
      "persistentHistory": .flag("Whether it keeps persistent history."), "history": History.shape.orNull,
      "cloudKit": .flag("Whether Core Data mirrors it to CloudKit."),
      "cloudKitTables": .texts("The tables for that."), "externalFiles": ExternalFiles.shape.orNull,
      "entities": .list(of: Entity.shape, "In numbering order."),
      "tables": .list(of: tableShape, "By name; none where a large store was not counted (--count)."),
      "indexes": .list(of: Index.shape, "In the order of creation."),
      "metadata": .named(.anything, "The store's metadata; bytes as hexadecimal digits or Base64."),
      "diagnostics": .diagnostics,
    ])

  private static let tableShape = JSONShape.object(
    "tableSize", "A table with its indexes.", ["name": .text(""), "bytes": .integer("")])
}

extension StoreInspection.Entity {
  fileprivate static let shape = JSONShape.object(
    "storeEntity", "An entity of a store.",
    [
      "name": .text(""), "hash": .text("Its version hash, in hexadecimal digits.").orNull,
      "number": .integer("Z_ENT of its rows."), "table": .text("").orNull,
      "rows": .integer("Objects of this very entity; null if they were not counted.").orNull,
      "rowsAtMost": .integer("Where they were not counted: the highest key of the table.").orNull,
    ])
}

extension StoreInspection.History {
  fileprivate static let shape = JSONShape.object(
    "history", "Persistent history.",
    [
      "transactions": .integer("").orNull, "transactionsAtMost": .integer("Where not counted.").orNull,
      "changes": .integer("").orNull, "changesAtMost": .integer("Where not counted.").orNull,
    ])
}

extension StoreInspection.ExternalFiles {
  fileprivate static let shape = JSONShape.object(
    "externalFiles", "Large values in files of their own.", ["count": .integer(""), "bytes": .integer("")])
}

extension StoreInspection.Index {
  fileprivate static let shape = JSONShape.object(
    "index", "An index of the file.",
    [
      "name": .text(""), "table": .text(""), "columns": .texts("None where an element is an expression."),
      "unique": .flag("Whether it keeps a uniqueness constraint."),
    ])
}

extension RecognisedVersion {
  fileprivate static let shape = JSONShape.object(
    "recognisedVersion", "A version that a store fits.",
    ["model": .text(""), "version": .text(""), "configuration": .text("").orNull])
}

extension NearestVersion {
  fileprivate static let shape = JSONShape.object(
    "nearestVersion", "A version that a store nearly fits.",
    [
      "model": .text(""), "version": .text(""), "equal": .integer("Entities with equal hashes."),
      "total": .integer("Entities of both."), "differing": .list(of: differenceShape, "What differs."),
    ])

  static let differenceShape = JSONShape.object(
    "storeDifference", "What a store and a version say differently.",
    [
      "entity": .text(""), "property": .text("").orNull, "store": .text("What the store has.").orNull,
      "version": .text("What the version has.").orNull,
    ])
}
