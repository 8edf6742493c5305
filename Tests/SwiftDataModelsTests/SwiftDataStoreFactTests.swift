import Foundation
import ManagedModel
import PersistentStore
import StoreFixtures
import SwiftDataModels
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
      version.entityVersionHashesByName.mapValues(\.hexadecimal)
        == entities.compactMapValues { $0["hash"]?.text })
    #expect(version.versionChecksum == facts["checksum"]?.text)
    #expect(version.model.versionIdentifiers == facts["identifiers"]?.elements?.compactMap(\.text))
    #expect(version.unprovenHashes.isEmpty)
    guard case .integer(let framework)? = facts["framework"] else { throw CancellationError() }
    let schema = layOutStore(for: version.model, frameworkVersion: Int(framework))
    for (name, entity) in entities {
      let table = try #require(schema.table(ofEntity: name))
      #expect(
        table.columns.map { "\($0.name) \($0.declaredType)" }
          == entity["columns"]?.elements?.compactMap(\.text))
      #expect(
        Set(table.indexes.map(\.sql)) == Set(entity["indexes"]?.elements?.compactMap(\.text) ?? []), "\(name)"
      )
    }
  }
}

extension SwiftDataStoreFactTests {
  @Test(
    "Written as Swift and read back, both keep their hashes, columns and cases",
    arguments: FactSource.allCases)
  func written(_ source: FactSource) throws {
    let model = try #require(readSource(source.text).model)
    let text = model.swiftDataSource().file
    let (back, diagnostics) = readSource(text)
    #expect(!diagnostics.hasErrors, "\(diagnostics) \(text)")
    let (own, other) = (try #require(model.versions.first), try #require(back?.versions.first))
    #expect(own.entityVersionHashesByName == other.entityVersionHashesByName)
    let columns = [own, other].map {
      layOutStore(for: $0.model, frameworkVersion: 1414).tables.map(\.columns)
    }
    #expect(columns[0] == columns[1])
    let rules = [own, other].map { $0.model.entities.map { $0.attributes.map(\.validation) } }
    #expect(rules[0] == rules[1])
  }
}

extension SwiftDataStoreFactTests {
  @Test(
    "A fixture of it holds what an app can read: no finding of verify, none of the oracle", .needsOracle,
    arguments: FactSource.allCases)
  func fixture(_ source: FactSource) throws {
    let model = try #require(readSource(source.text).model)
    let version = try #require(model.versions.first)
    try withTemporaryFolder { folder in
      var stores: [URL] = []
      for framework in [1345, 1414] {
        let store = folder.appending(path: "\(framework).sqlite")
        stores.append(store)
        _ = try makeFixture(
          at: store.path, of: version, .rows(300), seed: 7,
          imitating: StoreImitation(frameworkVersion: framework, tracksHistory: true))
        let connection = try openStore(store.path, among: [model])
        defer { try? connection.close() }
        let findings = try connection.read {
          try verifyStore($0, name: "s", path: store.path, among: [model]).findings
        }
        #expect(findings.isEmpty, "\(findings)")
        let cached = try connection.read {
          try readStoreModel($0, physical: $0.readPhysicalSchema(), metadata: $0.readStoreMetadata())
        }
        #expect(cached?.entityVersionHashesByName == version.entityVersionHashesByName)
        let classes = cached?.entities.map(\.managedObjectClassName)
        #expect(classes == cached?.entities.map { framework < 1405 ? $0.name : nil })
      }
      try Oracle.expectSound(stores, isStrict: true)
    }
  }
}
