extension Evaluator {
  /// Follows keys one by one: from nil to nil, from a collection to what each of its elements has.
  func follow(_ keys: ArraySlice<String>, from start: ExpressionValue) throws -> ExpressionValue {
    var value = start
    var rest = keys
    while let key = rest.popFirst() {
      if let aggregate = CollectionOperator(rawValue: key) {
        return try apply(aggregate, to: value, operand: rest)
      }
      value = try step(key, from: value)
    }
    return value
  }

  private func step(_ key: String, from value: ExpressionValue) throws -> ExpressionValue {
    try budget.spend()
    switch value {
    case .null: return .null
    case .object(let object): return key == "self" ? value : try object.expressionValue(forKey: key)
    case .dictionary(let entries): return entries[key] ?? .null
    case .collection(let collection):
      // A value for each element, also where several have the same one, so that `sum:(songs.length)` and
      // `songs.@sum.length` agree.
      let found = try collection.elements.map { element throws in try step(key, from: element) }
      return .collection(ValueCollection(found))
    default: return try value.valueOfPlain(forKey: key)
    }
  }

  /// An operator takes the rest of the path, which leads from each element.
  private func apply(
    _ aggregate: CollectionOperator, to collection: ExpressionValue, operand keys: ArraySlice<String>
  ) throws -> ExpressionValue {
    switch collection {
    case .null, .collection: break
    default: throw EvaluationError.wrongType(aggregate.rawValue, takes: "a collection before it", collection)
    }
    if aggregate == .count, keys.isEmpty { return .integer(Int64(collection.elements.count)) }
    let values = try collection.elements.map { element throws in try follow(keys, from: element) }
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    case .sum: return try sum(values.flattened)
    case .average: return try average(values.flattened)
    case .minimum: return try least(values.flattened, operation: "@min")
    case .maximum: return try greatest(values.flattened, operation: "@max")
    case .unionOfObjects: return .collection(ValueCollection(values.filter { !$0.isNull }))
    case .distinctUnionOfObjects: return .collection(ValueCollection(values.filter { !$0.isNull }.distinct))
    case .unionOfArrays: return .collection(ValueCollection(values.flatMap(\.elements)))
    case .distinctUnionOfArrays: return .collection(ValueCollection(values.flatMap(\.elements).distinct))
    case .distinctUnionOfSets: return .collection(ValueCollection(values.flatMap(\.elements), as: .set))
    }
  }

  mutating func value(at position: Expression.Subscript, of base: Expression) throws -> ExpressionValue {
    let collection = try value(of: base)
    switch position {
    case .first: return try elements(collection).first ?? .null
    case .last: return try elements(collection).last ?? .null
    case .size: return .integer(Int64(try elements(collection).count))
    case .expression(let index): return try element(of: collection, at: try value(of: index))
    }
  }

  private func elements(_ collection: ExpressionValue) throws -> [ExpressionValue] {
    switch collection {
    case .null, .collection: return collection.elements
    default: throw EvaluationError.wrongType("[…]", takes: "a collection", collection)
    }
  }

  /// `UNION`, `INTERSECT`, `MINUS`: in the order of the left side.
  func combine(
    _ sign: Expression.SetOperator, _ left: ExpressionValue, _ right: ExpressionValue
  ) throws -> ExpressionValue {
    let others = Set(right.elements.map(ValueKey.init))
    let elements: [ExpressionValue]
    switch sign {
    case .union: elements = left.elements + right.elements
    case .intersect: elements = left.elements.filter { others.contains(ValueKey($0)) }
    case .minus: elements = left.elements.filter { !others.contains(ValueKey($0)) }
    }
    return .collection(ValueCollection(elements, as: left.isOrdered ? .orderedSet : .set))
  }
}

extension ExpressionValue {
  fileprivate var isOrdered: Bool {
    if case .collection(let collection) = self { collection.kind != .set } else { false }
  }
}
