import ManagedModel

/// A type of the program with all that its extensions add.
struct TypeEntry {
  /// Its name and those of the types around it, outermost first.
  var path: [String]
  var declaration: SwiftDeclaration
  /// Its own and those of its extensions.
  var members: SwiftMembers
  /// Protocols that extensions add, too.
  var inherited: [SwiftType]
  /// Other types of this name.
  var twins: [SwiftDeclaration] = []

  var name: String { path.last ?? "" }
  var fullName: String { path.joined(separator: ".") }
  var place: SourceRange { declaration.place }
  var isModel: Bool { declaration.attributes.contains { $0.name == "Model" } }

  /// Another type of this name that a file may mean as well, or instead.
  func rival(seenFrom file: String) -> SourceRange? {
    let seen = ([declaration] + twins).filter { type in
      type.place.file == file || type.modifiers.isDisjoint(with: ["private", "fileprivate"])
    }
    return seen.map(\.place) == [place] ? nil : twins.first?.place
  }

  func conforms(to name: String) -> Bool {
    inherited.contains { type in
      if case .named(let parts) = type { parts.last?.name == name } else { false }
    }
  }

  func staticVariable(_ name: String) -> SwiftVariable? {
    members.variables.first { $0.name == name && $0.isStatic }
  }
}

/// What a name stands for.
enum NamedType {
  case entry(TypeEntry)
  /// A type that the program does not declare, under its own name, which stands in a scope.
  case foreign(SwiftType, from: [String] = [])
  /// Aliases that lead round.
  case circle(SourceRange)
}

/// The types of a program by their full names.
struct TypeTable {
  private var entries: [[String]: TypeEntry] = [:]
  private var aliases: [[String]: SwiftAlias] = [:]
  private(set) var top = SwiftMembers()
  /// In the order of the files.
  private(set) var paths: [[String]] = []
  private var modules: Set<String>
  /// The files that import modules of others, whose types are in no source here.
  private let importers: Set<String>

  init(_ files: [SwiftFile]) {
    modules = Set(files.flatMap(\.imports)).union(["Swift", "Foundation", "SwiftData"])
    importers = Set(files.filter { !plainModules.isSuperset(of: $0.imports) }.map(\.path))
    var extensions: [SwiftDeclaration] = []
    for file in files { add(file.top, at: [], &extensions) }
    top.variables = files.flatMap(\.top.variables)
    top.macros = files.flatMap(\.top.macros)
    top.functions = files.flatMap(\.top.functions)
    // An extension can extend what another one adds.
    while !extensions.isEmpty {
      let (before, pending) = (extensions.count, extensions)
      extensions = []
      for declaration in pending where !extend(declaration, &extensions) { extensions.append(declaration) }
      guard extensions.count >= before else { continue }
      // `extension Color { struct Components: Codable {} }`, of a type that is not in the source.
      for declaration in extensions { add(declaration.members, at: declaration.name, &extensions) }
      break
    }
  }

  subscript(path: [String]) -> TypeEntry? { entries[path] }

  /// Every type, in the order of the source.
  var all: [TypeEntry] { paths.compactMap { entries[$0] } }

  private mutating func add(
    _ members: SwiftMembers, at path: [String], _ extensions: inout [SwiftDeclaration]
  ) {
    for alias in members.aliases { aliases[path + [alias.name]] = alias }
    for declaration in members.types {
      guard declaration.kind != .extension else {
        extensions.append(declaration)
        continue
      }
      let own = path + declaration.name
      if entries[own] != nil {
        entries[own]?.twins.append(declaration)
        continue
      }
      paths.append(own)
      entries[own] = TypeEntry(
        path: own, declaration: declaration, members: declaration.members,
        inherited: declaration.inherited)
      add(declaration.members, at: own, &extensions)
    }
  }

  private mutating func extend(
    _ declaration: SwiftDeclaration, _ extensions: inout [SwiftDeclaration]
  ) -> Bool {
    guard case .entry(let entry) = lookUp(.named(declaration.name.map { SwiftType.Part($0) }), from: [])
    else { return false }
    var members = declaration.members
    // Only the class itself has stored properties.
    members.variables = members.variables.filter { $0.isStatic || $0.isComputed }
    entries[entry.path]?.members.append(members)
    entries[entry.path]?.inherited += declaration.inherited
    add(declaration.members, at: entry.path, &extensions)
    return true
  }

  /// What a name means where it stands: from the innermost type around it outwards.
  func lookUp(_ type: SwiftType, from scope: [String]) -> NamedType {
    var met: Set<[String]> = []
    return lookUp(type, from: scope, &met)
  }

