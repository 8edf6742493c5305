package import Expressions
package import GRDB
package import ManagedModel

/// Values that do not come along, with the first objects that have them.
package struct LostValues: Hashable, Sendable {
  package var count: Int
  /// Primary keys of the first objects.
  package var examples: [Int64]

  package init(count: Int, examples: [Int64]) {
    self.count = count
    self.examples = examples
  }
}

/// Counts the objects of an entity for which an expression gives nothing, though one of its conversions was given
/// something: a text that is no number, a date of another format.
///
/// The connection needs the functions of ``RowCompiler``.
///
/// - Parameter key: the last primary key that is looked at; nil for all.
/// - Returns: nil for an expression that converts nothing, or has no form in SQL.
/// - Throws: ``ConversionRefused`` where the expression takes no value for an object.
package func countFailedConversions(
  _ db: Database, of expression: Expression, as attribute: AttributeDescription, entity: String,
  where filter: Predicate?, upTo key: Int64? = nil, schema: StoreSchema, model: ManagedObjectModel
) throws -> LostValues? {
  let inputs = expression.convertedInputs
  guard !inputs.isEmpty, var compiler = try? RowCompiler(entity, schema: schema, model: model) else {
    return nil
  }
  let text = AttributeDescription(name: "", type: .string, isOptional: true)
  var conditions: [String] = []
  do throws(NoSQLForm) {
    let value = try compiler.value(expression, as: attribute)
    let given = try inputs.map { input throws(NoSQLForm) in
      "(\(try compiler.value(input, as: text))) IS NOT NULL"
    }
    conditions = ["(\(value)) IS NULL", "(\(given.joined(separator: " OR ")))"]
    if let filter { conditions.append(try compiler.filter(filter)) }
  } catch {
    return nil
  }
  guard compiler.parameters.isEmpty else { return nil }
  conditions.insert(compiler.isOfEntity(includesSubentities: false), at: 0)
  if let key { conditions.insert("t0.Z_PK <= \(key)", at: 0) }
  let rows = "FROM \(compiler.from) WHERE \(conditions.joined(separator: " AND "))"
  do {
    let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) \(rows)") ?? 0
    if count == 0 { return LostValues(count: 0, examples: []) }
    let keys = try Row.fetchAll(db, sql: "SELECT t0.Z_PK \(rows) ORDER BY t0.Z_PK LIMIT 5")
    return LostValues(count: count, examples: keys.compactMap { Int64.fromDatabaseValue($0[0]) })
  } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
    throw ConversionRefused(message: error.message ?? "")
  }
}

/// A value that an expression cannot take, in words.
package struct ConversionRefused: Error {
  package var message: String
}

extension Expression {
  /// What its functions `parseInt`, `parseDouble` and `parseDate` read.
  fileprivate var convertedInputs: [Expression] {
    var found: [Expression] = []
    _ = rewritten { part in
      if case .function(let call) = part, ["parseInt", "parseDouble", "parseDate"].contains(call.selector),
        let input = call.arguments.first
      {
        found.append(input)
      }
      return part
    }
    return found
  }
}
