import ArgumentParser
import ManagedModel
import ModelMigration

extension Migrate {
  func refuseMergeOptions() throws {
    guard merge.into != nil else { return }
    if stores.count != 1 || fleet.isGiven || fetch.fetch != nil {
      throw ValidationError("--into takes one store")
    }
    if outputFile != nil || keepLost != nil || target.restore != nil || target.to != nil || target.compact
      || target.applyIndexes || target.route != .auto || fleet.report != nil
    {
      throw ValidationError(
        "--into merges into the version of that store: it goes without -o, --to, --route, --compact, --apply-indexes, --keep-lost, --restore and --report"
      )
    }
  }

  func runMerge(into destination: String, models: [VersionedModel], custom: CustomMigrations) throws {
    try output.run(json: ["store": .string(stores[0])]) {
      let monitor = progress.monitor(output, store: stores[0])
      do {
        let report = try cancelling(monitor, onSignals: output) {
          var options = options
          options.isDowngrade = false
          return try merge.rules.merge(
            storeAt: stores[0], into: destination, models: models, options: options,
            custom: custom,
            isDryRun: dryRun, monitor: monitor)
        }
        if output.writesJSON { return output.print(MergeReport.result.json(of: report)) }
        output.report(report.diagnostics, minimum: .warning)
        output.print(report.text)
      } catch let error as MigrationRefusedError {
        throw DiagnosticsError(error.plan.diagnostics)
      }
    }
  }
}

extension MergeReport: JSONResult {
  static let result = JSONObject<Self>(
    "merge", "What became of a store's objects in another store.",
    [
      "store": .store(\.store), "into": .value(\.destination, "The store that took them."),
      "path": .value(\.plan.path, "The versions through which the store was migrated first."),
      "entities": .value(\.entities, "What became of the objects."),
      "links": .value(\.links, "Links of many-to-many relationships that were added."),
      "danglingReferences": .value(
        \.danglingReferences, "References of added objects to objects that the store itself did not have."),
      "written": .value(
        { $0.backup != nil || !$0.isDryRun && $0.hasChanges }, "Whether the other store was changed."),
      "backup": .value(\.backup, "The other store as it was."), "seconds": .seconds(\.seconds),
      "diagnostics": .diagnostics(\.diagnostics),
    ])

  fileprivate var text: String {
    var table = TextTable(.left, .right, .right, .right)
    table.append("entity", "added", "matched", "changed")
    for count in entities {
      table.append(printable(count.entity), "\(count.added)", "\(count.matched)", "\(count.changed)")
    }
    let versions = plan.path.joined(separator: " → ")
    let what = "\(counted(added, "object")) and \(counted(links, "link")) added, \(changed) changed"
    let head =
      "\(printable(store)) (\(printable(versions))) \(isDryRun ? "would be merged" : "merged") into \(printable(destination))"
    var lines = [head] + table.lines(indent: 2)
    if danglingReferences > 0 {
      lines.append(
        "  \(counted(danglingReferences, "reference")) to missing objects \(danglingReferences == 1 ? "is" : "are") nil now"
      )
    }
    lines.append(
      isDryRun
        ? "Dry run: \(what); nothing was written"
        : hasChanges ? "\(what) in \(humanDuration(seconds))" : "Nothing is new; nothing was written")
    if let backup { lines.append("Backup: \(printable(backup))") }
    return lines.shownLines
  }
}

extension MergeReport.EntityCount: JSONResult {
  static let result = JSONObject<Self>(
    "mergedEntity", "An entity's objects.",
    [
      "entity": .value(\.entity), "added": .value(\.added, "Objects that the other store did not have."),
      "matched": .value(\.matched, "Objects that both had."),
      "changed": .value(\.changed, "Those of them that got values or references."),
    ])
}
