import ManagedModel

/// A `VersionedSchema`.
struct SchemaDeclaration {
  var entry: TypeEntry
  /// As `1.2.0`; nil if it cannot be read.
  var identifier: String?
  /// The types that it lists, each with its place.
  var models: [ListedType] = []
  /// The parts of its version, to sort by.
  var number: [Int] { identifier?.split(separator: ".").map { Int($0) ?? 0 } ?? [] }
}

struct ListedType {
  /// Nil if the program does not declare it.
  var entry: TypeEntry?
  /// As it is written.
  var name: String
  var place: SourceRange
  /// One declaration, whatever it is called where it is listed.
  var identity: String { entry?.fullName ?? name }
}

/// A `SchemaMigrationPlan`.
struct PlanDeclaration {
  var entry: TypeEntry
  var schemas: [ListedType] = []
  var stages: [StageDeclaration] = []
  /// Whether all of its lists could be read.
  var isWhole = true
}

struct StageDeclaration {
  var from: ListedType
  var to: ListedType
  var isCustom: Bool
  /// Whether it has work before the step, and after it.
  var hasWillMigrate = false
  var hasDidMigrate = false
  /// The classes that have no objects when the step begins.
  var emptied: Set<String> = []
  /// Those that the work before the step fetches, or inserts objects of, and that after it.
  var fetchedBefore: [ListedType] = []
  var fetchedAfter: [ListedType] = []
  var place: SourceRange
}

/// Reads lists of schemas, models and stages, as far as they are written out.
struct ListReader {
  let table: TypeTable
  private(set) var diagnostics: [Diagnostic] = []

  mutating func schema(_ entry: TypeEntry) -> SchemaDeclaration {
    var schema = SchemaDeclaration(entry: entry)
    if let version = table.staticVariable("versionIdentifier", of: entry) {
      schema.identifier = version.value.flatMap { identifier(of: $0, from: entry.scope) }
      if schema.identifier == nil {
        diagnostics.append(
          .notWrittenOut(
            "the version of '\(entry.name)'", at: version.value?.place ?? version.place,
            write: "Schema.Version(1, 0, 0)"))
      }
    }
    schema.models = types(
      in: entry, "models", "the models of '\(entry.name)'", schema.identifier ?? entry.name,
      write: "[Trip.self, Stop.self]")
    return schema
  }

  mutating func plan(_ entry: TypeEntry) -> PlanDeclaration {
    var plan = PlanDeclaration(entry: entry)
    plan.schemas = types(
      in: entry, "schemas", "the schemas of '\(entry.name)'", write: "[SchemaV1.self, SchemaV2.self]")
    guard let stages = table.staticVariable("stages", of: entry) else { return plan }
    func refuse(_ what: String, at place: SourceRange) {
      diagnostics.append(
        .notWrittenOut(
          "\(what) of '\(entry.name)'", at: place,
          write: "[.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]"))
    }
    let elements = stages.value.flatMap { self.elements(of: $0, from: entry.scope, depth: 0) }
    if elements == nil { refuse("the stages", at: stages.value?.place ?? stages.place) }
    for (element, scope) in elements ?? [] {
      let stage = stage(element, from: scope)
      if stage == nil { refuse("a stage", at: element.place) }
      plan.stages += [stage].compactMap(\.self)
    }
    return plan
  }

  private mutating func types(
    in entry: TypeEntry, _ name: String, _ what: String, _ version: String? = nil, write: String
  ) -> [ListedType] {
    let variable = table.staticVariable(name, of: entry)
    guard let elements = variable?.value.flatMap({ elements(of: $0, from: entry.scope, depth: 0) }) else {
      diagnostics.append(
        .notWrittenOut(
          what, version, at: variable?.value?.place ?? variable?.place ?? entry.place,
          write: variable == nil ? "static var \(name)" : write))
      return []
    }
    return elements.compactMap { element, scope in
      if let type = listed(element, from: scope) { return type }
      diagnostics.append(.notWrittenOut(what, version, at: element.place, write: write))
      return nil
    }
  }

  /// The types that an expression names; nil where it does not tell them all.
  mutating func types(_ value: SwiftExpression, from scope: Scope) -> [ListedType]? {
    if let type = listed(value, from: scope) { return [type] }
    let elements = elements(of: value, from: scope, depth: 0)
    let types = elements?.compactMap { listed($0, from: $1) }
    return types?.count == elements?.count ? types : nil
  }

  /// The type that an expression names, as `Trip.self`; or a constant that has it, as `MigrationToV2.schema`.
  private mutating func listed(_ value: SwiftExpression, from scope: Scope) -> ListedType? {
    let constant = value.typeNamed == nil ? table.variable(named: value, from: scope) : nil
    guard let type = value.typeNamed ?? constant?.variable.value?.typeNamed else { return nil }
    switch table.lookUp(type, from: constant?.scope ?? scope) {
    case .entry(let entry): return ListedType(entry: entry, name: type.description, place: value.place)
    case .foreign: break
    case .refused(let finding): diagnostics.append(finding)
    }
    return ListedType(entry: nil, name: type.description, place: value.place)
  }

