import ManagedModel

/// What breaks SwiftData's migrations, as far as the source tells: MC2610 to MC2618, MC2638 and MC2639.
///
/// - Parameters:
///   - reached: by version, the classes that are in it.
///   - isWhole: whether all of the source could be read; what follows from a part that could not is not told.
func checkSwiftData(
  _ program: SwiftDataProgram, _ model: VersionedModel, _ reached: [String: [[String]]],
  isWhole: Bool
) -> [Diagnostic] {
  let lists = checkLiveTypes(program) + checkPlan(program)
  guard isWhole else { return lists }
  return lists + checkReach(program, model, reached) + checkChecksums(program, model)
    + checkOriginalNames(model) + checkLightweightStages(model)
    + zip(model.versions, model.versions.dropFirst()).flatMap(checkStructs)
}
