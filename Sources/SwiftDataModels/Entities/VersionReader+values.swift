import ManagedModel

extension VersionReader {
  /// - Returns: nil, with a finding, where the source does not tell.
  mutating func attribute(
    of stored: StoredType, _ type: SwiftType, _ isOptional: Bool, at variable: SwiftVariable,
    in scope: Scope, _ subject: ModelSubject
  ) -> AttributeDescription? {
    let (owner, isOpen) = (subject.entity ?? "", table.importsOthers(variable.place.file))
    switch stored {
    case .scalar(let scalar):
      note(scalar, type, of: owner, at: variable.place)
      return AttributeDescription(name: variable.name, type: scalar)
        .written(as: className(of: type, from: scope))
    case .value(let entry): return attribute(of: entry, isOptional, at: variable, subject)
    case .known(let composite):
      return AttributeDescription(
        name: variable.name, type: .composite, compositeName: take(composite, isOptional))
    case .foreign,
      .unknown where isOpen, .array(.unknown) where isOpen, .set(.unknown) where isOpen:
      return foreign(type, at: variable, in: scope, subject)
    case .optional, .model, .unknown, .array(.unknown), .set(.unknown): refuse(type, of: variable, subject)
    case .array, .set, .dictionary:
      if let model = stored.values.first(where: { $0.conforms(to: "PersistentModel") }) {
        refuse(model, of: variable, subject)
        return nil
      }
      if case .array(let element) = stored {
        if !element.isKeptInArrays { facts.insert(.array, of: owner, at: variable.place) }
      } else {
        facts.insert(.dictionary, of: owner, at: variable.place)
      }
      lookInto(stored.values, subject)
      let name = className(of: type, from: scope)
      return AttributeDescription(
        name: variable.name, type: .transformable, valueTransformerName: defaultTransformer,
        attributeValueClassName: name)
    case .refused(let finding): diagnostics.append(finding)
    }
    return nil
  }

  /// A type whose module nobody reads here: how its values are stored is not known.
  private mutating func foreign(
    _ type: SwiftType, at variable: SwiftVariable, in scope: Scope, _ subject: ModelSubject
  ) -> AttributeDescription {
    facts.insert(.foreignType, of: subject.entity ?? "", at: variable.place)
    foreignModules.formUnion(table.foreignModules(of: variable.place.file))
    var attribute = AttributeDescription(
      name: variable.name, type: .binary, attributeValueClassName: type.unwrapped.description)
    attribute.swiftTypeName = className(of: type, from: scope)
    return attribute
  }

  private mutating func note(
    _ scalar: AttributeType, _ type: SwiftType, of owner: String, at place: SourceRange
  ) {
    if scalar.traits.swiftType == "URL" { facts.insert(.url, of: owner, at: place) }
    let isSmall = scalar == .integer16 || scalar == .integer32
    if isSmall || scalar == .integer64 && type.unwrapped.description.hasPrefix("U") {
      facts.insert(.smallInteger, of: owner, at: place)
    }
  }

  func className(of type: SwiftType, from scope: Scope) -> String {
    func argument(_ type: SwiftType) -> String {
      let name = className(of: type, from: scope)
      if case .optional = table.stored(type, from: scope) { return "Optional<\(name)>" }
      return name
    }
    switch type {
    case .optional(let inner): return className(of: inner, from: scope)
    case .array(let element): return "Array<\(argument(element))>"
    case .dictionary(let key, let value): return "Dictionary<\(argument(key)), \(argument(value))>"
    case .named(let parts):
      switch table.lookUp(type, from: scope) {
      case .entry(let entry): if let name = described[entry.identity] { return name }
      case .foreign(let meant, let place): if meant != type { return className(of: meant, from: place) }
      case .refused: break
      }
      guard let last = parts.last, !last.arguments.isEmpty else {
        return swiftNamesByAlias[type.description] ?? type.description
      }
      let arguments = last.arguments.map(argument)
      return "\(last.name)<\(arguments.joined(separator: ", "))>"
    case .other: return type.description
    }
  }

