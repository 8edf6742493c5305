package import ManagedModel

extension SwiftDataProgram {
  /// What breaks SwiftData's migrations, as far as the source tells: MC2610 to MC2618, MC2638, MC2639,
  /// MC2643 and MC2644.
  ///
  /// - Parameters:
  ///   - reached: by version, the classes that are in it.
  ///   - names: the classes that a list has or reaches.
  ///   - isWhole: whether all of the source could be read; what follows from a part that could not is not told.
  func checkSwiftData(
    _ model: VersionedModel, _ reached: [String: [[String]]], _ names: ([ListedType]) -> Set<String>,
    isWhole: Bool
  ) -> [Diagnostic] {
    let lists = checkLiveTypes() + checkPlan()
    guard isWhole else { return lists }
    return lists + checkContainers(reached, names) + checkReach(model, reached) + checkChecksums(model)
      + checkStageWork(reached) + containers.checkSharedStores(names) + model.checkOriginalNames()
      + model.checkLightweightStages()
      + zip(model.versions, model.versions.dropFirst()).flatMap { $0.checkStructs(to: $1) }
  }
}

extension Diagnostic.Code {
  /// Errors after which a schema may not be what its stores have. Those of the other rules are about steps, stages and
  /// containers: no version is looked at less for them.
  package static let ofUnsureSchema: Set<Self> = [.sameSchema, .liveType, .reachesNewer, .sameClassName]
}
