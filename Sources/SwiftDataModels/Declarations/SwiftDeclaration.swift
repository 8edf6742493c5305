package import ManagedModel

/// What a Swift file declares, as far as a model can depend on it: types, their properties, what those begin with.
package struct SwiftFile: Sendable {
  /// As the user would write it.
  package var path: String
  /// The modules that it imports.
  package var imports: [String] = []
  /// Types, extensions and aliases at the top.
  package var top = SwiftMembers()
  /// The conditions of `#if` that were decided.
  package var conditions: [SwiftCondition] = []
  /// The calls that make its containers.
  var containerCalls: [ContainerCall] = []
}

/// `Schema(…)`, `ModelConfiguration(…)`, `ModelContainer(…)` or `.modelContainer(…)`; under no name, a list that a function
/// keeps for such calls.
struct ContainerCall: Sendable {
  var name: String
  var arguments: [SwiftArgument]
  /// What it is kept in: `schema` of `let schema = Schema(…)`.
  var variable: String?
  /// Of a local variable, what sees it.
  var block: SourceRange?
  /// Whether what it makes lives in memory alone.
  var isInMemory: Bool
  /// The types around it.
  var path: [String]
  var place: SourceRange
}

/// A condition of conditional compilation, decided for one platform.
package struct SwiftCondition: Hashable, Sendable {
  /// As it is written.
  package var text: String
  package var isTaken: Bool
  /// Whether a part of it could not be known, and counts as unset.
  package var isGuessed: Bool
  /// Whether stored properties of a model, or its list, depend on it.
  package var isOfModel = false
  package var place: SourceRange
  /// Whether it is `#available`.
  var isOfSystems: Bool { text.hasPrefix("#") }
}

/// What stands in braces, or at the top of a file.
package struct SwiftMembers: Sendable {
  package var types: [SwiftDeclaration] = []
  package var aliases: [SwiftAlias] = []
  package var variables: [SwiftVariable] = []
  package var cases: [SwiftCase] = []
  /// Those that give something, with its type; `encode(to:)` and `init(from:)` as `Void`.
  package var functions: [SwiftVariable] = []
  /// `#Unique<Trip>([\.name])` and other macros that stand alone.
  package var macros: [SwiftAttribute] = []
}

/// A type or an extension.
package struct SwiftDeclaration: Sendable {
  package enum Kind: Hashable, Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

  package var kind: Kind
  /// Its name; of an extension, what it extends, by its parts.
  package var name: [String]
  package var attributes: [SwiftAttribute] = []
  package var modifiers: Set<String> = []
  /// Superclass, raw type and protocols, in their order.
  package var inherited: [SwiftType] = []
  /// The names of its generic parameters.
  package var generics: [String] = []
  package var members = SwiftMembers()
  /// Where its name stands.
  package var place: SourceRange
}

package struct SwiftAlias: Sendable {
  package var name: String
  package var isPrivate = false
  /// The names of its generic parameters.
  package var generics: [String] = []
  package var type: SwiftType
  package var place: SourceRange
}

/// `var name: Type = value`, or a computed one.
package struct SwiftVariable: Sendable {
  package var name: String
  /// Whether its file alone sees it.
  package var isPrivate = false
  /// Nil if it is left to inference.
  package var type: SwiftType?
  /// What it begins with; of a computed one, what its body returns where that is one expression.
  package var value: SwiftExpression?
  package var attributes: [SwiftAttribute] = []
  package var isConstant = false
  package var isStatic = false
  package var isComputed = false
  package var isLazy = false
  /// Whether its type is a parameter of a generic one: such a member is also there where it is nil.
  package var isOpen = false
  /// Where its name stands.
  package var place: SourceRange
}

/// A case of an enum.
package struct SwiftCase: Sendable {
  package var name: String
  /// Its associated values, named as they are encoded.
  package var payload: [SwiftVariable]
  package var rawValue: SwiftExpression?
}

/// `@Name(arguments)`, or a macro that stands alone, `#Name<Types>(arguments)`.
package struct SwiftAttribute: Sendable {
  /// Without its module: `Model` of `@SwiftData.Model`.
  package var name: String
  package var arguments: [SwiftArgument]
  package var place: SourceRange
}

package struct SwiftArgument: Sendable {
  package var label: String?
  package var value: SwiftExpression
}
