/// Every difference of two models, in words, and which of them move which version hash.
///
/// Entities and properties match by canonical name, else by name. The result is empty exactly where the fingerprints are
/// equal. Entities come by name, each with its own facts first and its properties by name after; changes of no entity
/// come last.
///
/// Hashing tells whether a change moves a hash: the earlier model with just that change is hashed, and the later model
/// without it.
package func compareModels(from old: ManagedObjectModel, to new: ManagedObjectModel) -> [ModelChange] {
  compareModels(from: old, to: new) { (old.entityVersionHashesByName, new.entityVersionHashesByName) }
}

/// The same for two versions, whose hashes are known.
package func compareModels(from old: ModelVersion, to new: ModelVersion) -> [ModelChange] {
  // Recorded hashes may be others than those of the model.
  func hashes(_ version: ModelVersion) -> [String: VersionHash] {
    version.recordedHashes == nil
      ? version.entityVersionHashesByName : version.model.entityVersionHashesByName
  }
  return compareModels(from: old.model, to: new.model) { (hashes(old), hashes(new)) }
}

private func compareModels(
  from old: ManagedObjectModel, to new: ManagedObjectModel, hashes: () -> HashesOfBoth
) -> [ModelChange] {
  guard old != new else { return [] }
  let comparison = ModelComparison(from: old, to: new)
  let pending = comparison.entityChanges() + comparison.compositeChanges() + comparison.modelChanges()
  return comparison.withMovedHashes(pending, hashes())
}

/// The version hashes of two models by the entity's name.
typealias HashesOfBoth = (old: [String: VersionHash], new: [String: VersionHash])

/// Two models with their entities paired.
struct ModelComparison {
  let old: EntityHierarchy
  let new: EntityHierarchy
  let entities: Pairing<EntityDescription>

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.old = EntityHierarchy(old)
    self.new = EntityHierarchy(new)
    self.entities = Pairing(from: old.entities, to: new.entities)
  }

  /// What became of the entity: its later name.
  var newNames: [String: String] { Dictionary(firstOf: entities.pairs.map { ($0.old.name, $0.new.name) }) }
}

/// Items that both models have, in pairs, and items that only one has. Of several items with one name the first counts.
struct Pairing<Item: Renamable> {
  private(set) var pairs: [(old: Item, new: Item)] = []
  private(set) var removed: [Item] = []
  private(set) var added: [Item] = []

  init(from old: [Item], to new: [Item]) {
    let (old, new) = (old.unique(by: \.name), new.unique(by: \.name))
    var sourceNames = matchNames(from: old, to: new).sourceNames
    // Where canonical names do not meet, a person still takes equal names for the same thing.
    let taken = Set(sourceNames.values)
    let left = Set(old.map(\.name)).subtracting(taken)
    for item in new where sourceNames[item.name] == nil && left.contains(item.name) {
      sourceNames[item.name] = item.name
    }
    let oldByName = Dictionary(firstOf: old.map { ($0.name, $0) })
    for item in new {
      if let source = sourceNames[item.name].flatMap({ oldByName[$0] }) {
        pairs.append((source, item))
      } else {
        added.append(item)
      }
    }
    let kept = Set(sourceNames.values)
    removed = old.filter { !kept.contains($0.name) }
  }
}
