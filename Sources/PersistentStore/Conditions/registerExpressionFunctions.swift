import Foundation
package import GRDB
import ManagedModel

extension Database {
  /// Registers the functions that compiled value expressions call. Each is the evaluator's own, so that SQL and objects give
  /// the same answer. The kinds of the arguments are letters of ``ValueKind``.
  ///
  /// - `modelc_call(selector, kinds, …)`: a predefined function, or `+ - * / **`, where one argument with `-` is negated
  /// - `modelc_key(key, kind, value)`: what key-value coding reaches of a plain value
  /// - `modelc_compare(operator, options, kinds, left, right)`: a comparison, 1 or 0
  /// - `modelc_aggregate(selector, kind, value)`: `sum:`, `average:`, `median:`, `stddev:`; NULL of none
  /// - `modelc_random(selector, kinds, …)`: `uuid`, `random`, differently for every row
  /// - `modelc_store(type, external, kind, value)`: the value as an attribute's cell
  /// - `modelc_identity(…)`: a digest of cells, the same for the same cells; 1 and 1.0 are the same
  ///
  /// A value that an expression cannot take ends the statement with the evaluator's message. Those of
  /// ``registerFetchFunctions()`` come with them.
  package func registerExpressionFunctions() {
    registerFetchFunctions()
    let services = ExpressionServices()
    func add(
      _ name: String, _ count: Int?, pure: Bool = true,
      _ body: @escaping @Sendable ([DatabaseValue]) throws -> DatabaseValue
    ) {
      self.add(
        function: DatabaseFunction(name, argumentCount: count, pure: pure) { values in
          try refusing { try body(values) }
        })
    }
    add("modelc_call", nil) { try services.call($0) }
    add("modelc_random", nil, pure: false) { try services.call($0) }
    add("modelc_key", 3) { values in
      let value = try expressionValue(values[2], kinds: values[1], at: 0)
      let key = String.fromDatabaseValue(values[0]) ?? ""
      return try cell(of: evaluate(.keyPath([key], of: nil), on: value, in: services.context))
    }
    add("modelc_compare", 5) { try services.compare($0) }
    add("modelc_store", 4) { try stored($0) }
    add("modelc_identity", nil) { identity(of: $0).databaseValue }
    self.add(
      function: DatabaseFunction("modelc_aggregate", argumentCount: 3, aggregate: CollectingAggregate.self))
  }
}

/// What the functions of one connection share. A connection runs one statement at a time, on one thread.
private final class ExpressionServices: @unchecked Sendable {
  let context = EvaluationContext(now: 0)

  func call(_ values: [DatabaseValue]) throws -> DatabaseValue {
    let selector = String.fromDatabaseValue(values[0]) ?? ""
    var arguments: [ExpressionValue] = []
    for index in 2..<max(2, values.count) {
      arguments.append(try expressionValue(values[index], kinds: values[1], at: index - 2))
    }
    return try cell(of: context.callOperation(selector, arguments))
  }

  func compare(_ values: [DatabaseValue]) throws -> DatabaseValue {
    guard let comparison = String.fromDatabaseValue(values[0]).flatMap(ComparisonPredicate.Operator.init),
      let options = Int.fromDatabaseValue(values[1])
    else { return .null }
    let result = try expressionValue(values[3], kinds: values[2], at: 0).satisfies(
      comparison, try expressionValue(values[4], kinds: values[2], at: 1),
      options: ComparisonPredicate.Options(rawValue: options), patterns: context.patterns)
    return (result ? 1 : 0).databaseValue
  }
}

/// Collects the values of one group, as key-value coding has them in a collection.
private struct CollectingAggregate: DatabaseAggregate {
  private var selector = ""
  private var values: [ExpressionValue] = []

  mutating func step(_ cells: [DatabaseValue]) throws {
    if values.isEmpty { selector = String.fromDatabaseValue(cells[0]) ?? "" }
    values.append(try refusing { try expressionValue(cells[2], kinds: cells[1], at: 0) })
  }

  func finalize() throws -> (any DatabaseValueConvertible)? {
    guard !values.isEmpty else { return nil }
    return try refusing {
      try cell(of: EvaluationContext(now: 0).callOperation(selector, [.collection(ValueCollection(values))]))
    }
  }
}

/// Reads a cell as the kind that the compiler knows.
private func expressionValue(
  _ cell: DatabaseValue, kinds: DatabaseValue, at index: Int
) throws -> ExpressionValue {
  if cell.isNull { return .null }
  let letters = Array(String.fromDatabaseValue(kinds) ?? "")
  guard letters.indices.contains(index), let kind = ValueKind(rawValue: letters[index]),
    let value = expressionValue(cell, kind)
  else { throw EvaluationError("a cell has a value of a different type than its attribute") }
  return value
}

/// A value as a cell of an attribute of the type.
private func stored(_ values: [DatabaseValue]) throws -> DatabaseValue {
  guard let type = Int32.fromDatabaseValue(values[0]).flatMap(AttributeType.init) else { return .null }
  let attribute = AttributeDescription(
    name: "", type: type, allowsExternalBinaryDataStorage: Bool.fromDatabaseValue(values[1]) ?? false)
  guard let value = try expressionValue(values[3], kinds: values[2], at: 0).attributeValue(as: type) else {
    return .null
  }
  // The compiled call is cast to text.
  if type.isText, value.text.utf8.contains(0) { return Data(value.text.utf8).databaseValue }
  guard let cell = storedCell(value, of: attribute) else {
    throw EvaluationError("the value does not fit an attribute of type \(type.name)")
  }
  return cell.databaseValue
}

/// Lengths stand before what has one, so that no two rows of cells are written alike.
private func identity(of cells: [DatabaseValue]) -> Data {
  var data = Data()
  for cell in cells {
    switch cell.storage {
    case .null: data.append(0)
    case .int64(let number): data.append(contentsOf: "i\(number);".utf8)
    case .double(let value):
      data.append(contentsOf: (Int64(exactly: value).map { "i\($0);" } ?? "d\(value.bitPattern);").utf8)
    case .string(let text): data.append(contentsOf: "s\(text.utf8.count);\(text)".utf8)
    case .blob(let bytes):
      data.append(contentsOf: "b\(bytes.count);".utf8)
      data.append(bytes)
    }
  }
  return Data(SHA256.digest(of: data))
}
