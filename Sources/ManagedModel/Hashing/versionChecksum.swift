import Crypto
import Foundation

/// Values over the hashes of all entities, by which Core Data tells whole models apart.
extension [String: VersionHash] {
  /// Base64 of 32 bytes: `NSManagedObjectModel.versionChecksum`, `NSStoreModelVersionChecksumKey`,
  /// `NSManagedObjectModel_VersionChecksums`.
  public var versionChecksum: String {
    var message = SHA256()
    for (_, hash) in inNameOrder { message.update(data: hash.data) }
    return Data(message.finalize()).base64EncodedString()
  }

  /// Base64 of 64 bytes: `NSStoreModelVersionHashesDigest`.
  public var versionHashesDigest: String {
    var message = SHA512()
    for (name, hash) in inNameOrder {
      message.update(data: Data(name.utf8))
      message.update(data: hash.data)
    }
    return Data(message.finalize()).base64EncodedString()
  }

  private var inNameOrder: [(String, VersionHash)] {
    sorted { $0.key.precedesInCodePointOrder($1.key) }.map { ($0.key, $0.value) }
  }
}

extension ManagedObjectModel {
  /// Base64 of 32 bytes over the hashes of all entities; see ``Swift/Dictionary/versionChecksum``.
  public var versionChecksum: String { entityVersionHashesByName.versionChecksum }
}
