/// A model with all its versions: what an `.xcdatamodeld`, a `.momd` or a folder under `Models/` holds.
public struct VersionedModel: Sendable {
  /// As the folder, the package or the bundle is called.
  public var name: String
  /// Oldest first.
  public var versions: [ModelVersion]
  /// The version that stores are migrated to unless another one is named.
  public var currentVersionName: String
  /// How Core Data goes through the versions, where that is stated; in the order of the versions.
  package var stages: [MigrationStage]
  /// Whether its stores are caches that an app can make anew. Checks then ask for no path from old versions. A
  /// migration never deletes a store.
  package var isDisposable = false
  /// Whether stores go through every version, instead of one step as in Core Data.
  package var isStepwise = false
  /// What users were given under the names of versions, where that is on record.
  package var releases: [ReleasedVersion] = []
  /// What the gate says of the source as a whole, beside the rules for versions; other commands do without.
  package var gateFindings: [Diagnostic] = []
  /// Versions that the source lists and that could not be read; ``versions`` holds the others.
  package var unreadVersions: [UnreadVersion] = []
  /// Why the current version is a guess: the one that is meant cannot be read, or nothing says which it is.
  package var currentVersionErrors: [Diagnostic] = []
  /// Whether the versions' order is a guess from names without numbers. No store is then called newer than another.
  package var isOrderGuessed = false
  /// Whether a `modelc.yaml` lists the versions.
  package var isOrderStated = false
  /// Where source has its stores mirrored to CloudKit, and whether it always does.
  package var mirroring: (place: SourceRange, isSure: Bool)?
  /// Of SwiftData's source: what its migration plan is called.
  package var planName: String?
  /// Of SwiftData's source: whether other modules see its plan; without one, its newest schema or a class.
  package var isPublic = false
  /// Of a compiled model its path; what an app has of mapping models lies beside it.
  package var bundlePath: String?

  package init(
    name: String, versions: [ModelVersion], currentVersionName: String, stages: [MigrationStage] = []
  ) {
    self.name = name
    self.versions = versions
    self.currentVersionName = currentVersionName
    self.stages = stages
  }

  /// The version of that name; nil if absent.
  public var currentVersion: ModelVersion? { version(named: currentVersionName) }

  /// Whether it is read from classes of SwiftData's.
  package var isSwiftData: Bool { currentVersion?.notation == .swiftData }

  /// Whether it is one schema of SwiftData's, whose past is in tags and stores alone: it is edited as it is.
  package var isSchemaWithoutPast: Bool { isSwiftData && versions.count == 1 }

  /// Holds every version to a service's rules.
  package mutating func setProfile(_ profile: ModelProfile) {
    for index in versions.indices { versions[index].setProfile(profile) }
  }

  /// The version of a name; nil if absent.
  public func version(named name: String) -> ModelVersion? {
    versions.first { $0.name == name } ?? versions.first { $0.typeName == name }
  }
}

extension Diagnostic {
  /// The same finding with its place in the version's source, where there is one.
  package func located(in version: ModelVersion) -> Diagnostic {
    version.sourceMap.map { located(by: $0) } ?? self
  }
}

/// A version of which the source has a file that could not be read.
package struct UnreadVersion: Hashable, Sendable {
  package var name: String
  /// Over the file's bytes; nil if there are none to be had.
  package var digest: String?
  /// Why it could not be read.
  package var reasons: [Diagnostic]
  /// Whether it is the current version.
  package var isCurrent = false

  package init(name: String, digest: String?, reasons: [Diagnostic]) {
    (self.name, self.digest, self.reasons) = (name, digest, reasons)
  }

  /// Whether a finding is one of the reasons.
  package func explains(_ finding: Diagnostic) -> Bool {
    finding.place != nil && reasons.contains { $0.code == finding.code && $0.place == finding.place }
  }
}

/// A version as it was when users got it.
package struct ReleasedVersion: Hashable, Sendable {
  package var name: String
  /// ``ModelVersion/versionChecksum`` of that time.
  package var checksum: String
  /// As `2026-01-31`.
  package var date: String
  /// Whether it was taken out of the model on purpose.
  package var isRetired = false
  /// Whether the model no longer has a version of that name, and nobody has said why.
  package var isMissing = false

  package init(name: String, checksum: String, date: String, isRetired: Bool = false) {
    (self.name, self.checksum, self.date, self.isRetired) = (name, checksum, date, isRetired)
  }
}

