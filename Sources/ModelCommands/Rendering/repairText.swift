import Foundation
import ManagedModel
import StoreRepair
import StoreVerification

/// A plan of a repair, or what it did, for people.
func repairText(_ report: StoreRepairReport, showsSQL: Bool) -> String {
  let name = report.store
  guard !report.repairs.isEmpty else {
    return printable(
      report.remaining.isEmpty ? "nothing to repair in \(name)" : "nothing that a repair can fix in \(name)")
  }
  var lines = [
    report.isApplied ? "\(name) is repaired" : "a repair of \(name) would do this; nothing was written"
  ]
  if let version = report.version { lines[0] += ", as version '\(version)'" }
  for repair in report.repairs {
    lines.append("  \(repair.summary)" + (repair.lost > 0 ? "  [loses \(repair.lost)]" : ""))
  }
  if report.lost > 0 {
    lines.append("lost: \(report.lost) of what is above")
  }
  if let backup = report.backup { lines.append("the damaged store is \(backup)") }
  if !report.isApplied {
    let command =
      report.lost > 0
      ? "to do it anyway: `modelc repair --apply --allow-loss \(shellWord(name))`"
      : "to do it: `modelc repair --apply \(shellWord(name))`"
    lines.append(CommandContext.current.runnable(command))
  }
  if showsSQL { lines += ["", "SQL:"] + report.statements.map { $0 + ";" } }
  return lines.map(printable).joined(separator: "\n")
}

extension StoreRepairReport {
  /// The object of `repair`.
  func json(refusal: Diagnostic?, showsSQL: Bool) -> JSONValue {
    let diagnostics = remaining.map(\.diagnostic) + warnings + [refusal].compactMap(\.self)
    let json: JSONValue = [
      "store": .string(store), "version": JSONValue(version), "applied": .boolean(isApplied),
      "lost": JSONValue(lost), "backup": JSONValue(backup), "repairs": .array(repairs.map(\.json)),
      "diagnostics": .array(diagnostics.map(\.json)),
    ]
    return showsSQL ? json + ["sql": .array(statements.map { .string($0) })] : json
  }
}

extension StoreRepair {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "entity": JSONValue(entity), "property": JSONValue(property),
      "count": JSONValue(count), "lost": JSONValue(lost), "summary": .string(summary),
    ]
  }
}

extension StoreRepairReport {
  static let shape = JSONShape.object(
    "repair", "What fixes a store, or mended it.",
    [
      "store": .storeName, "version": .text("The version that it is.").orNull,
      "applied": .flag("Whether it was put in the store's place."),
      "lost": .integer("Objects, values and references that are lost."),
      "backup": .text("The damaged store.").orNull, "repairs": .list(of: StoreRepair.shape, "What is done."),
      "diagnostics": .diagnostics, "sql": .texts("With --sql.").optional,
    ])
}

extension StoreRepair {
  fileprivate static let shape = JSONShape.object(
    "repairStep", "One thing that is fixed.",
    [
      "kind": .words(of: Kind.self, "What was damaged."), "entity": .text("").orNull,
      "property": .text("").orNull, "count": .integer("Of what was damaged."),
      "lost": .integer("Of what cannot be fixed."), "summary": .text("In words."),
    ])
}
