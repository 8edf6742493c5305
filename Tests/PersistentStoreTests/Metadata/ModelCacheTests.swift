import Foundation
import GRDB
import ManagedModel
import ModelArchives
import PersistentStore
import TestSupport
import Testing

@Suite(.needsFixtures) struct `Model caches of genuine stores` {
  @Test func `Every model reproduces all hashes, the digest and the checksum of its metadata`() throws {
    var (stores, entities, digests, checksums) = (0, 0, 0, 0)
    for store in GenuineStore.withModelCache {
      let metadata = try store.metadata()
      let hashes = try store.model().entityVersionHashesByName
      #expect(hashes == metadata.versionHashes, "\(store.path)")
      #expect(hashes.count > 0)
      stores += 1
      entities += hashes.count
      if let digest = metadata.versionHashesDigest {
        #expect(hashes.versionHashesDigest == digest, "\(store.path)")
        digests += 1
      }
      if let checksum = metadata.versionChecksum {
        #expect(hashes.versionChecksum == checksum, "\(store.path)")
        checksums += 1
      }
    }
    print("model caches: \(stores) stores, \(entities) entities, \(digests) digests, \(checksums) checksums")
    #expect(stores == 17 && digests > 5 && checksums > 0)
  }

  /// Nothing that Core Data wrote is missing after a way through our model and back. Whether a list was mutable is no
  /// fact; a class that the app's code named for a value is one that we write under a key of our own.
  @Test(.needsPython, arguments: GenuineStore.withModelCache)
  func `Written anew, a cache has the facts of the genuine one`(store: GenuineStore) throws {
    let genuine = try store.open { db in
      try #require(try Data.fetchOne(db, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE"))
    }
    let model = try genuine.decodeModelCache()
    let ours = try facts(ofCache: model.encodedCache())
    let theirs = try facts(ofCache: genuine)
    #expect(theirs.count > 25)
    #expect(ours.symmetricDifference(theirs).sorted() == [])
  }

  /// Stores of phones hold such caches: the last block is not marked as the last.
  @Test(arguments: [0, 5]) func `A cache whose stream has no end is read where its content is whole`(cut: Int)
    throws
  {
    let model = try GenuineStore.sampleModel2(1).model()
    var cache = try model.encodedCache()
    #expect(cache[0] & 1 == 1)
    cache[0] &= 0xFE
    let read = try? cache.dropLast(cut == 0 ? 0 : cache.count / cut).decodeModelCache()
    #expect((read == model) == (cut == 0))
  }

  private func facts(ofCache cache: Data) throws -> Set<String> {
    let lines = try ArchiveFacts.lines(of: cache).map { $0.replacing("NSMutableArray", with: "NSArray") }
    return Set(lines).filter {
      !$0.hasPrefix("class ") && !$0.hasSuffix(".NSCompoundIndexes = NSArray[]")
        && !$0.contains(".NSAttributeValueClassName = ")
    }
  }

  @Test(arguments: [1, 2])
  func `Predicates that code gave a model read as their texts`(version: Int) throws {
    let model = try GenuineStore.sampleModel2(version).model()
    let attributes = model.entities.flatMap(\.attributes)
    let rules = attributes.flatMap(\.validation.predicates).map(\.predicate)
    #expect(Set(rules) == ["length >= 3 AND length <= 50", "SELF CONTAINS \"title\""])
    let requests = model.entities.flatMap(\.fetchedProperties).compactMap(\.fetchRequest.predicate)
    #expect(
      Set(requests) == [
        "authorAlias == $FETCH_SOURCE.alias",
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
      ])
    #expect(attributes.contains { $0.derivationExpression == "pages.@count" })
  }
}
