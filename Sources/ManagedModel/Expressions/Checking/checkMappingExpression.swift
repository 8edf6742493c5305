/// What the expressions of one entity mapping may refer to.
package struct MappingExpressionContext: Sendable {
  package var source: EntityHierarchy
  package var destination: EntityHierarchy
  /// The entity of `$source`; nil in a mapping that adds an entity.
  package var sourceEntityName: String?
  /// The entity of `$destination`; nil in a mapping that removes an entity.
  package var destinationEntityName: String?
  /// Every entity mapping of the step by name: the entities that it reads and makes.
  package var mappings: [String: MappedEntities] = [:]
  /// The lookup tables of the step by name.
  package var lookupTables: [String: [String: String]] = [:]
  /// Whether objects of the source become one, which are `$sources`.
  package var isGrouped = false
  /// Whether the mapping has a policy whose methods `$entityPolicy` may be asked for.
  package var hasPolicy = false

  package struct MappedEntities: Hashable, Sendable {
    package var source: String?
    package var destination: String?
  }

  /// Core Data's variables, with their types.
  var scope: ExpressionChecker.Scope {
    var scope = ExpressionChecker.Scope(entityName: sourceEntityName ?? "", variables: [:])
    scope.variables = [
      "manager": .unknown, "entityMapping": .unknown, "propertyMapping": .unknown, "entityPolicy": .unknown,
    ]
    scope.variables["source"] = sourceEntityName.map { .object(entityName: $0) }
    if isGrouped {
      scope.variables["sources"] = sourceEntityName.map { .collection(.object(entityName: $0)) }
    }
    scope.variables["destination"] = destinationEntityName.map { .destinationObject(entityName: $0) }
    return scope
  }
}

/// What the value of a mapping's expression is for.
package enum MappingExpressionUse: Hashable, Sendable {
  case attribute(AttributeDescription)
  case relationship(RelationshipDescription)
  /// A key by which objects are held to be the same, or an order of them.
  case key
}

extension Expression {
  /// Checks a value expression of a mapping against the two models.
  ///
  /// `SELF` and bare keys mean the source object, as in `$source`.
  ///
  /// - Parameters:
  ///   - subject: what the finding's edits are made at.
  ///   - place: where the expression stands; every finding is given there.
  /// - Returns: MC1601 (unknown key), MC1602 (a to-many key where one value must stand), MC1605 (types that do not
  ///   compare), MC4202 (a value of another type than the property), MC4203 (an unknown mapping or lookup table, or one
  ///   that reads other objects), MC4204 (an unknown method), MC4205 (an unknown variable), MC4206 (a relationship built
  ///   from source objects), MC4207 (a value that is another one in every run).
  package func findings(
    for use: MappingExpressionUse, in context: MappingExpressionContext, subject: ModelSubject? = nil,
    at place: SourceRange? = nil
  ) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
    var context = context
    // The group is what the keys make.
    if use == .key { context.isGrouped = false }
    var checker = ExpressionChecker(hierarchy: context.source, mode: .memory, mapping: context)
    let type = checker.type(of: self, context.scope)
    switch use {
    case .attribute(let attribute):
      // Together, values of two types are of no type that is known.
      let values =
        [(value: self, type: type)]
        + alternatives.map { (value: $0, type: checker.type(of: $0, context.scope)) }
      if let unfit = values.first(where: { !$0.type.suits(attribute) }) {
        checker.found.append(.otherType(unfit.value, unfit.type, attribute))
      } else if let error = constantMisfit(attribute.type) {
        checker.found.append(.mappedTypes, .error, "'\(attribute.name)': \(error)", help: error.help)
      }
    case .relationship(let relationship): checker.check(self, type, for: relationship, context)
    case .key:
      if type.isCollection || type.isObjectOfDestination {
        let text = "a key is one value of the source object, and '\(self)' gives \(type.label)"
        checker.found.append(.mappedTypes, .error, text)
      }
    }
    for function in changingFunctions where use == .key || function.hasPrefix("random") {
      checker.found.append(
        .changingValue, use == .key ? .error : .warning,
        use == .key
          ? "'\(function)' is not a key: its value says nothing of the object"
          : "'\(function)' gives a different value in every run",
        notes: use == .key
          ? [] : ["every migration gives different data, so no test can check it"],
        help: use == .key ? ["use what makes two objects the same"] : ["compute it from $source"])
    }
    return (type, checker.findings(subject, place))
  }

  /// The values of which it gives one.
  private var alternatives: [Expression] {
    switch self {
    case .conditional(_, let value, let otherwise): value.alternatives + otherwise.alternatives
    case .function(let call) where call.receiver == nil && call.selector == "coalesce":
      call.arguments.flatMap(\.alternatives)
    default: [self]
    }
  }

  /// Why what has the same value for every object cannot be stored, as 40000 in an integer16.
  private func constantMisfit(_ type: AttributeType) -> EvaluationError? {
    guard referencedKeyPaths.isEmpty, changingFunctions.isEmpty,
      let value = try? evaluate(self, in: EvaluationContext())
    else { return nil }
    do { _ = try value.attributeValue(as: type) } catch { return error as? EvaluationError }
    return nil
  }

  /// The functions in it that may give another value every time.
  fileprivate var changingFunctions: [String] {
    functionSelectors.filter { PredefinedFunction.named($0)?.isDeterministic == false }
  }
}

