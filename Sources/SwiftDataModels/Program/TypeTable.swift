import ManagedModel

/// What a name stands for.
enum NamedType {
  case entry(TypeEntry)
  /// A type that the program does not declare, under its own name, which stands in a scope.
  case foreign(SwiftType, from: Scope)
  /// An alias that leads round, or one of two.
  case refused(Diagnostic)
}

/// The types of a program by their full names.
struct TypeTable {
  private var entries: [[String]: TypeEntry] = [:]
  private var aliases: [[String]: [SwiftAlias]] = [:]
  private(set) var top = SwiftMembers()
  /// What extensions add to types of other modules, by the types as they are written.
  private var additions: [String: SwiftMembers] = [:]
  /// Those of other modules that an extension makes Codable.
  private(set) var madeCodable: Set<String> = []
  /// In the order of the files.
  private(set) var paths: [[String]] = []
  private var modules: Set<String>
  /// By file, the modules of others that it imports, whose types are in no source here.
  private let foreignModules: [String: Set<String>]
  /// Aliases that lead round, also through what they are arrays of.
  private var circular: Set<[String]> = []

  init(_ files: [SwiftFile]) {
    modules = Set(files.flatMap(\.imports)).union(["Swift", "Foundation", "SwiftData"])
    foreignModules = Dictionary(firstOf: files.map { ($0.path, Set($0.imports).subtracting(plainModules)) })
    var extensions: [SwiftDeclaration] = []
    for file in files { add(file.top, at: [], &extensions) }
    top.variables = files.flatMap(\.top.variables)
    top.functions = files.flatMap(\.top.functions)
    // An extension can extend what another one adds.
    while !extensions.isEmpty {
      let (before, pending) = (extensions.count, extensions)
      extensions = []
      for declaration in pending where !extend(declaration, &extensions) { extensions.append(declaration) }
      guard extensions.count >= before else { continue }
      // `extension Color { struct Components: Codable {} }`, of a type that is not in the source.
      for declaration in extensions {
        // `extension SwiftUI.Color`
        let type = SwiftType.named(declaration.name.map { SwiftType.Part($0) })
        let meant = lookUp(type, from: Scope(file: declaration.place.file))
        let name =
          if case .foreign(.named(let parts), _) = meant { parts.map(\.name) } else { declaration.name }
        add(declaration.members, at: name, &extensions)
        additions[name.fullName, default: SwiftMembers()].append(declaration.members)
        let isCodable = declaration.inherited.contains { ["Codable", "Decodable"].contains($0.description) }
        if isCodable { madeCodable.insert(name.fullName) }
      }
      break
    }
    for entry in all where entry.declaration.kind == .class {
      guard let first = entry.declaration.inherited.first,
        case .entry(let parent) = lookUp(first, from: entry.outerScope), parent.declaration.kind == .class
      else { continue }
      entries[entry.path]?.superclass = parent.path
    }
    circular = circularAliases()
  }

  /// Those that are left where all are taken out that lead to none, and then those that led to these alone.
  private func circularAliases() -> Set<[String]> {
    var (counts, users): ([[String]: Int], [[String]: [[String]]]) = ([:], [:])
    for (path, all) in aliases {
      let targets = all.flatMap { alias in
        alias.type.mentions.filter { names in names.first.map(alias.generics.contains) == false }
          .compactMap { self.alias(named: $0, in: Array(path.dropLast()), alias.place.file) }
      }
      counts[path] = targets.count
      for target in targets { users[target, default: []].append(path) }
    }
    var free = counts.filter { $0.value == 0 }.map(\.key)
    while let next = free.popLast() {
      counts[next] = nil
      for user in users[next] ?? [] {
        counts[user, default: 0] -= 1
        if counts[user] == 0 { free.append(user) }
      }
    }
    return Set(counts.keys)
  }

  /// The path of the alias that a name first leads to.
  private func alias(named names: [String], in path: [String], _ file: String) -> [String]? {
    var found = (0...path.count).reversed().lazy.compactMap { depth in
      declared(names[0], in: Array(path.prefix(depth)), file)
    }.first
    for name in names.dropFirst() {
      guard let outer = found, aliases[outer] == nil else { break }
      found = declared(name, in: outer, file)
    }
    return found.flatMap { aliases[$0] == nil ? nil : $0 }
  }

  subscript(path: [String]) -> TypeEntry? { entries[path] }

  /// A static property, also what the extension of a protocol gives to the types that adopt it.
  func staticVariable(_ name: String, of entry: TypeEntry) -> SwiftVariable? {
    let adopted = entry.inherited.lazy.compactMap { self.entry($0, from: entry.outerScope) }
    return entry.staticVariable(name)
      ?? adopted.filter { $0.declaration.kind == .protocol }.compactMap { $0.staticVariable(name) }.first
  }

