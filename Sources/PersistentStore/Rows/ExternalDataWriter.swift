package import Foundation
package import ManagedModel

/// Values larger than this lie in files of their own where their attribute allows it.
///
/// Core Data's own limit is not known: a value of 99,813 bytes was still inline in a genuine store.
package let externalDataThreshold = 100 << 10

package protocol ExternalDataStorage {
  /// Puts a value into a file, if it is large enough for one.
  ///
  /// - Returns: the file's name, or nil if the value stays in its cell.
  func store(_ data: Data, of id: ManagedObject.ID, property: String) throws -> String?
}

/// Writes large values into `.<store>_SUPPORT/_EXTERNAL_DATA` beside a new store (store-format.md 3).
///
/// The names follow from the store's identity and the object, so that the same objects make the same files.
package final class ExternalDataWriter: ExternalDataStorage {
  private let storePath: String
  private let storeUUID: UUID
  private var folder: String?
  /// In files and bytes, so far.
  package private(set) var fileCount = 0
  package private(set) var byteCount = 0

  /// - Parameter storePath: the new store; the folder is made with the first value.
  package init(storeAt path: String, uuid: UUID) { (storePath, storeUUID) = (path, uuid) }

  package func store(_ data: Data, of id: ManagedObject.ID, property: String) throws -> String? {
    guard data.count > externalDataThreshold else { return nil }
    return try withStoreDiagnostics(for: storePath, .destination) {
      let folder = try preparedFolder()
      var random = SeededRandom(stableHash("\(storeUUID.uuidString)/\(id.entityName)/\(property)"))
      random = SeededRandom(random.next() &+ UInt64(bitPattern: id.primaryKey))
      let name = random.uuid().uuidString
      let file = try OpenFile(creating: "\(folder)/\(name)", mode: 0o666)
      try file.write(Array(data), at: 0)
      try file.synchronize()
      fileCount += 1
      byteCount += data.count
      return name
    }
  }

  /// Removes what was written: the store did not come about.
  package func discard() {
    let support = ExternalFolder.support.path(ofStoreAt: storePath)
    if folder != nil { try? FileManager.default.removeItem(atPath: support) }
    // By the time of a signal another store may have that folder.
    UnfinishedFiles.forget(support)
    folder = nil
  }

  private func preparedFolder() throws -> String {
    if let folder { return folder }
    let support = ExternalFolder.support.path(ofStoreAt: storePath)
    guard try FileStatus(atPath: support) == nil else {
      throw DiagnosticsError(.folderTaken(storePath, support))
    }
    let made = support + "/_EXTERNAL_DATA"
    UnfinishedFiles.add(support)
    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    folder = made
    return made
  }
}