  private mutating func attribute(
    of entry: TypeEntry, _ isOptional: Bool, at variable: SwiftVariable, _ subject: ModelSubject
  ) -> AttributeDescription? {
    let owner = subject.entity ?? ""
    if let raw = rawType(of: entry) {
      note(raw.type, SwiftType(raw.name), of: owner, at: variable.place)
      let rule = rule(of: entry, raw, at: "\(owner).\(variable.name)")
      return AttributeDescription(
        name: variable.name, type: raw.type, validation: rule, enumTypeName: entry.name
      ).written(as: raw.name)
    }
    guard isCodable(entry) else {
      refuse(entry, of: variable, subject)
      return nil
    }
    if let generic = entry.declaration.generics.first {
      refuse(
        "'\(variable.name.visible)' is of the generic struct '\(entry.name.visible)' over '\(generic.visible)'",
        subject, at: variable.place, help: "write a struct for the type that it holds")
      return nil
    }
    switch entry.declaration.kind {
    case .enum where entry.members.cases.contains(where: { !$0.payload.isEmpty }):
      facts.insert(.payload, of: owner, at: variable.place)
    case .class, .actor, .protocol:
      var attribute = foreign(SwiftType(entry.name), at: variable, in: entry.scope, subject)
      // A subclass of one that is Codable is coded by what it inherits.
      if entry.declaration.kind == .class, entry.superclass == nil, isCodable(entry, surely: true) {
        attribute.attributeValueClassName = lookInto([entry], subject).first ?? entry.name
      }
      return attribute
    default: break
    }
    for member in entry.storedMembers where entry.declaration.kind == .struct {
      if let wrapper = member.attributes.first(where: { !isPlain($0, from: entry) }) {
        refuse(wrapper, on: member.name, subject)
        return nil
      }
      guard let type = member.type, table.importsOthers(member.place.file) else { continue }
      switch table.stored(type, from: entry.scope).unwrapped.type {
      case .unknown, .array(.unknown), .set(.unknown):
        facts.insert(.foreignType, of: owner, at: member.place)
        foreignModules.formUnion(table.foreignModules(of: member.place.file))
      default: break
      }
    }
    guard let name = describe(entry, subject), let composite = composites[name] else { return nil }
    if codings[name]?.hasOwnKeys == true { facts.insert(.codingKeys, of: owner, at: entry.place) }
    if codings[name]?.writesItself == true { facts.insert(.ownCoding, of: owner, at: entry.place) }
    guard !composite.elements.isEmpty else {
      refuse(entry, of: variable, subject)
      return nil
    }
    return AttributeDescription(
      name: variable.name, type: .composite, compositeName: take(composite, isOptional))
  }

  /// The attribute type of an enum's raw values, and what Swift calls theirs; nil for anything else.
  func rawType(of entry: TypeEntry) -> (type: AttributeType, name: String)? {
    guard entry.declaration.kind == .enum else { return nil }
    for type in entry.inherited {
      if case .scalar(let scalar) = table.stored(type, from: entry.scope) {
        return (scalar, className(of: type, from: entry.scope))
      }
    }
    return nil
  }

  /// That a value is the raw value of a case; none where the source does not tell them all.
  private mutating func rule(of entry: TypeEntry, _ raw: (type: AttributeType, name: String), at key: String)
    -> AttributeValidation
  {
    let values = rawValues(of: entry, raw.type)
    let known = Dictionary(firstOf: values.map { ($0.name, $0.text) })
    codings[key] = ValueCoding(
      .rawValues, entry.members.cases.map { .init($0.name, key: known[$0.name], type: raw.name) })
    guard !values.isEmpty, values.count == entry.members.cases.count else { return AttributeValidation() }
    let texts = values.map { raw.type.isText ? $0.text.expressionLiteral() : $0.text }
    return .among(texts, of: entry.name)
  }

  /// Whether its values can be stored: as the source compiles, a protocol that is not in it may say so.
  private func isCodable(_ entry: TypeEntry, depth: Int = 0, surely: Bool = false) -> Bool {
    let isBoth = entry.conforms(to: "Encodable") && entry.conforms(to: "Decodable")
    if isBoth || entry.conforms(to: "Codable") || entry.isCodedByMacro { return true }
    guard depth < 8 else { return false }
    return entry.inherited.contains { type in
      switch table.lookUp(type, from: entry.outerScope) {
      case .entry(let parent): isCodable(parent, depth: depth + 1, surely: surely)
      // `typealias Stored = Codable & Sendable`
      case .foreign(.other(let text), _): text.joins("Codable") || text.joins("Encodable", "Decodable")
      case .foreign(.named(let parts), _): !surely && !plainProtocols.contains(parts.last?.name ?? "")
      default: false
      }
    }
  }

  /// The keys of members, or of cases, by their names; nil where each is its name.
  private func codingKeys(_ name: String, in entry: TypeEntry) -> [String: String]? {
    guard let keys = table.nested(name, in: entry), keys.declaration.kind == .enum else { return nil }
    return Dictionary(firstOf: rawValues(of: keys, .string).map { ($0.name, $0.text) })
  }

