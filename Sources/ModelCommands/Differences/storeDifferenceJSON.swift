import ManagedModel
import ModelLanguage
import ModelMigration
import ReleaseChecks

extension StoreDifference {
  func json(_ old: String, _ new: String) -> JSONValue {
    [
      "from": ["store": .string(old), "version": .string(from)],
      "to": ["store": .string(new), "version": .string(to)],
      "entities": .array(entities.map(\.json)), "unreadable": JSONValue(unreadableCount), "diagnostics": [],
    ]
  }
}

extension StoreDifference.Entity {
  fileprivate var json: JSONValue {
    [
      "from": JSONValue(before), "to": JSONValue(after),
      "matchedBy": ["kind": .string(identity.kind), "attributes": JSONValue(identity.attributes)],
      "before": JSONValue(beforeCount), "after": JSONValue(afterCount), "equal": JSONValue(equal),
      "added": JSONValue(added), "removed": JSONValue(removed), "changed": JSONValue(changed),
      "notCompared": ["from": JSONValue(onlyBefore), "to": JSONValue(onlyAfter)],
      "objects": .array(objects.map(\.json)),
    ]
  }
}

extension StoreDifference.Identity {
  fileprivate var kind: String {
    switch self {
    case .primaryKey: "primaryKey"
    case .chosen: "option"
    case .constraint: "constraint"
    case .identifier: "identifier"
    case .content: "content"
    }
  }
}

extension StoreDifference.Object {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue),
      "primaryKeys": [
        "from": before.map(JSONValue.integer) ?? .null, "to": after.map(JSONValue.integer) ?? .null,
      ],
      "identity": .object(
        identity.map { JSONValue.Member($0.name, ($0.after ?? $0.before)?.json ?? .null) }),
      "properties": .array(
        properties.map {
          ["name": .string($0.name), "from": $0.before?.json ?? .null, "to": $0.after?.json ?? .null]
        }),
    ]
  }
}

extension StoreDifference.Value {
  fileprivate var json: JSONValue {
    switch self {
    case .value(let value): value.json
    case .object(let label): .string(label)
    case .objects(let labels): JSONValue(labels)
    }
  }
}

extension StoreDifference {
  static let shape = JSONShape.object(
    "objectDifference", "What differs between the objects of two stores.",
    [
      "from": sideShape, "to": sideShape, "entities": .list(of: Entity.shape, ""),
      "unreadable": .integer("Cells that hold no value of their property."), "diagnostics": .diagnostics,
    ])

  private static let sideShape = JSONShape.object(
    "side", "One of the stores.", ["store": .storeName, "version": .text("")])
}

extension StoreDifference.Entity {
  fileprivate static let shape = JSONShape.object(
    "differingEntity", "The objects of one entity on both sides.",
    [
      "from": .text("").orNull, "to": .text("").orNull,
      "matchedBy": .object(
        "match", "How objects are matched.",
        [
          "kind": .words(["primaryKey", "option", "constraint", "identifier", "content"], ""),
          "attributes": .texts(""),
        ]), "before": .integer("Objects."), "after": .integer("Objects."), "equal": .integer(""),
      "added": .integer(""), "removed": .integer(""), "changed": .integer(""),
      "notCompared": .object(
        "oneSided", "Properties that only one store has.", ["from": .texts(""), "to": .texts("")]),
      "objects": .list(of: StoreDifference.Object.shape, "Those that differ."),
    ])
}

extension StoreDifference.Object {
  fileprivate static let shape = JSONShape.object(
    "differingObject", "An object that is not the same in both.",
    [
      "kind": .words(of: Kind.self, ""),
      "primaryKeys": .object(
        "keys", "Its primary keys.", ["from": .integer("").orNull, "to": .integer("").orNull]),
      "identity": .named(.anything, "The values by which it was found."),
      "properties": .list(of: propertyShape, ""),
    ])

  private static let propertyShape = JSONShape.object(
    "differingProperty", "A property that differs.",
    ["name": .text(""), "from": .anything, "to": .anything])
}
