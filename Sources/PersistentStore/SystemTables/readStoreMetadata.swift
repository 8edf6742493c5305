import Foundation
package import GRDB
package import ManagedModel
import ModelArchives

/// Bytes; no genuine metadata comes near it.
private let largestMetadata = 16 << 20
/// As many as a model may have.
private let mostEntities = 10_000

extension Database {
  /// Reads the one row of `Z_METADATA`.
  package func readStoreMetadata() throws -> StoreMetadata {
    let sizes = try Row.fetchAll(self, sql: "SELECT length(Z_PLIST) FROM Z_METADATA LIMIT 2")
    guard let size = sizes.first else { throw DiagnosticsError(.metadataUnreadable("Z_METADATA has no row")) }
    guard sizes.count == 1 else { throw DiagnosticsError(.metadataUnreadable("Z_METADATA has several rows")) }
    guard (size.number(0) ?? 0) <= largestMetadata else {
      throw DiagnosticsError(.metadataUnreadable("the property list in Z_METADATA is larger than 16 MB"))
    }
    guard let row = try Row.fetchOne(self, sql: "SELECT Z_UUID, Z_PLIST FROM Z_METADATA"),
      let data = Data.fromDatabaseValue(row[1]), !data.isEmpty
    else { throw DiagnosticsError(.metadataUnreadable("Z_METADATA contains no property list")) }
    guard let list = data.readPropertyList()?.dictionary else {
      throw DiagnosticsError(
        .metadataUnreadable("the property list in Z_METADATA cannot be read").notingModel(in: self))
    }
    guard let metadata = StoreMetadata(uuid: row.text(0) ?? "", values: list) else {
      throw DiagnosticsError(.metadataUnreadable("the store's metadata has no usable model version hashes"))
    }
    let count = metadata.versionHashes.count
    guard count <= mostEntities else {
      throw DiagnosticsError(
        .metadataUnreadable(
          "the store's metadata has version hashes of \(count) entities; a model has \(mostEntities) at most")
      )
    }
    return metadata
  }
}

extension StoreMetadata {
  /// Writes the metadata back as a binary property list, in place of what was there.
  package func write(to db: Database) throws {
    let list = PropertyListValue.dictionary(values).encoded()
    try db.execute(sql: "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", arguments: [uuid, list])
    guard db.changesCount == 0 else { return }
    try db.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      arguments: [uuid, list])
  }
}

extension Diagnostic.Code { package static let metadataUnreadable = Self("MC5004") }

extension Diagnostic {
  fileprivate static func metadataUnreadable(_ message: String) -> Diagnostic {
    Diagnostic(
      .metadataUnreadable, .error, message,
      notes: ["without metadata the store's model version is unknown; its rows are intact"],
      help: [
        "restore the store from a backup, together with its -wal file",
        "`modelc repair STORE` rewrites it, if the tables or a model show the version",
      ], cocoaCode: 134020)
  }

  /// With what the store's own model tells, which nothing confirms without the metadata.
  fileprivate func notingModel(in db: Database) -> Diagnostic {
    guard let physical = try? db.readPhysicalSchema(),
      let model = (try? db.readCachedModel(physical: physical)).flatMap(\.self)
    else { return self }
    var noting = self
    let names = model.entities.map(\.name).sorted()
    noting.notes.append("its model in Z_MODELCACHE is intact: \(names.quoted())")
    noting.help.append("`modelc inspect --model STORE` prints that model, which shows the store's version")
    return noting
  }
}
