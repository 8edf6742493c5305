/// A table for the function `lookup`, as a mapping file has it: each value by its key.
struct LookupTable {
  let rows: [String: String]

  /// The type of the values: numbers where all of them are written as numbers are, else text. `004` is text, which as a
  /// number would lose its zeros.
  var valueType: ExpressionType {
    !rows.isEmpty && rows.values.allSatisfy { number($0) != nil && !$0.isPadded } ? .number : .string
  }

  /// The keys that no value of a type can equal, and those that equal another one, as `1` and `1.0` do.
  func deadKeys(for type: ExpressionType) -> [String] {
    var seen: Set<ConstantValue> = []
    return rows.keys.sorted { ($0.count, $0) < ($1.count, $1) }.filter { text in
      key(text, as: type).map { !seen.insert($0).inserted } ?? true
    }
  }

  /// What a key is compared as; nil if no value of the type can equal it.
  private func key(_ text: String, as type: ExpressionType) -> ConstantValue? {
    switch type {
    case .number: return number(text)
    case .boolean:
      switch text.lowercased() {
      case "true", "yes", "1": return .boolean(true)
      case "false", "no", "0": return .boolean(false)
      default: return nil
      }
    // A date has no text of its own, and an object none at all.
    case .date, .binary, .object, .destinationObject, .collection, .composite: return nil
    case .unknown, .null: return rows.keys.allSatisfy { number($0) != nil } ? number(text) : .string(text)
    default: return .string(text)
    }
  }

  /// The value of a key as a tree of conditions of depth log₂ n: `TERNARY(key IN {half}, …, …)`.
  func choice(by key: Expression, of type: ExpressionType) -> Expression {
    let isNumber = valueType == .number
    let entries = rows.sorted { $0.key < $1.key }.compactMap { entry -> Entry? in
      self.key(entry.key, as: type).map {
        ($0, isNumber ? number(entry.value) ?? .null : .string(entry.value))
      }
    }
    return choice(among: entries[...], by: key)
  }

  private typealias Entry = (key: ConstantValue, value: ConstantValue)

  private func choice(among entries: ArraySlice<Entry>, by key: Expression) -> Expression {
    guard let first = entries.first else { return .constant(.null) }
    if entries.count == 1 {
      return .conditional(
        .comparison(ComparisonPredicate(key, .equalTo, .constant(first.key))), .constant(first.value),
        .constant(.null))
    }
    let middle = entries.startIndex + entries.count / 2
    let keys = entries[..<middle].map { Expression.constant($0.key) }
    return .conditional(
      .comparison(ComparisonPredicate(key, .in, .aggregate(keys))),
      choice(among: entries[..<middle], by: key), choice(among: entries[middle...], by: key))
  }

  /// `1.0` is the number 1; a double tells that of numbers that it holds exactly.
  private func number(_ text: String) -> ConstantValue? {
    if let whole = Int64(text) { return .integer(whole) }
    guard let decimal = DecimalText(text) else { return nil }
    let double = decimal.doubleValue
    return abs(double) < 1e15
      ? Int64(exactly: double).map { .integer($0) } ?? .decimal(decimal) : .decimal(decimal)
  }
}

extension String {
  /// Whether a zero stands before another digit.
  fileprivate var isPadded: Bool { hasPrefix("0") && dropFirst().first?.isNumber == true }
}

extension Expression {
  /// Whether values come from tables, where a key may be missing on purpose, and from no other conversion.
  package var readsTablesAlone: Bool {
    let reading = functionSelectors.filter { PredefinedFunction.named($0)?.reads == true }
    return Set(reading) == [PredefinedFunction.found.selector]
  }

  /// The expression with every `lookup("table", key)` written out, so that what carries it out need not know tables:
  /// ``PredefinedFunction/found`` of the key and its value. A key that is not in the table gives nil.
  func withoutLookups(
    _ tables: [String: [String: String]], keyType: (Expression) -> ExpressionType
  ) -> Expression {
    rewritten { part in
      guard case .function(let call) = part, call.receiver == nil, call.selector == "lookup",
        call.arguments.count == 2, case .constant(.string(let name)) = call.arguments[0],
        let rows = tables[name]
      else { return part }
      let key = call.arguments[1]
      let value = LookupTable(rows: rows).choice(by: key, of: keyType(key))
      return .function(FunctionCall(PredefinedFunction.found.selector, [key, value]))
    }
  }
}
