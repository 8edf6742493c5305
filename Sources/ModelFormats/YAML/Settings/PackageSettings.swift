package import ManagedModel

/// What a `modelc.yaml` says of the package beside it: what Xcode's files have no place for.
package struct PackageSettings: Hashable, Sendable {
  /// Order of the versions, stages, chain, and whether its stores are caches.
  package var list = VersionList()
  /// What was given up on purpose, as `Entity` or `Entity.property`.
  package var retired: [RetiredName] = []
  package var profile: ModelProfile?
  /// Whether modelc brings stores to the current version, with mapping files that the app never reads.
  package var isMigratedByModelc = false
  /// Findings of `check` that may stay.
  package var allowed: [AllowedFinding] = []
  /// What a migration of `check` may need at most, where its options say nothing else.
  package var budget = MigrationBudget()
}

/// A name with its place.
package struct RetiredName: Hashable, Sendable {
  package var name: String
  package var place: SourceRange?
}

/// A finding that somebody has looked at and that does not count.
package struct AllowedFinding: Hashable, Sendable {
  package var code = ""
  /// `Entity` or `Entity.property`; nil for wherever it is found.
  package var part: String?
  package var version: String?
  package var reason = ""
  /// The last day on which it holds, as `2026-01-31`.
  package var until: String?
  package var place: SourceRange?
}

/// The most that a migration may need.
package struct MigrationBudget: Hashable, Sendable {
  package var seconds: Double?
  /// Of the old store and the new one together.
  package var megabytes: Double?
  /// Generated stores with that many objects of each released version are checked against it too.
  package var rows: Int?
}

/// The name of the file beside a package.
package let packageSettingsFileName = "modelc.yaml"

/// A whole `modelc.yaml`: of the one package beside it, or of several by their names.
package struct PackageSettingsFile: Hashable, Sendable {
  package var settings = PackageSettings()
  package var models: [NamedSettings] = []

  package struct NamedSettings: Hashable, Sendable {
    package var name: String
    package var settings = PackageSettings()
    package var place: SourceRange?
  }
}

private let settingsFields: [Field<PackageSettings>] = [
  Field("versions", \.list.versions, .list(of: .versionEntry), unless: []),
  Field("chain", \.list.isStepwise, .word([("stepwise", true), ("auto", false)]), unless: false),
  Field("disposable", \.list.isDisposable, .flag, unless: false),
  Field("stages", \.list.stages, .list(of: .stageEntry), unless: []),
  Field("profile", \.profile, .word(ModelProfile.allCases.map { ($0.rawValue, $0) })),
  Field("migratedBy", \.isMigratedByModelc, .word([("app", false), ("modelc", true)]), unless: false),
  Field("retired", \.retired, .list(of: .retiredName), unless: []),
  Field("allow", \.allowed, .list(of: .allowedFinding), unless: []),
  Field("budget", \.budget, .budget, unless: MigrationBudget()),
]

private let settingsHints = [
  "current": "the current version is chosen in Xcode's File inspector", "order": "versions",
  "suppress": "allow", "suppressions": "allow", "budgets": "budget",
]

private let settingsSchema = Schema<PackageSettings>(
  "the settings of a package", settingsFields, hints: settingsHints)

/// The keys of `modelc.yaml`.
package let packageSettingsSchema = Schema<PackageSettingsFile>(
  "modelc.yaml",
  settingsFields.map { $0.within(\.settings) } + [Field("models", \.models, .namedSettings, unless: [])],
  hints: settingsHints)

extension Form<[PackageSettingsFile.NamedSettings]> {
  fileprivate static let namedSettings = Form.named(
    \.name, layout: .block, shape: settingsSchema.shape
  ) { name, node, subject, reading in
    var named = PackageSettingsFile.NamedSettings(name: name, place: node.range)
    settingsSchema.read(node, into: &named.settings, about: subject, reading)
    return named
  } write: {
    .mapping(settingsSchema.write($0.settings), .block)
  }
}

extension Form<RetiredName> {
  fileprivate static let retiredName = Form(.text) { node, subject, reading in
    reading.text(of: node, subject).map { RetiredName(name: $0, place: node.range) }
  } write: {
    .text($0.name)
  }
}

extension Form<AllowedFinding> {
  private static let findingSchema = Schema<AllowedFinding>(
    "an allowed finding",
    [
      Field(required: "code", \.code, .text), Field("of", \.part, .text), Field("version", \.version, .text),
      Field(required: "reason", \.reason, .text), Field("until", \.until, .literal),
    ])

  fileprivate static let allowedFinding = Form(findingSchema.shape) { node, subject, reading in
    let before = reading.diagnostics.count
    let finding = findingSchema.read(node, from: AllowedFinding(place: node.range), about: subject, reading)
    // What is not read whole allows nothing.
    if reading.diagnostics.dropFirst(before).contains(where: { $0.severity == .error }) { return nil }
    if Diagnostic.Code(parsing: finding.code) == nil {
      return reading.refuse(node) {
        .wrongKind(node["code"] ?? node, wanted: "'code' is that of a finding, such as MC7008")
      }
    }
    if let until = finding.until, until.wholeMatch(of: #/\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/#) == nil
    {
      return reading.refuse(node) {
        .wrongKind(node["until"] ?? node, wanted: "'until' is a day, such as 2027-01-31")
      }
    }
    return finding
  } write: {
    .mapping(findingSchema.write($0))
  }
}

extension Form<MigrationBudget> {
  private static let budgetSchema = Schema<MigrationBudget>(
    "a budget",
    [
      Field("seconds", \.seconds, .amount), Field("megabytes", \.megabytes, .amount),
      Field("rows", \.rows, .integer),
    ])

  fileprivate static let budget = Form(budgetSchema.shape) { node, subject, reading in
    var budget = budgetSchema.read(node, from: MigrationBudget(), about: subject, reading)
    if let rows = budget.rows, !(1...10_000_000).contains(rows) {
      budget.rows = reading.refuse(node) {
        .wrongKind(node["rows"] ?? node, wanted: "'rows' is 1 to 10,000,000")
      }
    }
    return budget
  } write: {
    .mapping(budgetSchema.write($0))
  }
}

extension Form<Double> {
  /// A number above 0.
  fileprivate static let amount = Form(.literal) { node, subject, reading in
    if let value = node.text.flatMap(Double.init), value > 0, value.isFinite { return value }
    return reading.refuse(node) { .wrongKind(node, wanted: "\(subject.keyInWords) is a number above 0") }
  } write: {
    .typed("\($0)")
  }
}
