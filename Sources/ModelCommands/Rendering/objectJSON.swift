import ManagedModel
import ModelLanguage

extension ManagedObject {
  /// One line of JSON Lines: identity, then what the object holds, in the order of its shape.
  ///
  /// Integers and floating-point numbers are numbers, dates ISO 8601 or seconds since 2001, bytes Base64, decimals
  /// text, so that no digit is lost. What is nil is left out, unless the attribute has a default.
  ///
  /// - Parameter marks: by property, what a cell holds that is not a value of it.
  func json(_ shape: ObjectShape, marks: [(property: String, text: String)] = []) -> JSONValue {
    var attributes: [JSONValue.Member] = []
    for leaf in shape.leaves {
      if let value = values[leaf.keyPath] {
        attributes.append(.init(leaf.keyPath, value.json))
      } else if shape.statesNil(leaf) {
        attributes.append(.init(leaf.keyPath, .null))
      }
    }
    var references: [JSONValue.Member] = []
    for relationship in shape.relationships {
      if let members = toMany[relationship.name], !members.isEmpty {
        references.append(.init(relationship.name, JSONValue(members.map(objectReference))))
      } else if let destination = toOne[relationship.name] {
        references.append(.init(relationship.name, .string(objectReference(destination))))
      }
    }
    let json: JSONValue = [
      "object": .string(objectReference(id)), "attributes": .object(attributes),
      "relationships": .object(references),
    ]
    let unreadable = marks.map { JSONValue.Member($0.property, .string($0.text)) }
    return marks.isEmpty ? json : json + ["unreadable": .object(unreadable)]
  }
}

extension AttributeValue {
  var json: JSONValue {
    switch self {
    case .integer(let number): .integer(number)
    case .boolean(let flag): .boolean(flag)
    // JSON has no infinities.
    case .double(let number) where number.isFinite: .number(number)
    default: .string(objectText(self))
    }
  }
}

extension ManagedObject {
  static let shape = JSONShape.object(
    "object", "An object of a store, a line of `export --as jsonl`.",
    [
      "object": .text("Entity/p1, by its primary key."),
      "attributes": .named(.anything, "Values by name; dates and decimals are text, bytes Base64."),
      "relationships": .named(
        .either([.text("Another object."), .texts("Several.")]), "What it leads to, by name."),
      "unreadable": .named(.text(""), "What cells hold that is not a value of their property.").optional,
    ])
}
