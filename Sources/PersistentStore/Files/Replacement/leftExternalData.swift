import Foundation

/// What a killed work put into a store's folder for external data, in the order in which it can be removed: the values,
/// the folders that it made, and last the record that tells whose they are.
///
/// A value that a row of the store, or of a backup of it, refers to is not a leftover, and no file that the record does not
/// account for.
///
/// - Parameters:
///   - isUnfinished: whether the file whose rows refer to the values is still a private one: it goes, and they with it.
///   - store: reads the store; where that is there and cannot be asked, nothing but the record is found.
func leftExternalData(
  recordedIn record: String, ofStoreAt path: String, isUnfinished: Bool, reading store: (any StoreReading)?
) throws -> [Leftover] {
  guard let status = try FileStatus(atPath: record), status.kind == .regular else { return [] }
  if try isInUse(record) { return [Leftover(path: record, meaning: .inUse, byteCount: status.size)] }
  let present = try externalFiles(ofStoreAt: path)
  let left = try withStoreDiagnostics(for: record) {
    try LeftRecord(at: record, among: Set(present.map(\.name)))
  }
  var own = Leftover(path: record, meaning: .unfinishedFile, byteCount: status.size)
  // After the swap, or the naming of the result, the values are those of the store that got its name, wherever it is now.
  guard isUnfinished else {
    own.meaning = .valueRecord
    return [own]
  }
  if store == nil, try FileStatus(atPath: path)?.kind == .regular { return [own] }
  let files = present.filter { left.accounts(for: $0.name) }
  let names = Set(files.map(\.name))
  var used = try store?.read { db in try db.externalReferences(among: names) } ?? []
  // A store that is there has got its name after its files were copied: they are its own, used or not.
  if store != nil { used.formUnion(names.intersection(left.listed)) }
  if !used.isEmpty { own.meaning = .valueRecord }
  used.formUnion(try namesInBackups(ofStoreAt: path, among: names.subtracting(used)))
  let data = ExternalFolder.data.path(ofStoreAt: path)
  let values = files.filter { !used.contains($0.name) }.map { name, byteCount in
    Leftover(path: "\(data)/\(name)", meaning: .unfinishedValue, byteCount: byteCount)
  }
  // Folders of the work that hold nothing any more once these are gone.
  var gone = Set(values.map(\.path))
  var emptied: [Leftover] = []
  for folder in [ExternalFolder.data, .support] where left.folders.contains(folder) {
    let place = folder.path(ofStoreAt: path)
    // A link there is no folder of the work's, and what lies behind it is somebody else's.
    guard [ExternalFolder.support, folder].allSatisfy({ isFolder($0.path(ofStoreAt: path)) }),
      let names = try? FileManager.default.contentsOfDirectory(atPath: place),
      names.allSatisfy({ gone.contains("\(place)/\($0)") })
    else { continue }
    gone.insert(place)
    emptied.append(Leftover(path: place, meaning: .unfinishedFolder, byteCount: 0, isFolder: true))
  }
  return values + emptied + [own]
}

private func isFolder(_ path: String) -> Bool { (try? FileStatus(atPath: path))?.kind == .folder }

/// The files that the store's backups refer to; all of them where one of these cannot be read.
private func namesInBackups(ofStoreAt path: String, among names: Set<String>) throws -> Set<String> {
  var used: Set<String> = []
  if names.isEmpty { return used }
  let own = try FileStatus(atPath: path)?.identity
  // One that is still the store itself under a second name has been asked.
  for backup in backups(ofStoreAt: path) where try FileStatus(atPath: backup)?.identity != own {
    let found = try? StoreConnection(path: backup, busyTimeout: 0)
      .read { db in try db.externalReferences(among: names) }
    guard let found else { return names }
    used.formUnion(found)
  }
  return used
}
