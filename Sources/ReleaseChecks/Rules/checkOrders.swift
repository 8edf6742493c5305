import ManagedModel
import ModelMigration

extension VersionStep {
  /// Orders that users gave to-many relationships, and which do not go on with the links (MC3125).
  func checkOrders() -> [Diagnostic] {
    // Most steps have no ordered relationship that changes.
    lazy var told = removals().map(\.name)
    lazy var links = MappedLinks(mapping, from: before, to: after)
    return changedEntities.flatMap { pair in
      pair.old.relationships.filter { $0.isToMany && $0.isOrdered && !$0.isTransient }.compactMap { former in
        let name = "\(pair.old.name).\(former.name)"
        let heir = mapping(toEntity: pair.new.name)?.relationshipMappings
          .first { $0.value.sourceName == former.name }?.name
        let isOrdered = heir.flatMap { after.relationship(named: $0, of: pair.new.name) }?.isOrdered == true
        // Objects whose entity leaves the list stay linked by their own side.
        let leaving: [String] =
          !isOrdered
          ? []
          : links.pairs((pair.old.name, former.destinationEntityName)) { from, to in
            before.entity(named: to)?.isAbstract == false
              && links.carries(former, from: from, to: to) && !links.keepsOrder(of: former, (from, to))
          }.map(\.to).unique
        if isOrdered && leaving.isEmpty || told.contains(name) || told.contains(former.destinationEntityName)
          || isWritten(pair.old.name)
        {
          return nil
        }
        // Its name and order are there, and its objects come from the other side.
        let isJoined =
          heir == nil && after.relationship(named: former.name, of: pair.new.name)?.isOrdered == true
        let part = leaving.isEmpty ? "" : "\(leaving.quoted()) in "
        return Diagnostic(
          .orderDropped, .warning,
          "the order of \(part)'\(name)' is dropped: '\(new.name)' "
            + (isJoined
              ? "has objects of several entities in it, ordered by primary key"
              : "keeps the objects unordered"),
          subject: subject(pair.new.name, heir), notes: ["users chose it by hand, and nothing restores it"],
          help: [
            isJoined || isOrdered
              ? "save the positions in an attribute before this version, or map the step yourself"
              : heir == nil
                ? "if it was renamed, " + new.notation.renamingAdvice(nil, formerly: former.canonicalName)
                : "keep it ordered, or save the positions in an attribute before this version"
          ])
      }
    }
  }
}
