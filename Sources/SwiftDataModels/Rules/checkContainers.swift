package import ManagedModel

extension SwiftDataProgram {
  /// Containers that do not fit the plan (MC2618).
  ///
  /// - Parameters:
  ///   - reached: by version, the classes that are in it.
  ///   - names: the classes that a list has or reaches.
  func checkContainers(
    _ reached: [String: [[String]]], _ names: ([ListedType]) -> Set<String>
  ) -> [Diagnostic] {
    guard let plan, plan.isWhole, let newest = versions.last else { return [] }
    func reaches(_ opening: AppContainers.Opening, _ version: String) -> Bool {
      let classes = opening.classes?.compactMap { $0.entry?.path } ?? []
      return classes.contains { reached[version]?.contains($0) == true }
    }
    guard containers.havePlans else {
      let isNeeded = plan.stages.contains(where: \.isCustom)
      let own = containers.openings.first { isNeeded && reaches($0, newest.name) }
      return own.map { [.unusedPlan(plan, at: $0.place)] } ?? []
    }
    func rank(_ opening: AppContainers.Opening) -> (Int, String) {
      let names = (opening.classes ?? []).map(\.identity).sorted()
      return (-names.count, names.joined(separator: " "))
    }
    // Of several that do not fit the classes choose one, not the order of the files.
    let planned = containers.openings.filter { $0.plan == plan.entry.path }.sorted { rank($0) < rank($1) }
    let known = Set(reached.values.joined() + schemas.flatMap { $0.models.compactMap { $0.entry?.path } })
    let opened = planned.map { opening in
      versions.last { version in
        opening.schema.map { $0.path == version.schema.entry.path } ?? reaches(opening, version.name)
      }
    }
    let (listed, all) = (newest.schema.models.compactMap { $0.entry?.path }, names(newest.schema.models))
    var findings = zip(planned, opened).compactMap { opening, version -> Diagnostic? in
      // With the newest schema's classes, one of an older schema makes a schema that is in no plan.
      let own = version?.name == newest.name ? Set((reached[newest.name] ?? []) + listed) : known
      let foreign = opening.classes?.first { $0.entry.map { $0.isModel && !own.contains($0.path) } ?? false }
      return foreign.map { .unplannedClass($0, known, plan, newest.schema, at: opening.place) }
    }
    // Another one, or one that cannot be read, may have the newest.
    if let first = opened.first, let former = first,
      opened.allSatisfy({ $0 != nil && $0?.name != newest.name })
    {
      findings.append(.opensFormer(former.schema, plan, newest.schema, at: planned[0].place))
    }
    func files(_ opening: AppContainers.Opening) -> [String] {
      containers.toldStores.filter { $0.place == opening.place }.map(\.key)
    }
    let migrated = Set(planned.flatMap(files))
    let bare = containers.openings.first { opening in
      !opening.hasPlan && reaches(opening, newest.name) && !migrated.isDisjoint(with: files(opening))
    }
    if let bare, plan.stages.contains(where: \.isCustom) {
      findings.append(.opensWithoutPlan(plan, at: bare.place, planned[0].place))
    }
    let lacking = zip(planned, opened).map { opening, version -> [String] in
      guard version?.name == newest.name, let classes = opening.classes,
        classes.allSatisfy({ $0.entry != nil })
      else { return [] }
      let own = names(classes)
      return own.isSubset(of: all) ? all.subtracting(own).sorted() : []
    }
    if let missing = lacking.first, !lacking.contains(where: \.isEmpty) {
      findings.append(.lacksClasses(missing, plan, newest.schema, at: planned[0].place))
    }
    return findings
  }
}

extension AppContainers {
  /// Containers that open one store with different classes, as an app and its widget or intent do (MC2643).
  ///
  /// Those without a class in common are taken for different apps.
  ///
  /// - Parameter names: the classes that a list has or reaches.
  func checkSharedStores(_ names: ([ListedType]) -> Set<String>) -> [Diagnostic] {
    let byFile = Dictionary(grouping: toldStores, by: \.key).filter { $0.value.count > 1 }
    return byFile.sorted { $0.key < $1.key }.compactMap { _, stores -> Diagnostic? in
      // Of several that lack classes the classes choose one, not the order of the files.
      let openings = stores.map { (place: $0.place, classes: names($0.classes)) }.sorted {
        ($0.classes.count, $0.classes.sorted().joined()) < ($1.classes.count, $1.classes.sorted().joined())
      }
      for one in openings {
        for other in openings where !one.classes.isDisjoint(with: other.classes) {
          let missing = other.classes.subtracting(one.classes).sorted()
          // If each lacks some, the names decide.
          let others = one.classes.subtracting(other.classes).sorted()
          if missing.isEmpty || !others.isEmpty && others.lexicographicallyPrecedes(missing) { continue }
          return Diagnostic(
            .differentClasses, .warning,
            "this container opens '\(stores[0].file.visible)' without \(missing.quoted(6))",
            place: one.place,
            notes: [
              Diagnostic.Note(
                "another container opens it with \(missing.count == 1 ? "this class" : "these classes")",
                place: other.place),
              "SwiftData migrates a store to the opening container's classes: objects of the others are lost, or it does not open",
            ],
            help: ["give both the same classes, with one `Schema` for all programs of the app"])
        }
      }
      return nil
    }
  }
}

