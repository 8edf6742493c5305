import PersistentStore
import ReleaseChecks

extension StoreComparison: JSONResult {
  /// The counts of every entity's objects. Missing and changed objects follow as findings.
  func text(old: String) -> String {
    var lines = ["against \(old.printable): \(from) → \(to)"]
    let rows = entities.filter { $0.before > 0 || $0.after > 0 }.map { entity in
      let name =
        switch (entity.source, entity.destination) {
        case (let source?, let destination?) where source != destination: "\(source) → \(destination)"
        case (let source?, nil): "\(source), gone"
        default: entity.destination ?? ""
        }
      return [
        name, grouped(entity.before), grouped(entity.after), entity.isRekeyed ? "?" : grouped(entity.carried),
        entity.isRekeyed ? "?" : grouped(entity.added.count),
      ]
    }
    let header = ["", "before", "after", "carried over", "new"]
    lines += TextTable(.left, .right, .right, .right, .right, header: header, rows: rows).lines(indent: 2)
    lines.append(
      "\(counted(before, "object")) before, \(grouped(carried)) carried over, "
        + "\(grouped(after)) after")
    let rekeyed = Set(entities.filter(\.isRekeyed).compactMap(\.destination)).sorted()
    if !rekeyed.isEmpty {
      lines.append(
        "not compared, because the mapping or its policy may give other keys: \(rekeyed.joined(separator: ", ").printable)"
      )
    }
    return lines.shownLines
  }

  static let result = JSONObject<Self>(
    "comparison", "A store compared with the one that it was migrated from."
  ).adding([
    "from": .value(\.from, "The old store's version."), "to": .value(\.to, "The new store's version."),
    "sameUUID": .value(\.keepsIdentity), "before": .value(\.before, "Objects."),
    "after": .value(\.after, "Objects."), "carried": .value(\.carried, "Objects."),
    "entities": .value(\.entities),
  ])
}

extension StoreComparison.Entity: JSONResult {
  static let result = JSONObject<Self>("comparedEntity", "What became of an entity's objects.").adding([
    "source": .value(\.source), "destination": .value(\.destination), "before": .value(\.before),
    "after": .value(\.after), "carried": .value(\.carried), "missing": .value(\.missing),
    "added": .value(\.added), "changed": .value(\.changed, "Properties whose values differ."),
    "lost": .value(\.lost, "Properties that no longer have a place."),
    "rekeyed": .value(
      \.isRekeyed, "Whether a mapping gives the objects other keys: they are counted, not compared."),
  ])
}

extension StoreComparison.Property: JSONResult {
  static let result = JSONObject<Self>("comparedProperty", "A property, and objects.")
    .adding(["name": .value(\.name), "objects": .value(\.objects)])
}

extension KeySample: JSONResult {
  static let result = JSONObject<Self>("sample", "How many, and the first of them.")
    .adding(["count": .value(\.count), "primaryKeys": .value(\.keys)])
}
