import ArgumentParser
import CustomMigration
import LogTriage
import ManagedModel
import ModelLanguage
import ModelMigration
import PersistentStore
import ReleaseChecks
import StoreRepair
import StoreVerification

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

  /// Its JSON Schema.
  package var schema: String {
    let major = programVersion.prefix { $0 != "." }
    return shape.schema(id: "urn:modelc:\(major):\(name)", title: title).prettyPrinted + "\n"
  }

  package var fileName: String { "\(name).schema.json" }

  package static let all: [CommandResult] = ofModels + ofStores + parts
  package static let names: [String] = all.map { $0.name }

  private static let ofModels: [CommandResult] = [
    Self("adopt", "modelc adopt", .either([adoption, .refusal])),
    Self("check", "modelc check", .either([CheckReport.shape, .refusal])),
    Self("compile", "modelc compile", .either([.oneOrSeveral([compiled]), findings])),
    Self("diff", "modelc diff", .either([VersionDifference.shape, StoreDifference.shape, .refusal])),
    Self("doctor", "modelc doctor", DoctorReport.shape),
    Self(
      "explain", "modelc explain",
      .either([.oneOrSeveral([Explanation.shape, ExplainedNumber.shape]), codes])),
    Self(
      "export", "modelc export",
      .either([written, storeWritten("objects"), storeWritten("rows"), .refusal, .storeRefusal])),
    Self("format", "modelc format", .either([formatted, .refusal])),
    Self("help", "modelc help --all", CommandReference.shape),
    Self(
      "init", "modelc init",
      .either([.object("newProject", "What was written.", ["written": paths]), .refusal])),
    Self("map-export", "modelc map export", .either([written, .refusal])),
    Self("map-new", "modelc map new", .either([newMapping, .refusal])),
    Self("map-rebase", "modelc map rebase", .either([written, .refusal])),
    Self("release", "modelc release", .either([Release.shape, Release.tagShape, .refusal])),
    Self("test", "modelc test", .either([CheckReport.shape, .refusal])),
    Self(
      "version-list", "modelc version list",
      .either([.oneOrSeveral([VersionTable.shape, ShapeTable.shape]), .refusal])),
    Self("version-new", "modelc version new", .either([VersionDraft.shape, .refusal])),
  ]

  private static let ofStores: [CommandResult] = [
    Self("fixture", "modelc fixture", .either([FixtureReport.shape, .storeRefusal])),
    Self(
      "inspect", "modelc inspect",
      .oneOrSeveral([
        StoreInspection.shape, VersionedModel.shape, HashComparison.shape, FetchExplanation.shape,
        Inspect.modelShape, PrintedRecognition.logShape, .storeRefusal,
      ])),
    Self("migrate", "modelc migrate", .either([.oneOrSeveral(migrations), .refusal])),
    Self("plan", "modelc plan", .either([storePlan, pathPlan, .storeRefusal, .refusal])),
    Self(
      "query", "modelc query",
      .either([.list(of: Query.rowShape, "The rows."), Query.planShape, .storeRefusal])),
    Self("recover", "modelc recover", .either([RecoveryReport.shape, .storeRefusal])),
    Self("repair", "modelc repair", .either([StoreRepairReport.shape, .storeRefusal])),
    Self("triage", "modelc triage", .either([TriageAnswer.shape, TriageAnswer.refusal])),
    Self("verify", "modelc verify", .either([Verification.shape, .storeRefusal])),
  ]

  private static let parts: [CommandResult] = [
    Self("diagnostic", "A finding, in every result", Diagnostic.shape),
    Self(
      "check-line", "A line of modelc check or test --format jsonl",
      .either([CheckFinding.shape, CheckReport.summaryShape])),
    Self("migrate-line", "A line of modelc migrate --report jsonl", .either(migrations.map(ofFleet))),
    Self("export-line", "A line of modelc export --as jsonl", ManagedObject.shape),
    Self("query-line", "A line of modelc query --format jsonl", Query.rowShape),
    Self("progress-line", "A line of modelc migrate --progress json", ProgressPrinter.shape),
  ]
}

extension CommandResult {
  private static let paths = JSONShape.texts("Paths.")

  private static let written = JSONShape.object(
    "written", "Files that were written.", ["written": paths, "diagnostics": .diagnostics])

  private static func storeWritten(_ unit: String) -> JSONShape {
    .object(
      "\(unit)Written", "A store's \(unit), written to a file.",
      [
        "store": .storeName, "written": .text("The file."), unit: .integer("How many."),
        "diagnostics": .diagnostics,
      ])
  }

  private static let adoption = JSONShape.object(
    "adoption", "What was adopted.",
    [
      "adopted": .list(of: .either([model, added, AdoptedMapping.shape]), ""), "diagnostics": .diagnostics,
    ])

  private static let model = JSONShape.object(
    "adoptedModel", "A model that was written.",
    [
      "model": .text("Its name."), "folder": .text("Its folder."), "current": .text("The current version."),
      "versions": .texts("Their names."),
    ])

  private static let added = JSONShape.object(
    "addedVersion", "With --into: a version that was added.", ["model": .text(""), "added": .text("")])

  private static let compiled = VersionedModel.shape.adding(["fixes": fixes])

  private static let findings = JSONShape.object(
    "findings", "What prevents it; nothing was written.", ["diagnostics": .diagnostics, "fixes": fixes])

  private static let fixes = JSONShape.list(of: ModelFixes.Fix.shape, "With --fix.").optional

  private static let codes = JSONShape.list(of: Explanation.summaryShape, "With --list.")

  private static let formatted = JSONShape.object(
    "formatted", "The files that were looked at.",
    [
      "files": .list(of: FormattedFile.shape, ""), "diff": .text("With --diff: a unified diff.").optional,
      "diagnostics": .diagnostics,
    ])

  private static let newMapping = JSONShape.object(
    "newMapping", "A mapping file that was begun.",
    ["written": paths, "undecided": .integer("Lines to answer.")])

  /// Of one store: done, refused by its plan, refused before that.
  private static let migrations = [MigrationReport.shape, MigrationPlan.shape, failure]

  private static let failure = JSONShape.storeRefusal.adding(
    "failedMigration", "A migration that failed; the store is unchanged.",
    ["violations": .list(of: RuleViolation.shape, "Rules that objects break.").optional])

  private static func ofFleet(_ record: JSONShape) -> JSONShape {
    record.adding((record.alternatives.first ?? "") + "Line", record.summary, Migrate.fleetMembers)
  }

  private static let storePlan = MigrationPlan.shape.adding(
    "storePlan", "What a migration would do to a store.",
    [
      "estimatedSeconds": .number("On this machine; null if it is not known.").orNull,
      "back": Downgrade.shape.orNull,
    ])

  private static let pathPlan = PathPlan.shape.adding(["back": Downgrade.shape.orNull])
}

/// What `--of` takes.
enum ResultChoice: Hashable {
  case all
  case one(String)

  var results: [CommandResult] {
    switch self {
    case .all: CommandResult.all
    case .one(let name): CommandResult.all.filter { $0.name == name }
    }
  }
}

extension ResultChoice: ExpressibleByArgument {
  static var allValueStrings: [String] { ["all"] + CommandResult.names }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// `version-list`, also as the command is typed: `version list`.
  init?(argument: String) {
    let name = argument.split(separator: " ").joined(separator: "-")
    guard Self.allValueStrings.contains(name) else { return nil }
    self = name == "all" ? .all : .one(name)
  }

  var defaultValueDescription: String { if case .one(let name) = self { name } else { "all" } }
}
