import ManagedModel
import PersistentStore

extension Verification {
  /// Whether SQLite's own check failed, so that nothing else was looked at.
  var isDamaged: Bool {
    findings.contains { [.malformedStore, .foreignWriteAheadLog].contains($0.diagnostic.code) }
  }

  /// The version's name with its model's, or what stands in for it.
  var subjectText: String {
    switch yardstick {
    case .version(let match): "\(match.versionName) of \(match.modelName)"
    case .storeModel: "checked against the model that it carries"
    case nil: isDamaged ? "a damaged store" : "of no known version"
    }
  }

  /// What was checked, and how much of it is wrong. The findings themselves follow as diagnostics.
  func text(store: String, seconds: Double) -> String {
    var lines = ["\(store.printable): \(subjectText)"]
    let extent = self.extent
    if yardstick != nil {
      var table = TextTable(.left, .left)
      table.append("SQLite", "\(integrityCheck.rawValue) check passed")
      table.append(
        "Schema",
        [
          counted(extent.tables, "table"), counted(extent.joinTables, "join table"),
          counted(extent.columns, "column"), counted(extent.indexes, "index", plural: "indexes"),
        ].joined(separator: ", "))
      let entities = self.entities.count { $0.rows > 0 }
      table.append(
        "Objects", "\(grouped(extent.objects)) of \(counted(entities, "entity", plural: "entities"))")
      table.append("References", grouped(extent.references))
      table.append("Rules", "\(grouped(extent.rules)), each over every row of its table")
      if extent.externalFiles > 0 { table.append("Files", counted(extent.externalFiles, "external file")) }
      lines += table.lines(indent: 2)
    }
    let findings = summary(of: self.findings.map(\.diagnostic))
    lines.append("\(findings.prefix(1).uppercased())\(findings.dropFirst()) in \(seconds.humanDuration)")
    return lines.shownLines
  }
}
