import ManagedModel

/// What `@Attribute` and `@Relationship` say of a property.
private struct PropertyOptions {
  var originalName: String?
  var hashModifier: String?
  var deleteRule = DeleteRule.nullify
  var minimum: Int?
  var maximum: Int?
  var inverse: SwiftExpression?
  /// Those of ``known`` that stand there.
  var words: Set<String> = []
  /// Whether `.transformable(by:)` stands there, and its transformer.
  var transformer: String?

  static let counts: [String: any WritableKeyPath<Self, Int?> & Sendable] = [
    "minimumModelCount": \.minimum, "maximumModelCount": \.maximum,
  ]
  static let known = Set(AttributeDescription.options.map(\.key)).union(["unique", "codable"])
}

extension VersionReader {
  /// A property as SwiftData stores it; what it does not store is passed over.
  mutating func read(_ variable: SwiftVariable, of entry: TypeEntry) {
    guard !variable.isStatic, !variable.isComputed else { return }
    let names = variable.attributes.map(\.name)
    guard !names.contains("Transient"), !names.contains("ObservationIgnored") else { return }
    for attribute in variable.attributes where !isPlain(attribute, from: entry) {
      facts.insert(.macro, of: entry.name, at: attribute.place)
    }
    guard let type = variable.type ?? variable.value.flatMap({ table.inferred(from: $0, in: entry.scope) })
    else {
      refuseUntyped(variable, subject(variable, entry))
      unread.insert(ModelSubject(entity: entry.name, property: variable.name))
      return
    }
    let (stored, isOptional) = table.stored(type, from: entry.scope).unwrapped
    let options = self.options(of: variable, entry)
    switch stored {
    case .model(let other):
      readRelationship(variable, of: entry, to: other, isToMany: false, isOptional, options)
    case .array(.model(let other)), .set(.model(let other)):
      readRelationship(variable, of: entry, to: other, isToMany: true, isOptional, options)
    default: readAttribute(variable, of: entry, type, stored, isOptional, options)
    }
  }

  /// Whether an attribute of a class or a property stores nothing, besides those that are read; a global actor is one.
  func isPlain(_ attribute: SwiftAttribute, from entry: TypeEntry) -> Bool {
    if knownAttributes.contains(attribute.name) || attribute.name.hasSuffix("Actor") { return true }
    let type = table.entry(SwiftType(attribute.name), from: entry.scope)
    return type?.declaration.attributes.contains { $0.name == "globalActor" } == true
  }

  func subject(_ variable: SwiftVariable, _ entry: TypeEntry) -> ModelSubject {
    ModelSubject(version: versionName, entity: entry.name, property: variable.name)
  }

  private mutating func readAttribute(
    _ variable: SwiftVariable, of entry: TypeEntry, _ type: SwiftType, _ stored: StoredType,
    _ isOptional: Bool, _ options: PropertyOptions
  ) {
    var attribute = AttributeDescription(name: variable.name, type: .undefined)
    if let transformer = options.transformer {
      facts.insert(.transformable, of: entry.name, at: variable.place)
      attribute.type = .transformable
      attribute.valueTransformerName = transformer
    } else if options.words.contains("codable") {
      facts.insert(.codable, of: entry.name, at: variable.place)
      attribute.type = .binary
      lookInto(stored.values, subject(variable, entry))
      attribute.attributeValueClassName = className(of: type, from: entry.scope)
    } else if let known = self.attribute(
      of: stored, type, isOptional, at: variable, in: entry.scope, subject(variable, entry))
    {
      attribute = known
    } else {
      unread.insert(ModelSubject(entity: entry.name, property: variable.name))
      return
    }
    attribute.isOptional = isOptional
    attribute.renamingIdentifier = options.originalName.flatMap { $0 == variable.name ? nil : $0 }
    attribute.versionHashModifier = options.hashModifier
    for (word, path) in AttributeDescription.options {
      attribute[keyPath: path] = options.words.contains(word)
    }
    if let value = variable.value, !value.isNil {
      let known = defaultValue(value, attribute.type, stored, in: entry.scope)
      attribute.defaultValue = known ?? .evaluated(.unknown)
      let fresh = known == nil ? stored.freshMembers(of: value) : []
      freshIdentifiers.formUnion(fresh.map { "\(entry.name).\(variable.name)\($0)" })
    }
    append(attribute, to: \.attributes, of: entry, at: variable)
    if options.words.contains("unique") { addConstraint([variable.name], to: entry, at: variable.place) }
  }