  /// A composite of a property: where the property is optional, so is each element.
  private mutating func take(_ composite: CompositeDescription, _ isOptional: Bool) -> String {
    var composite = composite
    let name = composite.name
    if isOptional, composite.elements.contains(where: { !$0.isOptional }) {
      composite.name = CompositeDescription.optionalPrefix + composite.name
      for index in composite.elements.indices { composite.elements[index].isOptional = true }
    }
    if let known = composites[composite.name], known != composite {
      composite.name = "\(composite.name)_\(composites.count)"
    }
    composites[composite.name] = composite
    codings[composite.name] = codings[name]
    return composite.name
  }

  /// The composite that says what values of the type are made of, by its name; read once.
  ///
  /// Within a composite such values are JSON, whose parts no column and no hash sees: what they are made of is kept
  /// to make values that an app can read.
  private mutating func describe(
    _ entry: TypeEntry, keys: [String: String]? = nil, _ subject: ModelSubject
  ) -> String? {
    if entry.isCodedByMacro { facts.insert(.macro, of: subject.entity ?? "", at: entry.place) }
    if let known = described[entry.identity] { return known }
    let full = entry.fullName.replacingBytes(of: ".", with: "_")
    let name = [entry.name, full].first { composites[$0] == nil } ?? "\(full)_\(composites.count)"
    // Before its elements: a struct that holds itself is then met at once.
    described[entry.identity] = name
    composites[name] = CompositeDescription(name: name, elements: [])
    let keys = keys ?? codingKeys("CodingKeys", in: entry)
    var elements: [AttributeDescription] = []
    if let raw = rawType(of: entry) {
      elements = [
        AttributeDescription(name: "rawValue", type: raw.type, validation: rule(of: entry, raw, at: name))
          .written(as: raw.name)
      ]
    } else {
      let isEnum = entry.declaration.kind == .enum
      var coding = ValueCoding(isEnum ? .cases : .members, [])
      for variable in isEnum ? [] : entry.storedMembers {
        guard let (element, part) = element(variable, of: entry, subject) else {
          (described[entry.identity], composites[name]) = (nil, nil)
          return nil
        }
        elements.append(element)
        coding.parts.append(part)
      }
      for member in entry.members.cases {
        let (element, part) = element(member, of: entry, subject)
        elements.append(element)
        coding.parts.append(part)
      }
      if let keys { coding.parts.editEach { $0.key = keys[$0.name] } }
      codings[name] = coding
    }
    noteOwnCode(of: entry, as: name)
    composites[name]?.elements = elements
    return name
  }

  /// Functions of its own that read or write its values, or a raw value that stands for them.
  private mutating func noteOwnCode(of entry: TypeEntry, as name: String) {
    guard var coding = codings[name] else { return }
    let (reads, writes) = (entry.codes(by: "init(from:)"), entry.codes(by: "encode(to:)"))
    let value = entry.members.variables.first { $0.name == "rawValue" && !$0.isStatic }
    let isRaw =
      ["RawRepresentable", "OptionSet"].contains(where: entry.conforms) && rawType(of: entry) == nil
    let isUnknown = isRaw || value != nil && entry.declaration.kind == .enum
    if isRaw, !reads, !writes { coding.rawType = value?.type.map { className(of: $0, from: entry.scope) } }
    coding.readsItself = reads || isUnknown && coding.rawType == nil
    coding.writesItself = writes || isUnknown
    codings[name] = coding
  }

  /// A case, and what it holds: JSON of its own, as if it were a struct.
  private mutating func element(
    _ member: SwiftCase, of entry: TypeEntry, _ subject: ModelSubject
  ) -> (AttributeDescription, ValueCoding.Part) {
    var element = AttributeDescription(name: member.name, type: .binary, isOptional: true)
    guard !member.payload.isEmpty else {
      (element.type, element.validation) = (
        .string, .among([member.name.expressionLiteral()], of: entry.name)
      )
      return (element, .init(member.name, key: member.name))
    }
    var held = entry
    held.path.append("\(entry.name)_\(member.name)")
    held.suffix = ""
    held.declaration.kind = .struct
    held.members = SwiftMembers(variables: member.payload, functions: entry.members.functions)
    let keysName = member.name.prefix(1).uppercased() + member.name.dropFirst() + "CodingKeys"
    element.attributeValueClassName = lookInto([held], keys: codingKeys(keysName, in: entry), subject).first
    if let name = element.attributeValueClassName { codings[name]?.keysName = keysName }
    // What could not be read has a name all the same: the case holds something.
    return (
      element, .init(member.name, key: member.name, type: element.attributeValueClassName ?? held.fullName)
    )
  }

  /// What values in JSON and in archives are made of. No hash rests on it: what the source does not tell is passed over.
  @discardableResult mutating func lookInto(
    _ types: [TypeEntry], keys: [String: String]? = nil, _ subject: ModelSubject
  ) -> [String] {
    let known = diagnostics
    defer { diagnostics = known }
    return types.filter { isCodable($0) }.compactMap { describe($0, keys: keys, subject) }
  }

