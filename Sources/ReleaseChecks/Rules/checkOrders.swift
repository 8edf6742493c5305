import ManagedModel
import ModelMigration

extension VersionStep {
  /// Orders that users gave to-many relationships, and which do not go on with the links (MC3125).
  func checkOrders() -> [Diagnostic] {
    let told = removals()
    return changedEntities.flatMap { pair -> [Diagnostic] in
      if written.contains(where: { $0.sourceEntityName == pair.old.name }) { return [] }
      return pair.old.relationships.compactMap { former in
        guard former.isToMany, former.isOrdered, !former.isTransient,
          !told.contains(where: {
            [former.destinationEntityName, "\(pair.old.name).\(former.name)"].contains($0.name)
          })
        else { return nil }
        let heir = mapping(toEntity: pair.new.name)?.relationshipMappings
          .first { $0.value.sourceName == former.name }?.name
        let isOrdered = heir.flatMap { after.relationship(named: $0, of: pair.new.name) }?.isOrdered
        return isOrdered == true ? nil : .orderGoes(former.name, of: pair.new.name, heir, self)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func orderGoes(
    _ former: String, of entity: String, _ heir: String?, _ step: VersionStep
  ) -> Self {
    Self(
      .orderDropped, .warning,
      heir == nil
        ? "the objects of '\(entity).\(former)' go on by its inverse alone, without their order"
        : "'\(entity).\(former)' was ordered in '\(step.old.name)', and is not any more",
      subject: step.subject(entity, heir),
      notes: ["no object is lost, but the order that users gave them is"],
      help: [
        heir == nil
          ? "if it was renamed, " + step.new.notation.renamingAdvice(nil, formerly: former)
          : "keep it ordered, or write the places into an attribute before this version"
      ])
  }
}
