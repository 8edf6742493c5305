import ManagedModel

/// Where a name stands: in a type, and in a file, of which others do not see what is private.
struct Scope {
  /// The names of the types around it, outermost first.
  var path: [String] = []
  var file: String
}

/// A type of the program with all that its extensions add.
struct TypeEntry {
  /// Its name and those of the types around it, outermost first. What one file alone sees has the file behind its name.
  var path: [String]
  var declaration: SwiftDeclaration
  /// Its own and those of its extensions.
  var members: SwiftMembers
  /// Protocols that extensions add, too.
  var inherited: [SwiftType]
  /// The path of the class that it inherits from.
  var superclass: [String]?
  /// Other types of this name.
  var twins: [SwiftDeclaration] = []
  /// What its generic parameters stand for.
  var arguments: [SwiftType] = []
  /// What that adds to its name: `_Int` of `Box<Int>`.
  var suffix = ""

  var name: String { path.suffix(1).fullName + suffix }
  var fullName: String { path.fullName + suffix }
  var identity: [String] { path + arguments.map(\.description) }
  var scope: Scope { Scope(path: path, file: place.file) }
  var outerScope: Scope { Scope(path: path.dropLast(), file: place.file) }
  var place: SourceRange { declaration.place }
  var isModel: Bool { declaration.attributes.contains { $0.name == "Model" } }
  /// `@Codable` of other packages makes the type what it says.
  var isCodedByMacro: Bool { declaration.attributes.contains { $0.name == "Codable" } }

  func conforms(to name: String) -> Bool {
    inherited.contains { type in
      if case .named(let parts) = type { parts.last?.name == name } else { false }
    }
  }

  func staticVariable(_ name: String) -> SwiftVariable? {
    members.variables.first { $0.name == name && $0.isStatic }
  }
}

extension [String] {
  /// As source names it.
  var fullName: String { map { $0.prefix { $0 != " " } }.joined(separator: ".") }
}
