package import ManagedModel

extension ModelVersion {
  /// The hashes that a store of this version has: all, or those of one configuration's entities.
  package func versionHashes(ofConfiguration name: String?) -> [String: VersionHash] {
    guard let configuration = model.configuration(named: name) else { return entityVersionHashesByName }
    let entities = Set(configuration.entityNames)
    return entityVersionHashesByName.filter { entities.contains($0.key) }
  }
}

extension ManagedObjectModel {
  /// The model as a store of one configuration has it: tables and numbers for that configuration's entities only.
  package func restricted(toConfiguration name: String?) -> ManagedObjectModel {
    guard let configuration = configuration(named: name) else { return self }
    var restricted = self
    restricted.entities.removeAll { !configuration.entityNames.contains($0.name) }
    return restricted
  }

  fileprivate func configuration(named name: String?) -> ConfigurationDescription? {
    configurations.first { $0.name == name }
  }
}
