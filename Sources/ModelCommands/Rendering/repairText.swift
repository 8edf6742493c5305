import ManagedModel
import PersistentStore
import StoreRepair

extension StoreRepairReport {
  /// A plan of a repair, or what it did, for people.
  func text(showsSQL: Bool) -> String {
    let name = store
    guard !repairs.isEmpty || output != nil else {
      return (remaining.isEmpty ? "nothing to repair in \(name)" : "nothing that a repair can fix in \(name)")
        .printable
    }
    let version = self.version.map { ", as version '\($0)'" } ?? ""
    var lines = [
      output.map { "\($0) is a repaired copy of \(name)\(version); \(name) is unchanged" }
        ?? (isApplied
          ? "\(name) is repaired\(version)"
          : "a repair of \(name)\(version.isEmpty ? "" : version + ",") would do this; nothing was written")
    ]
    for repair in repairs {
      lines.append("  \(repair.summary)" + (repair.lost > 0 ? "  [loses \(repair.lost)]" : ""))
    }
    if lost > 0 { lines.append("lost: \(lost) of the items above") }
    if savedBytes > 0 {
      lines.append("\(isApplied || output != nil ? "gives" : "would give") \(savedBytes.humanSize) back")
    }
    if unusedFiles > 0 {
      lines.append(
        "\(counted(unusedFiles, "file")) with large values of theirs, \(unusedFileBytes.humanSize), "
          + (output == nil ? "\(verb(unusedFiles, "stays", "stay")) for the backup" : "left out"))
    }
    if let backup = self.backup { lines.append("the old store is \(backup)") }
    if !isApplied, output == nil {
      let (purpose, loss) = lost > 0 ? ("to do it anyway", "--allow-loss ") : ("to do it", "")
      let command = "`modelc repair --apply \(loss)\(options.arguments)\(name.shellWord)`"
      lines.append("\(purpose): \(command)".runnable)
    }
    if showsSQL { lines += ["", "SQL:"] + statements.map { $0 + ";" } }
    return lines.map(\.printable).joined(separator: "\n")
  }

  /// The object of `repair`, with the reason why it was refused.
  static let result = JSONObject<(report: Self, refusal: Diagnostic?, showsSQL: Bool)>(
    "repair", "A repair of a store, planned or done."
  ).adding([
    "store": .store(\.report.store), "version": .value(\.report.version, "The version that it is."),
    "applied": .value(\.report.isApplied, "Whether it was put in the store's place."),
    "lost": .value(\.report.lost, "Objects, values and references that are lost."),
    "output": .optional(\.report.output, "The new file, with -o."),
    "backup": .value(\.report.backup, "The damaged store."),
    "savedBytes": .value(
      \.report.savedBytes, "By which the file is smaller after --orphans, --keep or --purge-before."),
    "unusedFiles": .value(\.report.unusedFiles, "Files with large values of objects that were dropped."),
    "repairs": .value(\.report.repairs, "What is done."),
    "diagnostics": .diagnostics {
      $0.report.remaining.map(\.diagnostic) + $0.report.warnings + [$0.refusal].compactMap(\.self)
    },
    "sql": .optional({ $0.showsSQL ? $0.report.statements : nil }, "With --sql."),
  ])
}

extension StoreRepair: JSONResult {
  static let result = JSONObject<Self>("repairStep", "One repair.").adding([
    "kind": .word(\.kind, "What was damaged."), "entity": .value(\.entity), "property": .value(\.property),
    "count": .value(\.count, "Of what was damaged."), "lost": .value(\.lost, "What cannot be repaired."),
    "summary": .value(\.summary, "In words."),
  ])
}
