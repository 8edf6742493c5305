package import ManagedModel

extension VersionStep {
  /// Entities with many-to-many relationships whose numbers change (MC7006). The names of those relationships' tables
  /// contain the numbers.
  func checkRenumbering() -> [Diagnostic] {
    let (now, before) = (numbers(after), numbers(self.before))
    let shifted = keptEntities.filter { pair in
      guard let number = now[pair.new.name], let former = before[pair.old.name], number != former else {
        return false
      }
      return pair.new.relationships.contains { relationship in
        relationship.isToMany && after.inverse(of: relationship)?.isToMany == true
      }
    }.map(\.new.name)
    guard !shifted.isEmpty else { return [] }
    return [Diagnostic](
      .renumbering, .information,
      "the numbers of \(shifted.quoted()) shift, and with them the names of their many-to-many tables",
      subject: subject(shifted.first), related: shifted.dropFirst().prefix(7).map { subject($0) },
      notes: ["Core Data renames them too; some of its releases have failed with 'no such column: Z_…'"],
      help: [
        "keep a store of '\(old.name)' (`modelc release --fixture 1000 \(old.name.shellWord)`), and try the app on it"
      ])
  }
}

private func numbers(_ hierarchy: EntityHierarchy) -> [String: Int] {
  Dictionary(firstOf: hierarchy.namesInNumberingOrder.enumerated().map { ($0.element, $0.offset + 1) })
}

extension Diagnostic.Code { package static let renumbering = Self("MC7006") }
