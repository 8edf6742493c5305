import CustomMigration
package import Foundation
package import ManagedModel
import ModelMapping
package import ModelMigration

/// The mapping models of a checked model, with the policies and the post-processing of the modelc that checks.
package struct MappingChecks: Sendable {
  /// What migrations of this model's stores run with.
  package var custom: CustomMigrations
  /// What the mapping files say by themselves, at their places.
  package var diagnostics: [Diagnostic]
  /// The files' contents by their paths, as the user named them.
  package var files: [String: Data]

  package init(
    custom: CustomMigrations = CustomMigrations(), diagnostics: [Diagnostic] = [],
    files: [String: Data] = [:]
  ) {
    (self.custom, self.diagnostics, self.files) = (custom, diagnostics, files)
  }

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

  /// The mapping models for exactly this step, as they are beside the two versions of today; nil where there are none.
  func step(from: ModelVersion, to: ModelVersion, in model: VersionedModel) -> Step? {
    let mappingModels = custom.mappingModels(of: model.name, from: from.name, to: to.name)
    guard !mappingModels.isEmpty else { return nil }
    let (mappingModel, diagnostics) = resolveMappingModel(
      mappingModels, from: from, to: to, policyNames: Set(custom.policies.names))
    return Step(
      from: from, to: to, mappingModels: mappingModels, mappingModel: mappingModel, diagnostics: diagnostics)
  }
}

/// Checks the mapping models against today's versions: their hashes, the registered policies, the types of their
/// expressions.
///
/// - Returns: a step for each two versions with mapping models, and one for the files themselves.
func checkMappings(of subject: CheckedModel) -> [CheckStep] {
  let (model, mappings) = (subject.model, subject.mappings)
  func step(_ kind: CheckStep.Kind, _ name: String, _ findings: [Diagnostic]) -> CheckStep {
    CheckStep(kind: kind, model: model.name, name: name, findings: findings)
  }
  var steps: [CheckStep] = []
  if !mappings.diagnostics.isEmpty { steps.append(step(.compile, "mapping files", mappings.diagnostics)) }
  // A file that cannot be read is not compared.
  if mappings.diagnostics.hasErrors { return steps }
  var seen: Set<[String]> = []
  for written in mappings.custom.mappingModels[model.name] ?? [] {
    let names = [written.sourceVersionName, written.destinationVersionName]
    guard seen.insert(names).inserted, let from = model.version(named: names[0]),
      let to = model.version(named: names[1]), let found = mappings.step(from: from, to: to, in: model)
    else { continue }
    steps.append(step(.mapping, found.name, found.diagnostics))
  }
  return steps
}
