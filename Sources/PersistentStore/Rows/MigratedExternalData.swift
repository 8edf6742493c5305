package import Foundation
import GRDB
package import ManagedModel

/// Puts large values that a migration makes into files of their own, in the folder of the store that will have them, as
/// Core Data does when it saves.
///
/// Until the swap no row of the store refers to such a file, so it harms nobody; what fails takes it away again. Names
/// follow from the store, the migration and the object, so that a run after one that was killed finds the same files
/// and leaves nothing behind. A file that holds something else is never touched.
package final class MigratedExternalData {
  private let storePath: String
  private let seed: String
  private let isNew: Bool
  /// Who may read the store may read these.
  private let permissions: mode_t
  private var files: Set<String> = []
  private var folders: [String] = []
  private var isReady = false
  private var isOver = false

  /// - Parameters:
  ///   - storePath: the store whose rows will refer to the files.
  ///   - original: the store that is migrated, which says who may read the files.
  ///   - seed: what tells this migration from others of the same store.
  ///   - isNew: whether the store is yet to come, so that its folder must not exist.
  package init(forStoreAt storePath: String, like original: StoreFile, seed: String, isNew: Bool) {
    self.storePath = storePath
    self.seed = seed
    self.isNew = isNew
    permissions = original.status.permissions & 0o666
  }

  deinit { discard() }

  /// Puts a value into a file, if it is large enough for one.
  ///
  /// - Returns: the file's name, or nil where the value stays in its cell.
  package func store(_ data: Data, of id: ManagedObject.ID, property: String) throws -> String? {
    guard data.count > externalDataThreshold else { return nil }
    return try withStoreDiagnostics(for: storePath, .destination) {
      let folder = try preparedFolder()
      var random = SeededRandom(stableHash("\(seed)/\(id.entityName)/\(property)"))
      random = SeededRandom(random.next() &+ UInt64(bitPattern: id.primaryKey))
      while true {
        let name = random.uuid().uuidString
        let path = "\(folder)/\(name)"
        // A value that is set once more takes the former one's place.
        if files.contains(path) { try removeFile(path) }
        if try FileStatus(atPath: path) != nil {
          guard try readExternalData(name, ofStoreAt: storePath) == data else { continue }
        } else {
          let file = try OpenFile(creating: path, mode: permissions)
          try file.write(Array(data), at: 0)
          try file.synchronize()
        }
        files.insert(path)
        return name
      }
    }
  }

  /// Whether anything was put into a file.
  package var hasFiles: Bool { isReady }

  package func read(_ name: String) throws -> Data? { try readExternalData(name, ofStoreAt: storePath) }

  /// Before the swap: the files' names reach the medium.
  package func synchronize() throws {
    guard isReady else { return }
    try withStoreDiagnostics(for: storePath, .destination) {
      let support = externalDataFolder(ofStoreAt: storePath)
      for folder in [support + "/_EXTERNAL_DATA", support, parentFolder(of: support)] {
        try synchronizeFolder(folder)
      }
    }
  }

  /// After the swap the files belong to the store.
  package func keep() { isOver = true }

  /// Removes what was written; after ``keep()`` this does nothing.
  package func discard() {
    guard !isOver else { return }
    isOver = true
    for file in files { try? removeFile(file) }
    // Only folders that are empty again go.
    for folder in folders.reversed() { unsafe rmdir(folder) }
  }

  private func preparedFolder() throws -> String {
    let support = externalDataFolder(ofStoreAt: storePath)
    let folder = support + "/_EXTERNAL_DATA"
    if isReady { return folder }
    if isNew, try FileStatus(atPath: support) != nil {
      throw DiagnosticsError(.folderTaken(storePath, support))
    }
    for path in [support, folder] {
      if try FileStatus(atPath: path) != nil { continue }
      guard unsafe mkdir(path, permissions | (permissions & 0o444) >> 2 | 0o700) == 0 else {
        throw SystemError(errno, "create", path)
      }
      folders.append(path)
    }
    isReady = true
    return folder
  }
}

/// The cell of a value as a migration writes it: a large one of an attribute that allows it goes into a file.
///
/// - Returns: nil where it is no value of the attribute's type.
package func storedCell(
  _ value: AttributeValue, of attribute: AttributeDescription, property: String, object: ManagedObject.ID,
  in external: MigratedExternalData?
) throws -> StoredCell? {
  if attribute.allowsExternalBinaryDataStorage, case .binary(let data) = value,
    let name = try external?.store(data, of: object, property: property)
  {
    return Data.fromDatabaseValue(externalReference(name)).map { .blob($0) }
  }
  return storedCell(value, of: attribute)
}
