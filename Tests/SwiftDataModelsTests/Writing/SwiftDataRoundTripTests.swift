import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

@Suite("Models become source for SwiftData and come back", .readsSwift)
struct SwiftDataRoundTripTests {
  /// The others have a fact that SwiftData cannot express, which a finding names with what it does to the hash.
  @Test(.needsFixtures) func `every genuine version has its hashes, or a reason`() throws {
    var equal = 0
    var reasons: [String: Int] = [:]
    for (path, model) in GenuineModels.all {
      let source = model.swiftDataSource()
      let read = try readBack(source)
      #expect(read.versions.count == model.versions.count, "\(path)")
      for (version, back) in zip(model.versions, read.versions) {
        let hashes = version.model.entityVersionHashesByName
        #expect(
          back.entityVersionHashesByName == version.model.expressible.entityVersionHashesByName,
          "\(path) \(version.name)")
        let changing = source.diagnostics.filter {
          $0.subject?.version == version.name
            && $0.notes.contains { $0.message.hasPrefix("the version hash") }
        }
        #expect((back.entityVersionHashesByName == hashes) == changing.isEmpty, "\(path) \(version.name)")
        if changing.isEmpty { equal += 1 }
        for kind in Set(changing.compactMap { $0.subject?.key ?? "part" }) { reasons[kind, default: 0] += 1 }
      }
    }
    let count = GenuineModels.all.reduce(0) { $0 + $1.model.versions.count }
    print("round trip: \(equal) of \(count) versions have equal hashes; the others' reasons: \(reasons)")
    #expect(equal > count / 2 && count > 200)
  }

  @Test func `every fact that SwiftData can say comes back`() throws {
    let written = try model(
      """
      composites: {Place: {lat: double, lon: double?}}
      entities:
        Trip:
          attributes:
            name: {type: string, default: "a \\"b\\""}
            code: {type: integer64, renamingIdentifier: number, versionHashModifier: two}
            small: integer16
            photo: {type: binary?, externalStorage: true}
            secret: {type: string?, cloudEncryption: true, spotlight: true, preserveAfterDeletion: true}
            draft: {type: boolean?, transient: true}
            price: {type: decimal, default: 1.10}
            since: {type: date, default: 2024-05-01T00:00:00Z}
            link: uri?
            id: uuid
            place: {type: composite, composite: Place}
            color: {type: transformable?, transformer: ColorTransformer}
          relationships:
            stops: {toMany: Stop, inverse: trip, deleteRule: cascade, min: 1, max: 9}
            first: {to: Stop, inverse: firstOf, renamingIdentifier: start, versionHashModifier: x}
            others: {toMany: Trip, inverse: otherOf}
            otherOf: {toMany: Trip, optional: false, inverse: others}
          uniquenessConstraints: [[name], [code, small]]
          fetchIndexes: {byCode: [code, name]}
        Stop:
          relationships: {trip: {to: Trip, optional: false, inverse: stops, deleteRule: deny}, firstOf: {to: Trip, inverse: first}}
        Detour: {parent: Stop, attributes: {length: float}}
      """)
    let source = written.swiftDataSource()
    #expect(source.diagnostics.map(\.message) == [])
    let back = try #require(try readBack(source).currentVersion)
    #expect(back.entityVersionHashesByName == written.currentVersion?.entityVersionHashesByName)
    let trip = try #require(back.model.entities.first { $0.name == "Trip" })
    let own = try #require(written.currentVersion?.model.entities.first { $0.name == "Trip" })
    #expect(trip.uniquenessConstraints == own.uniquenessConstraints)
    #expect(trip.fetchIndexes.map(\.elements) == own.fetchIndexes.map(\.elements))
    #expect(trip.relationships.map(\.deleteRule) == own.relationships.map(\.deleteRule))
    #expect(trip.relationships.map(\.renamingIdentifier) == own.relationships.map(\.renamingIdentifier))
    for (read, attribute) in zip(trip.attributes, own.attributes) {
      #expect(read.typedDefaultValue == attribute.typedDefaultValue, "\(attribute.name)")
      #expect(read.renamingIdentifier == attribute.renamingIdentifier, "\(attribute.name)")
      #expect(read.allowsCloudEncryption == attribute.allowsCloudEncryption, "\(attribute.name)")
      #expect(read.isIndexedBySpotlight == attribute.isIndexedBySpotlight, "\(attribute.name)")
      #expect(read.valueTransformerName == attribute.valueTransformerName, "\(attribute.name)")
      #expect(read.isTransient == attribute.isTransient, "\(attribute.name)")
    }
  }
}
