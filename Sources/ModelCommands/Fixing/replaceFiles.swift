import Foundation
import ManagedModel
import PersistentStore

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
