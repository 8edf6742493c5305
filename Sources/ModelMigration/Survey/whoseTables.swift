import ManagedModel
import PersistentStore

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
