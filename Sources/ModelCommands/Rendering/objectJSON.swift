import ManagedModel
import ModelFormats

extension ManagedObject {
  /// One line of JSON Lines: identity, then what the object holds, in the order of its shape.
  ///
  /// Integers and floating-point numbers are numbers, dates ISO 8601 or seconds since 2001, bytes Base64, decimals
  /// text, so that no digit is lost. What is nil is left out, unless the attribute has a default. Marks are what cells
  /// hold that is not a value of their property.
  static let line = JSONObject<(object: Self, shape: ObjectShape, marks: [(property: String, text: String)])>(
    "object", "An object of a store, a line of `export --as jsonl`."
  ).adding([
    "object": .value({ $0.object.id.description }, "Entity/p1, by its primary key."),
    "attributes": .value(
      .named(.anything, "Values by name; dates and decimals are text, bytes Base64.")
    ) { $0.object.attributes($0.shape) },
    "relationships": .value(
      .named(
        .either([.text("Another object."), [String].shape.said("Several.")]), "What it leads to, by name.")
    ) { $0.object.references($0.shape) },
    "unreadable": .optional(
      .named(.text(""), "What cells hold that is not a value of their property.")
    ) { line in
      line.marks.isEmpty ? nil : .object(line.marks.map { .init($0.property, .string($0.text)) })
    },
  ])

  private func attributes(_ shape: ObjectShape) -> JSONValue {
    .object(
      shape.leaves.compactMap { leaf in
        if let value = values[leaf.keyPath] { return .init(leaf.keyPath, value.json) }
        return shape.statesNil(leaf) ? .init(leaf.keyPath, .null) : nil
      })
  }

  private func references(_ shape: ObjectShape) -> JSONValue {
    .object(
      shape.relationships.compactMap { relationship in
        if let members = toMany[relationship.name], !members.isEmpty {
          return .init(relationship.name, JSONValue(members.map(\.description)))
        }
        return toOne[relationship.name].map { .init(relationship.name, .string($0.description)) }
      })
  }
}

extension AttributeValue {
  var json: JSONValue {
    switch self {
    case .integer(let number): .integer(number)
    case .boolean(let flag): .boolean(flag)
    // JSON has no infinities.
    case .double(let number) where number.isFinite: .number(number)
    default: .string(objectText)
    }
  }
}
