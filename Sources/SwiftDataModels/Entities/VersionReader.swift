import ManagedModel

/// Makes the entities of one version from the classes that it lists.
struct VersionReader {
  let table: TypeTable
  let versionName: String
  var map: SourceMap
  var diagnostics: [Diagnostic] = []
  var facts: UnverifiedBehaviors
  /// By the full name of the class.
  private(set) var entities: [[String]: EntityDescription] = [:]
  /// By name.
  var composites: [String: CompositeDescription] = [:]
  /// The composite of each type that was looked into, by the type's identity.
  var described: [[String]: String] = [:]
  /// As of a model.
  var codings: [String: ValueCoding] = [:]
  var (freshIdentifiers, foreignModules): (Set<String>, Set<String>) = ([], [])
  /// Properties that could not be read: what else is wrong with them follows from that.
  var unread: Set<ModelSubject> = []
  private(set) var order: [[String]] = []
  /// What the classes say of inverses: `inverse: \Stop.trip`.
  var inverses: [(relationship: FoundRelationship, inverse: String, place: SourceRange)] = []
  /// Properties whose relationship is to be matched, each with its class.
  var relationships: [FoundRelationship] = []

  init(table: TypeTable, versionName: String, file: String, facts: UnverifiedBehaviors) {
    (self.table, self.versionName, self.facts) = (table, versionName, facts)
    map = SourceMap(file: file)
  }

  mutating func read(_ listed: [ListedType]) -> ManagedObjectModel {
    // What the program does not declare is reported for all its versions at once.
    for type in listed {
      guard let entry = type.entry else { continue }
      guard entry.isModel else {
        refuse(
          "'\(type.name.visible)' is not a class with @Model", at: type.place,
          help: "list only @Model classes")
        continue
      }
      add(entry)
    }
    // The list grows while relationships lead on.
    var place = 0
    while place < order.count {
      if let entry = table[order[place]] { readEntity(entry) }
      place += 1
    }
    resolveInverses()
    var model = ManagedObjectModel(versionIdentifiers: [versionName])
    model.entities = order.compactMap { entities[$0] }
    model.editorSettings.usedWithSwiftData = true
    model.composites = Array(composites.values)
    model.composites = usedComposites(of: model)
    (model.codings, model.freshIdentifiers) = (codings, freshIdentifiers)
    model.foreignModules = foreignModules
    return model
  }

  /// Those of attributes, and what their values are made of; a class of values is no composite.
  private func usedComposites(of model: ManagedObjectModel) -> [CompositeDescription] {
    let attributes = model.entities.flatMap(\.attributes).filter {
      $0.type != .binary || $0.swiftTypeName == nil
    }
    var used = Set(model.composites(in: attributes).map(\.name))
    // The type as it is declared, beside that of optional properties.
    used.formUnion(attributes.compactMap(CompositeDescription.declaredName))
    return composites.values.filter { used.contains($0.name) && !$0.elements.isEmpty }.sorted {
      $0.name.precedesInCodePointOrder($1.name)
    }
  }

  /// What the source says and no schema can be read from.
  mutating func refuse(
    _ message: String, _ subject: ModelSubject? = nil, at place: SourceRange, notes: [Diagnostic.Note] = [],
    help: String
  ) {
    diagnostics.append(
      .unknownInSource, .error, message, subject: subject, place: place, notes: notes, help: [help])
  }

  /// Takes a class in, at the end of those that are there.
  mutating func add(_ entry: TypeEntry) {
    guard entities[entry.path] == nil else { return }
    if let twin = entry.twins.first { diagnostics.append(.twoTypes(entry.fullName, entry.place, twin.place)) }
    order.append(entry.path)
    entities[entry.path] = EntityDescription(name: entry.name)
  }

  func name(of path: [String]) -> String { entities[path]?.name ?? path.last ?? "" }