  private func lookUp(_ type: SwiftType, from scope: [String], _ met: inout Set<[String]>) -> NamedType {
    guard case .named(let parts) = type, let first = parts.first else { return .foreign(type) }
    if first.name == "Self", !scope.isEmpty {
      return descend(scope, parts.dropFirst().map(\.name), type, &met)
    }
    for depth in stride(from: scope.count, through: 0, by: -1) {
      let path = scope.prefix(depth) + [first.name]
      guard entries[Array(path)] != nil || aliases[Array(path)] != nil else { continue }
      return descend(Array(path), parts.dropFirst().map(\.name), type, &met)
    }
    if let entry = entries[parts.map(\.name)] { return .entry(entry) }
    guard parts.count > 1 else { return .foreign(type) }
    let rest = SwiftType.named(Array(parts.dropFirst()))
    if modules.contains(first.name) { return lookUp(rest, from: [], &met) }
    // The program's own module, which none of its files has to import.
    let top = [parts[1].name]
    return entries[top] != nil || aliases[top] != nil ? lookUp(rest, from: [], &met) : .foreign(type)
  }

  /// Whether a type that the file names and no source declares can be another module's.
  func importsOthers(_ file: String) -> Bool { importers.contains(file) }

  /// The parts of a key path such as `\SchemaV5.Trip.name`: the parser takes `SchemaV5` alone for its type.
  func split(
    _ root: SwiftType?, _ keys: [String], from scope: [String]
  ) -> (type: SwiftType?, names: [String])? {
    guard case .named(var parts)? = root else { return (root, keys) }
    var names = keys[...]
    while names.count > 1, let next = names.first {
      if case .entry(let entry) = lookUp(.named(parts), from: scope), entry.isModel { break }
      guard case .entry = lookUp(.named(parts + [SwiftType.Part(next)]), from: scope) else { break }
      parts.append(SwiftType.Part(next))
      names.removeFirst()
    }
    return (.named(parts), Array(names))
  }

  private func descend(
    _ path: [String], _ rest: [String], _ type: SwiftType, _ met: inout Set<[String]>
  ) -> NamedType {
    if let entry = entries[path] {
      guard let next = rest.first else { return .entry(entry) }
      let inner = path + [next]
      guard entries[inner] != nil || aliases[inner] != nil else { return .foreign(type) }
      return descend(inner, Array(rest.dropFirst()), type, &met)
    }
    guard let alias = aliases[path] else { return .foreign(type) }
    // A chain that long leads nowhere either.
    guard met.insert(path).inserted, met.count <= 64 else { return .circle(alias.place) }
    switch lookUp(alias.type, from: Array(path.dropLast()), &met) {
    case .entry(let entry): return descend(entry.path, rest, type, &met)
    case .foreign(let meant, let scope):
      let isAlias = meant == alias.type
      return rest.isEmpty ? .foreign(meant, from: isAlias ? Array(path.dropLast()) : scope) : .foreign(type)
    case .circle(let place): return .circle(place)
    }
  }

  /// A static property of a type, or a variable at the top, where its name stands.
  func variable(_ name: String, from scope: [String]) -> (variable: SwiftVariable, scope: [String])? {
    for depth in stride(from: scope.count, to: 0, by: -1) {
      let path = Array(scope.prefix(depth))
      if let found = entries[path]?.members.variables.first(where: { $0.name == name && $0.isStatic }) {
        return (found, path)
      }
    }
    return top.variables.first { $0.name == name }.map { ($0, []) }
  }

  /// The variable that an expression names: `limit`, `Limits.most`.
  func variable(
    namedBy value: SwiftExpression, from scope: [String]
  ) -> (variable: SwiftVariable, scope: [String])? {
    switch value.form {
    case .name(let name): return variable(name, from: scope)
    case .member(of: let base?, let name):
      guard let names = base.names,
        case .entry(let entry) = lookUp(.named(names.map { SwiftType.Part($0) }), from: scope)
      else { return nil }
      return entry.staticVariable(name).map { ($0, entry.path) }
    default: return nil
    }
  }
}

/// Modules that bring no types of values beside those that are known.
private let plainModules: Set = [
  "Swift", "Foundation", "SwiftData", "CoreData", "Observation", "Combine", "SwiftUI", "UIKit", "AppKit",
  "os",
  "OSLog",
]

extension SwiftMembers {
  fileprivate mutating func append(_ other: SwiftMembers) {
    types += other.types
    aliases += other.aliases
    variables += other.variables
    cases += other.cases
    macros += other.macros
    functions += other.functions
  }
}

extension SwiftExpression {
  var isNil: Bool { if case .none = form { true } else { false } }

  /// The parts of a name such as `SchemaV1.Trip`; nil for anything else.
  var names: [String]? {
    switch form {
    case .name(let name): [name]
    case .member(of: let base?, let name): base.names.map { $0 + [name] }
    case .type(.named(let parts)): parts.map(\.name)
    default: nil
    }
  }

  /// The type of `Trip.self`.
  var typeNamed: SwiftType? {
    guard case .member(of: let base?, "self") = form, let names = base.names else { return nil }
    return .named(names.map { SwiftType.Part($0) })
  }
}