  private mutating func readRelationship(
    _ variable: SwiftVariable, of entry: TypeEntry, to other: TypeEntry, isToMany: Bool, _ isOptional: Bool,
    _ options: PropertyOptions
  ) {
    add(other)
    var relationship = RelationshipDescription(
      name: variable.name, destinationEntityName: other.name, isOptional: isOptional,
      minCount: options.minimum ?? 0, maxCount: isToMany ? options.maximum ?? 0 : 1,
      deleteRule: options.deleteRule)
    relationship.renamingIdentifier = options.originalName.flatMap { $0 == variable.name ? nil : $0 }
    relationship.versionHashModifier = options.hashModifier
    append(relationship, to: \.relationships, of: entry, at: variable)
    let found = FoundRelationship(
      owner: entry.path, name: variable.name, destination: other.path, place: variable.place)
    relationships.append(found)
    if [options.minimum, options.maximum].contains(where: { $0 ?? 0 != 0 }) {
      facts.insert(.count, of: entry.name, at: variable.place)
    }
    if options.words.contains("unique") {
      facts.insert(.compoundUnique, of: entry.name, at: variable.place)
      addConstraint([variable.name], to: entry, at: variable.place)
    }
    if let inverse = options.inverse { state(inverse, of: found) }
  }

  private mutating func options(of variable: SwiftVariable, _ entry: TypeEntry) -> PropertyOptions {
    var options = PropertyOptions()
    for attribute in variable.attributes where ["Attribute", "Relationship"].contains(attribute.name) {
      for argument in attribute.arguments {
        if !read(argument, in: entry.scope, into: &options) {
          let text = (argument.label.map { "\($0): " } ?? "") + argument.value.text
          refuse(
            "'\(text.visible)' of '@\(attribute.name.visible)' is not known", subject(variable, entry),
            at: argument.value.place,
            notes: ["only options that are written out are understood; the source is never run"],
            help: "write the option as a literal, as in @Attribute(.unique, originalName: \"old\")")
        }
      }
    }
    if !options.words.isDisjoint(with: ["externalStorage", "preserveValueOnDeletion", "ephemeral"]) {
      facts.insert(.storageOption, of: entry.name, at: variable.place)
    }
    return options
  }

  /// - Returns: whether the argument is understood.
  private func read(_ argument: SwiftArgument, in scope: Scope, into options: inout PropertyOptions) -> Bool {
    switch (argument.label, argument.value.form) {
    case ("originalName", .string(let name)): options.originalName = name
    case ("hashModifier", .string(let text)): options.hashModifier = text
    case (_?, .none): break
    case ("inverse", .keyPath): options.inverse = argument.value
    case ("deleteRule", .member(of: _, let name)):
      guard let rule = DeleteRule.allCases.first(where: { $0.name == name }) else { return false }
      options.deleteRule = rule
    case (let label?, .integer(let text)):
      // A model made by code has -1 for a to-many without a bound.
      guard let path = PropertyOptions.counts[label], let count = Int32(text), count >= -1 else {
        return false
      }
      options[keyPath: path] = Int(count)
    case (nil, .member(of: _, let name)):
      options.words.insert(name)
      return PropertyOptions.known.contains(name)
    case (nil, .call(let called, let arguments)):
      guard case .member(of: _, "transformable") = called.form, let by = arguments.first else { return false }
      options.transformer = transformer(by.value, in: scope) ?? by.value.names?.joined(separator: ".")
      return options.transformer != nil
    case (nil, .array(let elements)):
      return elements.allSatisfy { read(SwiftArgument(label: nil, value: $0), in: scope, into: &options) }
    default: return false
    }
    return true
  }

  /// What a literal says, or a class, or a constant such as `Colors.name.rawValue` that is `NSValueTransformerName("Colors")`.
  private func transformer(_ value: SwiftExpression, in scope: Scope, depth: Int = 0) -> String? {
    if depth < 8, let (variable, inner) = table.variable(named: value, from: scope),
      let value = variable.value
    {
      return transformer(value, in: inner, depth: depth + 1)
    }
    switch value.form {
    case .string(let name): return name
    // Of a class, `String(describing: Colors.self)`, it is the name.
    case .call(_, let arguments)
    where arguments.count == 1 && (depth > 0 || arguments[0].label == "describing"):
      return transformer(arguments[0].value, in: scope, depth: depth + 1)
    case .member(of: _, "secureUnarchiveFromDataTransformerName"): return defaultTransformer
    case .member(of: let base?, "rawValue"): return transformer(base, in: scope, depth: depth + 1)
    default: return value.typeNamed?.description
    }
  }

  mutating func refuse(_ attribute: SwiftAttribute, on name: String, _ subject: ModelSubject) {
    let wrapper = attribute.name.visible
    refuse(
      "how '@\(wrapper)' stores '\(name.visible)' is not known", subject, at: attribute.place,
      help: "write the member without '@\(wrapper)', or mark the property that holds the struct @Transient")
  }

  mutating func refuseUntyped(_ variable: SwiftVariable, _ subject: ModelSubject) {
    refuse(
      "the type of '\(variable.name.visible)' cannot be determined from the source", subject,
      at: variable.value?.place ?? variable.place, help: "write it: `var \(variable.name): Type`")
  }
}

/// Attributes that change nothing of what is stored, besides those that are read.
private let knownAttributes: Set = [
  "Attribute", "Relationship", "Transient", "available", "objc", "nonobjc", "MainActor", "preconcurrency",
  "usableFromInline", "ObservationTracked", "_spi", "inlinable", "Guide", "Model", "objcMembers",
  "Observable", "dynamicMemberLookup", "frozen", "DebugDescription",
]
