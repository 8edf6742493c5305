package import Foundation
package import GRDB
package import ManagedModel

/// Puts large values that a migration makes, or takes along, into files of their own, in the folder of the store that
/// will have them, as Core Data does when it saves.
///
/// Until the swap no row of the store refers to such a file, so it harms nobody; what fails takes it away again, and
/// after a kill a record beside the store tells which files these are. Names follow from the store's name, the migration
/// and the object. A file that is there already is never touched.
package final class MigratedExternalData: ExternalDataStorage {
  private let storePath: String
  private let original: StoreFile
  private let seed: String
  private let isNew: Bool
  private var record: ExternalDataRecord?
  private var files: Set<String> = []
  private var folders: [String] = []
  private var isOver = false

  /// - Parameters:
  ///   - storePath: the store whose rows will refer to the files.
  ///   - original: the store that is migrated, which says whose the files are and who may read them.
  ///   - seed: what tells this migration from others of the same store.
  ///   - isNew: whether the store is yet to come, so that its folder must not exist.
  package init(forStoreAt storePath: String, like original: StoreFile, seed: String, isNew: Bool) {
    (self.storePath, self.original, self.seed, self.isNew) = (storePath, original, seed, isNew)
  }

  deinit { discard() }

  package func store(_ data: Data, of id: ManagedObject.ID, property: String) throws -> String? {
    guard data.count > externalDataThreshold else { return nil }
    return try withStoreDiagnostics(for: storePath, .destination) {
      let names = try begun().names
      let object = mixed(stableHash("\(id.entityName)/\(property)"), UInt64(bitPattern: id.primaryKey))
      var number = object
      while true {
        let name = names.name(number)
        let path = path(of: name)
        // A value that is set once more takes the former one's place.
        if files.contains(name) { try removeFile(path) }
        if try FileStatus(atPath: path) == nil {
          files.insert(name)
          let file = try OpenFile(creating: path)
          try file.write(Array(data), at: 0)
          var status = original.status
          status.permissions &= 0o666
          try file.takeOwnership(of: status, isNew: isNew)
          try file.synchronize()
          return name
        }
        number = mixed(number, 1)
      }
    }
  }

  /// Copies the files that another store's large values lie in; links, and files with other names, are left out.
  ///
  /// - Parameter result: where only files that its rows refer to are wanted.
  /// - Throws: MC6003 where the new store has a folder for such values already, MC5306 where there is no room.
  package func copyFiles(ofStoreAt path: String, referredToBy result: (any StoreReading)? = nil) throws {
    try withStoreDiagnostics(for: storePath, .destination) {
      try requireOwnFolders(ofStoreAt: path)
      var found = try externalFiles(ofStoreAt: path).filter { !files.contains($0.name) }
      if let result {
        let used = try result.read { db in try db.externalReferences(among: Set(found.map(\.name))) }
        found.removeAll { !used.contains($0.name) }
      }
      if found.isEmpty { return }
      let record = try begun()
      // A sparse file says more than it takes, but not once it is copied.
      let needed = found.reduce(Int64(0)) { $0.addingClamped($1.byteCount) }
      try requireFreeSpace(needed, inFolder: parentFolder(of: storePath), for: storePath)
      try record.add(found.map(\.name))
      let source = ExternalFolder.data.path(ofStoreAt: path)
      for (name, _) in found {
        let file = try OpenFile(reading: "\(source)/\(name)")
        let new = try OpenFile(creating: self.path(of: name))
        files.insert(name)
        try new.takeAttributes(of: file, isNew: isNew)
        try file.copyContents(to: new)
        try new.synchronize()
      }
    }
  }

  /// The content of a file that this migration made, or the store has; nil if it is missing.
  package func read(_ name: String) throws -> Data? {
    try readExternalData(name, ofStoreAt: storePath) ?? readExternalData(name, ofStoreAt: original.path)
  }

  /// Before the swap: values that were made and are not in the result after all go, and the names of the others reach
  /// the medium.
  package func finish(in result: some StoreReading) throws {
    guard let record else { return }
    // What was copied stays, used or not.
    let made = files.filter(record.names.accountsFor)
    let used = try result.read { db in try db.externalReferences(among: made) }
    try withStoreDiagnostics(for: storePath, .destination) {
      for name in made.subtracting(used) {
        try removeFile(path(of: name))
        files.remove(name)
      }
      for folder in [ExternalFolder.data, .support] {
        try synchronizeFolder(folder.path(ofStoreAt: storePath))
      }
      try synchronizeFolder(parentFolder(of: storePath))
    }
  }

  /// After the swap the files belong to the store.
  package func keep() { end(without: []) }

  /// Removes what was written; after ``keep()`` this does nothing.
  package func discard() { end(without: files) }

  /// Removes what was written also after ``keep()``, when the store itself is removed.
  package func takeBack() {
    isOver = false
    discard()
  }

  private func end(without gone: Set<String>) {
    guard !isOver else { return }
    isOver = true
    for name in gone { try? removeFile(path(of: name)) }
    // Only folders that are empty again go.
    for folder in folders.reversed() { try? removeEmptyFolder(folder) }
    // The record is the last: as long as something is there, it tells whose that is.
    try? record?.remove()
  }

  private func path(of name: String) -> String { ExternalFolder.data.path(ofStoreAt: storePath) + "/" + name }

  /// Writes the record and makes the folders, the first time.
  private func begun() throws -> ExternalDataRecord {
    if let record { return record }
    if !isNew { try requireOwnFolders(ofStoreAt: storePath) }
    var missing: [ExternalFolder] = []
    for folder in [ExternalFolder.support, .data] {
      let path = folder.path(ofStoreAt: storePath)
      if try FileStatus(atPath: path) == nil {
        missing.append(folder)
      } else if isNew {
        throw DiagnosticsError(.folderTaken(storePath, path))
      }
    }
    let present = namesInFolder(ExternalFolder.data.path(ofStoreAt: storePath))
    var names = KeyedNames(key: stableHash(seed))
    // An earlier migration of the same kind has left its files to the store, or to a backup.
    while present.contains(where: names.accountsFor) { names.key = mixed(names.key, 1) }
    let made = try ExternalDataRecord(
      at: privatePath(besides: storePath) + externalRecordEnd, names: names, folders: missing)
    record = made
    for folder in missing {
      let path = folder.path(ofStoreAt: storePath)
      try makeFolder(path, like: status(for: folder), isNew: isNew)
      folders.append(path)
    }
    return made
  }

  /// A folder is as open as the original's is; where that has none, to those who may read the store.
  private func status(for folder: ExternalFolder) throws(SystemError) -> FileStatus {
    if let status = try FileStatus(atPath: folder.path(ofStoreAt: original.path)), status.kind == .folder {
      return status
    }
    var status = original.status
    status.permissions = status.permissions & 0o666 | (status.permissions & 0o444) >> 2 | 0o700
    return status
  }
}

