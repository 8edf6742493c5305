import Foundation
import ManagedModel
import PersistentStore

/// Files that are written, edited, and files or folders that are removed: all of them or none.
struct FileChanges {
  var edits: [ModelFixes.Edit] = []
  /// New files by their paths.
  var created: [String: Data] = [:]
  /// Paths of files and folders.
  var removed: [String] = []

  /// The paths of what is edited, and of what is new.
  var written: [String] { edits.map(\.path) + created.keys.sorted() }

  /// Makes the changes. If one fails, or what is then there is not sound, everything is put back.
  ///
  /// - Parameter check: throws if what is there now may not stay.
  /// - Returns: what lies aside because it could not be deleted.
  @discardableResult
  func make(_ check: () throws -> Void) throws -> [String] {
    var aside: [(place: String, hidden: String)] = []
    var new: [String] = []
    do {
      for place in removed {
        let url = URL(filePath: place)
        let hidden = url.deletingLastPathComponent()
          .appending(path: ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))").path
        guard unsafe rename(place, hidden) == 0 else {
          let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
          throw CocoaError(
            .fileWriteUnknown, userInfo: [NSFilePathErrorKey: place, NSUnderlyingErrorKey: reason])
        }
        aside.append((place, hidden))
      }
      for (path, data) in created {
        try data.write(to: URL(filePath: path), options: .withoutOverwriting)
        new.append(path)
      }
      try edits.replaceFiles()
      try check()
    } catch {
      // What was not replaced yet is as it was, and is left alone.
      for edit in edits {
        try? [ModelFixes.Edit(path: edit.path, before: edit.after, after: edit.before)].replaceFiles()
      }
      for path in new { try? FileManager.default.removeItem(atPath: path) }
      for moved in aside.reversed() { _ = unsafe rename(moved.hidden, moved.place) }
      throw error
    }
    return aside.map(\.hidden).filter { (try? FileManager.default.removeItem(atPath: $0)) == nil }
  }
}

extension [ModelFixes.Edit] {
  /// Writes edited files. Each is prepared beside the old one and takes its place with one rename.
  ///
  /// Mode, owner and extended attributes stay. A symbolic link stays, and its target is replaced. Nothing is written unless
  /// every file can be written and nobody changed it meanwhile.
  func replaceFiles() throws {
    var prepared: [(new: String, place: String)] = []
    defer { for file in prepared { try? FileManager.default.removeItem(atPath: file.new) } }
    for edit in self {
      let place = URL(filePath: edit.path).resolvingSymlinksInPath()
      guard try Data(contentsOf: place) == edit.before else {
        throw DiagnosticsError(
          .wouldOverwrite, "'\(edit.path)' was changed while it was being fixed",
          notes: ["nothing was written"], help: ["run it again"])
      }
      let name = ".\(place.lastPathComponent).\(UUID().uuidString.prefix(8))"
      let new = place.deletingLastPathComponent().appending(path: name).path
      prepared.append((new, place.path))
      try edit.after.write(to: URL(filePath: new), options: .withoutOverwriting)
      try copyAttributes(of: place.path, to: new)
    }
    for file in prepared {
      guard unsafe rename(file.new, file.place) == 0 else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.place])
      }
    }
  }
}

private func copyAttributes(of path: String, to new: String) throws {
  let files = FileManager.default
  let attributes = try files.attributesOfItem(atPath: path)
  // Only root may give a file away.
  let owners = attributes.filter { [.ownerAccountID, .groupOwnerAccountID].contains($0.key) }
  try? files.setAttributes(owners, ofItemAtPath: new)
  if let mode = attributes[.posixPermissions] {
    try files.setAttributes([.posixPermissions: mode], ofItemAtPath: new)
  }
  try? OpenFile(reading: new).takeExtendedAttributes(of: OpenFile(reading: path))
}
