public import ArgumentParser
import ManagedModel
public import ModelMigration

/// Where a migration leads and what it may lose.
struct TargetOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The version to migrate to, instead of the current one.", valueName: "version"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Accept losses of this code (MC3111 dropped data, MC3109 narrowed numbers); repeatable.",
      valueName: "code"))
  var allowLoss: [String] = []

  @Option(
    help: ArgumentHelp(
      "How several versions are passed: auto, direct (at once) or stepwise (each by itself).",
      valueName: "rule"))
  var chain: ChainRule = .auto

  func validate() throws {
    for code in allowLoss where code.wholeMatch(of: #/MC[0-9]{4}/#) == nil {
      throw ValidationError("'\(code)' is no code of a loss; one looks like MC3111")
    }
  }

  var options: MigrationOptions {
    MigrationOptions(targetVersion: to, allowedLosses: Set(allowLoss), chain: chain)
  }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (to.map { " --to \(shellWord($0))" } ?? "") + allowLoss.map { " --allow-loss \($0)" }.joined()
      + (chain == .auto ? "" : " --chain \(chain.rawValue)")
  }

  /// A line for every code that was allowed and stands for no loss of this plan.
  func unusedCodes(in plan: MigrationPlan) -> [String] {
    let found = Set(plan.losses.map(\.code.description))
    return allowLoss.filter { !found.contains($0) }.map {
      "note: \(plan.store) has no loss with the code \($0)"
    }
  }
}

extension ChainRule: ExpressibleByArgument {}
