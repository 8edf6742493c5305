/// One stage of a staged migration, as Core Data has them since 2023.
///
/// Stages are in the order of the versions. Core Data names versions by checksum, modelc by name.
package enum MigrationStage: Hashable, Sendable {
  /// `NSLightweightMigrationStage`: a run of versions, any of which inference brings to the last.
  case lightweight([String], label: String? = nil)
  /// `NSCustomMigrationStage`: one step with work to do before or after it.
  case custom(CustomMigrationStage)

  /// The versions that the stage names, in its order.
  package var versionNames: [String] {
    switch self {
    case .lightweight(let names, _): names
    case .custom(let stage): [stage.currentVersionName, stage.nextVersionName]
    }
  }

  package var isCustom: Bool { if case .custom = self { true } else { false } }

  /// Free text.
  package var label: String? {
    switch self {
    case .lightweight(_, let label): label
    case .custom(let stage): stage.label
    }
  }
}

/// A step between two versions whose mapping is inferred too, with handlers around it.
public struct CustomMigrationStage: Hashable, Sendable {
  /// The version before the step, and the one after it.
  public var currentVersionName: String
  /// The version that the stage ends at.
  public var nextVersionName: String
  /// The name of what runs while the store still has the schema of the current version.
  public var willMigrateHandler: String?
  /// The name of what runs once it has the schema of the next one.
  public var didMigrateHandler: String?
  /// The stage's name for people; nil for none.
  public var label: String?
  /// Entities of which the first handler deletes all objects, as far as source tells.
  package var emptied: Set<String>

  package init(
    currentVersionName: String, nextVersionName: String, willMigrateHandler: String? = nil,
    didMigrateHandler: String? = nil, label: String? = nil, emptied: Set<String> = []
  ) {
    self.currentVersionName = currentVersionName
    self.nextVersionName = nextVersionName
    self.willMigrateHandler = willMigrateHandler
    self.didMigrateHandler = didMigrateHandler
    self.label = label
    self.emptied = emptied
  }
}

extension VersionedModel {
  /// The custom stage that leads from one version to the other.
  package func customStage(from former: ModelVersion, to version: ModelVersion) -> CustomMigrationStage? {
    for case .custom(let stage) in stages
    where stage.currentVersionName == former.name && stage.nextVersionName == version.name { return stage }
    return nil
  }
}

/// The keys that state a stage, in `versions.yaml` and in a compiled bundle, before it is known which kind it is.
package struct StageKeys: Hashable, Sendable {
  package var lightweight: [String]?
  package var custom: [String]?
  package var willMigrate: String?
  package var didMigrate: String?
  package var label: String?

  package init() {}

  package init(_ stage: MigrationStage) {
    switch stage {
    case .lightweight(let names, _): lightweight = names
    case .custom(let stage):
      custom = [stage.currentVersionName, stage.nextVersionName]
      (willMigrate, didMigrate) = (stage.willMigrateHandler, stage.didMigrateHandler)
    }
    label = stage.label
  }

  /// Nil if it is neither, or where a custom one leads nowhere.
  package var stage: MigrationStage? {
    if let lightweight { return .lightweight(lightweight, label: label) }
    guard let custom, custom.count == 2 else { return nil }
    return .custom(
      CustomMigrationStage(
        currentVersionName: custom[0], nextVersionName: custom[1], willMigrateHandler: willMigrate,
        didMigrateHandler: didMigrate, label: label))
  }
}
