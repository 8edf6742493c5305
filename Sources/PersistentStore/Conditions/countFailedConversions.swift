package import GRDB
package import ManagedModel

extension Database {
  /// Counts the objects of an entity for which an expression gives nil although a conversion had a value: a text that is no
  /// number, a date of another format.
  ///
  /// The connection needs the functions of ``RowCompiler``.
  ///
  /// - Parameters:
  ///   - compiler: of the entity, without expressions.
  ///   - keys: a query of the primary keys that are looked at; nil for all.
  ///   - key: the last primary key that is looked at; nil for all.
  /// - Returns: nil for an expression that has no form in SQL.
  /// - Throws: ``EvaluationError`` where the expression takes no value for an object.
  package func countFailedConversions(
    of expression: Expression, as attribute: AttributeDescription, by compiler: RowCompiler,
    where filter: Predicate?, among keys: String? = nil, upTo key: Int64? = nil
  ) throws -> KeySample? {
    // What is the same for all objects; a path converts if its end is of another type: text to a UUID.
    switch expression {
    case .constant, .variable: return KeySample()
    default: break
    }
    var compiler = compiler
    let inputs = expression.convertedInputs
    var (taken, failing): ([String], [String]) = ([], [])
    var computed = ""
    do throws(NotExpressibleInSQL) {
      let value = try compiler.value(expression, as: attribute)
      let given = try inputs.map { input throws(NotExpressibleInSQL) in
        "(\(try compiler.plainValue(input))) IS NOT NULL"
      }
      computed = value
      if !given.isEmpty { failing = ["(\(value)) IS NULL", "(\(given.balanced(" OR ")))"] }
      if let filter { taken.append(try compiler.filter(filter)) }
    } catch {
      return nil
    }
    // SQLite's own functions refuse nothing but sums: `a || b` of a million rows need not be computed to learn that.
    let mayFail = ["modelc_", "SUM("].contains { computed.contains($0) }
    guard compiler.parameters.isEmpty else { return nil }
    guard !inputs.isEmpty || mayFail else { return KeySample() }
    taken.insert(compiler.isOfEntity(includesSubentities: false), at: 0)
    if let keys { taken.append("t0.Z_PK IN (\(keys))") }
    if let key { taken.insert("t0.Z_PK <= \(key)", at: 0) }
    let rows = "FROM \(compiler.from) WHERE \((taken + failing).joined(separator: " AND "))"
    do {
      // What converts nothing loses nothing, and is evaluated for what it cannot take.
      let counted = inputs.isEmpty ? "COUNT(\(computed)) * 0" : "COUNT(*)"
      let count = try Int.fetchOne(self, sql: "SELECT \(counted) \(rows)") ?? 0
      if count == 0 { return KeySample() }
      return KeySample(count, try values("SELECT t0.Z_PK \(rows) ORDER BY t0.Z_PK LIMIT 5"))
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw EvaluationError(error.message ?? "")
    }
  }
}

extension Expression {
  /// What its functions read as values, or look up.
  package var convertedInputs: [Expression] {
    allParts.compactMap { part -> Expression? in
      guard case .function(let call) = part else { return nil }
      return PredefinedFunction.named(call.selector)?.reads == true ? call.arguments.first : nil
    }
  }
}
