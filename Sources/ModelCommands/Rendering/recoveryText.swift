import Foundation
import ModelMigration

/// What `modelc recover` says: first the store, then each file and what became of it.
func recoveryText(_ report: RecoveryReport) -> String {
  let store = printable(report.store)
  var lines: [String] = []
  if !report.storeExists {
    lines.append("\(store) does not exist: its writing was interrupted before it got its name")
  } else {
    let version = report.version.map { " is \(printable($0))," } ?? " is"
    let couldNotLook = report.isDryRun && report.undidChanges
    lines.append(
      couldNotLook ? "\(store) holds changes that were never finished" : "\(store)\(version) whole")
  }
  if report.isEmpty { return lines.shownLines + "; nothing was left beside it" }
  if report.undidChanges {
    lines.append(
      report.isDryRun
        ? "  they would be taken back" : "  changes that a program left half done in it were taken back")
  }
  for file in report.files {
    let name = printable((file.path as NSString).lastPathComponent)
    let isKept = file.meaning == .inUse
    let action = isKept ? "in use" : report.isDryRun ? "would remove" : "removed"
    lines.append("  \(action)  \(name)  \(humanSize(file.byteCount))  \(file.meaning.words)")
  }
  if report.isAnotherAtWork { lines.append("another process is migrating at this moment; try again later") }
  if report.isDryRun { lines.append("nothing was changed") }
  return lines.shownLines
}

extension RecoveryReport.File.Meaning {
  fileprivate var words: String {
    switch self {
    case .unfinishedFile: "a copy that was being worked on"
    case .needlessBackup: "a backup for a swap that did not happen"
    case .backupMark: "a second name of the backup, which stays"
    case .unfinishedValue: "a large value that no store refers to"
    case .unfinishedFolder: "a folder for such values"
    case .valueRecord: "a record of large values, which stay"
    case .inUse: "another process is at work on it"
    }
  }
}

extension RecoveryReport {
  var json: JSONValue {
    .object([
      .init("store", .string(store)), .init("exists", .boolean(storeExists)),
      .init("version", JSONValue(version)),
      .init("undidChanges", .boolean(undidChanges)), .init("dryRun", .boolean(isDryRun)),
      .init(
        "files",
        .array(
          files.map { file in
            .object([
              .init("path", .string(file.path)), .init("meaning", .string(file.meaning.rawValue)),
              .init("bytes", .integer(file.byteCount)),
            ])
          })),
    ])
  }
}
