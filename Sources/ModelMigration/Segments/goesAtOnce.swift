import ManagedModel
import ModelMapping

/// Whether the migration is one inferred step from the store's version to the target, as in Core Data.
///
/// It goes from version to version instead where custom work is on the path, where the list says `chain: stepwise`, or
/// where one step cannot be inferred.
///
/// - Parameters:
///   - custom: mapping models that a person wrote.
///   - stops: versions whose objects have work to be done on.
func goesAtOnce(
  _ path: [ModelVersion], of model: VersionedModel, custom: CustomMigrations = CustomMigrations(),
  stops: Set<String> = []
) -> Bool {
  guard path.count > 2, let source = path.first, let target = path.last, !model.goesStepwise else {
    return false
  }
  let between = path.dropFirst().dropLast()
  guard between.allSatisfy({ $0.allowsInference && !stops.contains($0.name) }) else { return false }
  for (from, to) in zip(path, path.dropFirst()) {
    let isCustom =
      model.customStage(from: from.name, to: to.name) != nil
      || !custom.mappingModels(of: model.name, from: from.name, to: to.name).isEmpty
    if isCustom { return false }
  }
  return !inferMappingModel(from: source, to: target).diagnostics.hasErrors
}

extension MigrationPlan {
  /// The same plan, with a word about the other way where that one serves and this one does not.
  ///
  /// - Parameters:
  ///   - path: all versions between the store's and the target.
  ///   - other: plans the way by a rule.
  func naming(
    _ path: [ModelVersion], asked rule: ChainRule, other: (ChainRule) throws -> MigrationPlan
  ) throws -> MigrationPlan {
    guard isBlocked, path.count > 2, segments.allSatisfy(\.isInferred) else { return self }
    let isAtOnce = segments.count == 1 && self.path.count == 2
    let candidate: ChainRule = isAtOnce ? .stepwise : .direct
    guard rule != candidate, let way = try? other(candidate), !way.isBlocked else { return self }
    var plan = self
    if let place = diagnostics.firstIndex(where: { $0.severity == .error }) {
      plan.diagnostics[place].help.append(
        isAtOnce
          ? "version by version this store can be migrated: `--chain stepwise`"
          : "in one step this store can be migrated: `--chain direct`")
    }
    return plan
  }
}
