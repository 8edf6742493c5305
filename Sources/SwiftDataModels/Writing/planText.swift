import ManagedModel

/// The `SchemaMigrationPlan` of a model's versions.
///
/// A step with work of its own is a custom stage, whose closures the app has to write.
///
/// - Parameter work: a line each, by the names of the versions that the step leads from and to.
func planText(of model: VersionedModel, _ names: SchemaNames, _ work: [[String]: [String]]) -> String {
  let schemas = model.versions.compactMap { names[$0.name]?.name }
  let stages = model.versions.flatMap { version in
    model.predecessors(of: version).flatMap { before -> [String] in
      guard let from = names[before.name]?.name, let to = names[version.name]?.name else { return [] }
      var comments = work[[before.name, version.name]] ?? []
      var isCustom = !comments.isEmpty
      if let stage = model.customStage(from: before, to: version) {
        isCustom = true
        if let handler = stage.willMigrateHandler { comments.append("willMigrate: \(handler)") }
        if let handler = stage.didMigrateHandler { comments.append("didMigrate: \(handler)") }
      }
      if !version.allowsInference, !isCustom {
        isCustom = true
        comments.append("The mapping of this step is not inferred.")
      }
      let step = "fromVersion: \(from).self, toVersion: \(to).self"
      return comments.map { "// \($0.visible)" }
        + [isCustom ? ".custom(\(step), willMigrate: nil, didMigrate: nil)," : ".lightweight(\(step)),"]
    }
  }
  let list = stages.isEmpty ? ["[]"] : ["["] + stages.map { "    " + $0 } + ["]"]
  let availability = model.versions.lazy.map(\.model.availability).first { !$0.isEmpty } ?? []
  // Its schemas stay in its own module.
  let access = model.isPublic ? "public " : ""
  return availability.map { "\($0)\n" }.joined() + """
    \(access)enum \(names.plan): SchemaMigrationPlan {
        \(access)static var schemas: [any VersionedSchema.Type] {
    \((schemas.map { "\($0).self" }).listLines.map { "        \($0)\n" }.joined())    }

        \(access)static var stages: [MigrationStage] {
    \(list.map { "        \($0)\n" }.joined())    }
    }

    """
}

extension [String] {
  /// A list of source in brackets, on one line where it is short.
  var listLines: [String] {
    let line = "[\(joined(separator: ", "))]"
    return line.utf8.count < 90 ? [line] : ["["] + map { "    \($0)," } + ["]"]
  }
}
