package import ManagedModel

/// A fetch request as the statement that carries it out.
package struct CompiledFetch: Hashable, Sendable {
  package var sql: String
  /// Names of what the caller binds, as they stand in the statement after a colon, in order of appearance.
  package var parameters: [String]
}

extension FetchRequestDescription {
  /// Compiles a fetch request over the store's own tables.
  ///
  /// It has the meaning of a fetch, not of key-value coding. A comparison with a null is neither true nor false, so `!=` and
  /// `NOT` drop rows without a value. `ALL` of none is true. A variable of the predicate becomes a parameter of its name.
  ///
  /// - Parameter now: what `now()` gives, in seconds since 2001; nil if the caller binds it.
  /// - Throws: ``DiagnosticsError``: MC0101–MC0104 where the predicate cannot be read, MC1601–MC1606 where it does not
  ///   fit the model, MC1607 for what has no form in SQL.
  package func compiled(
    schema: StoreSchema, model: ManagedObjectModel, now: Double? = nil
  ) throws(DiagnosticsError) -> CompiledFetch {
    let hierarchy = EntityHierarchy(model)
    let predicate = try self.predicate.map { text throws(DiagnosticsError) in try parsePredicate(text) }
    if let predicate {
      let findings = checkPredicate(predicate, forEntity: entityName, in: hierarchy)
      try findings.filter { $0.severity == .error }.refuse()
    }
    do throws(NotExpressibleInSQL) {
      var compiler = FetchCompiler(try JoinScope(entityName, schema: schema, hierarchy: hierarchy))
      compiler.joins.now = now
      return try compiler.compile(self, predicate: predicate)
    } catch {
      throw DiagnosticsError(.noSQLForm(name, error.reason))
    }
  }
}

/// Compiles a validation rule, in which `SELF` is the value of an attribute, to a condition on that value.
///
/// - Returns: nil if the rule cannot be read, has no form in SQL, or asks for more than the value.
package func compileValidation(
  _ rule: String, value: SQLValue, ofEntity entity: String, schema: StoreSchema, hierarchy: EntityHierarchy
) -> String? {
  guard let predicate = try? parsePredicate(rule),
    let joins = try? JoinScope(entity, schema: schema, hierarchy: hierarchy)
  else { return nil }
  var compiler = FetchCompiler(joins)
  var row = joins.root
  row.value = value
  let condition = try? compiler.condition(predicate, row)
  return compiler.joins.parameters.isEmpty ? condition : nil
}

extension Diagnostic.Code { package static let noSQLForm = Self("MC1607") }

extension Diagnostic {
  static func noSQLForm(_ name: String, _ reason: String) -> Self {
    Self(
      .noSQLForm, .error, "the fetch request '\(name)' cannot be expressed in SQL: \(reason)",
      notes: ["a SQL store cannot run it; it can only filter objects in memory"],
      help: ["fetch by stored properties, and filter the result in memory"])
  }
}
