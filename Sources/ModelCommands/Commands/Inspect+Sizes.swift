import ManagedModel
import PersistentStore

extension Inspect {
  /// What takes room in a store.
  func showSizes(of path: String, among models: [VersionedModel]) throws -> JSONValue {
    let connection = try openStore(path, among: models)
    let place = connection.file.path
    let sizes = try connection.read { db in
      try StoreSizes(db, of: inspectStore(db, among: models, path: place, counting: .exact), path: place)
    }
    if !output.writesJSON { output.print(text(sizes, of: path)) }
    return StoreSizes.result.json(of: (path, sizes))
  }

  private func text(_ sizes: StoreSizes, of path: String) -> String {
    var lines = ["\(path): \(sizes.bytes.humanSize), \(sizes.freeBytes.humanSize) of it free"]
    func table(_ header: [String], _ rows: [[String]]) -> TextTable {
      TextTable(.left, .right, .right, .right, .left, header: header, rows: rows)
    }
    let tables = sizes.tables.prefix(20).map {
      [$0.name, grouped($0.rowCount), $0.rowBytes.humanSize, $0.indexBytes.humanSize, $0.entities.listed]
    }
    lines += table(["table", "rows", "size", "indexes", "entities"], tables).lines(indent: 2)
    if sizes.tables.count > 20 { lines.append("  and \(counted(sizes.tables.count - 20, "smaller table"))") }
    if !sizes.values.isEmpty {
      let values = sizes.values.prefix(10).map { found in
        [
          found.attribute.path, grouped(found.count), found.bytes.humanSize, found.largest.humanSize,
          found.files == 0 ? "" : "and \(counted(found.files, "file")), \(found.fileBytes.humanSize)",
        ]
      }
      lines += ["", "  texts and bytes:"]
      lines += table(["attribute", "values", "size", "largest", ""], values).lines(indent: 4)
    }
    if !sizes.orphans.isEmpty {
      let orphans = sizes.orphans.map { found in
        [
          found.entity, "\(grouped(found.count)) of \(grouped(found.all))",
          "no \(found.owners.map(\.path).joined(separator: " or ")) leads to them",
        ]
      }
      let names = sizes.orphans.map(\.entity).joined(separator: ",")
      let command = "`modelc repair --orphans \(names.shellWord) \(path.shellWord)`"
      lines +=
        ["", "  objects that nothing owns, though their owner's deletion would delete them (cascade):"]
        + TextTable(.left, .right, .left, rows: orphans).lines(indent: 4)
        + [
          sizes.isMirrored
            ? "  delete them in the app: CloudKit mirrors the store, and would bring them back"
            : "  what dropping them would do: \(command)".runnable
        ]
    }
    return lines.shownLines
  }
}

extension StoreSizes {
  /// The object of `inspect STORE --sizes`.
  static let result = JSONObject<(store: String, sizes: Self)>("storeSizes", "What takes room in a store.")
    .adding([
      "store": .store(\.store), "bytes": .value({ Int($0.sizes.bytes) }, "The size of its file."),
      "freeBytes": .value({ Int($0.sizes.freeBytes) }, "Of pages that hold nothing."),
      "tables": .list(\.sizes.tables, of: sizedTable, "The largest first."),
      "values": .list(
        \.sizes.values, of: sizedValues, "Attributes that hold texts or bytes, the largest first."),
      "orphans": .list(
        \.sizes.orphans, of: orphansOfEntity,
        "Objects that have lost every owner whose deletion would have deleted them."),
    ])

  private static let sizedTable = JSONObject<Table>("sizedTable", "A table.").adding([
    "name": .value(\.name), "entities": .value(\.entities, "Whose objects it holds."),
    "rows": .value(\.rowCount),
    "rowBytes": .value({ Int($0.rowBytes) }, "Of its own pages."),
    "indexBytes": .value({ Int($0.indexBytes) }, "Of its indexes' pages."),
  ])
  private static let sizedValues = JSONObject<Values>("sizedValues", "An attribute's values.").adding([
    "attribute": .value(\.attribute.path),
    "count": .value(\.count, "Values that are not nil."),
    "bytes": .value({ Int($0.bytes) }, "In the store's file."),
    "largest": .value({ Int($0.largest) }, "The longest in the store's file."),
    "files": .value(\.files, "Values in files of their own."), "fileBytes": .value({ Int($0.fileBytes) }),
  ])
  private static let orphansOfEntity = JSONObject<Orphans>(
    "storedOrphans", "Objects of an entity without an owner."
  ).adding([
    "entity": .value(\.entity), "count": .value(\.count), "all": .value(\.all, "Objects of the entity."),
    "owners": .value({ $0.owners.map(\.path) }, "Relationships that could lead to them."),
  ])
}
