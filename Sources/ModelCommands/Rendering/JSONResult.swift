import ManagedModel

/// What a value is in JSON, and what other programs may rely on of every such value.
protocol JSONWritable: SendableMetatype {
  static var shape: JSONShape { get }
  var json: JSONValue { get }
}

/// What is an object with members of its own in JSON, described once for its writing and for its schema.
protocol JSONResult: JSONWritable { static var result: JSONObject<Self> { get } }

extension JSONResult {
  static var shape: JSONShape { result.shape }
  var json: JSONValue { Self.result.json(of: self) }
}

/// How values of a type are objects of JSON.
///
/// `JSONObject<Loss>("loss", "Data that would be lost.").adding(["count": .value(\.count, "Objects or values.")])`
/// writes `{"count": 3}`, and is the schema that says so. Of what is told by several values, `Value` is a tuple.
struct JSONObject<Value>: Sendable {
  private let name: String
  private let summary: String
  private var members: [(key: String, member: JSONMember<Value>)] = []

  init(_ name: String, _ summary: String) { (self.name, self.summary) = (name, summary) }

  var shape: JSONShape {
    JSONShape(
      kind: .object(name, members.map { JSONShape.Member(key: $0.key, shape: $0.member.shape) }),
      summary: summary)
  }

  func json(of value: Value) -> JSONValue {
    .object(members.compactMap { key, member in member.json(value).map { JSONValue.Member(key, $0) } })
  }

  /// The object with further members.
  func adding(_ further: KeyValuePairs<String, JSONMember<Value>>) -> Self {
    var object = self
    object.members += further.map { ($0.key, $0.value) }
    return object
  }

  /// The object with the members of another one, which are a part's.
  func adding<Part>(_ other: JSONObject<Part>, of part: @escaping @Sendable (Value) -> Part) -> Self {
    var object = self
    object.members += other.members.map { key, member in
      (key, JSONMember(shape: member.shape) { member.json(part($0)) })
    }
    return object
  }
}

/// A member of objects that are made of such values.
struct JSONMember<Value>: Sendable {
  let shape: JSONShape
  /// Nil if an object does not have it.
  let json: @Sendable (Value) -> JSONValue?

  /// - Parameter summary: of the member; an object has one of its own.
  static func value<Content: JSONWritable>(
    _ content: @escaping @Sendable (Value) -> Content, _ summary: String = ""
  ) -> Self { Self(shape: Content.shape.said(summary)) { content($0).json } }

  /// A member that only some objects have.
  static func optional<Content: JSONWritable>(
    _ content: @escaping @Sendable (Value) -> Content?, _ summary: String = ""
  ) -> Self { Self(shape: Content.shape.said(summary).optional) { content($0)?.json } }

  static func value<Content>(
    _ content: @escaping @Sendable (Value) -> Content, as object: JSONObject<Content>
  ) -> Self { Self(shape: object.shape) { object.json(of: content($0)) } }

  static func value<Content>(
    _ content: @escaping @Sendable (Value) -> Content?, orNullAs object: JSONObject<Content>
  ) -> Self { Self(shape: object.shape.orNull) { content($0).map(object.json) ?? .null } }

  static func list<Content>(
    _ content: @escaping @Sendable (Value) -> [Content], of object: JSONObject<Content>,
    _ summary: String = ""
  ) -> Self { Self(shape: .list(of: object.shape, summary)) { .array(content($0).map(object.json)) } }

  /// An object whose keys are names of the user's.
  static func named<Content: JSONWritable>(
    _ content: @escaping @Sendable (Value) -> [(key: String, value: Content)], _ summary: String = ""
  ) -> Self {
    Self(shape: .named(Content.shape, summary)) {
      .object(content($0).map { JSONValue.Member($0.key, $0.value.json) })
    }
  }

  /// One of an enumeration's words.
  static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ word: @escaping @Sendable (Value) -> Word, _ summary: String = ""
  ) -> Self { Self(shape: .words(of: Word.self, summary)) { .string(word($0).rawValue) } }

  /// What only its description says the shape of.
  static func value(_ shape: JSONShape, _ content: @escaping @Sendable (Value) -> some JSONWritable) -> Self {
    Self(shape: shape) { content($0).json }
  }

  static func optional(_ shape: JSONShape, _ content: @escaping @Sendable (Value) -> JSONValue?) -> Self {
    Self(shape: shape.optional, json: content)
  }

  static func diagnostics(_ diagnostics: @escaping @Sendable (Value) -> [Diagnostic]) -> Self {
    value(.diagnostics, diagnostics)
  }

  static func store(_ name: @escaping @Sendable (Value) -> String) -> Self { value(.storeName, name) }

  static func seconds(_ seconds: @escaping @Sendable (Value) -> Double) -> Self { value(.seconds, seconds) }
}

extension JSONValue: JSONWritable {
  static var shape: JSONShape { .anything }
  var json: JSONValue { self }
}

extension String: JSONWritable {
  static var shape: JSONShape { .text("") }
  var json: JSONValue { .string(self) }
}

extension Bool: JSONWritable {
  static var shape: JSONShape { JSONShape(kind: .flag, summary: "") }
  var json: JSONValue { .boolean(self) }
}

extension JSONWritable where Self: BinaryInteger {
  static var shape: JSONShape { JSONShape(kind: .integer, summary: "") }
  var json: JSONValue { .integer(Int64(self)) }
}

extension Int: JSONWritable {}
extension Int64: JSONWritable {}

extension Double: JSONWritable {
  static var shape: JSONShape { JSONShape(kind: .number, summary: "") }
  var json: JSONValue { .number(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  static var shape: JSONShape { Wrapped.shape.orNull }
  var json: JSONValue { self?.json ?? .null }
}

extension Array: JSONWritable where Element: JSONWritable {
  static var shape: JSONShape { .list(of: Element.shape, "") }
  var json: JSONValue { .array(map(\.json)) }
}