extension Database {
  /// Registers `modelc_large(side, cell)`: the value of a cell that may name a file beside one of several stores.
  ///
  /// - Parameter stores: for each side the stores beside which the file may lie. Where there is none, the cell stands for itself.
  package func registerLargeValues(of stores: [[String]]) {
    let attribute = AttributeDescription(name: "", type: .binary, allowsExternalBinaryDataStorage: true)
    add(
      function: DatabaseFunction("modelc_large", argumentCount: 2, pure: true) { values in
        let side = Int.fromDatabaseValue(values[0]) ?? -1
        guard stores.indices.contains(side) else { return values[1] }
        switch StoredCell(values[1]).storedValue(of: attribute) {
        case .value(.binary(let data)): return data
        case .external(let name):
          return try stores[side].compactMap { try readExternalData(name, ofStoreAt: $0) }.first ?? values[1]
        default: return values[1]
        }
      })
  }
}

/// The cell of a value as a migration writes it: a large one of an attribute that allows it goes into a file.
///
/// - Returns: nil if it is not a value of the attribute's type.
package func storedCell(
  _ value: AttributeValue, of attribute: AttributeDescription, property: String, object: ManagedObject.ID,
  in external: (any ExternalDataStorage)?
) throws -> StoredCell? {
  if attribute.allowsExternalBinaryDataStorage, case .binary(let data) = value,
    let name = try external?.store(data, of: object, property: property)
  {
    return name.externalReference
  }
  return storedCell(value, of: attribute)
}
