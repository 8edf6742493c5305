/// What kind of value an expression has, as far as a model tells.
package indirect enum ExpressionType: Hashable, Sendable {
  /// Nothing is known: a variable, a method's result, a value of a class of the app's own.
  case unknown
  /// `nil`, which every type may be.
  case null
  case number, boolean, string, date, binary, uuid, uri
  case object(entityName: String)
  /// In a mapping: an object of the destination model, where ``object(entityName:)`` is one of the source model.
  case destinationObject(entityName: String)
  case composite(name: String)
  /// The values along a to-many relationship, or those in braces.
  case collection(ExpressionType)

  package init(_ attribute: AttributeDescription) {
    switch attribute.type {
    case _ where attribute.type.isNumeric: self = .number
    case .string: self = .string
    case .boolean: self = .boolean
    case .date: self = .date
    case .binary: self = .binary
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .composite: self = attribute.compositeName.map { .composite(name: $0) } ?? .unknown
    default: self = .unknown
    }
  }

  /// In a message: `a string`, `an object of 'Hut'`.
  package var label: String {
    switch self {
    case .unknown: "a value"
    case .null: "nil"
    case .number: "a number"
    case .boolean: "a Boolean"
    case .string: "a string"
    case .date: "a date"
    case .binary: "binary data"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .object(let entity): "an object of '\(entity)'"
    case .destinationObject(let entity): "an object of the new '\(entity)'"
    case .composite(let name): "a composite '\(name)'"
    case .collection(.unknown): "a collection"
    case .collection(let element): "a collection, each \(element.label)"
    }
  }

  var isCollection: Bool { if case .collection = self { true } else { false } }

  /// What an element of it is; the type itself, where it is not a collection.
  var element: ExpressionType { if case .collection(let element) = self { element } else { self } }

  /// Whether values of both can be compared.
  ///
  /// A Boolean is the number 0 or 1. A literal can say UUIDs and URIs only as strings.
  func isComparable(with other: ExpressionType) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown), (.null, _), (_, .null): true
    case (.number, .boolean), (.boolean, .number): true
    case (.string, .uuid), (.uuid, .string), (.string, .uri), (.uri, .string): true
    case (.object, .object), (.destinationObject, .destinationObject): true
    case (.collection(let left), .collection(let right)): left.isComparable(with: right)
    default: self == other
    }
  }

  /// The type of a value that is either this or the other.
  func joined(with other: ExpressionType) -> ExpressionType {
    if self == other || other == .null { return self }
    return self == .null ? other : .unknown
  }
}