  private mutating func element(
    _ variable: SwiftVariable, of entry: TypeEntry, _ subject: ModelSubject
  ) -> (AttributeDescription, ValueCoding.Part)? {
    guard let type = variable.type ?? variable.value.flatMap({ table.inferred(from: $0, in: entry.scope) })
    else {
      refuseUntyped(variable, subject)
      return nil
    }
    let (stored, isOptional) = table.stored(type, from: entry.scope).unwrapped
    var element = AttributeDescription(name: variable.name, type: .binary, isOptional: isOptional)
    switch stored {
    case .scalar(let scalar):
      note(scalar, type, of: subject.entity ?? "", at: variable.place)
      element.type = scalar
    case .refused(let finding):
      diagnostics.append(finding)
      return nil
    case .unknown where !table.importsOthers(variable.place.file), .model:
      refuse(type, of: variable, subject)
      return nil
    default:
      lookInto(stored.values, subject)
      element.attributeValueClassName = className(of: type, from: entry.scope)
    }
    // The value of a `let` is written, and never read.
    let isRead =
      !(variable.isConstant && variable.value != nil)
      && variable.attributes.allSatisfy { isPlain($0, from: entry) }
    var part = ValueCoding.Part(
      variable.name, key: variable.name, type: className(of: type, from: entry.scope), isOptional: isOptional,
      isRead: isRead,
      value: variable.value.flatMap { defaultValue($0, element.type, stored, in: entry.scope) })
    part.writesNil = isOptional && variable.isOpen
    return (element, part)
  }

  private mutating func refuse(_ type: SwiftType, of variable: SwiftVariable, _ subject: ModelSubject) {
    refuse(
      "the type '\(type.description.visible)' of '\(variable.name.visible)' is not in the source", subject,
      at: variable.place,
      notes: ["without it the hash of '\((subject.entity ?? "").visible)' cannot be known"],
      help: "name the folder that declares it too, or mark the property @Transient if it is not stored")
  }

  private mutating func refuse(_ entry: TypeEntry, of variable: SwiftVariable, _ subject: ModelSubject) {
    let isEmpty = entry.storedMembers.isEmpty && entry.members.cases.isEmpty
    refuse(
      "'\(entry.name.visible)' \(isEmpty ? "has nothing to store" : "is neither @Model nor Codable")",
      subject, at: variable.place, notes: [Diagnostic.Note("declared here", place: entry.place)],
      help: "write it with @Model or as Codable with members, or mark '\(variable.name.visible)' @Transient")
  }
}

extension AttributeDescription {
  /// The same of a Swift type that is not the usual one for the column.
  fileprivate func written(as name: String) -> Self {
    var attribute = self
    let own = swiftNamesByAlias[name] ?? name
    attribute.swiftTypeName = own == type.swiftDataType ? nil : own
    return attribute
  }
}

extension TypeEntry {
  /// Whether a function of its own reads or writes its values, or one that a macro writes, which is not seen here.
  fileprivate func codes(by function: String) -> Bool {
    isCodedByMacro || members.functions.contains { $0.name == function }
  }

  /// Of a struct: what each of its values holds; what is lazy is not coded.
  var storedMembers: [SwiftVariable] {
    members.variables.filter { !$0.isStatic && !$0.isComputed && !$0.isLazy }
  }
}

extension StoredType {
  /// The program's own types that its values are, or hold.
  var values: [TypeEntry] {
    switch self {
    case .value(let entry): [entry]
    case .optional(let inner), .array(let inner), .set(let inner): inner.values
    case .dictionary(let parts): parts.flatMap(\.values)
    default: []
    }
  }

  /// Whether stores show arrays of such values.
  fileprivate var isKeptInArrays: Bool {
    if case .scalar(let type) = self { type == .string || type == .binary } else { false }
  }
}

extension String {
  /// Whether it is a composition of protocols that has all of these.
  fileprivate func joins(_ names: String...) -> Bool {
    let all = split { " &.\n".contains($0) }.map(String.init)
    return names.allSatisfy { all.contains($0) }
  }
}

/// Protocols that make no type Codable.
private let plainProtocols: Set = [
  "Hashable", "Equatable", "Identifiable", "Sendable", "CaseIterable", "Comparable", "Error", "Encodable",
  "Decodable", "CustomStringConvertible", "CustomDebugStringConvertible", "RawRepresentable", "OptionSet",
  "Observable", "ObservableObject", "AnyObject", "NSObject", "Collection", "Sequence", "View", "Transferable",
  "PersistentModel",
]
