package import ManagedModel

extension [SwiftFile] {
  /// Makes the model that the files of a program declare: one version for each schema of its migration plan.
  ///
  /// Without a plan the schemas stand in the order of their versions; without schemas all `@Model` classes are one version,
  /// `1.0.0`, as SwiftData itself has it.
  ///
  /// - Parameters:
  ///   - name: what the model is called.
  ///   - source: the path that a command would name.
  ///   - own: the file that was named, where one was: its plan, its schemas or its classes count.
  ///   - chosen: the name of the plan that is meant, where there are several.
  ///   - newestOnly: whether only the newest schema is wanted, and no rule.
  /// - Returns: no model where the files declare none. With errors among the diagnostics it holds what could be read.
  package func swiftDataModel(
    name: String, source: String, own: String? = nil, plan chosen: String? = nil, newestOnly: Bool = false
  ) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    let table = TypeTable(self)
    let types = table.all
    var lists = ListReader(table: table)
    let all = table.adopting("SchemaMigrationPlan")
    var schemas = table.adopting("VersionedSchema")
    guard types.contains(where: \.isModel) || !schemas.isEmpty else {
      return (nil, [.noModels(source, all.flatMap { lists.plan($0).schemas })])
    }
    func owned(_ types: [TypeEntry]) -> [TypeEntry] {
      let named = types.filter { $0.place.file == own }
      return named.isEmpty ? types : named
    }
    var plans = chosen.map { name in
      all.filter { $0.name == name || $0.fullName == name || name.hasSuffix(".\($0.fullName)") }
    }
    if let chosen, plans?.isEmpty == true {
      guard newestOnly else { return (nil, [.noPlan(chosen, among: all, source)]) }
      // Older source has none yet, or one of another name.
      plans = nil
    }
    let candidates = plans ?? owned(all)
    guard candidates.count < 2 else { return (nil, [.severalPlans(candidates, source)]) }
    var plan = candidates.first.map { lists.plan($0) }
    plan?.isWhole = lists.diagnostics.isEmpty
    // Another plan's schemas are none of this one's.
    let planned = plan.map { ($0.schemas + $0.stages.map(\.to)).compactMap(\.entry?.path) }
    if all.count > 1 || planned == nil {
      schemas = planned.map { own in schemas.filter { own.contains($0.path) } } ?? owned(schemas)
    }
    var found: [[String]: [Diagnostic]] = [:]
    let declared = schemas.map { entry in
      var own = ListReader(table: table)
      defer { found[entry.path] = own.diagnostics }
      return own.schema(entry)
    }
    let containers = AppContainers(flatMap(\.containerCalls), table)
    var program = SwiftDataProgram(plan: plan, schemas: declared, types: types, containers: containers)
    program.order(among: owned(types.filter { $0.isModel && !containers.unstored.contains($0.path) }))
    // Older schemas make no stores.
    if newestOnly { program.versions = program.versions.suffix(1) }
    let told = newestOnly ? program.versions.map(\.schema.entry.path) : declared.map(\.entry.path)
    let listed = lists.diagnostics + told.flatMap { found[$0] ?? [] }
    var reader = ProgramReader(table: table, program: program)
    let versions = reader.versions()
    let remarks = [reader.facts.finding(source), conditionRemark(self)]
    let diagnostics = listed + reader.diagnostics + unknownModels(program) + remarks.compactMap(\.self)
    guard let current = versions.last else { return (nil, diagnostics.ordered) }
    var model = VersionedModel(name: name, versions: versions, currentVersionName: current.name)
    reader.mirror(&model)
    reader.list(&model)
    guard !newestOnly else { return (model, diagnostics.ordered) }
    model.stages = reader.stages()
    let isWhole = !diagnostics.contains(where: \.isUnread)
    model.gateFindings = program.checkSwiftData(model, reader.reached, reader.names, isWhole: isWhole).ordered
    return (model, diagnostics.ordered)
  }
}

