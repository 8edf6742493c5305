import ManagedModel

/// A stage in the words of `versions.yaml`, for our own key in `VersionInfo.plist`.
extension MigrationStage {
  var propertyList: PropertyListValue {
    let keys = StageKeys(self)
    let lists = [("lightweight", keys.lightweight), ("custom", keys.custom)]
    let texts = [("willMigrate", keys.willMigrate), ("didMigrate", keys.didMigrate), ("label", keys.label)]
    return .entries(
      lists.compactMap { key, names in names.map { .init(key, .array($0.map { .string($0) })) } }
        + texts.compactMap { key, text in text.map { .init(key, .string($0)) } })
  }

  /// Nil for what is no stage of ours.
  init?(_ list: [String: Any]) {
    var keys = StageKeys()
    keys.lightweight = list["lightweight"] as? [String]
    keys.custom = list["custom"] as? [String]
    keys.willMigrate = list["willMigrate"] as? String
    keys.didMigrate = list["didMigrate"] as? String
    keys.label = list["label"] as? String
    guard let stage = keys.stage else { return nil }
    self = stage
  }
}
