import PersistentStore

/// How a store looks that is like another one: of the same Core Data, with history where that has it.
package func imitationOfStore(at path: String) throws -> StoreImitation {
  let connection = try StoreConnection(path: path)
  defer { try? connection.close() }
  return try connection.read { db in
    let physical = try db.readPhysicalSchema()
    let newest = FrameworkFeatures.newestKnownVersion
    return StoreImitation(
      frameworkVersion: try db.readStoreMetadata().frameworkVersion ?? newest,
      tracksHistory: physical.tables.contains { $0.name.isHistoryTable })
  }
}
