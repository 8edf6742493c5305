/// What a program declares for SwiftData.
struct SwiftDataProgram {
  var plan: PlanDeclaration?
  /// Every schema of the source.
  var schemas: [SchemaDeclaration]
  var types: [TypeEntry]
  var containers: AppContainers
  /// Those that are versions, oldest first, and what each is called.
  var versions: [(name: String, schema: SchemaDeclaration)] = []

  /// Takes the versions in the order of the plan, each once.
  /// - Parameter models: the classes that are one version where there are no schemas.
  mutating func order(among models: [TypeEntry]) {
    let (listed, stages) = (plan?.schemas ?? [], plan?.stages ?? [])
    let unlisted = Set(stages.map(\.to.identity)).subtracting(listed.map(\.identity))
    // Stages may lead past the list: an app in the store lists two schemas of twelve. What leads to a schema goes before it.
    let passed = stages.filter { unlisted.contains($0.from.identity) }
    let leading = Dictionary(grouping: passed, by: \.to.identity)
    var met: Set<String> = []
    var all: [ListedType] = []
    // Forged source may have any number of stages in a row.
    var waiting = (listed + stages.map(\.to)).reversed().map { ($0, false) }
    while let (next, isReady) = waiting.popLast() {
      if isReady { all.append(next) }
      guard !isReady, met.insert(next.identity).inserted else { continue }
      waiting.append((next, true))
      waiting += (leading[next.identity] ?? []).reversed().map { ($0.from, false) }
    }
    var ordered = all.compactMap { next in schemas.first { $0.entry.path == next.entry?.path } }
    if ordered.isEmpty { ordered = schemas.sorted { $0.number.lexicographicallyPrecedes($1.number) } }
    // `[V2.self, V1.self]`: the container says which schema makes stores, not the order of the list.
    let descends = zip(ordered, ordered.dropFirst()).allSatisfy {
      !$1.number.isEmpty && $1.number.lexicographicallyPrecedes($0.number)
    }
    let first = ordered.first?.entry.fullName
    if descends, plan?.stages.contains(where: { $0.from.identity == first }) == false { ordered.reverse() }
    let identifiers = ordered.map(\.identifier)
    versions = ordered.map { schema in
      let isOwn = schema.identifier.map { own in identifiers.count { $0 == own } == 1 } ?? false
      return (isOwn ? schema.identifier ?? schema.entry.name : schema.entry.name, schema)
    }
    guard versions.isEmpty, let first = models.first else { return }
    var types = models.map { ListedType(entry: $0, name: $0.name, place: $0.place) }
    // A schema that the app's own code writes is not read: its class is refused, as its objects are in the same stores.
    types += containers.openings.flatMap { $0.classes ?? [] }.filter { type in
      let isHandwritten = type.entry.map { !$0.isModel && $0.conforms(to: "PersistentModel") } == true
      return isHandwritten && met.insert(type.identity).inserted
    }
    versions = [("1.0.0", SchemaDeclaration(entry: first, identifier: "1.0.0", models: types))]
  }

  func name(of listed: ListedType) -> String? {
    versions.first { $0.schema.entry.path == listed.entry?.path }?.name
  }
}
