package import ManagedModel

extension SwiftDataProgram {
  /// What is wrong in a plan's lists: MC2614, MC2616 and MC2618.
  func checkPlan() -> [Diagnostic] {
    guard let plan else {
      if schemas.count < 2 { return [] }
      return [Diagnostic](
        .missingStage, .warning, "there are \(schemas.count) schemas and no SchemaMigrationPlan",
        place: schemas.last?.entry.place,
        notes: ["without a plan SwiftData infers one step from the store's version to the app's version"],
        help: [
          "list the schemas in an enum that is a SchemaMigrationPlan, and pass it to the ModelContainer"
        ])
    }
    // What a list lacks, where a part of it cannot be read, is not known.
    guard plan.isWhole else { return [] }
    return checkListing(plan, self) + checkStages(plan, self) + checkSkippedStages(plan, self)
  }
}

private func checkListing(_ plan: PlanDeclaration, _ program: SwiftDataProgram) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  var met: [String: SourceRange] = [:]
  for listed in plan.schemas {
    if let first = met[listed.identity] {
      findings.append(
        .planListing, .error, "the plan lists '\(listed.name.visible)' twice", place: listed.place,
        notes: [
          Diagnostic.Note("first here", place: first),
          "SwiftData stops the app: \"Duplicate version checksums across stages detected.\"",
        ],
        help: ["list each schema once, oldest first"])
    } else {
      met[listed.identity] = listed.place
    }
    if !program.schemas.contains(where: { $0.entry.path == listed.entry?.path }) {
      findings.append(
        .planListing, .error,
        "'\(listed.name.visible)', which '\(plan.entry.name.visible)' lists, is not a VersionedSchema of the source",
        place: listed.place,
        help: ["name the folder that holds it too, or remove it from the plan"])
    }
  }
  for schema in program.schemas where met[schema.entry.fullName] == nil {
    let listed = program.versions.flatMap(\.schema.models)
    let use = program.containers.use(of: schema, by: plan, besides: listed)
    // Its stores are those of the schema that has its classes; one with the newest classes may be meant to come next.
    let former = program.versions.dropLast()
    let hasTwin = former.contains {
      $0.schema.entry.path != schema.entry.path && $0.schema.listsSameTypes(schema)
    }
    if use == nil, hasTwin { continue }
    findings.append(.leftOutOfPlan(schema, plan, last: program.versions.last?.schema, usedAt: use))
  }
  var known: [String: SchemaDeclaration] = [:]
  for (_, schema) in program.versions {
    guard let own = schema.identifier, let other = known.updateValue(schema, forKey: own) else { continue }
    findings.append(
      .planListing, .error,
      "'\(schema.entry.name.visible)' and '\(other.entry.name.visible)' both have the version \(own)",
      place: schema.entry.place, notes: [Diagnostic.Note("the other one", place: other.entry.place)],
      help: ["give each schema a version of its own, the later one the higher"])
  }
  return findings
}

/// Each schema but the last begins a stage. A plan without any leaves the step to inference.
private func checkStages(_ plan: PlanDeclaration, _ program: SwiftDataProgram) -> [Diagnostic] {
  if plan.stages.isEmpty { return [] }
  return zip(program.versions, program.versions.dropFirst()).compactMap { former, next -> Diagnostic? in
    let isThere = plan.stages.contains {
      $0.from.identity == former.schema.entry.fullName && $0.to.identity == next.schema.entry.fullName
    }
    if isThere { return nil }
    let (from, to) = (former.schema.entry.name, next.schema.entry.name)
    return Diagnostic(
      .missingStage, .error,
      "'\(plan.entry.name.visible)' has no stage from '\(from.visible)' to '\(to.visible)'",
      subject: ModelSubject(version: next.name),
      place: plan.entry.staticVariable("stages")?.place ?? plan.entry.place,
      notes: ["stores of '\(former.name.visible)' are not migrated, and the app does not open them"],
      help: ["add `.lightweight(fromVersion: \(from).self, toVersion: \(to).self)`"], cocoaCode: 134504)
  }
}

/// Work of stages that one step would pass over.
private func checkSkippedStages(_ plan: PlanDeclaration, _ program: SwiftDataProgram) -> [Diagnostic] {
  func place(of listed: ListedType) -> Int? {
    program.versions.firstIndex { $0.schema.entry.fullName == listed.identity }
  }
  let passing = plan.stages.filter { stage in
    guard let from = place(of: stage.from), let to = place(of: stage.to), to > from + 1 else { return false }
    return plan.stages.contains { inner in
      guard inner.isCustom, let start = place(of: inner.from) else { return false }
      return start >= from && start < to && inner.place != stage.place
    }
  }
  let unrun = plan.stages.filter { !$0.isCustom && ($0.hasWillMigrate || $0.hasDidMigrate) }.map { stage in
    Diagnostic(
      .passedOverStage, .error, "a lightweight stage has a handler that never runs", place: stage.place,
      help: ["make it a .custom stage"])
  }
  let skipped = passing.map { stage in
    Diagnostic(
      .passedOverStage, .error,
      "the stage from '\(stage.from.name.visible)' to '\(stage.to.name.visible)' skips custom stages",
      place: stage.place, notes: ["stores that take it never run their willMigrate and didMigrate"],
      help: ["let each stage lead to the next schema of the plan"])
  }
  return unrun + skipped
}

extension Diagnostic.Code {
  package static let missingStage = Self("MC2614", level: .path)
  package static let passedOverStage = Self("MC2616", level: .path)
  package static let planListing = Self("MC2618", level: .hash)
}

extension Diagnostic {
  fileprivate static func leftOutOfPlan(
    _ schema: SchemaDeclaration, _ plan: PlanDeclaration, last: SchemaDeclaration?, usedAt use: SourceRange?
  ) -> Diagnostic {
    let (name, former) = (schema.entry.name, last?.entry.name ?? "")
    let isStaged = plan.stages.contains { $0.to.identity == schema.entry.fullName }
    let meaning =
      isStaged
      ? "stages lead to it, so modelc treats it as a version; whether SwiftData also needs it in `schemas` is not verified"
      : plan.stages.isEmpty
        ? "the plan has no stages, so SwiftData infers a step from any schema that a store has, listed or not"
        : use == nil
          ? "stores of that version are not recognized by the plan, and the app does not open them"
          : "no stage leads to it: the app does not open stores of older versions"
    return Diagnostic(
      .planListing, use == nil || isStaged ? .warning : .error,
      "'\(plan.entry.name.visible)' does not list the schema '\(name.visible)'"
        + (use == nil ? "" : ", with which the app's container opens stores"),
      subject: ModelSubject(version: schema.identifier ?? name), place: schema.entry.place,
      notes: (use.map { [Note("the container is made here", place: $0)] } ?? []) + [Note(meaning)],
      help: [
        isStaged
          ? "list it in `schemas` too, at its place"
          : use != nil
            ? "list it last in `schemas`, and add `.lightweight(fromVersion: \(former).self, toVersion: \(name).self)` to `stages`"
            : plan.stages.isEmpty
              ? "list it at its place before the plan gets stages, or delete it if nothing needs it"
              : "list it at its place in the plan, or delete it if no user has a store of it"
      ],
      cocoaCode: plan.stages.isEmpty || isStaged ? nil : 134504)
  }
}
