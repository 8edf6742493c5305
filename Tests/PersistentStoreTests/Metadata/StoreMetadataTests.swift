import Foundation
import GRDB
import ManagedModel
import ModelArchives
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Metadata of genuine stores` {
  @Test(arguments: GenuineStore.withModelCache + GenuineStore.withoutModelCache)
  func `Written back, every key has its value and its type`(store: GenuineStore) throws {
    try store.open { db throws in
      let before = try db.readStoreMetadata()
      let original = try #require(try Data.fetchOne(db, sql: "SELECT Z_PLIST FROM Z_METADATA"))
      try before.write(to: db)
      #expect(try db.readStoreMetadata() == before)
      let written = try #require(try Data.fetchOne(db, sql: "SELECT Z_PLIST FROM Z_METADATA"))
      #expect(written.starts(with: Data("bplist00".utf8)))
      // Foundation's own comparison, which does not know our type.
      let (left, right) = try (foundation(original), foundation(written))
      #expect(left.isEqual(right))
      #expect(left.count > 5)
    }
  }

  @Test(arguments: GenuineStore.withModelCache)
  func `Digest and checksum are those that Core Data wrote`(store: GenuineStore) throws {
    let metadata = try store.metadata()
    let version = ModelVersion(name: "own", model: try store.model())
    let updated = metadata.updated(for: version)
    #expect(updated == metadata)
    if let digest = metadata.versionHashesDigest { #expect(updated.versionHashesDigest == digest) }
    #expect(metadata.versionHashes == version.entityVersionHashesByName)
  }

  @Test func `After an update to the next version only the model's keys differ`() throws {
    let (old, new) = try (GenuineStore.moody[0].metadata(), GenuineStore.moody[1].metadata())
    let second = ModelVersion(name: "Moody 2", model: try GenuineStore.moody[1].model())
    let updated = old.updated(for: second)
    #expect(updated == new)
    #expect(updated.applicationValues.keys.sorted() == ["io.objc.Moody.CloudKitUserID"])
    #expect(updated.uuid == "374C5961-3E41-43E5-915C-383EA914074C")
  }

  private func foundation(_ data: Data) throws -> NSDictionary {
    try #require(try unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
  }
}

@Suite struct `Store metadata` {
  private let version = ModelVersion(name: "V1", model: SampleModels.everyType)

  @Test(arguments: [(637, false, false), (977, true, false), (1333, true, true)])
  func `Digest and checksum come with the framework that writes them`(
    framework: Int, hasDigest: Bool, hasChecksum: Bool
  ) {
    let metadata = StoreMetadata(newStoreOf: version, frameworkVersion: framework)
    #expect((metadata.versionHashesDigest != nil) == hasDigest)
    #expect((metadata.versionChecksum != nil) == hasChecksum)
    #expect(metadata.versionIdentifiers == [""])
  }

  @Test func `Integers, reals and Booleans stay what they are, in XML too`() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>a</key><true/>
      <key>b</key><integer>1</integer><key>c</key><real>1</real><key>d</key><integer>18446744073709551615</integer>
      <key>e</key><date>2020-01-01T00:00:00Z</date><key>f</key><data>AAE=</data>
      <key>g</key><array><integer>0</integer><false/><string></string></array></dict></plist>
      """
    let expected: PropertyListValue = .dictionary([
      "a": .boolean(true), "b": .integer(1), "c": .real(1), "d": .unsignedInteger(.max),
      "e": .date(Date(timeIntervalSince1970: 1_577_836_800)), "f": .data(Data([0, 1])),
      "g": .array([.integer(0), .boolean(false), .string("")]),
    ])
    let value = try #require(Data(xml.utf8).readPropertyList())
    #expect(value == expected)
    #expect(value.encoded().readPropertyList() == expected)
  }

  /// As fuzzing found it: Foundation's reader dies of such a set.
  @Test func `A set of lists, a reference and a key that is no text are no property list`() {
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0]
    func list(_ objects: [[UInt8]]) -> Data {
      var bytes = Array("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(bytes.count))
        bytes += object
      }
      return Data(bytes + offsets + trailer + [0, 0, 0, 0, 0, 0, 0, UInt8(bytes.count)])
    }
    let (text, array): ([UInt8], [UInt8]) = ([0x51, 0x61], [0xA1, 1])
    #expect(
      list([[0xA2, 1, 2], text, [0x10, 7]]).readPropertyList()
        == .array([.string("a"), .integer(7)]))
    for top: [UInt8] in [[0xC2, 1, 2], [0xB2, 1, 2], [0xD1, 2, 1], [0x80, 1]] {
      #expect(list([top, text, array]).readPropertyList() == nil)
    }
  }

  @Test func `An app's key cannot replace Core Data's`() {
    var metadata = StoreMetadata(newStoreOf: version)
    let hashes = metadata["NSStoreModelVersionHashes"]
    metadata.setApplicationValue(.integer(3), forKey: "NSStoreModelVersionHashes")
    metadata.setApplicationValue(.integer(3), forKey: "step")
    #expect(metadata["NSStoreModelVersionHashes"] == hashes)
    #expect(metadata.applicationValues == ["step": .integer(3)])
  }

  @Test func `hashes of more entities than a model may have are refused`() throws {
    try withNewStore(of: SampleModels.everyType) { db, _, _ throws in
      let hash = PropertyListValue.data(Data(count: 32))
      var hashes: [String: PropertyListValue] = [:]
      for number in 0...10_000 { hashes["E\(number)"] = hash }
      let list = PropertyListValue.dictionary(["NSStoreModelVersionHashes": .dictionary(hashes)])
      try db.execute(
        sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [list.encoded()])
      let error = #expect(throws: DiagnosticsError.self) { try db.readStoreMetadata() }
      #expect(error?.diagnostics.first?.message.contains("10001 entities") == true)
    }
  }

  @Test(arguments: [
    ("DELETE FROM Z_METADATA", "Z_METADATA has no row"),
    ("INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA", "Z_METADATA has several rows"),
    ("UPDATE Z_METADATA SET Z_PLIST = NULL", "Z_METADATA contains no property list"),
    ("UPDATE Z_METADATA SET Z_PLIST = ''", "Z_METADATA contains no property list"),
    ("UPDATE Z_METADATA SET Z_PLIST = 7", "Z_METADATA contains no property list"),
    (
      "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 50)",
      "the property list in Z_METADATA cannot be read"
    ),
    (
      "UPDATE Z_METADATA SET Z_PLIST = x'3C706C6973743E3C737472696E673E783C2F737472696E673E3C2F706C6973743E'",
      "the property list in Z_METADATA cannot be read"
    ),
    (
      "UPDATE Z_METADATA SET Z_PLIST = CAST('<plist><dict><key>NSStoreModelVersionHashes</key><dict><key>A</key><data>AAE=</data></dict></dict></plist>' AS BLOB)",
      "the store's metadata has no usable model version hashes"
    ),
  ])
  func `Metadata that cannot be read is refused`(damage: String, message: String) throws {
    try withNewStore(of: SampleModels.everyType) { db, _, _ throws in
      try db.execute(sql: damage)
      let error = #expect(throws: DiagnosticsError.self) { try db.readStoreMetadata() }
      #expect(error?.diagnostics.map(\.message) == [message])
      #expect(error?.diagnostics.map(\.code) == [.metadataUnreadable])
    }
  }
}
