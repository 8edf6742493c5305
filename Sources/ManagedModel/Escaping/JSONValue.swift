/// A JSON document whose members keep their order, so that equal results are equal bytes.
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// JSON has no infinities: a number that is not finite is written as null.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  /// The value, or null if there is none.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }
  package init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
  package init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// What a command says of one thing, or a list of what it says of several.
  package static func oneOrSeveral(_ values: [JSONValue]) -> JSONValue {
    values.count == 1 ? values[0] : .array(values)
  }

  /// An object of the members that say something: of none that is nil, or an array or object without elements.
  package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(
      members.compactMap { key, value in
        guard let value, value != .array([]), value != .object([]) else { return nil }
        return Member(key, value)
      })
  }

  /// An object with the members of both.
  package static func + (left: JSONValue, right: JSONValue) -> JSONValue {
    guard case .object(let members) = left, case .object(let others) = right else { return left }
    return .object(members + others)
  }

  /// The member's value, where this is an object that has it.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The same with other texts; keys stay.
  package func mapStrings(_ body: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(body(text))
    case .array(let elements): .array(elements.map { $0.mapStrings(body) })
    case .object(let members): .object(members.map { Member($0.key, $0.value.mapStrings(body)) })
    default: self
    }
  }

  /// Over several lines, two spaces for each level; without a line break at the end.
  package var prettyPrinted: String { text(isPretty: true) }

  /// The same, with a list of a few short values in one line.
  package var schemaText: String { text(isPretty: true, joinsShortLists: true) }

  /// In one line without spaces, as a line of JSON Lines.
  package var compact: String { text(isPretty: false) }

  private func text(isPretty: Bool, joinsShortLists: Bool = false) -> String {
    var writer = JSONWriter(isPretty: isPretty, joinsShortLists: joinsShortLists)
    writer.write(self, level: 0)
    return writer.text
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
}

private struct JSONWriter {
  let isPretty: Bool
  let joinsShortLists: Bool
  private(set) var text = ""

  mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let value): text += value.jsonString
    case .array(let elements):
      if joinsShortLists, let line = shortList(elements) {
        text += line
        return
      }
      writeList(elements, "[", "]", level) { writer, element in writer.write(element, level: level + 1) }
    case .object(let members):
      writeList(members, "{", "}", level) { writer, member in
        writer.text += member.key.jsonString
        writer.text += writer.isPretty ? ": " : ":"
        writer.write(member.value, level: level + 1)
      }
    }
  }

  private mutating func writeList<Element>(
    _ elements: [Element], _ opening: String, _ closing: String, _ level: Int,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    text += opening
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      breakLine(level + 1)
      write(&self, element)
    }
    if !elements.isEmpty { breakLine(level) }
    text += closing
  }

  /// Nil if it holds a list or an object, or is too long.
  private func shortList(_ elements: [JSONValue]) -> String? {
    let texts = elements.compactMap { element -> String? in
      switch element {
      case .array, .object: nil
      default: element.compact
      }
    }
    let length = texts.reduce(0) { $0 + $1.utf8.count + 2 }
    return texts.count == elements.count && length < 100 ? "[" + texts.joined(separator: ", ") + "]" : nil
  }

  private mutating func breakLine(_ level: Int) {
    if isPretty { text += "\n" + String(repeating: "  ", count: level) }
  }
}
