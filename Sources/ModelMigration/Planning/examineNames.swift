package import ManagedModel
import PersistentStore

extension StoreFile {
  /// Reports other names of a store's file (hard links), and what a migration does to them.
  ///
  /// - Returns: the finding (MC5309) that says so, or nothing where the file has one name.
  /// - Throws: the same where the file itself would be changed, unless that is asked for.
  func examineNames(route: MigrationRoute, options: MigrationOptions) throws -> [Diagnostic] {
    guard linkCount > 1 else { return [] }
    guard route == .inPlace else { return [.otherNamesStay(name, linkCount)] }
    guard options.changesLinkedStores else {
      throw DiagnosticsError(.otherNamesChange(name, linkCount))
    }
    return [.otherNamesChanged(name, linkCount)]
  }
}

extension Diagnostic.Code {
  package static let severalNames = Self("MC5309")
}

extension Diagnostic {
  private static func severalNames(
    _ name: String, _ count: Int, _ severity: Severity, _ meaning: Note, help: [String]
  ) -> Self {
    Self(
      .severalNames, severity, "the file of '\(name)' has \(count) names (hard links)",
      notes: [
        meaning,
        "SQLite keeps log and journal by the name: programs that open it by different names can damage it",
      ],
      help: help)
  }

  fileprivate static func otherNamesStay(_ name: String, _ count: Int) -> Self {
    severalNames(
      name, count, .warning,
      "'\(name)' becomes a new file; the other names still point to the old store",
      help: ["where another program opens it by another name, give that name to the migrated store too"])
  }

  fileprivate static func otherNamesChange(_ name: String, _ count: Int) -> Self {
    severalNames(
      name, count, .error,
      "in place the file itself is changed, and with it what the other names lead to; nothing was written",
      help: [
        "'--route clone' leaves the other names with the old store",
        "'--force' changes the file under each of its names",
      ])
  }

  fileprivate static func otherNamesChanged(_ name: String, _ count: Int) -> Self {
    severalNames(
      name, count, .warning, "the file itself is changed, and with it what the other names lead to", help: [])
  }
}
