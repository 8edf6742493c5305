import ArgumentParser
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks
import StoreRepair

/// What a command writes for other programs, by the word that `export --as json-schema --of` takes.
///
/// Within a major version results only gain members and words; a test holds a record of them.
package struct CommandResult: Sendable {
  /// A command's name with hyphens (`version-list`), or that of lines or parts of a result.
  package let name: String
  package let title: String
  package let shape: JSONShape

  fileprivate init(_ name: String, _ title: String, _ shape: JSONShape) {
    (self.name, self.title, self.shape) = (name, title, shape)
  }

  /// What a command prints, last where it refuses.
  private static func command(_ name: String, _ shapes: JSONShape..., refusal: JSONShape = .refusal) -> Self {
    Self(name, "modelc \(name.split(separator: "-").joined(separator: " "))", .either(shapes + [refusal]))
  }

  /// Its JSON Schema.
  package var schema: String {
    let major = programVersion.prefix { $0 != "." }
    return shape.schema(id: "urn:modelc:\(major):\(name)", title: title).prettyPrinted + "\n"
  }

  package var fileName: String { "\(name).schema.json" }

  package static let all: [CommandResult] = ofModels + ofStores + parts
  package static let names: [String] = all.map { $0.name }

  private static let ofModels: [CommandResult] = [
    command("adopt", Adopt.result.shape),
    command("check", CheckReport.shape),
    command("compile", .oneOrSeveral([Compile.compiled.shape]), refusal: Compile.findings.shape),
    command("diff", VersionDifference.result.shape, StoreDifference.result.shape),
    command("doctor", DoctorReport.shape),
    command("fleet-report", FleetSummary.result.shape),
    Self(
      "explain", "modelc explain",
      .either([
        .oneOrSeveral([Explanation.shape, ExplainedNumber.shape]),
        .list(of: Explanation.summary.shape, "With --list."),
      ])),
    command(
      "export", OutputOptions.written.shape,
      .oneOrSeveral([Export.written("objects").shape, Export.written("rows").shape, .storeRefusal])),
    command("format", Format.result.shape),
    Self("help", "modelc help --all", CommandReference.result.shape),
    command("init", Init.result.shape),
    command("map-export", OutputOptions.written.shape),
    command("map-new", MapNewCommand.result.shape),
    command("map-rebase", OutputOptions.written.shape),
    command("release", Release.result.shape, Release.ofTags.shape),
    command("test", CheckReport.shape),
    command("version-list", .oneOrSeveral([VersionTable.result.shape, ShippedSchemaTable.shape])),
    command("version-new", VersionDraft.shape),
    command("version-prune", VersionPruneCommand.result.shape),
  ]

  private static let ofStores: [CommandResult] = [
    command("fixture", Fixture.result.shape, refusal: .storeRefusal),
    Self(
      "inspect", "modelc inspect",
      .oneOrSeveral([
        StoreInspection.result.shape, VersionedModel.result.shape, HashComparison.result.shape,
        Inspect.build.shape, Inspect.folder.shape, StoreHistory.result.shape, StoreSizes.result.shape,
        FetchExplanation.ofStore.shape, Inspect.carriedModel.shape, PrintedRecognition.ofLog.shape,
        .storeRefusal,
      ])),
    command("migrate", .oneOrSeveral(migrations), MergeReport.shape),
    command("plan", MigrationPlan.ofStore.shape, PathPlan.result.shape, .storeRefusal),
    command("query", .list(of: Query.rowShape, "The rows."), Query.plan.shape, refusal: .storeRefusal),
    command("recover", RecoveryReport.shape, refusal: .storeRefusal),
    command("repair", StoreRepairReport.result.shape, refusal: .storeRefusal),
    command("report", OutputOptions.written.shape, .refusal, refusal: .storeRefusal),
    command("show", ShownVersion.result.shape),
    command("triage", TriageAnswer.shape, refusal: TriageAnswer.refusal),
    Self("verify", "modelc verify", .oneOrSeveral([Verification.result.shape, .storeRefusal])),
  ]

  private static let parts: [CommandResult] = [
    Self("diagnostic", "A finding, in every result", Diagnostic.shape),
    Self(
      "check-line", "A line of modelc check or test --format jsonl",
      .either([CheckFinding.shape, CheckReport.lastLine.shape])),
    line("migrate-line", of: "migrate", migrations),
    line("verify-line", of: "verify", [Verification.result.shape, .storeRefusal]),
    line(
      "inspect-line", of: "inspect",
      [
        StoreInspection.result.shape, HashComparison.result.shape, StoreHistory.result.shape,
        StoreSizes.result.shape, Inspect.carriedModel.shape, .storeRefusal,
      ]),
    line(
      "store-export-line", of: "export",
      [Export.written("objects").shape, Export.written("rows").shape, .storeRefusal]),
    Self("export-line", "A line of modelc export --as jsonl", ManagedObject.line.shape),
    Self("query-line", "A line of modelc query --format jsonl", Query.rowShape),
    Self("progress-line", "A line of modelc migrate --progress json", ProgressPrinter.line.shape),
  ]

  /// Of one store: done, refused by its plan, refused before that.
  private static let migrations = [MigrationReport.shape, MigrationPlan.shape, failure]

  private static let failure = JSONShape.storeRefusal.adding(
    "failedMigration", "A migration that failed; the store is unchanged.",
    ["violations": .list(of: RuleViolation.shape, "Rules that objects break.").optional])

  /// What a command for many stores writes of each.
  private static func line(_ name: String, of command: String, _ records: [JSONShape]) -> Self {
    let shapes = records.map {
      $0.adding(($0.alternatives.first ?? "") + "Line", $0.summary, FleetStatus.lineMembers)
    }
    return Self(name, "A line of modelc \(command) --report jsonl", .either(shapes))
  }
}

/// What `--of` takes: the name of a result, or `all`.
struct ResultChoice: ExpressibleByArgument {
  let name: String

  var isAll: Bool { name == "all" }
  var results: [CommandResult] { CommandResult.all.filter { isAll || $0.name == name } }

  static var allValueStrings: [String] { ["all"] + CommandResult.names }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// `version-list`, also as the command is typed: `version list`.
  init?(argument: String) {
    name = argument.split(separator: " ").joined(separator: "-")
    guard Self.allValueStrings.contains(name) else { return nil }
  }
}
