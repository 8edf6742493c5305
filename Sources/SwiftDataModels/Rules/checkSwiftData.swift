import ManagedModel

/// What breaks SwiftData's migrations, as far as the source tells: MC2610 to MC2618.
func checkSwiftData(_ program: SwiftDataProgram, _ model: VersionedModel) -> [Diagnostic] {
  checkLiveTypes(program) + checkChecksums(program, model) + checkPlan(program)
    + checkOriginalNames(model) + checkLightweightStages(model)
    + zip(model.versions, model.versions.dropFirst()).flatMap(checkStructs)
}