  /// The elements of a list, each with the scope that its names are of; lists by name and their sums are followed.
  private func elements(
    of value: SwiftExpression, from scope: Scope, depth: Int
  ) -> [(SwiftExpression, Scope)]? {
    guard depth < 16 else { return nil }
    switch value.form {
    case .array(let elements): return elements.map { ($0, scope) }
    // `[MigrationStage]()`, `.init()`
    case .call(let called, let none) where none.isEmpty && (called.isLiteralType || called.isInit): return []
    case .typed(_, let list?): return elements(of: list, from: scope, depth: depth + 1)
    case .sum(let parts):
      let lists = parts.compactMap { elements(of: $0, from: scope, depth: depth + 1) }
      return lists.count == parts.count ? lists.flatMap(\.self) : nil
    default:
      guard let (variable, inner) = table.variable(named: value, from: scope), let list = variable.value
      else { return nil }
      return elements(of: list, from: inner, depth: depth + 1)
    }
  }

  private mutating func stage(_ value: SwiftExpression, from scope: Scope) -> StageDeclaration? {
    var value = value
    // `toV2()`, `ToV2().stage`
    if case .call(let called, let none) = value.form, none.isEmpty { value = called }
    if case .member(of: let made?, let name) = value.form, case .call(let type, _) = made.form {
      value.form = .member(of: type, name)
    }
    guard case .call(let called, let arguments) = value.form else {
      var (named, base) = (value, value)
      base.form = .name("MigrationStage")
      // `.toV2`, of an extension of that
      if case .member(of: nil, let name) = value.form { named.form = .member(of: base, name) }
      guard let (variable, inner) = table.variable(named: named, from: scope), let value = variable.value,
        case .call(_, let parts) = value.form, !parts.isEmpty
      else { return nil }
      return stage(value, from: inner)
    }
    // `.custom(…) { … } didMigrate: { … }`, or `.custom(…, willMigrate: nil) { … }`
    let unlabeled = arguments.contains { $0.label == "willMigrate" } ? "didMigrate" : "willMigrate"
    func given(_ label: String) -> SwiftExpression? {
      arguments.first { ($0.label ?? unlabeled) == label }?.value
    }
    guard case .member(of: _, let kind) = called.form, kind == "lightweight" || kind == "custom",
      let from = given("fromVersion").flatMap({ listed($0, from: scope) }),
      let to = given("toVersion").flatMap({ listed($0, from: scope) })
    else { return nil }
    let (before, after) = (work(given("willMigrate"), from: scope), work(given("didMigrate"), from: scope))
    return StageDeclaration(
      from: from, to: to, isCustom: kind == "custom", hasWillMigrate: given("willMigrate")?.isNil == false,
      hasDidMigrate: given("didMigrate")?.isNil == false,
      emptied: Set(before.emptied.compactMap(\.entry?.name)), fetchedBefore: before.fetched,
      fetchedAfter: after.fetched, place: value.place)
  }

  /// What a stage does with its context, also in functions that it calls with that alone: the classes whose objects it deletes,
  /// and those that it fetches or inserts.
  ///
  /// - Parameter isCalled: whether what it deletes is saved behind it.
  private func work(
    _ value: SwiftExpression?, from scope: Scope, depth: Int = 0, isCalled: Bool = false
  ) -> (emptied: [ListedType], fetched: [ListedType], inserts: Bool) {
    guard let value, depth < 4 else { return ([], [], depth > 3) }
    guard case .work(let emptied, let isSaved, let fetched, let called, var inserts) = value.form else {
      let function = table.variable(named: value, "(_:)", from: scope)
      return work(function?.variable.value, from: function?.scope ?? scope, depth: depth, isCalled: isCalled)
    }
    func known(_ values: [SwiftExpression]) -> [ListedType] {
      values.compactMap { value in
        let entry = table.entry(value.typeNamed, from: scope)
        return entry.map { ListedType(entry: $0, name: $0.name, place: value.place) }
      }
    }
    // Forged source may call any number of them.
    let inner = called.prefix(16).map { work($0, from: scope, depth: depth + 1) }
    // What makes objects may make those again that were deleted.
    inserts = inserts || inner.contains { $0.inserts }
    let gone = !inserts && (isSaved || isCalled) ? emptied : []
    let others = gone.prefix(16).flatMap { work($0, from: scope, depth: depth + 1, isCalled: true).emptied }
    let used = known(fetched) + inner.flatMap { $0.fetched }
    return (known(gone) + others, used.unique { $0.place }, inserts)
  }

  /// `Schema.Version(1, 2, 0)`, `.init(1, 2, 0)`, or a constant that is one.
  private func identifier(of value: SwiftExpression, from scope: Scope) -> String? {
    if let (variable, inner) = table.variable(named: value, from: scope), let value = variable.value,
      case .call = value.form
    {
      return identifier(of: value, from: inner)
    }
    guard case .call(_, let arguments) = value.form else { return nil }
    let numbers = arguments.compactMap { argument in
      if case .integer(let text) = argument.value.form, Int32(text) != nil { text } else { nil }
    }
    return numbers.count == 3 && arguments.count == 3 ? numbers.joined(separator: ".") : nil
  }
}
