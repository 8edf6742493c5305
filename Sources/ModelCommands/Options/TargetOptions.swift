public import ArgumentParser
import ManagedModel
public import ModelMigration
import PersistentStore

/// The target of a migration and the losses that it may cause.
struct TargetOptions: ParsableArguments {
  @Option(help: .text("The version to migrate to, instead of the current one.", "version"))
  var to: String?

  @Option(
    help: .text(
      "Accept losses of this code (MC3111 dropped data, MC3109 narrowed numbers); repeatable.", "code"))
  var allowLoss: [String] = []

  @Flag(help: "Refuse if objects would break new rules of the version; Core Data would migrate them.")
  var strict = false

  @Option(help: "\(RouteRequest.summary).", transform: { text in try RouteRequest(named: text) })
  var route: RouteRequest = .auto

  @Flag(help: "Write the result without free pages (SQLite's VACUUM), on a clone.")
  var compact = false

  @Flag(
    name: .customLong("rewrite-uris"),
    help: "Rewrite values with the URI of an object if its entity is renamed.")
  var rewriteURIs = false

  @Flag(
    name: .customLong("drop-cloudkit"),
    help: "Drop the tables of CloudKit mirroring; the app then exports everything again.")
  var dropCloudKit = false

  @Flag(help: "If a store already has the target version, update its indexes to those of the model.")
  var applyIndexes = false

  @Option(
    help: .text(
      "How to migrate through several versions: auto, direct (in one step) or stepwise (one version at a time).",
      "rule"))
  var chain: ChainRule = .auto

  @Option(help: .text("In an upgrade, restore what an earlier downgrade saved in this file.", "file"))
  var restore: String?

  func validate() throws {
    for code in allowLoss where Diagnostic.Code(parsing: code) == nil {
      throw ValidationError("'\(code)' is not the code of a loss; codes look like MC3111")
    }
  }

  var options: MigrationOptions {
    var options = MigrationOptions(
      targetVersion: to,
      acceptedLosses: Set(allowLoss.compactMap(Diagnostic.Code.init(parsing:)).map { AcceptedLoss($0) }),
      chain: chain)
    options.refusesBrokenRules = strict
    options.route = route
    options.compacts = compact
    options.rewritesURIs = rewriteURIs
    options.dropsCloudKit = dropCloudKit
    options.appliesIndexes = applyIndexes
    options.restoredLosses = restore
    options.allowsDowngrade = to != nil
    return options
  }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (to.map { " --to \($0.shellWord)" } ?? "") + allowLoss.map { " --allow-loss \($0)" }.joined()
      + (strict ? " --strict" : "") + (compact ? " --compact" : "")
      + (route == .auto ? "" : " --route \(route.rawValue)")
      + (rewriteURIs ? " --rewrite-uris" : "")
      + (dropCloudKit ? " --drop-cloudkit" : "") + (applyIndexes ? " --apply-indexes" : "")
      + (chain == .auto ? "" : " --chain \(chain.rawValue)")
      + (restore.map { " --restore \($0.shellWord)" } ?? "")
  }

  /// A line for every code that was allowed and stands for no loss of this plan.
  func unusedCodes(in plan: MigrationPlan) -> [String] {
    // Rows of no entity are dropped data too, of which no entity can tell.
    let hasStrayRows = plan.diagnostics.contains { $0.code == .entityNumbersInconsistent }
    let found = Set(plan.losses.map(\.code) + (hasStrayRows ? [.droppedData] : []))
    return allowLoss.compactMap(Diagnostic.Code.init(parsing:)).filter { !found.contains($0) }.map {
      "note: \(plan.store) has no loss with the code \($0)"
    }
  }
}

extension RouteRequest {
  fileprivate init(named text: String) throws {
    guard let route = RouteRequest(rawValue: text) else {
      throw ValidationError(
        ["new-file", "copy"].contains(text)
          ? "the route that filled a new file no longer exists: '--route clone' alters a copy of the store, and '--compact' leaves no free pages"
          : "'\(text)' is not a route: one of \(RouteRequest.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    self = route
  }
}

extension ChainRule: ExpressibleByArgument {}