/// Reads each version of a program.
private struct ProgramReader {
  let table: TypeTable
  let program: SwiftDataProgram
  var diagnostics: [Diagnostic] = []
  var facts = UnverifiedBehaviors()
  /// The classes of each version, listed or reached.
  var reached: [String: [[String]]] = [:]

  mutating func versions() -> [ModelVersion] {
    let hashes = NamedCache<PropertyHashes>()
    var versions: [ModelVersion] = []
    for (name, schema) in program.versions {
      var reader = VersionReader(table: table, versionName: name, file: schema.entry.place.file, facts: facts)
      var model = reader.read(schema.models)
      if let identifier = schema.identifier { model.versionIdentifiers = [identifier] }
      reader.map[ModelSubject()] = schema.entry.place
      diagnostics += reader.diagnostics
      reached[name] = reader.order
      facts = reader.facts
      var version = ModelVersion(
        name: name, model: model, origin: .xcode, sourceMap: reader.map, sharing: hashes)
      version.notation = .swiftData
      version.unprovenHashes = facts.reasons(in: model)
      if !program.schemas.isEmpty {
        (version.typeName, version.fullTypeName) = (schema.entry.name, schema.entry.fullName)
      }
      version.classPaths = Dictionary(firstOf: reader.order.map { (reader.name(of: $0), $0) })
      versions.append(version)
    }
    return versions
  }

  /// The classes that a list has or reaches.
  func names(_ types: [ListedType]) -> Set<String> {
    var reader = VersionReader(table: table, versionName: "", file: "", facts: facts)
    return Set(reader.read(types).entities.map(\.name))
  }

  /// Says what the plan is called and who sees it, which classes the containers have, and in which files.
  func list(_ model: inout VersionedModel) {
    model.planName = program.plan?.entry.fullName
    let entry = program.plan?.entry ?? program.versions.last?.schema.entry
    model.isPublic = entry?.declaration.modifiers.contains("public") == true
    for store in program.containers.stores ?? [] {
      for name in names(store.classes) {
        for index in model.versions.indices {
          model.versions[index].storeFiles[name, default: []].insert(store.path)
        }
      }
    }
    for index in model.versions.indices where program.containers.areInMemory {
      let entities = model.versions[index].model.entities
      model.versions[index].storeFiles = Dictionary(firstOf: entities.map { ($0.name, Set<String>()) })
    }
    guard program.schemas.isEmpty else { return }
    let last = model.versions.count - 1
    model.versions[last].openedClasses = names(program.containers.openings.flatMap { $0.classes ?? [] })
    model.versions[last].listedClasses = program.containers.listed.map(names)
  }

  /// Holds the newest version to the rules of CloudKit, where the app has its stores mirrored.
  func mirror(_ model: inout VersionedModel) {
    guard let mirroring = program.containers.mirroring, let current = model.versions.last else { return }
    model.mirroring = mirroring
    let spared = program.containers.mirrored.map {
      Set(current.model.entities.map(\.name)).subtracting(names($0))
    }
    model.versions[model.versions.count - 1].setProfile(.cloudKit, sparing: spared ?? [])
  }

  /// The stages between versions of the plan.
  func stages() -> [MigrationStage] {
    (program.plan?.stages ?? []).compactMap { stage in
      guard let from = program.name(of: stage.from), let to = program.name(of: stage.to) else { return nil }
      guard stage.isCustom else { return .lightweight([from, to]) }
      let label = "\(stage.from.name) to \(stage.to.name)"
      return .custom(
        CustomMigrationStage(
          currentVersionName: from, nextVersionName: to,
          willMigrateHandler: stage.hasWillMigrate ? "willMigrate of \(label)" : nil,
          didMigrateHandler: stage.hasDidMigrate ? "didMigrate of \(label)" : nil, emptied: stage.emptied))
    }
  }
}

