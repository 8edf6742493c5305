package import Foundation
package import ManagedModel
import ModelFormats
package import ModelMigration

/// The mapping models under a project's `Migrations/`, and those of Xcode's near its packages.
package struct ProjectMappings: Sendable {
  /// What migrations run with: the mapping models in the order of the files' names, and what the program brings along.
  package var custom = CustomMigrations()
  /// What the mapping files say by themselves, at their places, and mappings that no step of a model's uses.
  package var diagnostics: [Diagnostic] = []
  /// What of them, in a revision, this clone does not have.
  var lacking: [Diagnostic] = []
  /// Whether the files, in a revision, are where no run for the project reads them.
  var areUnread = false
  /// The files' contents by their paths, as the user named them.
  package var files: [String: Data] = [:]
  /// By model: the mapping models that the app of a package of Xcode's has, also those that a file of the project replaces; a
  /// checked model of another notation has no entry.
  var shipped: [String: [CustomMappingModel]] = [:]
  /// Where the mapping model of a step stands, by the names of its two versions.
  var places: [[String]: String] = [:]

  /// Two versions between which mapping models stand.
  struct Step {
    var from: ModelVersion
    var to: ModelVersion
    var mappingModels: [CustomMappingModel]
    var mappingModel: MappingModel
    var diagnostics: [Diagnostic]
    var name: String { "mapping \(from.name) → \(to.name)" }

    /// The names of the mappings that a person wrote.
    var written: Set<String> { Set(mappingModels.flatMap(\.entityMappings).map(\.name)) }
  }

  /// Whether a mapping model leads from the one version to the other.
  func covers(_ from: String, _ to: String, in model: VersionedModel) -> Bool {
    !custom.mappingModels(of: model.name, from: from, to: to).isEmpty
  }

  /// With what a program brings along, whose own mapping models come first.
  func with(_ program: CustomMigrations) -> Self {
    var all = self
    all.custom = program
    all.custom.mappingModels.merge(custom.mappingModels) { $0 + $1 }
    return all
  }

  /// The mapping models for exactly this step, as they are beside the two versions of today; nil if there are none.
  ///
  /// - Parameter isForGate: whether policies are asked for: `compile` need not have them.
  func step(from: ModelVersion, to: ModelVersion, in model: VersionedModel, isForGate: Bool = true) -> Step? {
    let mappingModels = custom.mappingModels(of: model.name, from: from.name, to: to.name)
    guard !mappingModels.isEmpty else { return nil }
    let (mappingModel, diagnostics) = mappingModels.resolved(
      from: from, to: to, policyNames: isForGate ? custom.policies.names(for: mappingModels) : nil,
      isForGate: isForGate)
    return Step(
      from: from, to: to, mappingModels: mappingModels, mappingModel: mappingModel, diagnostics: diagnostics)
  }

  /// Each step between versions of a model that has mapping models.
  func steps(in model: VersionedModel, isForGate: Bool = true) -> [Step] {
    (custom.mappingModels[model.name] ?? []).map(\.versionNames).unique.compactMap { names in
      guard let from = model.version(named: names[0]), let to = model.version(named: names[1]) else {
        return nil
      }
      return step(from: from, to: to, in: model, isForGate: isForGate)
    }
  }

  /// What the mapping models say that the two versions do not, step by step.
  package func check(against models: [VersionedModel]) -> [Diagnostic] {
    models.flatMap { steps(in: $0, isForGate: false) }.flatMap(\.diagnostics)
  }
}

extension CheckedModel {
  /// Checks the mapping models against today's versions: their hashes, the registered policies, the types of their
  /// expressions.
  ///
  /// - Returns: a step for each two versions with mapping models, and one for the files themselves.
  func checkMappings() -> [CheckStep] {
    let (model, mappings) = (self.model, self.mappings)
    var steps: [CheckStep] = []
    if !mappings.diagnostics.isEmpty { steps.append(step(.compile, "mapping files", mappings.diagnostics)) }
    // A file that cannot be read is not compared.
    if mappings.diagnostics.hasErrors { return steps }
    for found in mappings.steps(in: model) {
      // Only Core Data goes by snapshots.
      let isInApp = settings?.isMigratedByModelc != true
      let diagnostics = found.diagnostics.filter { isInApp || $0.code != .staleSnapshot }
      steps.append(step(.mapping, found.name, diagnostics + notInApp(found, of: self)))
    }
    return steps
  }
}

/// What a mapping file says that Core Data does not do in the app, which has Xcode's mapping models alone.
private func notInApp(_ step: ProjectMappings.Step, of subject: CheckedModel) -> [Diagnostic] {
  guard let shipped = subject.mappings.shipped[subject.model.name],
    subject.settings?.isMigratedByModelc != true,
    !step.diagnostics.hasErrors, let map = step.mappingModels.lazy.compactMap(\.sourceMap).first
  else { return [] }
  let own = shipped.filter { $0.versionNames == [step.from.name, step.to.name] }
  let (appModel, diagnostics) = own.resolved(from: step.from, to: step.to, isForGate: true)
  let stale = diagnostics.filter { $0.code == .staleSnapshot }
  if !stale.isEmpty {
    return stale.map { $0.with { $0.help.append(Diagnostic.exportHelp(step, over: true)) } }
  }
  let names = step.mappingModel.entitiesMappedDifferently(than: appModel, from: step.from, to: step.to)
  // What Core Data infers needs no mapping model.
  guard !names.isEmpty else { return [] }
  let way = "mapping from '\(step.from.name)' to '\(step.to.name)'"
  // Whether the app has another mapping model for the step.
  let isOther = !own.isEmpty
  let finding = Diagnostic(
    isOther ? .mappingOtherInApp : .mappingNotInApp, .error,
    isOther ? "the app's \(way) differs from this file" : "the \(way) is not in the app",
    subject: ModelSubject(version: step.to.name),
    place: map[ModelSubject(key: "to")] ?? SourceRange(startOf: map.file),
    notes: [
      isOther
        ? "the app contains the .xcmappingmodel, and Core Data never reads this file"
        : "Core Data never reads this file: in the app it infers the step, or refuses the store",
      Diagnostic.affected(names),
    ],
    help: [Diagnostic.exportHelp(step, over: isOther)]
      + (isOther ? ["or delete this file: check then takes the app's mapping"] : []) + [
        "or, if modelc migrates the stores, write `migratedBy: modelc` into a modelc.yaml next to the package"
      ])
  return [finding]
}

extension Diagnostic.Code {
  /// A mapping file beside a package of Xcode's, which the app has no mapping model for.
  package static let mappingNotInApp = Self("MC4208")
  /// A mapping file beside a package of Xcode's, which says something else than the app's mapping model.
  package static let mappingOtherInApp = Self("MC4209")
}

extension Diagnostic {
  static func affected(_ names: [String]) -> Note {
    "\(names.count == 1 ? "1 entity has" : "\(names.count) entities have") a different result: \(names.quoted(10))"
  }

  fileprivate static func exportHelp(_ step: ProjectMappings.Step, over: Bool) -> String {
    let words = [step.from.name, step.to.name].map(\.shellWord).joined(separator: " ")
    return over
      ? "write it for Xcode over the app's: `modelc map export \(words) --as xcmappingmodel --force`"
      : "write it for Xcode: `modelc map export \(words) --as xcmappingmodel`"
  }
}
