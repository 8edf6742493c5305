import Foundation
package import ManagedModel

/// Where an app removes or moves a store that it could not open (MC2633), in the Swift files of a folder.
package func checkStoreWipes(below folder: String) -> [Diagnostic] {
  guard parsesSwift else { return [] }
  let words = wipeWords.map { Data($0.utf8) }
  var walk = SwiftFileWalk(below: folder)
  var files: [(text: String, path: String)] = []
  while let path = walk.next() {
    guard let facts = FileFacts(ofFileAt: path), facts.size <= 4_000_000,
      let data = try? Data(contentsOf: URL(filePath: path)),
      words.contains(where: { data.range(of: $0) != nil })
    else { continue }
    files.append(
      (String(decoding: data, as: UTF8.self), path.hasPrefix("./") ? String(path.dropFirst(2)) : path))
  }
  return files.findStoreWipes().map { wipe in
    let isMoved = wipe.call.hasPrefix("move")
    return Diagnostic(
      .storeWipe, .warning,
      "a store that cannot be opened is \(isMoved ? "moved away" : "removed"): \(wipe.call) in or below '\(wipe.function)'",
      place: wipe.place,
      notes: [
        Diagnostic.Note("it is opened here", place: wipe.opening),
        isMoved
          ? "users start with an empty app, and nothing restores their data"
          : "users lose all their data if a migration fails, a disk is full or a file is locked",
      ],
      help: [
        "keep the file, tell the user, and open it again after an update",
        "`modelc triage LOG` says why it does not open, `modelc repair STORE` fixes damage",
      ])
  }
}

extension Diagnostic.Code {
  /// A store that cannot be opened is removed or moved.
  package static let storeWipe = Self("MC2633", level: .path)
}
