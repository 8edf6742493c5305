import ManagedModel
import PersistentStore

extension Survey {
  /// Tables of versions on the way that are called what something of the app's own is called: SQLite has each name once.
  func takenNames(for versions: [ModelVersion]) -> [Diagnostic] {
    let schema = path.first.map { physical.bound(to: $0.model).schema }
    var known = Set(schema?.tableNames.map { $0.uppercased() } ?? [])
    let own = (physical.tables.map(\.name) + physical.viewNames).filter { !known.contains($0.uppercased()) }
    return versions.flatMap { version in
      layOutStore(for: restricted(version).model, frameworkVersion: frameworkVersion).tableNames.filter {
        known.insert($0.uppercased()).inserted
      }.compactMap { name in
        own.first { $0.caseInsensitivelyEquals(name) }.map { name -> Diagnostic in
          let kind = physical.viewNames.contains(name) ? "view" : "table"
          return Diagnostic(
            .unknownSchemaObjects, .error,
            "'\(store)' has a \(kind) '\(name)' that is in no model, but '\(version.name)' needs a table of that name",
            subject: ModelSubject(version: version.name), notes: ["the store is unchanged"],
            help: [
              "rename the \(kind), or remove it, with the code that creates it, if the app does not need it"
            ])
        }
      }
    }
  }
}

extension Diagnostic {
  /// A finding that tables are not those of the version that the metadata name, with whose they are.
  func namingTables(of physical: PhysicalSchema, among versions: [ModelVersion]) -> Diagnostic {
    let fitting = versions.filter { !physical.bound(to: $0.model).diagnostics.hasErrors }.map(\.name)
    let note =
      fitting.isEmpty
      ? "its tables match no version here"
      : "its tables are those of \(fitting.prefix(5).map { "'\($0)'" }.joined(separator: ", ")): a migration that did not finish, or an edit by hand, wrote metadata of other versions"
    return with { $0.notes.append(Note(note)) }
  }
}
