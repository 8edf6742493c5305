import ModelMigration
import ReleaseChecks

/// The counts of every entity's objects. Missing and changed objects follow as findings.
func comparisonText(_ comparison: StoreComparison, old: String) -> String {
  var lines = ["against \(printable(old)): \(comparison.from) → \(comparison.to)"]
  var table = TextTable(.left, .right, .right, .right, .right)
  table.append("", "before", "after", "carried over", "new")
  for entity in comparison.entities where entity.before > 0 || entity.after > 0 {
    let name =
      switch (entity.source, entity.destination) {
      case (let source?, let destination?) where source != destination: "\(source) → \(destination)"
      case (let source?, nil): "\(source), gone"
      default: entity.destination ?? ""
      }
    table.append(
      name, grouped(entity.before), grouped(entity.after), entity.isRekeyed ? "?" : grouped(entity.carried),
      entity.isRekeyed ? "?" : grouped(entity.added.count))
  }
  lines += table.lines(indent: 2)
  lines.append(
    "\(counted(comparison.before, "object")) before, \(grouped(comparison.carried)) carried over, "
      + "\(grouped(comparison.after)) after")
  let rekeyed = comparison.entities.filter(\.isRekeyed).compactMap(\.destination)
  if !rekeyed.isEmpty {
    lines.append(
      "not compared, because the mapping gives other keys: \(printable(rekeyed.joined(separator: ", ")))")
  }
  return lines.shownLines
}

extension StoreComparison {
  var json: JSONValue {
    [
      "from": .string(from), "to": .string(to), "sameUUID": .boolean(keepsIdentity),
      "before": JSONValue(before), "after": JSONValue(after), "carried": JSONValue(carried),
      "entities": .array(entities.map(\.json)),
    ]
  }
}

extension StoreComparison.Entity {
  fileprivate var json: JSONValue {
    [
      "source": JSONValue(source), "destination": JSONValue(destination), "before": JSONValue(before),
      "after": JSONValue(after), "carried": JSONValue(carried), "missing": missing.json, "added": added.json,
      "changed": .array(changed.map(\.json)), "lost": .array(lost.map(\.json)),
      "rekeyed": .boolean(isRekeyed),
    ]
  }
}

extension StoreComparison.Property {
  fileprivate var json: JSONValue {
    ["name": .string(name), "objects": objects.json]
  }
}

extension StoreComparison.Sample {
  fileprivate var json: JSONValue {
    ["count": JSONValue(count), "primaryKeys": .array(keys.map { .integer($0) })]
  }
}

extension StoreComparison {
  static let shape = JSONShape.object(
    "comparison", "A store compared with the one that it was migrated from.",
    [
      "from": .text("The old store's version."), "to": .text("The new store's version."),
      "sameUUID": .flag(""), "before": .integer("Objects."), "after": .integer("Objects."),
      "carried": .integer("Objects."), "entities": .list(of: Entity.shape, ""),
    ])
}

extension StoreComparison.Entity {
  fileprivate static let shape = JSONShape.object(
    "comparedEntity", "What became of an entity's objects.",
    [
      "source": .text("").orNull, "destination": .text("").orNull, "before": .integer(""),
      "after": .integer(""), "carried": .integer(""), "missing": StoreComparison.Sample.shape,
      "added": StoreComparison.Sample.shape,
      "changed": .list(of: StoreComparison.Property.shape, "Properties whose values differ."),
      "lost": .list(of: StoreComparison.Property.shape, "Properties that have no place any more."),
      "rekeyed": .flag("Whether a mapping gives the objects other keys: they are counted, not compared."),
    ])
}

extension StoreComparison.Property {
  fileprivate static let shape = JSONShape.object(
    "comparedProperty", "A property, and objects.",
    ["name": .text(""), "objects": StoreComparison.Sample.shape])
}

extension StoreComparison.Sample {
  fileprivate static let shape = JSONShape.object(
    "sample", "How many, and the first of them.", ["count": .integer(""), "primaryKeys": .integers("")])
}
