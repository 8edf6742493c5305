/// Entities that a version says again, word for word, after an earlier one: what was found out about them there need
/// not be found out once more.
package struct RepeatedEntities: Sendable {
  private let earlierVersion: ModelVersion.Identity
  let earlierHashes: [String: VersionHash]
  /// By an entity's place in the model.
  private let isRepeated: [Bool]

  /// - Parameter isRepeated: for each entity of the later model, whether it is one of the earlier version's, the same
  ///   in every byte. No name may occur twice in either model.
  package init(of earlier: ModelVersion, isRepeated: [Bool]) {
    earlierVersion = earlier.identity
    earlierHashes = earlier.entityVersionHashesByName
    self.isRepeated = isRepeated
  }

  package func areRepeated(from version: ModelVersion) -> Bool { earlierVersion === version.identity }

  /// Whether the entity at that place of the model is the same in the earlier version.
  package func includeEntity(at place: Int) -> Bool {
    isRepeated.indices.contains(place) && isRepeated[place]
  }

  /// Whether an entity and all its ancestors are repeated, and none of them has a composite, which the model describes
  /// elsewhere.
  package func includeLineage(ofEntityAt place: Int, in hierarchy: EntityHierarchy) -> Bool {
    let entities = hierarchy.model.entities
    guard isRepeated.count == entities.count else { return false }
    var isRooted = false
    for ancestor in hierarchy.lineageIndexes(from: place) {
      let attributes = entities[ancestor].attributes
      guard isRepeated[ancestor], !attributes.indices.contains(where: { attributes[$0].type == .composite })
      else { return false }
      isRooted = entities[ancestor].superentityName == nil
    }
    return isRooted
  }
}

extension ModelVersion {
  /// What copies of one version have in common: the same model.
  package final class Identity: Sendable {
    init() {}
  }
}
