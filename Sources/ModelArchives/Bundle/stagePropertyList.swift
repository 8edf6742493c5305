import ManagedModel

/// A stage in the words of `versions.yaml`, for our own key in `VersionInfo.plist`.
extension MigrationStage {
  var propertyList: PropertyListValue {
    var entries: [(String, String?)] = []
    let kind: String
    switch self {
    case .lightweight: kind = "lightweight"
    case .custom(let stage):
      kind = "custom"
      entries = [("willMigrate", stage.willMigrateHandler), ("didMigrate", stage.didMigrateHandler)]
    }
    entries.append(("label", label))
    let names = PropertyListValue.array(versionNames.map { .string($0) })
    return .entries(
      [.init(kind, names)] + entries.compactMap { key, text in text.map { .init(key, .string($0)) } })
  }

  /// Nil for what is no stage of ours.
  init?(_ list: [String: Any]) {
    let label = list["label"] as? String
    if let names = list["lightweight"] as? [String] {
      self = .lightweight(LightweightMigrationStage(versionNames: names, label: label))
    } else if let names = list["custom"] as? [String], names.count == 2 {
      self = .custom(
        CustomMigrationStage(
          currentVersionName: names[0], nextVersionName: names[1],
          willMigrateHandler: list["willMigrate"] as? String,
          didMigrateHandler: list["didMigrate"] as? String,
          label: label))
    } else {
      return nil
    }
  }
}
