import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct CheckModelTests {
  @Test func `duplicate entities of a model made in Swift are found`() {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A"), EntityDescription(name: "A")])
    #expect(checkModel(model).map(\.code.description) == ["MC1103"])
  }

  @Test(arguments: [
    ("MC1107", Diagnostic.Severity.warning), ("MC1301", .warning), ("MC1304", .warning), ("MC1402", .warning),
    ("MC1302", .error), ("MC1204", .error),
  ])
  func `severities are those of the catalogue`(code: String, severity: Diagnostic.Severity) throws {
    let source = MarkedSource(
      """
      entities:
        A:
          abstract: true
          attributes: {n: {type: integer16, default: 0, min: 1}, m: string}
          relationships:
            b: {to: A, deleteRule: noAction}
            c: {to: A, inverse: b}
          uniquenessConstraints: [[n], [n, m]]
      """)
    let found = try findings(in: source).filter { $0.code.description == code }
    #expect(found.map(\.severity) == [severity])
  }

  @Test func `an index on a to-many is a warning`() {
    let entity = EntityDescription(
      name: "A",
      relationships: [
        RelationshipDescription(name: "a", destinationEntityName: "A", inverseName: "b", maxCount: 0),
        RelationshipDescription(name: "b", destinationEntityName: "A", inverseName: "a"),
      ],
      fetchIndexes: [FetchIndexDescription(name: "i", elements: [FetchIndexElement(property: "a")])])
    let found = checkModel(ManagedObjectModel(entities: [entity]))
    #expect(found.map(\.severity) == [.warning])
  }

  @Test func `the near name is offered`() throws {
    let source = MarkedSource("entities: {Trail: {}, Hut: {relationships: {t: {to: Trial}}}}")
    #expect(try findings(in: source).first?.help == ["did you mean 'Trail'?"])
  }

  @Test(arguments: 0..<60)
  func `any model can be checked`(seed: UInt64) {
    var generator = ModelGenerator(seed: seed)
    let model = generator.model()
    for finding in checkModel(model) {
      #expect(finding.subject != nil)
      #expect(!finding.message.contains("\n"), "\(finding.message)")
    }
  }

  @Test(.timeLimit(.minutes(1))) func `500 entities are read and checked in no time`() throws {
    let entities = (0..<500).map { number in
      EntityDescription(
        name: "Entity\(number)", superentityName: number % 5 == 0 ? nil : "Entity\(number / 5 * 5)",
        attributes: (0..<15).map {
          AttributeDescription(name: "a\(number)_\($0)", type: .integer32, defaultValue: "0")
        },
        relationships: [
          RelationshipDescription(
            name: "next\(number)", destinationEntityName: "Entity\((number + 1) % 500)",
            inverseName: "previous\((number + 1) % 500)"),
          RelationshipDescription(
            name: "previous\(number)", destinationEntityName: "Entity\((number + 499) % 500)",
            inverseName: "next\((number + 499) % 500)"),
        ])
    }
    let model = ManagedObjectModel(entities: entities)
    let data = Data(writeModel(model).utf8)
    var found: [Diagnostic]?
    let readTime = ContinuousClock().measure { found = readModel(yaml: data, file: "V1.yaml").diagnostics }
    #expect(found == [])
    let checkTime = ContinuousClock().measure { found = checkModel(model) }
    #expect(found == [])
    // A debug build is many times slower than a release build.
    #expect(checkTime < .seconds(2))
    #expect(readTime < .seconds(5))
  }
}
