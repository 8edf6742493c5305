import Foundation
import ManagedModel
import PersistentStore
import StoreFiles
import TestSupport
import Testing

/// Stores that SwiftData made, told by their facts: hashes, columns, indexes.
@Suite("Facts of SwiftData's stores", .readsSwift, .needsFixtures)
struct SwiftDataStoreFactTests {
  @Test("Every hash, column and index is the store's; nothing is unproved", arguments: FactSource.allCases)
  func facts(_ source: FactSource) throws {
    let (read, diagnostics) = readSource(source.text)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let version = try #require(read?.versions.first)
    let facts = try source.facts
    let entities = try #require(facts["entities"]?.members)
    #expect(
      version.entityVersionHashesByName.mapValues(\.hexadecimal) == entities.compactMapValues { $0["hash"]?.text })
    #expect(version.versionChecksum == facts["checksum"]?.text)
    #expect(version.model.versionIdentifiers == facts["identifiers"]?.elements?.compactMap(\.text))
    #expect(version.unprovenHashes.isEmpty)
    guard case .integer(let framework)? = facts["framework"] else { throw CancellationError() }
    let schema = layOutStore(for: version.model, frameworkVersion: Int(framework))
    for (name, entity) in entities {
      let table = try #require(schema.table(ofEntity: name))
      #expect(table.columns.map { "\($0.name) \($0.declaredType)" } == entity["columns"]?.elements?.compactMap(\.text))
      #expect(
        Set(table.indexes.map(\.sql)) == Set(entity["indexes"]?.elements?.compactMap(\.text) ?? []), "\(name)")
    }
  }
}
