import Foundation
import ManagedModel
import PersistentStore
import StoreRepair

/// A plan of a repair, or what it did, for people.
func repairText(_ report: StoreRepairReport, showsSQL: Bool) -> String {
  let name = report.store
  guard !report.repairs.isEmpty || report.output != nil else {
    return printable(
      report.remaining.isEmpty ? "nothing to repair in \(name)" : "nothing that a repair can fix in \(name)")
  }
  let version = report.version.map { ", as version '\($0)'" } ?? ""
  var lines = [
    report.output.map { "\($0) is a repaired copy of \(name)\(version); that is unchanged" }
      ?? (report.isApplied
        ? "\(name) is repaired\(version)"
        : "a repair of \(name)\(version.isEmpty ? "" : version + ",") would do this; nothing was written")
  ]
  for repair in report.repairs {
    lines.append("  \(repair.summary)" + (repair.lost > 0 ? "  [loses \(repair.lost)]" : ""))
  }
  if report.lost > 0 {
    lines.append("lost: \(report.lost) of what is above")
  }
  if report.savedBytes > 0 {
    lines.append(
      "\(report.isApplied || report.output != nil ? "gives" : "would give") \(humanSize(report.savedBytes)) back"
    )
  }
  if report.unusedFiles > 0 {
    lines.append(
      "\(counted(report.unusedFiles, "file")) with large values of theirs, \(humanSize(report.unusedFileBytes)), "
        + (report.output == nil ? "\(verb(report.unusedFiles, "stays", "stay")) for the backup" : "left out"))
  }
  if let backup = report.backup { lines.append("the store as it was is \(backup)") }
  if !report.isApplied, report.output == nil {
    let command =
      report.lost > 0
      ? "to do it anyway: `modelc repair --apply --allow-loss \(report.options.arguments)\(shellWord(name))`"
      : "to do it: `modelc repair --apply \(report.options.arguments)\(shellWord(name))`"
    lines.append(RunContext.current.commands.runnable(command))
  }
  if showsSQL { lines += ["", "SQL:"] + report.statements.map { $0 + ";" } }
  return lines.map(printable).joined(separator: "\n")
}

extension StoreRepairReport {
  /// The object of `repair`, with the reason why it was refused.
  static let result = JSONObject<(report: Self, refusal: Diagnostic?, showsSQL: Bool)>(
    "repair", "What fixes a store, or mended it.",
    [
      "store": .store(\.report.store), "version": .value(\.report.version, "The version that it is."),
      "applied": .value(\.report.isApplied, "Whether it was put in the store's place."),
      "lost": .value(\.report.lost, "Objects, values and references that are lost."),
      "output": .optional(\.report.output, "The new file, with -o."),
      "backup": .value(\.report.backup, "The damaged store."),
      "savedBytes": .value(
        { Int($0.report.savedBytes) },
        "By which the file is smaller after --orphans, --keep or --purge-before."),
      "unusedFiles": .value(\.report.unusedFiles, "Files with large values of objects that were dropped."),
      "repairs": .value(\.report.repairs, "What is done."),
      "diagnostics": .diagnostics {
        $0.report.remaining.map(\.diagnostic) + $0.report.warnings + [$0.refusal].compactMap(\.self)
      },
      "sql": .optional({ $0.showsSQL ? $0.report.statements : nil }, "With --sql."),
    ])
}

extension StoreRepair: JSONResult {
  static let result = JSONObject<Self>(
    "repairStep", "One repair.",
    [
      "kind": .word(\.kind, "What was damaged."), "entity": .value(\.entity), "property": .value(\.property),
      "count": .value(\.count, "Of what was damaged."), "lost": .value(\.lost, "What cannot be repaired."),
      "summary": .value(\.summary, "In words."),
    ])
}