extension Predicate {
  /// Checks the predicate of a mapping over the source's objects, which is a fetch.
  ///
  /// - Returns: what ``checkPredicate(_:forEntity:in:mode:variables:subject:at:)`` returns, MC4205 for variables, of which
  ///   none stands for the object, and MC4203 and MC4202 for lookup tables.
  package func checkAsFilter(
    in context: MappingExpressionContext, subject: ModelSubject, at place: SourceRange?
  ) -> [Diagnostic] {
    guard let entity = context.sourceEntityName else { return [] }
    var found = checkPredicate(self, forEntity: entity, in: context.source, subject: subject, at: place)
    // Only a mapping has tables: what a call says of its own is checked as in a value.
    for case .function(let call) in sides.flatMap(\.allParts) where call.selector == "lookup" {
      let findings = Expression.function(call).findings(for: .key, in: context, subject: subject, at: place)
      found += findings.diagnostics.filter { [.unknownMappingName, .mappedTypes].contains($0.code) }
    }
    var checker = ExpressionChecker(hierarchy: context.source, mode: .store)
    for path in referencedKeyPaths {
      guard case .variable(let name) = path.root, name != "manager", name != "entityPolicy" else { continue }
      let text = path.keys.isEmpty ? "SELF" : path.keys.joined(separator: ".")
      checker.found.append(
        .mappedVariable, .error, "'$\(name)' is undefined in 'where'",
        notes: ["a filter is a fetch predicate: write the source object's keys without a variable"],
        help: name == "source" ? ["write '\(text)'"] : [])
    }
    // One lookup may be in another.
    return checker.findings(subject, place) + found.unique
  }
}

extension ExpressionChecker {
  /// A relationship leads to objects of the destination.
  fileprivate mutating func check(
    _ expression: Expression, _ type: ExpressionType, for relationship: RelationshipDescription,
    _ context: MappingExpressionContext
  ) {
    let wanted = relationship.destinationEntityName
    switch type.element {
    case .unknown, .null: break
    case .destinationObject(let entity):
      let destination = context.destination
      if !destination.isKind(entity, of: wanted), !destination.isKind(wanted, of: entity) {
        found.append(.otherDestination(expression, "objects of '\(entity)'", relationship))
      }
    case .object(let entity):
      let names = context.mappings.filter { _, mapped in
        guard let source = mapped.source, let made = mapped.destination else { return false }
        return context.source.isKind(source, of: entity) && context.destination.isKind(made, of: wanted)
      }
      let mappings = names.isEmpty ? ["mapping"] : Array(names.keys.sorted().prefix(3))
      found.append(
        .builtFromSource, .error,
        "'\(relationship.name)' would point to source objects, which are not migrated",
        notes: [
          "'\(expression)' gives objects of the old store; a relationship needs their migrated counterparts"
        ], help: mappings.map { "write 'destinationInstances(\"\($0)\", \(expression))'" })
    default:
      let help = "look objects up: 'destinationInstances(\"mapping\", $source.…)'"
      found.append(.otherDestination(expression, type.label, relationship, help: [help]))
    }
  }
}

