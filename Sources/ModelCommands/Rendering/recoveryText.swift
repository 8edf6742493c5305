import Foundation
import ModelMigration

/// The text of `modelc recover`: first the store, then each file and what was done with it.
func recoveryText(_ report: RecoveryReport) -> String {
  let store = printable(report.store)
  var lines: [String] = []
  if !report.storeExists {
    lines.append(
      report.diagnostics.isEmpty
        ? "\(store) does not exist: its writing was interrupted before it got its name"
        : "\(store) does not exist")
  } else if !report.diagnostics.isEmpty {
    lines.append("\(store) is not what its migration left")
  } else {
    let version = report.version.map { " is \(printable($0))," } ?? " is"
    let couldNotLook = report.isDryRun && report.undidChanges
    lines.append(
      couldNotLook ? "\(store) holds changes that were never finished" : "\(store)\(version) whole")
  }
  let backups = report.backups.map { printable(($0 as NSString).lastPathComponent) }
  let beside = backups.isEmpty ? [] : ["  beside it: \(backups.joined(separator: ", "))"]
  if report.isEmpty {
    let end = report.storeExists ? "; nothing was left unfinished" : ""
    return ([lines.joined(separator: ", ") + end] + beside).shownLines
  }
  if report.undidChanges {
    lines.append(
      report.isDryRun
        ? "  they would be rolled back" : "  unfinished changes of another program in it were rolled back")
  }
  for file in report.files {
    let name = printable((file.path as NSString).lastPathComponent)
    let isKept = file.meaning == .inUse
    let action = isKept ? "in use" : report.isDryRun ? "would remove" : "removed"
    let stays = file.backup.map { ": \(printable(($0 as NSString).lastPathComponent))" } ?? ""
    lines.append("  \(action)  \(name)  \(humanSize(file.byteCount))  \(file.meaning.words)\(stays)")
  }
  lines += beside
  if report.isAnotherAtWork { lines.append("another process is migrating at this moment; try again later") }
  if report.isDryRun { lines.append("nothing was changed") }
  return lines.shownLines
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

extension RecoveryReport: JSONResult {
  static let result = JSONObject<Self>(
    "recovery", "What an interrupted migration left.",
    [
      "store": .store(\.store), "exists": .value(\.storeExists, "Whether the store is there."),
      "version": .value(\.version, "The version that it is."),
      "undidChanges": .value(\.undidChanges, "Whether unfinished changes were rolled back."),
      "dryRun": .value(\.isDryRun, "Whether it was only looked at."),
      "files": .value(\.files, "What was left."),
      "backups": .value(\.backups, "What stays beside the store."),
      "diagnostics": .diagnostics(\.diagnostics),
    ])
}

extension RecoveryReport.File: JSONResult {
  static let result = JSONObject<Self>(
    "leftFile", "A file beside a store.",
    [
      "path": .value(\.path), "meaning": .word(\.meaning, "What it was found to be."),
      "bytes": .value(\.byteCount), "backup": .value(\.backup, "The backup that it is another name of."),
    ])
}
