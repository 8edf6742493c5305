package import Foundation
public import ManagedModel
package import ModelArchives

/// What a store says of itself in `Z_METADATA`: its identity, the version hashes of its model, and whatever the
/// app put there, which is kept value for value.
public struct StoreMetadata: Hashable, Sendable {
  /// The store's identity, part of the URI of every object in it. It outlives migrations.
  public var uuid: String
  /// Everything in the property list, the keys of Core Data included.
  package private(set) var values: [String: PropertyListValue]
  /// `NSStoreModelVersionHashes`, abstract entities included.
  public private(set) var versionHashes: [String: VersionHash]

  /// - Returns: nil if the list has no version hashes, or hashes that are not 32 bytes long.
  package init?(uuid: String, values: [String: PropertyListValue]) {
    guard let entries = values[Key.versionHashes]?.dictionary else { return nil }
    var hashes: [String: VersionHash] = [:]
    for (entity, value) in entries {
      guard case .data(let data) = value, let hash = VersionHash(data: data) else { return nil }
      hashes[entity] = hash
    }
    (self.uuid, self.values, versionHashes) = (uuid, values, hashes)
  }

  /// The metadata of a new store.
  package init(
    newStoreOf version: ModelVersion, frameworkVersion: Int = 1344, uuid: UUID = UUID(),
    configuration: String? = nil
  ) {
    self.uuid = uuid.uuidString
    self.values = [
      Key.storeType: .string("SQLite"),
      Key.autoVacuumLevel: .string("2"),
      Key.hashesVersion: .integer(3),
      Key.frameworkVersion: .integer(Int64(frameworkVersion)),
    ]
    self.versionHashes = [:]
    self = updated(for: version, configuration: configuration)
  }

  package var hasUUID: Bool { UUID(uuidString: uuid) != nil }

  /// `NSStoreModelVersionIdentifiers`, often one empty text.
  public var versionIdentifiers: [String] { values[Key.versionIdentifiers]?.array?.compactMap(\.text) ?? [] }

  /// `NSPersistenceFrameworkVersion`: the Core Data that wrote the store last.
  public var frameworkVersion: Int? { values[Key.frameworkVersion]?.integer.flatMap(Int.init(exactly:)) }
  /// Base64 of 64 bytes over names and hashes.
  package var versionHashesDigest: String? { values[Key.hashesDigest]?.text }
  /// Base64 of 32 bytes over hashes.
  package var versionChecksum: String? { values[Key.checksum]?.text }

  /// The app's own values: all that Core Data does not write itself.
  package var applicationValues: [String: PropertyListValue] { values.filter { !Key.all.contains($0.key) } }

  /// The metadata after a migration: hashes, identifiers, digest and checksum are the version's, digest and
  /// checksum only where they were there or the store's framework writes them; all else stays.
  ///
  /// - Parameter configuration: the configuration whose entities the store holds; nil for all.
  package func updated(for version: ModelVersion, configuration: String? = nil) -> StoreMetadata {
    var updated = self
    let hashes = version.versionHashes(ofConfiguration: configuration)
    let features = FrameworkFeatures(version: frameworkVersion ?? 0)
    updated.versionHashes = hashes
    updated.values[Key.versionHashes] = .dictionary(hashes.mapValues { .data($0.data) })
    updated.values[Key.versionIdentifiers] = .array(version.model.versionIdentifiers.map { .string($0) })
    if values[Key.hashesDigest] != nil || features.hasVersionHashesDigest {
      updated.values[Key.hashesDigest] = .string(hashes.versionHashesDigest)
    }
    if values[Key.checksum] != nil || features.hasVersionChecksum {
      updated.values[Key.checksum] = .string(hashes.versionChecksum)
    }
    return updated
  }

  package subscript(key: String) -> PropertyListValue? { values[key] }

  /// Sets or removes a value of the app's. Keys of Core Data's own are left alone.
  package mutating func setApplicationValue(_ value: PropertyListValue?, forKey key: String) {
    guard !Key.all.contains(key) else { return }
    values[key] = value
  }

  private enum Key {
    static let storeType = "NSStoreType"
    static let versionHashes = "NSStoreModelVersionHashes"
    static let hashesVersion = "NSStoreModelVersionHashesVersion"
    static let hashesDigest = "NSStoreModelVersionHashesDigest"
    static let checksum = "NSStoreModelVersionChecksumKey"
    static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
    static let frameworkVersion = "NSPersistenceFrameworkVersion"
    static let autoVacuumLevel = "_NSAutoVacuumLevel"
    static let maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
    static let all: Set<String> = [
      storeType, versionHashes, hashesVersion, hashesDigest, checksum, versionIdentifiers, frameworkVersion,
      autoVacuumLevel, maximumFrameworkVersion,
    ]
  }
}
