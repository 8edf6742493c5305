extension ExpressionChecker {
  /// The type of a property of the destination's object.
  mutating func destinationType(
    ofProperty key: String, of entityName: String, path: String
  ) -> ExpressionType {
    guard let mapping else { return .unknown }
    var checker = ExpressionChecker(hierarchy: mapping.destination, mode: mode)
    let type = checker.type(ofProperty: key, of: entityName, path: path)
    found += checker.findings(nil, nil)
    return type.asDestination
  }

  /// The type of a call that only mappings know; nil for any other.
  mutating func type(
    of call: FunctionCall, _ types: [ExpressionType], in mapping: MappingExpressionContext
  ) -> ExpressionType? {
    switch call.receiver {
    case nil:
      switch call.selector {
      case "destinationInstances": return lookup(call.arguments, types, mapping)
      case "lookup": return table(call.arguments, types, mapping)
      default: return nil
      }
    case .variable("manager"): return managerCall(call, types, mapping)
    case .variable("entityPolicy"):
      if !mapping.hasPolicy {
        let text = "'\(call.selector)' is a method of a policy, and the mapping has no policy"
        let help = ["name the policy that has the method: 'policy: …'"]
        found.append(.unknownMappingMethod, .error, text, help: help)
      }
      return .unknown
    case let receiver?:
      // What key-value coding is called for, a key path says.
      var path: String?
      if ["valueForKey:", "valueForKeyPath:"].contains(call.selector),
        case .constant(.string(let keys))? = call.arguments.first
      {
        let keyPath = Expression.keyPath(keys.split(separator: ".").map(String.init), of: receiver)
        path = "write the key path '\(keyPath)'"
      }
      found.append(
        .unknownMappingMethod, .error,
        "'\(call.selector)' cannot be called: only $manager and $entityPolicy have methods",
        notes: ["Core Data calls methods of any object, which needs the Objective-C runtime"],
        help: [path ?? "use a function such as 'uppercase:(…)', or a method of the policy"])
      return .unknown
    }
  }

  /// What a mapping made of source objects.
  private mutating func lookup(
    _ arguments: [Expression], _ types: [ExpressionType], _ mapping: MappingExpressionContext
  ) -> ExpressionType {
    guard case .constant(.string(let name))? = arguments.first else {
      switch types.first?.element {
      case .unknown, .string, nil: break
      default: found.append(.unknownMapping(nil, among: mapping.mappings.keys.sorted()))
      }
      return .collection(.unknown)
    }
    guard let mapped = mapping.mappings[name] else {
      found.append(.unknownMapping(name, among: mapping.mappings.keys.sorted()))
      return .unknown
    }
    if arguments.count == 2, let source = mapped.source {
      switch types[1].element {
      case .unknown, .null: break
      case .object(let entity)
      where mapping.source.isKind(entity, of: source) || mapping.source.isKind(source, of: entity):
        break
      default:
        found.append(
          .unknownMappingName, .error,
          "the mapping '\(name)' reads objects of '\(source)', and '\(arguments[1])' gives \(types[1].label)",
          notes: ["it creates nothing from them, so the lookup finds nothing"])
      }
    }
    return .collection(mapped.destination.map { .destinationObject(entityName: $0) } ?? .unknown)
  }

  private mutating func table(
    _ arguments: [Expression], _ types: [ExpressionType], _ mapping: MappingExpressionContext
  ) -> ExpressionType {
    guard case .constant(.string(let name))? = arguments.first, let rows = mapping.lookupTables[name] else {
      found.append(.unknownTable(arguments.first, among: mapping.lookupTables.keys.sorted()))
      return .unknown
    }
    let table = LookupTable(rows: rows)
    let dead = types.count == 2 ? table.deadKeys(for: types[1]) : []
    if !dead.isEmpty { found.append(.deadKeys(dead, of: name, types[1])) }
    return table.valueType
  }

  private mutating func managerCall(
    _ call: FunctionCall, _ types: [ExpressionType], _ mapping: MappingExpressionContext
  ) -> ExpressionType {
    switch call.selector {
    case "destinationInstancesForEntityMappingNamed:sourceInstances:":
      return lookup(call.arguments, types, mapping)
    case "sourceInstancesForEntityMappingNamed:destinationInstances:":
      guard case .constant(.string(let name))? = call.arguments.first else { return .collection(.unknown) }
      guard let mapped = mapping.mappings[name] else {
        found.append(.unknownMapping(name, among: mapping.mappings.keys.sorted()))
        return .collection(.unknown)
      }
      return .collection(mapped.source.map { .object(entityName: $0) } ?? .unknown)
    case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
      if case .constant(.string(let name))? = call.arguments.first, let entity = mapping.sourceEntityName {
        _ = type(ofProperty: name, of: entity, path: name)
      }
      return .collection(.unknown)
    default:
      if !managerMethods.contains(call.selector) { found.append(.unknownManagerMethod(call.selector)) }
      return .unknown
    }
  }
}

