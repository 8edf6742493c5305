/// `collection[index]`, `dictionary['key']`.
func element(of collection: ExpressionValue, at index: ExpressionValue) throws -> ExpressionValue {
  switch (collection, index) {
  case (.null, _): return .null
  case (.dictionary(let entries), .string(let key)): return entries[key] ?? .null
  case (.collection(let collection), .integer(let position)):
    guard let position = Int(exactly: position), collection.elements.indices.contains(position) else {
      throw EvaluationError(
        "the index is beyond the \(collection.elements.count) elements of the collection",
        help: ["'[FIRST]' and '[LAST]' of an empty collection are nil"])
    }
    return collection.elements[position]
  case (.collection, _): throw EvaluationError.wrongType("[…]", takes: "a whole number", index)
  case (.dictionary, _): throw EvaluationError.wrongType("[…]", takes: "a string", index)
  default: throw EvaluationError.wrongType("[…]", takes: "a collection", collection)
  }
}

extension [ExpressionValue] {
  /// With the elements of every collection in it, at any depth, in place of the collection.
  var flattened: [ExpressionValue] {
    flatMap { value -> [ExpressionValue] in
      if case .collection(let collection) = value { collection.elements.flattened } else { [value] }
    }
  }

  /// The first of each, where several are equal.
  var distinct: [ExpressionValue] { unique { ValueKey($0) } }
}
