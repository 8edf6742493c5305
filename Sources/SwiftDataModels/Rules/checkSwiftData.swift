import ManagedModel

/// What breaks SwiftData's migrations, as far as the source tells: MC2610 to MC2618, MC2638 and MC2639.
///
/// - Parameter reached: by version, the classes that are in it.
func checkSwiftData(
  _ program: SwiftDataProgram, _ model: VersionedModel, _ reached: [String: [[String]]]
) -> [Diagnostic] {
  checkReach(program, model, reached) + checkLiveTypes(program) + checkChecksums(program, model)
    + checkPlan(program)
    + checkOriginalNames(model) + checkLightweightStages(model)
    + zip(model.versions, model.versions.dropFirst()).flatMap(checkStructs)
}