/// Methods of `NSMigrationManager` that an expression may call.
private let managerMethods: [String] = [
  "destinationInstancesForEntityMappingNamed:sourceInstances:",
  "sourceInstancesForEntityMappingNamed:destinationInstances:",
  "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
  "fetchRequestForSourceEntityNamed:predicateString:",
  "fetchRequestForSourceEntityNamed:predicateString:includesSubentities:", "sourceContext",
  "destinationContext", "userInfo", "sourceModel", "destinationModel", "mappingModel",
  "sourceEntityForEntityMapping:", "destinationEntityForEntityMapping:",
]

extension ExpressionType {
  /// The same type, its objects being the destination's.
  fileprivate var asDestination: ExpressionType {
    switch self {
    case .object(let entity): .destinationObject(entityName: entity)
    case .collection(let element): .collection(element.asDestination)
    default: self
    }
  }
}

extension Diagnostic.Code {
  package static let unknownMappingName = Self("MC4203")
  package static let unknownMappingMethod = Self("MC4204")
}

extension Diagnostic {
  /// - Parameter name: nil where there is none.
  fileprivate static func unknownMapping(_ name: String?, among names: [String]) -> Self {
    Self(
      .unknownMappingName, .error,
      name.map { "this step has no entity mapping '\($0)'" }
        ?? "'destinationInstances' takes the name of an entity mapping in quotation marks, then the source's objects",
      notes: [Note("its mappings are \(names.prefix(30).joined(separator: ", "))")]
    ).suggestingWord(nearestTo: name ?? "", among: name == nil ? [] : names)
  }

  fileprivate static func unknownTable(_ name: Expression?, among names: [String]) -> Self {
    guard case .constant(.string(let name))? = name else {
      return Self(.unknownMappingName, .error, "'lookup' takes the name of a table in quotation marks")
    }
    let known = Note("its tables are \(names.joined(separator: ", "))")
    return Self(
      .unknownMappingName, .error, "this file has no lookup table '\(name)'",
      notes: names.isEmpty ? ["tables are listed under 'lookups:' at the top of the file"] : [known]
    ).suggestingWord(nearestTo: name, among: names)
  }

  fileprivate static func deadKeys(_ keys: [String], of table: String, _ type: ExpressionType) -> Self {
    let shown = keys.prefix(10).map { "'\($0.abridged)'" }.joined(separator: ", ")
    return Self(
      .mappedTypes, .error,
      "\(keys.count == 1 ? "1 key" : "\(keys.count) keys") of the table '\(table)' can never be found: \(shown)",
      notes: [Note("the value to look up is \(type.label): it equals none of them, or also an earlier key")],
      help: ["write each key once, as a value of that type, or look up text: `CAST(…, \"NSString\")`"])
  }

  /// `sorceInstances:` is printed so in a book that many have read.
  fileprivate static func unknownManagerMethod(_ selector: String) -> Self {
    if selector.contains("sorceInstances:") {
      let edit = ModelEdit.Change.replaceWord("sorceInstances", with: "sourceInstances")
      return Self(
        .unknownMappingName, .error, "the migration manager has no method '\(selector)'",
        edits: [ModelEdit("write 'sourceInstances'", at: ModelSubject(), edit, isSafe: true)],
        help: ["the argument label is 'sourceInstances:'"])
    }
    return Self(
      .unknownMappingMethod, .error, "the migration manager has no method '\(selector)'",
      help: .didYouMean(
        selector, among: managerMethods,
        else: ["your own methods belong in a policy: 'FUNCTION($entityPolicy, \"\(selector)\", …)'"]))
  }
}
