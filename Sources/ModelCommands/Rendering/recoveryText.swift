import ModelMigration
import PersistentStore

extension RecoveryReport: JSONResult {
  /// The text of `modelc recover`: first the store, then each file and what was done with it.
  var text: String {
    let store = self.store.printable
    var lines: [String] = []
    if !storeExists {
      lines.append(
        diagnostics.isEmpty
          ? "\(store) does not exist: its writing was interrupted before it got its name"
          : "\(store) does not exist")
    } else if !diagnostics.isEmpty {
      lines.append("\(store) is not the file that its migration left")
    } else {
      let version = self.version.map { " is \($0.printable)," } ?? " is"
      let couldNotLook = isDryRun && undidChanges
      lines.append(
        couldNotLook ? "\(store) contains changes that were never finished" : "\(store)\(version) intact")
    }
    let backups = self.backups.map(\.lastComponent.printable)
    let beside = backups.isEmpty ? [] : ["  next to it: \(backups.joined(separator: ", "))"]
    if isEmpty {
      let end = storeExists ? "; nothing was left unfinished" : ""
      return ([lines.joined(separator: ", ") + end] + beside).shownLines
    }
    if undidChanges {
      lines.append(
        isDryRun
          ? "  they would be rolled back" : "  unfinished changes of another program in it were rolled back")
    }
    for file in files {
      let name = file.path.lastComponent.printable
      let isKept = file.meaning == .inUse
      let action = isKept ? "in use" : isDryRun ? "would remove" : "removed"
      let stays = file.backup.map { ": \($0.lastComponent.printable)" } ?? ""
      lines.append("  \(action)  \(name)  \(file.byteCount.humanSize)  \(file.meaning.words)\(stays)")
    }
    lines += beside
    if isMigrationRunning { lines.append("another process is migrating at this moment; try again later") }
    if isDryRun { lines.append("nothing was changed") }
    return lines.shownLines
  }

  static let result = JSONObject<Self>("recovery", "What an interrupted migration left.").adding([
    "store": .store(\.store), "exists": .value(\.storeExists, "Whether the store is there."),
    "version": .value(\.version, "The version that it is."),
    "undidChanges": .value(\.undidChanges, "Whether unfinished changes were rolled back."),
    "dryRun": .value(\.isDryRun, "Whether it was only looked at."),
    "files": .value(\.files, "What was left."),
    "backups": .value(\.backups, "What stays next to the store."),
    "diagnostics": .diagnostics(\.diagnostics),
  ])
}

extension RecoveryReport.File.Meaning {
  fileprivate var words: String {
    switch self {
    case .unfinishedFile: "a copy that was being worked on"
    case .needlessBackup: "a backup of a change that did not happen"
    case .backupMark: "a second name of a backup, which stays"
    case .unfinishedValue: "a large value that no store refers to"
    case .unfinishedFolder: "a folder for such values"
    case .valueRecord: "a record of large values, which stay"
    case .inUse: "another process is at work on it"
    }
  }
}

extension RecoveryReport.File: JSONResult {
  static let result = JSONObject<Self>("leftFile", "A file next to a store.").adding([
    "path": .value(\.path), "meaning": .word(\.meaning, "What it was found to be."),
    "bytes": .value(\.byteCount), "backup": .value(\.backup, "The backup that it is another name of."),
  ])
}
