package import ManagedModel

/// In what state a store is that is not what its backup would have it be.
package enum StoreState: Hashable, Sendable { case missing, unreadable, different }

extension Diagnostic.Code { package static let anotherStore = Self("MC6405") }

extension Diagnostic {
  /// The store is not what a change was to make of it, nor what it was before, and its backup stays.
  ///
  /// - Parameter backups: as the user finds them; none where none was kept, several where there were several changes.
  package static func anotherStore(_ name: String, _ state: StoreState, backups: [String]) -> Self {
    let message =
      switch state {
      case .missing: "'\(name)' is missing, but there is a backup of it"
      case .unreadable: "'\(name)' is not a readable store, but there is a backup of it"
      case .different: "'\(name)' is neither the store from before an interrupted migration nor its result"
      }
    let place = state == .missing ? "no other file was changed" : "'\(name)' itself was not changed"
    guard !backups.isEmpty else {
      return Self(
        .anotherStore, .error, message, notes: ["no backup of it was kept"],
        help: ["restore the store from a copy"])
    }
    let list = backups.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .anotherStore, .error, message,
      notes: [Note("its previous content is in \(list), which stays"), Note(place)],
      help: [
        // SQLite would write the log of what is there now into the file that takes its place.
        "to restore it, first move '\(name)' and its '-wal' and '-shm' files aside, those that are there; "
          + "then copy that file to '\(name)', and its '-wal' file, if there is one, to '\(name)-wal'",
        state == .missing
          ? "if the store was moved, there is nothing to do"
          : "if '\(name)' is the store that you want, use it: nothing blocks it now",
      ])
  }
}
