extension [String: String] {
  /// The type of a table's values: numbers where all of them are numbers, else text.
  var lookupType: ExpressionType {
    !isEmpty && values.allSatisfy { number($0) != nil } ? .number : .string
  }
}

extension Expression {
  /// The expression with every `lookup("table", key)` written out, so that what carries it out need not know tables.
  ///
  /// A table of n keys becomes a tree of conditions of depth log₂ n: `TERNARY(key IN {half}, …, …)`. A key that is not
  /// in the table gives nil; keys compare as numbers where all of them are numbers and the key is none of text.
  ///
  /// - Parameter isText: whether a key expression gives text.
  func withoutLookups(_ tables: [String: [String: String]], isText: (Expression) -> Bool) -> Expression {
    rewritten { part in
      guard case .function(let call) = part, call.receiver == nil, call.selector == "lookup",
        call.arguments.count == 2, case .constant(.string(let name)) = call.arguments[0],
        let table = tables[name]
      else { return part }
      let key = call.arguments[1]
      let hasNumbers = !isText(key) && table.keys.allSatisfy { number($0) != nil }
      let isNumber = table.lookupType == .number
      let rows = table.sorted { $0.key < $1.key }.map { entry in
        TableRow(
          key: hasNumbers ? number(entry.key) ?? .null : .string(entry.key),
          value: isNumber ? number(entry.value) ?? .null : .string(entry.value))
      }
      return choice(among: rows[...], by: key)
    }
  }
}

private struct TableRow {
  var key: ConstantValue
  var value: ConstantValue
}

private func choice(among rows: ArraySlice<TableRow>, by key: Expression) -> Expression {
  guard let first = rows.first else { return .constant(.null) }
  if rows.count == 1 {
    return .conditional(
      .comparison(ComparisonPredicate(key, .equalTo, .constant(first.key))), .constant(first.value),
      .constant(.null))
  }
  let middle = rows.startIndex + rows.count / 2
  let keys = rows[..<middle].map { Expression.constant($0.key) }
  return .conditional(
    .comparison(ComparisonPredicate(key, .in, .aggregate(keys))), choice(among: rows[..<middle], by: key),
    choice(among: rows[middle...], by: key))
}

private func number(_ text: String) -> ConstantValue? {
  Int64(text).map(ConstantValue.integer) ?? DecimalText(text).map(ConstantValue.decimal)
}
