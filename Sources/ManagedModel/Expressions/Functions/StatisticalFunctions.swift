extension PredefinedFunction {
  /// Functions of one collection, or of the arguments themselves.
  static let statistics: [PredefinedFunction] = [
    PredefinedFunction("sum:", over: .sum, gives: .number) { try sum($0.values.flattened) },
    PredefinedFunction("count:", over: .count, gives: .integer) {
      .integer(Int64($0.values.count == 1 ? $0[0].elements.count : $0.values.count))
    },
    PredefinedFunction("min:", over: .minimum, gives: .element) {
      try $0.values.flattened.extreme($0.selector) { $0 < 0 }
    },
    PredefinedFunction("max:", over: .maximum, gives: .element) {
      try $0.values.flattened.extreme($0.selector) { $0 > 0 }
    },
    PredefinedFunction("average:", over: .average, gives: .number) { try $0.values.flattened.average() },
    PredefinedFunction("median:", "values", isVariadic: true, gives: .number, inRows: .aggregate) {
      try median($0.values.flattened)
    },
    PredefinedFunction("mode:", "values", isVariadic: true, gives: .unknown, inRows: .none) {
      mode($0.values.flattened)
    },
    PredefinedFunction("stddev:", "values", isVariadic: true, gives: .double, inRows: .aggregate) {
      try standardDeviation($0.values.flattened)
    },
  ]

  /// A function that is a collection operator of key paths as well.
  private init(
    _ selector: String, over collectionOperator: CollectionOperator, gives result: ResultType,
    evaluate: @escaping @Sendable (FunctionArguments) throws -> ExpressionValue
  ) {
    self.init(
      selector, "values", isVariadic: true, gives: result, inRows: .collection(collectionOperator),
      inFetch: .collection(collectionOperator), evaluate: evaluate)
  }
}

/// What `sum:`, `@sum` and the like take: nil is left out.
private func numbers(_ values: [ExpressionValue], _ operation: String) throws -> [Number] {
  try values.compactMap { value throws in try operand(operation, value) }
}

/// The sum, 0 of none: whole where all are, exact where all are decimals or whole.
func sum(_ values: [ExpressionValue]) throws -> ExpressionValue {
  try numbers(values, "sum").reduce(.integer(0)) { total, number throws in
    try calculate("+", total, number.value)
  }
}

extension [ExpressionValue] {
  /// The mean, nil of none: a decimal where one is and all others are whole, else a double.
  func average() throws -> ExpressionValue {
    let numbers = try numbers(self, "average")
    guard !numbers.isEmpty else { return .null }
    let total = try sum(self)
    let count = ExpressionValue.integer(Int64(numbers.count))
    if case .integer(let whole) = total { return try calculate("/", .double(Double(whole)), count) }
    return try calculate("/", total, count)
  }

  /// The first of the least or of the greatest values, nil of none.
  func extreme(_ operation: String, _ isBetter: (Int) -> Bool) throws -> ExpressionValue {
    try reduce(.null) { best, value throws in
      if best.isNull { return value }
      guard let order = try order(value, best, operation: operation) else { return best }
      return isBetter(order) ? value : best
    }
  }
}

/// The value in the middle of all in order, or the mean of the two there; nil of none.
private func median(_ values: [ExpressionValue]) throws -> ExpressionValue {
  let numbers = try numbers(values, "median:").sorted { (Number.order($0, $1) ?? 0) < 0 }
  guard !numbers.isEmpty else { return .null }
  let middle = numbers.count / 2
  return numbers.count % 2 == 1
    ? numbers[middle].value : try [numbers[middle - 1].value, numbers[middle].value].average()
}

/// The values that occur most often, in order of their first appearance.
private func mode(_ values: [ExpressionValue]) -> ExpressionValue {
  var counts: [ValueKey: Int] = [:]
  for value in values where !value.isNull { counts[ValueKey(value), default: 0] += 1 }
  let most = counts.values.max()
  let modes = values.distinct.filter { counts[ValueKey($0)] == most && !$0.isNull }
  return .collection(ValueCollection(modes))
}

/// The standard deviation of the values as a whole population; nil of none.
private func standardDeviation(_ values: [ExpressionValue]) throws -> ExpressionValue {
  let numbers = try numbers(values, "stddev:").map(\.doubleValue)
  guard !numbers.isEmpty else { return .null }
  let mean = numbers.reduce(0, +) / Double(numbers.count)
  let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return .double((squares / Double(numbers.count)).squareRoot())
}
