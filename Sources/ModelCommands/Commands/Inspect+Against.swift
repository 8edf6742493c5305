import ManagedModel
import ModelMigration
import PersistentStore

/// How the entities of a store and those of a model's version compare, by their hashes.
struct HashComparison {
  var version: ModelVersion
  var modelName: String
  /// By name, with whether both have it with the same hash.
  var entities: [(name: String, isEqual: Bool)]
  var isSameChecksum: Bool
  var differing: [Difference]

  var isEqual: Bool { entities.allSatisfy(\.isEqual) }

  /// The object of `inspect STORE --against`.
  static let result = JSONObject<(store: String, found: Self)>(
    "hashComparison", "A store's hashes next to those of a model."
  ).adding([
    "store": .store(\.store), "model": .value(\.found.modelName), "version": .value(\.found.version.name),
    "equal": .value(\.found.isEqual, "Whether all are."), "sameChecksum": .value(\.found.isSameChecksum),
    "entities": .list(\.found.entities, of: hash),
    "differing": .value(\.found.differing, "What the models say differently."),
  ])

  private static let hash = JSONObject<(name: String, isEqual: Bool)>("comparedHash", "An entity.")
    .adding(["name": .value(\.name), "equal": .value(\.isEqual)])
}

extension Inspect {
  /// Holds a store against a model: whether what modelc makes of the source is what the app has made.
  func compare(_ path: String, against source: String) throws -> (json: JSONValue, hasErrors: Bool) {
    let named = try project.project.findVersion(source)
    // What could not be read has other hashes, whatever the app made.
    try named.unread.ordered.refuse()
    let candidates = named.isChosen ? [named.version] : named.siblings?.versions ?? [named.version]
    let name = named.modelName ?? source
    let model = VersionedModel(name: name, versions: candidates, currentVersionName: named.version.name)
    let comparison = comparison(of: try inspectStore(at: path, models: [model]), with: model)
    if !output.writesJSON { output.print(text(comparison, path: path, source: source)) }
    output.report(named.diagnostics.filter { $0.severity > .information })
    // The answer that scripts ask for.
    return (HashComparison.result.json(of: (path, comparison)), !comparison.isEqual)
  }

  private func comparison(of inspection: StoreInspection, with model: VersionedModel) -> HashComparison {
    let hashes = inspection.metadata.versionHashes
    // Of versions that are equally near, the later one.
    var (version, most) = (model.versions[0], -1)
    for candidate in model.versions {
      let equal = candidate.entityVersionHashesByName.count { entity in hashes[entity.key] == entity.value }
      if equal >= most { (version, most) = (candidate, equal) }
    }
    let own = version.entityVersionHashesByName
    let names = Set(hashes.keys).union(own.keys).sorted { $0.precedesInCodePointOrder($1) }
    return HashComparison(
      version: version, modelName: model.name,
      entities: names.map { ($0, hashes[$0] != nil && hashes[$0] == own[$0]) },
      isSameChecksum: hashes.versionChecksum == version.versionChecksum,
      differing: inspection.recognition.nearest.first { $0.versionName == version.name }?.differing ?? [])
  }

  private func text(_ comparison: HashComparison, path: String, source: String) -> String {
    let name = comparison.version.name
    let equal = comparison.entities.count(where: \.isEqual)
    var lines = [
      comparison.isEqual
        ? "\(path) is \(name) of \(source): all hashes are equal"
        : "\(path) is not \(name) of \(source): \(equal) of \(comparison.entities.count) entities \(equal == 1 ? "has its hash" : "have its hashes")"
    ]
    let rows = comparison.entities.map { [$0.name, $0.isEqual ? "equal" : "different"] }
    lines += TextTable(.left, .left, rows: rows).lines(indent: 2)
    let differing = comparison.differing.lines(besides: name, indent: 2)
    if !differing.isEmpty { lines += [""] + differing }
    return lines.shownLines
  }
}
