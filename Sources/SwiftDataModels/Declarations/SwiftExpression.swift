package import ManagedModel

/// An expression, as far as a model can depend on it.
package struct SwiftExpression: Sendable {
  package indirect enum Form: Sendable {
    case string(String)
    /// With its sign, without underscores.
    case integer(String)
    case floating(String)
    case boolean(Bool)
    case none
    case array([SwiftExpression])
    case name(String)
    /// `.cascade`, `Trip.self`, `SchemaV1.models`.
    case member(of: SwiftExpression?, String)
    case call(SwiftExpression, [SwiftArgument])
    /// `\Trip.stops`, `\.stops`, by its components.
    case keyPath(root: SwiftType?, [String])
    /// `a + b`.
    case sum([SwiftExpression])
    /// What other operators join: `a * b`, `a ?? b`.
    case mixed([SwiftExpression])
    /// `isNew ? a : b`.
    case either([SwiftExpression])
    /// `a!`.
    case unwrapped(SwiftExpression)
    /// The first pair of a literal.
    case dictionary(key: SwiftExpression, SwiftExpression)
    /// A value whose type alone is known: `a as Type`, a text with parts that are filled in, a comparison.
    case typed(SwiftType, SwiftExpression?)
    /// `Set<String>`.
    case type(SwiftType)
    /// What a stage does with its context: the classes whose objects it deletes, all of them, or functions that do, and whether it
    /// saves that; those that it fetches, or inserts objects of; the functions that are given the context alone; and whether it
    /// makes objects, of whatever class.
    case work(
      emptied: [SwiftExpression], isSaved: Bool, fetched: [SwiftExpression], called: [SwiftExpression],
      inserts: Bool)
    case other
  }

  package var form: Form
  /// As it is written.
  package var text: String
  package var place: SourceRange

  /// `Trip.self` of `Trip`.
  var metatype: Self { Self(form: .member(of: self, "self"), text: text, place: place) }

  /// `.init` without a type.
  var isInit: Bool { if case .member(of: nil, "init") = form { true } else { false } }

  var isLiteralType: Bool {
    switch form {
    case .array, .dictionary, .type: true
    default: false
    }
  }
}

/// A type as it is written.
package indirect enum SwiftType: Hashable, Sendable {
  case named([Part])
  case optional(SwiftType)
  case array(SwiftType)
  case dictionary(SwiftType, SwiftType)
  /// Tuples, functions and what else cannot be stored.
  case other(String)

  /// One part of `Outer.Inner<Argument>`.
  package struct Part: Hashable, Sendable {
    package var name: String
    package var arguments: [SwiftType] = []

    package init(_ name: String, arguments: [SwiftType] = []) {
      (self.name, self.arguments) = (name, arguments)
    }
  }

  package init(_ name: String) { self = .named([Part(name)]) }

  /// The types in it, each by the parts of its name.
  var mentions: [[String]] {
    switch self {
    case .named(let parts): [parts.map(\.name)] + parts.flatMap { $0.arguments.flatMap(\.mentions) }
    case .optional(let type), .array(let type): type.mentions
    case .dictionary(let key, let value): key.mentions + value.mentions
    case .other: []
    }
  }

  /// With something else for each name in it.
  func map(_ transform: (SwiftType) -> SwiftType) -> SwiftType {
    mapNames { parts in
      transform(.named(parts.map { Part($0.name, arguments: $0.arguments.map { $0.map(transform) }) }))
    }
  }

  /// With something else for each name that is no other one's argument.
  func mapNames(_ transform: ([Part]) -> SwiftType) -> SwiftType {
    switch self {
    case .optional(let type): .optional(type.mapNames(transform))
    case .array(let type): .array(type.mapNames(transform))
    case .dictionary(let key, let value): .dictionary(key.mapNames(transform), value.mapNames(transform))
    case .other: self
    case .named(let parts): transform(parts)
    }
  }
}

extension SwiftType: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let parts):
      parts.map { part in
        part.arguments.isEmpty
          ? part.name : "\(part.name)<\(part.arguments.map(\.description).joined(separator: ", "))>"
      }.joined(separator: ".")
    case .optional(let type): "\(type)?"
    case .array(let type): "[\(type)]"
    case .dictionary(let key, let value): "[\(key): \(value)]"
    case .other(let text): text
    }
  }
}
