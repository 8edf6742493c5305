package import ManagedModel

extension SelectedRows {
  /// The connection needs the functions of ``RowCompiler``.
  ///
  /// - Returns: nil if the predicate has no form in SQL.
  package init?(
    ofEntity entity: String, where filter: Predicate, schema: StoreSchema, model: ManagedObjectModel
  ) {
    guard var compiler = try? RowCompiler(entity, schema: schema, model: model),
      let condition = try? compiler.filter(filter), compiler.parameters.isEmpty
    else { return nil }
    self.init(sql: "SELECT t0.Z_PK FROM \(compiler.from) WHERE \(condition)")
  }
}