  /// What extensions add to another module's type, which `Self` stands for there.
  func added(to type: SwiftType) -> SwiftMembers {
    var members = additions[type.description] ?? SwiftMembers()
    members.variables.editEach { $0.type = $0.type?.naming(type) }
    members.functions.editEach { $0.type = $0.type?.naming(type) }
    return members
  }

  /// Every type, in the order of the source.
  var all: [TypeEntry] { paths.compactMap { entries[$0] } }

  /// The types that adopt a protocol, also by protocols of the source that refine it.
  func adopting(_ name: String) -> [TypeEntry] {
    var names: Set = [name]
    var protocols = all.filter { $0.declaration.kind == .protocol }
    while let next = protocols.firstIndex(where: { names.contains(where: $0.conforms(to:)) }) {
      names.insert(protocols.remove(at: next).name)
    }
    return all.filter { $0.declaration.kind != .protocol && names.contains(where: $0.conforms(to:)) }
  }

  private mutating func add(
    _ members: SwiftMembers, at path: [String], _ extensions: inout [SwiftDeclaration]
  ) {
    for alias in members.aliases { aliases[path + [alias.key], default: []].append(alias) }
    for declaration in members.types {
      guard declaration.kind != .extension else {
        extensions.append(declaration)
        continue
      }
      let own = path + [declaration.key]
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
    guard
      case .entry(let entry) = lookUp(
        .named(declaration.name.map { SwiftType.Part($0) }), from: Scope(file: declaration.place.file))
    else { return false }
    var members = declaration.members
    // Only the class itself has stored properties.
    members.variables = members.variables.filter { $0.isStatic || $0.isComputed }
    entries[entry.path]?.members.append(members)
    entries[entry.path]?.inherited += declaration.inherited
    add(declaration.members, at: entry.path, &extensions)
    return true
  }

  /// The type of the program that a name means.
  func entry(_ type: SwiftType?, from scope: Scope) -> TypeEntry? {
    if let type, case .entry(let entry) = lookUp(type, from: scope) { entry } else { nil }
  }

  /// What a name means where it stands: from the innermost type around it outwards.
  func lookUp(_ type: SwiftType, from scope: Scope) -> NamedType {
    var met: Set<[String]> = []
    return lookUp(type, from: scope, &met)
  }

  func lookUp(_ type: SwiftType, from scope: Scope, _ met: inout Set<[String]>) -> NamedType {
    guard case .named(let parts) = type, let first = parts.first else { return .foreign(type, from: scope) }
    if first.name == "Self" || first.name == "self", !scope.path.isEmpty {
      return descend(scope.path, parts.dropFirst().map(\.name), type, scope, &met)
    }
    for depth in stride(from: scope.path.count, through: 0, by: -1) {
      guard let path = declared(first.name, in: Array(scope.path.prefix(depth)), scope.file) else { continue }
      return descend(path, parts.dropFirst().map(\.name), type, scope, &met)
    }
    let path = parts.map(\.name)
    if entries[path] != nil { return descend(path, [], type, scope, &met) }
    guard parts.count > 1 else { return .foreign(type, from: scope) }
    // `Foundation.Date` is no type of the program's, also where that has one of the name.
    if parts.count == 2, plainModules.contains(first.name) {
      return .foreign(.named([parts[1]]), from: scope)
    }
    let top = Scope(file: scope.file)
    // A module: also the program's own, which none of its files has to import.
    guard modules.contains(first.name) || declared(parts[1].name, in: [], scope.file) != nil else {
      return .foreign(type, from: scope)
    }
    return lookUp(.named(Array(parts.dropFirst())), from: top, &met)
  }

  /// The path of a type or an alias that is declared there, or in a superclass: what the file alone sees comes first.
  private func declared(_ name: String, in path: [String], _ file: String) -> [String]? {
    lineage(of: path).lazy.flatMap { [$0 + ["\(name) \(file)"], $0 + [name]] }.first {
      entries[$0] != nil || aliases[$0] != nil
    }
  }

  /// The type itself and the classes that it inherits from.
  func lineage(of path: [String]) -> [[String]] {
    var found = [path]
    while found.count < 64, let next = found.last.flatMap({ entries[$0]?.superclass }) { found.append(next) }
    return found
  }

  /// A type that another one nests.
  func nested(_ name: String, in entry: TypeEntry) -> TypeEntry? {
    declared(name, in: entry.path, entry.place.file).flatMap { entries[$0] }
  }

  /// Whether a type that the file names and no source declares can be another module's.
  func importsOthers(_ file: String) -> Bool { !foreignModules(of: file).isEmpty }
  func foreignModules(of file: String) -> Set<String> { foreignModules[file] ?? [] }

  /// The parts of a key path such as `\SchemaV5.Trip.name`: the parser takes `SchemaV5` alone for its type.
  func split(
    _ root: SwiftType?, _ keys: [String], from scope: Scope
  ) -> (type: SwiftType?, names: [String])? {
    guard case .named(var parts)? = root else { return (root, keys) }
    var names = keys[...]
    while names.count > 1, let next = names.first {
      guard case .entry = lookUp(.named(parts + [SwiftType.Part(next)]), from: scope) else { break }
      parts.append(SwiftType.Part(next))
      names.removeFirst()
    }
    return (.named(parts), Array(names))
  }

  /// `Kind.RawValue`, and `Trip.ID`, which without a property `id` is that of every model.
  private func associated(_ names: [String], of entry: TypeEntry) -> SwiftType? {
    func own(_ name: String) -> SwiftVariable? {
      entry.members.variables.first { $0.name == name && !$0.isStatic }
    }
    switch names {
    case ["RawValue"]:
      return own("rawValue")?.type
        ?? (entry.declaration.kind == .enum ? entry.declaration.inherited.first : nil)
    case ["ID"]:
      guard let id = own("id") else { return entry.isModel ? SwiftType("PersistentIdentifier") : nil }
      // `var id = UUID()`
      if case .call(let called, _)? = id.value?.form, id.type == nil {
        return called.names.map { SwiftType($0.joined(separator: ".")) }
      }
      return id.type
    default: return nil
    }
  }

  private func descend(
    _ path: [String], _ rest: [String], _ type: SwiftType, _ scope: Scope, _ met: inout Set<[String]>
  ) -> NamedType {
    if let entry = entries[path] {
      guard let next = rest.first else { return .entry(specialized(entry, as: type, from: scope, met)) }
      guard let inner = declared(next, in: path, scope.file) else {
        guard let meant = associated(rest, of: entry) else { return .foreign(type, from: scope) }
        // Two may be each other's.
        guard met.insert(path + rest).inserted, met.count <= 64 else {
          return .refused(.circularAlias(type.description, at: entry.place))
        }
        return lookUp(meant, from: entry.scope, &met)
      }
      return descend(inner, Array(rest.dropFirst()), type, scope, &met)
    }
    guard let all = aliases[path], let alias = all.first else { return .foreign(type, from: scope) }
    if let other = all.first(where: { $0.type != alias.type }) {
      return .refused(.twoTypes(path.fullName, alias.place, other.place))
    }
    // A chain that long leads nowhere either.
    guard !circular.contains(path), met.insert(path).inserted, met.count <= 64 else {
      return .refused(.circularAlias(type.description, at: alias.place))
    }
    var (meant, place) = (alias.type, Scope(path: path.dropLast(), file: alias.place.file))
    if !alias.generics.isEmpty, case .named(let parts) = type, let arguments = parts.last?.arguments {
      let values = Dictionary(firstOf: zip(alias.generics, arguments).map { ($0, $1) })
      // What it is given is named where it is used.
      (meant, place) = (meant.map { values[$0.description] ?? $0 }, scope)
    }
    let inner = lookUp(meant, from: place, &met)
    if case .entry(let entry) = inner {
      let isWhole = rest.isEmpty && !entry.arguments.isEmpty
      return isWhole ? inner : descend(entry.path, rest, type, scope, &met)
    }
    if case .foreign = inner, !rest.isEmpty { return .foreign(type, from: scope) }
    // `typealias Set = Swift.Set` takes what it is given along.
    if case .foreign(.named(var names), _) = inner, alias.generics.isEmpty, case .named(let parts) = type,
      let arguments = parts.last?.arguments, !arguments.isEmpty, let last = names.popLast()
    {
      return .foreign(.named(names + [SwiftType.Part(last.name, arguments: arguments)]), from: scope)
    }
    return inner
  }

  /// `Box<Int>`: a generic type with what its parameters stand for.
  private func specialized(
    _ entry: TypeEntry, as type: SwiftType, from scope: Scope, _ met: Set<[String]>
  ) -> TypeEntry {
    let generics = entry.declaration.generics
    // Aliases can make much of little.
    guard [.struct, .enum].contains(entry.declaration.kind), !generics.isEmpty, met.count < 4,
      case .named(let parts) = type, let written = parts.last?.arguments, written.count == generics.count
    else { return entry }
    let arguments = written.map { absolute($0, from: scope, met) }
    // Of `Node<Node<T>>` in a `Node<T>` there is no end.
    guard arguments.description.utf8.count < 512 else { return entry }
    let values = Dictionary(firstOf: zip(generics, arguments))
    func fill(_ variables: inout [SwiftVariable]) {
      variables.editEach { variable in
        guard let type = variable.type else { return }
        variable.isOpen = values[type.description] != nil
        variable.type = type.map { values[$0.description] ?? $0 }
      }
    }
    var entry = entry
    entry.declaration.generics = []
    entry.arguments = arguments
    entry.suffix = written.map { "_\($0)".replacingBytes(of: "?", with: "Optional") }.joined().filter {
      $0.isLetter || $0.isNumber || $0 == "_"
    }
    fill(&entry.members.variables)
    entry.members.cases.editEach { fill(&$0.payload) }
    return entry
  }

  /// A static property of a type, or a variable at the top, where its name stands.
  func variable(_ name: String, from scope: Scope) -> (variable: SwiftVariable, scope: Scope)? {
    for depth in stride(from: scope.path.count, to: 0, by: -1) {
      let path = Array(scope.path.prefix(depth))
      if let entry = entries[path], let found = variable(name, of: entry, from: scope) { return found }
    }
    let seen = top.variables.named(name, seenFrom: scope.file)
    return seen.count == 1 ? (seen[0], Scope(file: seen[0].place.file)) : nil
  }

  /// The variable or the static property that an expression names; with an end to the name, what a function does.
  func variable(
    named value: SwiftExpression, _ end: String = "", from scope: Scope
  ) -> (variable: SwiftVariable, scope: Scope)? {
    switch value.form {
    case .name(let name): return variable(name + end, from: scope)
    case .member(of: let base?, let member):
      let name = member + end
      guard let type = base.asType else { return nil }
      switch lookUp(type, from: scope) {
      case .entry(let entry): return variable(name, of: entry, from: scope)
      case .foreign(let type, _):
        let seen = added(to: type).variables.filter(\.isStatic).named(name, seenFrom: scope.file)
        return seen.count == 1 ? (seen[0], Scope(file: seen[0].place.file)) : nil
      case .refused: return nil
      }
    default: return nil
    }
  }

  /// A static property of a type; nil also where there are several.
  func variable(
    _ name: String, of entry: TypeEntry, from scope: Scope
  ) -> (variable: SwiftVariable, scope: Scope)? {
    for case let entry? in lineage(of: entry.path).map({ entries[$0] }) {
      let seen = entry.members.variables.filter(\.isStatic).named(name, seenFrom: scope.file)
      if seen.count > 1 || !entry.twins.isEmpty { return nil }
      if let found = seen.first { return (found, Scope(path: entry.path, file: found.place.file)) }
    }
    return nil
  }
}

extension [SwiftVariable] {
  /// What a file means by a name: its own, or what all files see.
  func named(_ name: String, seenFrom file: String) -> Self {
    let all = filter { $0.name == name }
    let own = all.filter { $0.isPrivate && $0.place.file == file }
    return own.isEmpty ? all.filter { !$0.isPrivate } : own
  }
}

extension SwiftDeclaration {
  /// Its name in its type's path. Classes that are entities are told apart by their names alone.
  fileprivate var key: String {
    let isPrivate = !modifiers.isDisjoint(with: ["private", "fileprivate"])
    return isPrivate && !attributes.contains { $0.name == "Model" } ? "\(name[0]) \(place.file)" : name[0]
  }
}

extension SwiftAlias { fileprivate var key: String { isPrivate ? "\(name) \(place.file)" : name } }

/// Modules that bring no types of values beside those that are known.
private let plainModules: Set = [
  "Swift", "Foundation", "SwiftData", "CoreData", "Observation", "Combine", "SwiftUI", "UIKit", "AppKit",
  "os", "OSLog",
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

extension SwiftType {
  /// With a type in place of `Self`.
  func naming(_ own: SwiftType) -> SwiftType { map { $0 == SwiftType("Self") ? own : $0 } }
}

extension SwiftExpression {
  var isNil: Bool { if case .none = form { true } else { false } }
  var literal: String? { if case .string(let text) = form { text } else { nil } }

  /// The parts of a name such as `SchemaV1.Trip`; nil for anything else.
  var names: [String]? {
    switch form {
    case .name(let name): [name]
    case .member(of: let base?, let name): base.names.map { $0 + [name] }
    case .type(.named(let parts)): parts.map(\.name)
    default: nil
    }
  }

  /// The type of `Trip.self`, also of `Trip.self as any PersistentModel.Type`.
  var typeNamed: SwiftType? {
    if case .typed(_, let value?) = form { return value.typeNamed }
    return if case .member(of: let base?, "self") = form { base.asType } else { nil }
  }

  /// The type that such a name may be of.
  var asType: SwiftType? { names.map { SwiftType.named($0.map { SwiftType.Part($0) }) } }
}
