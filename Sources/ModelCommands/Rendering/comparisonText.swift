import ModelMigration

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
      name, grouped(entity.before), grouped(entity.after), grouped(entity.carried),
      grouped(entity.added.count))
  }
  lines += table.lines(indent: 2)
  lines.append(
    "\(counted(comparison.before, "object")) before, \(grouped(comparison.carried)) carried over, "
      + "\(grouped(comparison.after)) after")
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