/// One version of a model under its name.
public struct ModelVersion: Sendable {
  /// Unique in the model.
  public var name: String
  /// The entities of the version.
  public private(set) var model: ManagedObjectModel
  /// The schema's type, where the version comes from Swift source: it is known by that name too.
  package var typeName: String?
  /// The same with the types that it is nested in: `Store.V2`.
  package var fullTypeName: String?
  /// By entity, its class of SwiftData's with the types that it is nested in, outermost first.
  package var classPaths: [String: [String]] = [:]
  /// The versions that this one names as its predecessors: a step leads here from each. Empty for a first version, and
  /// where the order of the list decides.
  package var predecessorNames: [String]
  /// The first of them, whose line is the model's main one.
  package var predecessorName: String? { predecessorNames.first }
  /// Whether a mapping into this version may be inferred; where not, it has to be stated (`infer: false`).
  package var allowsInference = true
  /// Who has written it.
  package var origin = ModelOrigin.language
  /// Where its author edits it.
  package var notation = ModelNotation.language
  /// What this version gave up on purpose, as `Entity` or `Entity.property`; stated in its own file or beside it.
  package var retired: [String]
  /// By entity, what its hash rests on that no genuine store has shown.
  package var unprovenHashes: [String: [String]] = [:]
  /// Of SwiftData's classes without a schema: those that the app's containers open stores with.
  package var openedClasses: Set<String> = []
  /// All classes that some container lists, also one in memory; nil where the source does not tell them all.
  package var listedClasses: Set<String>?
  /// By entity, the files that the app's containers keep its objects in, as far as the source tells; none of them, if all are
  /// in memory alone.
  package var storeFiles: [String: Set<String>] = [:]
  /// Where the model's parts stand in the source, where it was read from text.
  package var sourceMap: SourceMap?
  /// Hashes that Core Data itself wrote down for this version (in a `VersionInfo.plist`, say), by entity.
  package let recordedHashes: [String: VersionHash]?
  /// The version hash of every entity: the recorded ones where there are any, else the computed ones.
  public let entityVersionHashesByName: [String: VersionHash]

  package init(
    name: String, model: ManagedObjectModel, predecessorNames: [String] = [], origin: ModelOrigin = .language,
    sourceMap: SourceMap? = nil, recordedHashes: [String: VersionHash]? = nil,
    sharing known: NamedCache<PropertyHashes>? = nil
  ) {
    (self.name, self.origin, self.model) = (name, origin, model)
    self.retired = model.retired
    self.predecessorNames = predecessorNames
    self.sourceMap = sourceMap
    self.recordedHashes = recordedHashes
    self.entityVersionHashesByName = recordedHashes ?? model.entityVersionHashes(sharing: known)
  }

  /// Holds the version to a service's rules; no hash changes.
  package mutating func setProfile(_ profile: ModelProfile, sparing spared: Set<String> = []) {
    (model.profile, model.sparedEntities) = (profile, spared)
  }

  /// Adds the cases that enums have in another version with the same hashes.
  package mutating func addCases(of other: Self) {
    model.codings.merge(other.model.codings) { $0.withCases(of: $1) }
  }

  /// Its file in the model's folder or package; nil of what classes make.
  package var file: String? {
    notation == .swiftData ? nil : origin == .xcode ? "\(name).xcdatamodel/contents" : "\(name).yaml"
  }

  /// The entities whose hash rests on what no genuine file has shown, in code-point order.
  package var unverifiedEntities: [String] {
    guard recordedHashes == nil else { return [] }
    return Set(model.unverifiedHashRules.keys).union(unprovenHashes.keys).sortedByCodePoint
  }

  /// Whether no store can tell it from the other one: their version hashes are the same.
  package func makesStores(of other: ModelVersion) -> Bool {
    entityVersionHashesByName == other.entityVersionHashesByName
  }

  /// Base64 of 32 bytes over all entity hashes.
  public var versionChecksum: String { entityVersionHashesByName.versionChecksum }
}