  private mutating func readEntity(_ entry: TypeEntry) {
    let subject = ModelSubject(entity: entry.name)
    map[subject] = entry.place
    for attribute in entry.declaration.attributes where !isPlain(attribute, from: entry) {
      facts.insert(.macro, of: entry.name, at: attribute.place)
    }
    if let generic = entry.declaration.generics.first {
      refuse(
        "'\(entry.name.visible)' is generic over '\(generic.visible)'", at: entry.place,
        help: "write a class for each type that it is used with")
    }
    if let parent = entry.superclass.flatMap({ table[$0] }), parent.isModel {
      facts.insert(.inheritance, of: entry.name, at: entry.place)
      add(parent)
      entities[entry.path]?.superentityName = parent.name
    }
    // What is of a type that the class leaves open follows from that.
    let open = Set(entry.declaration.generics)
    for variable in entry.members.variables {
      let words = (variable.type?.description ?? "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      if words.contains(where: { open.contains(String($0)) }) {
        unread.insert(ModelSubject(entity: entry.name, property: variable.name))
      } else {
        read(variable, of: entry)
      }
    }
    for macro in entry.members.macros { read(macro, of: entry) }
  }

  mutating func append<Property>(
    _ property: Property, to list: WritableKeyPath<EntityDescription, [Property]>, of entry: TypeEntry,
    at variable: SwiftVariable
  ) {
    entities[entry.path]?[keyPath: list].append(property)
    let subject = ModelSubject(entity: entry.name, property: variable.name)
    map[subject] = variable.place
    if let value = variable.value { map[subject.part("default")] = value.place }
  }

  mutating func addConstraint(_ names: [String], to entry: TypeEntry, at place: SourceRange) {
    guard let known = entities[entry.path]?.uniquenessConstraints, !known.contains(names) else { return }
    entities[entry.path]?.uniquenessConstraints.append(names)
    // Of several the class is the place.
    map[ModelSubject(entity: entry.name, key: "uniquenessConstraints")] = known.isEmpty ? place : nil
  }

  mutating func setInverse(_ inverse: String, of relationship: FoundRelationship) {
    let index = entities[relationship.owner]?.relationships.firstIndex { $0.name == relationship.name }
    if let index { entities[relationship.owner]?.relationships[index].inverseName = inverse }
  }
}

extension VersionReader {
  /// `#Unique<Trip>([\.name], [\.start, \.end])` and `#Index<Trip>([\.start])`.
  mutating func read(_ macro: SwiftAttribute, of entry: TypeEntry) {
    guard macro.name == "Unique" || macro.name == "Index" else { return }
    for argument in macro.arguments {
      // `#Unique<Trip>([\.name], [])` compiles, and the empty list says nothing.
      if case .array(let elements) = argument.value.form, elements.isEmpty { continue }
      guard let (names, collation) = keyPaths(argument.value, from: entry.scope) else {
        refuse(
          "'\(argument.value.text.visible)' of '#\(macro.name.visible)' is not a list of key paths",
          at: argument.value.place, help: "write it as `#\(macro.name)<Trip>([\\.name])`")
        continue
      }
      if macro.name == "Unique" {
        facts.insert(.compoundUnique, of: entry.name, at: macro.place)
        addConstraint(names, to: entry, at: argument.value.place)
      } else {
        let kind = collation == .binary ? "Binary" : "RTree"
        let name = FetchIndexDescription.swiftDataPrefix + kind + names.joined()
        map[ModelSubject(entity: entry.name, key: "fetchIndexes").part(name)] = argument.value.place
        let elements = names.map { FetchIndexElement(property: $0, collation: collation) }
        entities[entry.path]?.fetchIndexes.append(FetchIndexDescription(name: name, elements: elements))
      }
    }
  }

  private func keyPaths(_ value: SwiftExpression, from scope: Scope) -> ([String], FetchIndexCollation)? {
    switch value.form {
    case .array(let elements):
      let names = elements.compactMap { element -> String? in
        guard case .keyPath(let root, let keys) = element.form else { return nil }
        return table.split(root, keys, from: scope)?.names.joined(separator: ".")
      }
      return names.count == elements.count && !names.isEmpty ? (names, .binary) : nil
    // `.rtree([\.latitude, \.longitude])`
    case .call(let called, let arguments):
      guard case .member(of: _, let kind) = called.form, kind == "binary" || kind == "rtree",
        let list = arguments.first?.value, let (names, _) = keyPaths(list, from: scope)
      else { return nil }
      return (names, kind == "rtree" ? .rtree : .binary)
    default: return nil
    }
  }
}
