import PersistentStore

/// How a store looks that is like another one: of the same Core Data, with history where that has it.
package func imitationOfStore(at path: String) throws -> StoreImitation {
  let connection = try StoreConnection(path: path)
  defer { try? connection.close() }
  return try connection.read { db in
    let physical = try readPhysicalSchema(db)
    let newest = FrameworkFeatures.newestKnownVersion
    return StoreImitation(
      frameworkVersion: try readStoreMetadata(db).frameworkVersion ?? newest,
      tracksHistory: physical.tables.contains { isHistoryTable($0.name) })
  }
}
