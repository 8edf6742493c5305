import Foundation

/// Values over the hashes of all entities, by which Core Data tells whole models apart.
extension [String: VersionHash] {
  /// Base64 of 32 bytes: `NSManagedObjectModel.versionChecksum`, `NSStoreModelVersionChecksumKey`,
  /// `NSManagedObjectModel_VersionChecksums`.
  package var versionChecksum: String { ManagedModel.versionChecksum(inNameOrder: inNameOrder) }

  /// Base64 of 64 bytes: `NSStoreModelVersionHashesDigest`.
  package var versionHashesDigest: String {
    var message = SHA512()
    for (name, hash) in inNameOrder {
      message.update(Data(name.utf8))
      message.update(hash.data)
    }
    return Data(message.digest).base64EncodedString()
  }

  package var inNameOrder: [(name: String, hash: VersionHash)] {
    sorted(byCodePointOf: \.key).map { ($0.key, $0.value) }
  }
}

/// ``Swift/Dictionary/versionChecksum`` of hashes that are in order already.
package func versionChecksum(inNameOrder hashes: [(name: String, hash: VersionHash)]) -> String {
  var message = HashInput()
  for (_, hash) in hashes { message.append(hash) }
  return message.sha256.data.base64EncodedString()
}

extension ManagedObjectModel {
  /// Base64 of 32 bytes over the hashes of all entities; see ``Swift/Dictionary/versionChecksum``.
  package var versionChecksum: String { entityVersionHashesByName.versionChecksum }
}
