import ReleaseChecks

extension StoreDifference {
  /// The object of `diff OLD NEW`.
  static let result = JSONObject<(old: String, new: String, found: Self)>(
    "objectDifference", "What differs between the objects of two stores.",
    [
      "from": .value({ ($0.old, $0.found.from) }, as: side),
      "to": .value({ ($0.new, $0.found.to) }, as: side),
      "entities": .value(\.found.entities),
      "unreadable": .value(\.found.unreadableCount, "Cells that hold no value of their property."),
      "diagnostics": .diagnostics { _ in [] },
    ])

  private static let side = JSONObject<(store: String, version: String)>(
    "side", "One of the stores.", ["store": .store(\.store), "version": .value(\.version)])
}

extension StoreDifference.Entity: JSONResult {
  static let result = JSONObject<Self>(
    "differingEntity", "The objects of one entity on both sides.",
    [
      "from": .value(\.before), "to": .value(\.after), "matchedBy": .value(\.identity),
      "before": .value(\.beforeCount, "Objects."), "after": .value(\.afterCount, "Objects."),
      "equal": .value(\.equal), "added": .value(\.added), "removed": .value(\.removed),
      "changed": .value(\.changed), "notCompared": .value(\.self, as: oneSided),
      "objects": .value(\.objects, "Those that differ."),
    ])

  private static let oneSided = JSONObject<Self>(
    "oneSided", "Properties that only one store has.",
    ["from": .value(\.onlyBefore), "to": .value(\.onlyAfter)])
}

extension StoreDifference.Identity: JSONResult {
  static let result = JSONObject<Self>(
    "match", "How objects are matched.",
    [
      "kind": .value(
        .words(["primaryKey", "option", "constraint", "identifier", "content"], ""), \.kind),
      "attributes": .value(\.attributes),
    ])

  private var kind: String {
    switch self {
    case .primaryKey: "primaryKey"
    case .chosen: "option"
    case .constraint: "constraint"
    case .identifier: "identifier"
    case .content: "content"
    }
  }
}

extension StoreDifference.Object: JSONResult {
  static let result = JSONObject<Self>(
    "differingObject", "An object that is not the same in both.",
    [
      "kind": .word(\.kind), "primaryKeys": .value(\.self, as: keys),
      "identity": .named(
        { $0.identity.map { ($0.name, $0.after ?? $0.before) } }, "The values by which it was found."),
      "properties": .list(\.properties, of: property),
    ])

  private static let keys = JSONObject<Self>(
    "keys", "Its primary keys.", ["from": .value(\.before), "to": .value(\.after)])

  private static let property = JSONObject<StoreDifference.Property>(
    "differingProperty", "A property that differs.",
    [
      "name": .value(\.name), "from": .value(.anything, \.before), "to": .value(.anything, \.after),
    ])
}

extension StoreDifference.Value: JSONWritable {
  static let shape = JSONShape.anything

  var json: JSONValue {
    switch self {
    case .value(let value): value.json
    case .object(let label): .string(label)
    case .objects(let labels): JSONValue(labels)
    }
  }
}