extension Diagnostic.Code { package static let differentClasses = Self("MC2643") }

extension Diagnostic {
  fileprivate static func unusedPlan(_ plan: PlanDeclaration, at place: SourceRange) -> Diagnostic {
    let name = plan.entry.name.visible
    return Diagnostic(
      .planListing, .error, "no container uses the plan '\(name)', so its custom stages never run",
      place: place,
      notes: [
        Note("the plan", place: plan.entry.place),
        "SwiftData infers one step instead: willMigrate and didMigrate do not run on users' data",
      ],
      help: ["pass it to the container: `ModelContainer(for: …, migrationPlan: \(name).self)`"])
  }

  fileprivate static func opensWithoutPlan(
    _ plan: PlanDeclaration, at place: SourceRange, _ planned: SourceRange
  ) -> Diagnostic {
    let name = plan.entry.name.visible
    return Diagnostic(
      .planListing, .warning,
      "this container opens stores without '\(name)', which another one of the same store uses", place: place,
      notes: [
        Note("the other one", place: planned),
        "if it opens users' stores first after an update, as a widget or an intent does, custom stages never run",
      ],
      help: ["pass the plan to both: `ModelContainer(for: …, migrationPlan: \(name).self)`"])
  }

  /// - Parameter known: the classes that any schema of the plan has.
  fileprivate static func unplannedClass(
    _ listed: ListedType, _ known: Set<[String]>, _ plan: PlanDeclaration, _ newest: SchemaDeclaration,
    at place: SourceRange
  ) -> Diagnostic {
    let (name, schema) = (listed.name.visible, newest.entry.name.visible)
    let isFormer = listed.entry.map { known.contains($0.path) } ?? false
    return misfit(
      "the container lists '\(name)', which '\(schema)' does not have", plan, at: place,
      "its stores are of no schema of the plan: they are not checked",
      help: isFormer
        ? "remove '\(name)' from the container, or open it with `Schema(versionedSchema: \(schema).self)`"
        : "list `\(name).self` in the `models` of a new schema, or of '\(schema)' if it is not released")
  }

  fileprivate static func lacksClasses(
    _ missing: [String], _ plan: PlanDeclaration, _ newest: SchemaDeclaration, at place: SourceRange
  ) -> Diagnostic {
    let schema = newest.entry.name.visible
    return misfit(
      "the container opens stores without \(missing.quoted(6)), which '\(schema)' has", plan, at: place,
      "its stores are of no schema of the plan: they are not checked",
      help: "open it with the whole schema: `Schema(versionedSchema: \(schema).self)`")
  }

  /// - Parameter inferred: what it means where SwiftData infers one step, whatever the plan lists: without stages.
  private static func misfit(
    _ message: String, _ plan: PlanDeclaration, at place: SourceRange, _ inferred: String, help: String
  ) -> Diagnostic {
    let isInferred = plan.stages.isEmpty
    let effect = "no stage leads to what it opens: the app does not open stores of older versions"
    return Diagnostic(
      .planListing, isInferred ? .warning : .error, message, place: place,
      notes: [Note(isInferred ? inferred : effect)], help: [help], cocoaCode: isInferred ? nil : 134504)
  }

  fileprivate static func opensFormer(
    _ former: SchemaDeclaration, _ plan: PlanDeclaration, _ newest: SchemaDeclaration, at place: SourceRange
  ) -> Diagnostic {
    let (name, last) = (former.entry.name.visible, newest.entry.name.visible)
    return Diagnostic(
      .planListing, .error,
      "the container opens stores with '\(name)', and '\(plan.entry.name.visible)' leads to '\(last)'",
      place: place,
      notes: [
        Note("the newest schema", place: newest.entry.place),
        "no store is migrated to '\(last)', because the container does not know its classes",
      ],
      help: ["open it with the newest schema: `Schema(versionedSchema: \(last).self)`"])
  }
}