/// Classes that schemas list and no file declares, each at the first of them.
private func unknownModels(_ program: SwiftDataProgram) -> [Diagnostic] {
  var reported: Set<String> = []
  return program.versions.compactMap { version in
    let unknown = version.schema.models.filter { $0.entry == nil && reported.insert($0.name).inserted }
    guard let first = unknown.first else { return nil }
    let versions = program.versions.count { other in
      other.schema.models.contains { model in model.entry == nil && unknown.contains { $0.name == model.name }
      }
    }
    let names = unknown.map { "'\($0.name.visible)'" }.joined(separator: ", ")
    let (isOne, them) = (unknown.count == 1, unknown.count == 1 ? "it" : "them")
    return Diagnostic(
      .unknownInSource, .error, "\(names) \(isOne ? "is" : "are") not in the source", place: first.place,
      notes: [
        "without \(them) \(versions == 1 ? "a version is" : "\(versions) versions are") incomplete, and \(versions == 1 ? "its hash is" : "their hashes are") not known"
      ],
      help: ["name a folder that holds \(them) too, with `--models`"])
  }
}

/// For which platform conditional compilation was decided, where a model depends on it.
private func conditionRemark(_ files: [SwiftFile]) -> Diagnostic? {
  let conditions = files.flatMap(\.conditions).filter { $0.isGuessed || $0.isOfModel }
  let guessed = conditions.filter(\.isGuessed)
  guard let first = guessed.first ?? conditions.first else { return nil }
  let notes = guessed.prefix(8).map {
    Diagnostic.Note(
      $0.isOfSystems
        ? "'\($0.text.visible)' was assumed to be true: older systems create other stores, which are not checked"
        : "'\($0.text.visible)' is not known, and was assumed to be \($0.isTaken ? "true" : "false")",
      place: $0.place)
  }
  let (kind, isOne) = (first.isOfSystems ? "#available" : "#if", conditions.count == 1)
  return Diagnostic(
    .decidedCondition, guessed.isEmpty ? .information : .warning,
    "\(isOne ? "a condition" : "\(conditions.count) conditions") of '\(kind)' \(isOne ? "was" : "were") decided",
    place: first.place, notes: notes,
    help: [
      first.isOfSystems
        ? "list what newer systems add in a VersionedSchema of its own, which is '@available' as a whole"
        : "`--platform` says for which platform: ios, macos, tvos, watchos or visionos"
    ])
}

extension Diagnostic {
  /// - Parameter listed: by plans, in other files.
  fileprivate static func noModels(_ source: String, _ listed: [ListedType]) -> Diagnostic {
    Diagnostic(
      .noSwiftDataModel, .error, "there is no @Model class and no VersionedSchema in '\(source.visible)'",
      place: start(of: source),
      notes: listed.prefix(1).map {
        Note("its plan lists '\($0.name.visible)', which no file that is read declares", place: $0.place)
      }, help: ["name the folder that holds the app's models"])
  }

  fileprivate static func severalPlans(_ plans: [TypeEntry], _ source: String) -> Diagnostic {
    let (first, last) = (plans.first, plans.last)
    let file = first?.place.file != last?.place.file ? first?.place.file : nil
    return Diagnostic(
      .noSwiftDataModel, .error, "there are \(plans.count) migration plans in '\(source.visible)'",
      place: first?.place,
      notes: plans.map { Note("'\($0.fullName.visible)'", place: $0.place) },
      help: ["choose one: `--plan \(first?.fullName ?? "")`"]
        + (file.map { ["or name its file: `--models \($0.shellWord)`"] } ?? []))
  }

  fileprivate static func noPlan(_ name: String, among plans: [TypeEntry], _ source: String) -> Diagnostic {
    Diagnostic(
      .noSuchPlan, .error,
      plans.isEmpty
        ? "'\(source.visible)' has no migration plan"
        : "'\(source.visible)' has no migration plan '\(name.visible)'",
      place: start(of: source),
      notes: plans.map { Note("'\($0.fullName.visible)'", place: $0.place) },
      help: [plans.isEmpty ? "leave out `--plan`" : "name one of those: `--plan \(plans[0].fullName)`"])
  }

  /// Of a file; a folder has no lines.
  private static func start(of source: String) -> SourceRange? {
    source.hasSuffix(".swift") ? SourceRange(startOf: source) : nil
  }
}
