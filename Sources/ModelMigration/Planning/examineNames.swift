package import ManagedModel
import PersistentStore

extension StoreFile {
  /// Reports other names of a store's file (hard links), and what a migration does to them.
  ///
  /// - Returns: the finding (MC5309) that says so, or nothing where the file has one name.
  /// - Throws: the same where the file itself would be changed, unless that is asked for.
  func examineNames(route: MigrationRoute, options: MigrationOptions) throws -> [Diagnostic] {
    guard linkCount > 1 else { return [] }
    let (severity, meaning, help): (Diagnostic.Severity, Diagnostic.Note, [String]) =
      if route != .inPlace {
        (
          .warning, "'\(name)' becomes a new file; the other names still point to the old store",
          ["if another program opens it by another name, give that name to the migrated store too"]
        )
      } else if options.changesLinkedStores {
        (.warning, "the file itself is changed, under all of its names", [])
      } else {
        (
          .error,
          "an in-place migration changes the file under all of its names; nothing was written",
          [
            "'--route clone' leaves the other names with the old store",
            "'--force' changes the file under each of its names",
          ]
        )
      }
    let finding = Diagnostic(
      .severalNames, severity, "the file of '\(name)' has \(linkCount) names (hard links)",
      notes: [
        meaning,
        "SQLite names log and journal after the store: programs that open it by different names can damage it",
      ],
      help: help)
    if severity == .error { throw DiagnosticsError(finding) }
    return [finding]
  }
}

extension Diagnostic.Code {
  package static let severalNames = Self("MC5309")
}
