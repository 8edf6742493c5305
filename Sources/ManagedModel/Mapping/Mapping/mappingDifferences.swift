extension MappingModel {
  /// The entities whose objects come out otherwise by another mapping model of the same step, by name. Both are compared as
  /// ``stated(from:to:)`` has them, in full.
  ///
  /// Names of mappings, their order and their user info make no difference, and a new entity that starts empty needs no
  /// mapping.
  package func entitiesMappedDifferently(
    than other: MappingModel, from source: ModelVersion, to destination: ModelVersion
  ) -> [String] {
    let hierarchy = EntityHierarchy(destination.model)
    let (own, theirs) = (
      stated(from: source, to: destination).meanings(hierarchy),
      other.stated(from: source, to: destination).meanings(hierarchy)
    )
    return Set(own.keys).union(theirs.keys).filter { own[$0] != theirs[$0] }.sortedByCodePoint
  }
}

extension CustomMappingModel {
  /// What becomes of each entity of the destination, as texts that are equal where the meaning is.
  fileprivate func meanings(_ destination: EntityHierarchy) -> [String: Set<String>] {
    let steps = Dictionary(firstOf: entityMappings.map { ($0.name, $0.step) })
    var found: [String: Set<String>] = [:]
    for mapping in entityMappings {
      guard let entity = mapping.destinationEntityName else { continue }
      guard mapping.sourceEntityName != nil || mapping.policyName != nil else { continue }
      let policy = mapping.policyName?.split(separator: ".").last ?? ""
      let defaults = destination.members(of: entity).map { ($0.name, $0.typedDefaultValue) }
      let values = (mapping.attributeMappings + mapping.relationshipMappings).compactMap {
        property -> String? in
        guard let text = property.expression, let expression = try? parseExpression(text) else {
          return property.expression.map { "\(property.name): \($0)" }
        }
        let form = expression.coreDataForm(steps)
        let start = defaults.first { $0.0 == property.name }?.1
        if form == .constant(.null) ? start == nil : form.constantText == start?.text && start != nil {
          return nil
        }
        return "\(property.name): \(form)"
      }
      let filter = mapping.filter.flatMap { try? parsePredicate($0) }.map { "\($0)" } ?? mapping.filter ?? ""
      let keys = (mapping.groupBy + [mapping.orderBy ?? ""]).map {
        (try? parseExpression($0))?.ofSource.description ?? $0
      }
      let parts = [
        mapping.step, filter, String(policy), (mapping.keep ?? .first).rawValue,
        mapping.onDrop?.rawValue ?? "",
      ]
      found[entity, default: []].insert((parts + keys + values.sorted()).joined(separator: "\n"))
    }
    return found
  }
}

extension CustomEntityMapping {
  fileprivate var step: String { "\(sourceEntityName ?? "") → \(destinationEntityName ?? "")" }
}

extension Expression {
  /// The expression with nothing in it that modelc only adds for convenience: lookups are calls of the migration manager,
  /// `coalesce` is a condition.
  ///
  /// - Parameter names: what stands for the names of entity mappings.
  package func coreDataForm(_ names: [String: String] = [:]) -> Expression {
    rewritten { part in
      guard case .function(var call) = part else { return part }
      switch (call.receiver, call.selector) {
      case (nil, "coalesce"):
        guard let last = call.arguments.last else { return .constant(.null) }
        return call.arguments.dropLast().reversed().reduce(last) { otherwise, value in
          .conditional(.comparison(ComparisonPredicate(value, .equalTo, .constant(.null))), otherwise, value)
        }
      case (nil, "destinationInstances"), (.variable("manager"), lookupSelector):
        if case .constant(.string(let name))? = call.arguments.first, let step = names[name] {
          call.arguments[0] = .constant(.string(step))
        }
        return .function(FunctionCall(receiver: .variable("manager"), lookupSelector, call.arguments))
      default: return part
      }
    }
  }

  /// Functions in it that Core Data does not have.
  package var functionsOfModelc: [String] {
    functionSelectors.filter { PredefinedFunction.named($0)?.origin != .coreData }.unique
  }

  /// A bare key means the source object.
  fileprivate var ofSource: Expression {
    if case .keyPath(let keys, nil) = self { .keyPath(keys, of: .variable("source")) } else { self }
  }

  /// The text of a literal.
  fileprivate var constantText: String? {
    switch self {
    case .constant(.boolean(let flag)): AttributeValue.boolean(flag).text
    case .constant(.integer(let number)): "\(number)"
    case .constant(.decimal(let number)): AttributeValue.double(number.doubleValue).text
    case .constant(.string(let text)): text
    default: nil
    }
  }
}
