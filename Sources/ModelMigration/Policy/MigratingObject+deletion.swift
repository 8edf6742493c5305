import ManagedModel
import PersistentStore

extension MigratingObject {
  /// The object and all that go with it by the rule `cascade`.
  ///
  /// - Throws: ``PolicyMisuse`` where a rule `deny` of one of them speaks against it.
  func removedByRules() throws -> [MigratingObject] {
    var (removed, seen, denied) = ([self], Set([objectID]), [(MigratingObject, String)]())
    // It grows while it is gone through.
    var place = 0
    while place < removed.count {
      let object = removed[place]
      for relationship in object.entity.relationships where object.shape.properties[relationship.name] != nil
      {
        switch relationship.deleteRule {
        case .cascade:
          removed += try object.relatedObjects(relationship.name).filter { seen.insert($0.objectID).inserted }
        case .deny: denied.append((object, relationship.name))
        case .nullify, .noAction: break
        }
      }
      place += 1
    }
    for (object, name) in denied
    where try object.relatedObjects(name).contains(where: { !seen.contains($0.objectID) }) {
      throw PolicyMisuse(
        "object \(object.key) of '\(object.shape.name)' cannot be deleted: its '\(name)' leads to objects, and the delete rule is deny",
        help: ["delete those first, or take them out of the relationship"])
    }
    return removed
  }
}