extension ExpressionType {
  var isObjectOfDestination: Bool { if case .destinationObject = element { true } else { false } }

  /// Whether a value of it may be stored in the attribute. Text for a UUID or URI is read as one.
  fileprivate func suits(_ attribute: AttributeDescription) -> Bool {
    switch (self, attribute.type) {
    case (.unknown, _), (.null, _): true
    case (.object, _), (.destinationObject, _): false
    case (_, .undefined), (_, .objectID): true
    // What the store holds of it are bytes; no expression archives a value.
    case (.binary, .transformable): true
    case (_, .transformable): false
    case (.number, .boolean), (.boolean, .boolean): true
    case (.number, let type), (.boolean, let type): type.isNumeric
    case (.string, let type): type.isSpelled
    // Members are matched by their names.
    case (.composite, .composite): true
    case (.composite, _), (.collection, _): false
    default: self == ExpressionType(attribute)
    }
  }
}

extension Diagnostic.Code {
  package static let mappedTypes = Self("MC4202")
  package static let mappedVariable = Self("MC4205")
  package static let builtFromSource = Self("MC4206")
  package static let changingValue = Self("MC4207")
}

extension Diagnostic {
  static func unknownVariable(_ name: String, among scope: ExpressionChecker.Scope) -> Self {
    if name == "source" || name == "destination" {
      return Self(
        .mappedVariable, .error, "'$\(name)' is undefined: the mapping has no \(name)",
        help: ["give the mapping a '\(name):'"])
    }
    if name == "sources" {
      return Self(
        .mappedVariable, .error, "'$sources' is undefined: it is the group of objects that 'groupBy' forms",
        help: ["give the mapping a 'groupBy:'"])
    }
    let known = scope.variables.keys.sorted()
    return Self(
      .mappedVariable, .error, "there is no variable '$\(name)'",
      notes: [Note("the variables are \(known.map { "$\($0)" }.joined(separator: ", "))")]
    ).suggestingWord(nearestTo: name, among: known)
  }

  fileprivate static func otherType(
    _ expression: Expression, _ type: ExpressionType, _ attribute: AttributeDescription
  ) -> Self {
    Self(
      .mappedTypes, .error,
      "'\(attribute.name)' is \(attribute.type.name), and '\(expression)' gives \(type.label)",
      help: conversion(of: expression, type, attribute.type).map { ["write '\($0)'"] } ?? [])
  }

  /// The call that makes the one type of the other.
  private static func conversion(
    of expression: Expression, _ type: ExpressionType, _ wanted: AttributeType
  ) -> String? {
    switch (type, wanted) {
    case (.collection, let wanted) where wanted.isNumeric: "\(expression).@count"
    case (.collection, _): "\(expression)[FIRST]"
    case (.string, .double), (.string, .float), (.string, .decimal): "parseDouble(\(expression))"
    case (.string, let wanted) where wanted.isNumeric: "parseInt(\(expression))"
    case (.string, .boolean): "\(expression) == \"true\""
    // Tables have dates as mapping files do.
    case (.string, .date) where expression.functionSelectors.contains("lookup"):
      "parseDate(\(expression), \"iso8601\")"
    case (.string, .date): "parseDate(\(expression), \"yyyy-MM-dd\")"
    case (.date, .string): "formatDate(\(expression), \"yyyy-MM-dd\")"
    case (.object, _), (.destinationObject, _): nil
    case (.number, .date) where expression.referencedKeyPaths.isEmpty:
      "parseDate(\"2024-01-31\", \"yyyy-MM-dd\")"
    case (.number, .date): "CAST(\(expression), \"NSDate\")"
    case (.date, let wanted) where wanted.isNumeric: "CAST(\(expression), \"NSNumber\")"
    case (_, .string): "CAST(\(expression), \"NSString\")"
    default: nil
    }
  }

  fileprivate static func otherDestination(
    _ expression: Expression, _ found: String, _ relationship: RelationshipDescription, help: [String] = []
  ) -> Self {
    Self(
      .mappedTypes, .error,
      "'\(relationship.name)' leads to objects of '\(relationship.destinationEntityName)', and '\(expression)' "
        + "gives \(found)", help: help)
  }
}
