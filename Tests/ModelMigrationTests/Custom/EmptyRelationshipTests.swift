import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Core Data asks for a required relationship when an object is saved; what a mapping leaves empty is a mistake of it,
/// unless it says otherwise.
@Suite("Required relationships that a mapping leaves empty") struct EmptyRelationshipTests {
  private static func version(_ owner: String) -> String {
    """
    entities:
      Hut: {attributes: {name: string?}, relationships: {\(owner)}}
      Man: {relationships: {huts: {toMany: Hut, inverse: owner}}}
    """
  }
  private static let optional = version("owner: {to: Man, inverse: huts}")
  private static let required = version("owner: {to: Man, inverse: huts, optional: false}")
  private static let none = "entities: {Hut: {attributes: {name: string?}}, Man: {}}"

  /// A hut without an owner, by a mapping that statements cannot carry out.
  private func run(_ versions: [String], _ line: String = "") throws -> CustomTrial.Outcome {
    let mapping = """
      entityMappings:
        Huts:
          source: Hut
          destination: Hut
          where: name != "q"
      \(line)
      """
    return try CustomTrial(versions, mappings: [mapping]).run(objects("Hut", ["name": .string("a")]))
  }

  @Test func `are refused, and the refusal says what lowers it`() throws {
    let error = #expect(throws: MigrationValidationError.self) {
      _ = try run([Self.optional, Self.required])
    }
    let found = error?.diagnostics.first { $0.code.description == "MC6103" }
    #expect(found?.severity == .error)
    #expect(found?.help.contains { $0.contains("allowsEmpty: true") && $0.contains("'Huts'") } == true)
  }

  @Test func `are refused before anything is done where the mapping alone tells`() throws {
    let error = #expect(throws: MigrationRefusedError.self) { _ = try run([Self.none, Self.required]) }
    let found = error?.plan.diagnostics.first { $0.severity == .error }
    #expect(found?.code.description == "MC4106")
    #expect(found?.help.contains { $0.contains("allowsEmpty: true") } == true)
  }

  @Test(arguments: [optional, none]) func `are allowed where the mapping says so`(_ before: String) throws {
    let outcome = try run([before, Self.required], "    allowsEmpty: true")
    #expect(outcome.objects.count == 1)
    let told = outcome.report.diagnostics.filter { $0.code.description == "MC6103" }
    #expect(told.map(\.severity) == [.information])
  }

  /// As many objects of the source were without it before: that is not a fault of the mapping.
  @Test func `are a note where the source has them`() throws {
    let outcome = try run([Self.required, Self.required + "\n  Tour: {}"])
    #expect(outcome.objects.count == 1)
  }

  /// As a set's `value(forKeyPath:)` does.
  @Test func `an object without the next one of a key path is left out`() throws {
    let old = """
      entities:
        Doc: {attributes: {title: string?}, relationships: {detail: {to: Detail, inverse: doc}}}
        Detail:
          relationships:
            doc: {to: Doc, inverse: detail}
            seeAlso: {toMany: Detail, inverse: seenFrom}
            seenFrom: {toMany: Detail, inverse: seeAlso}
      """
    let new = """
      entities:
        Doc:
          attributes: {title: string?}
          relationships: {seeAlso: {toMany: Doc, inverse: seenFrom}, seenFrom: {toMany: Doc, inverse: seeAlso}}
      """
    let mapping = """
      entityMappings:
        D:
          source: Doc
          destination: Doc
          relationships: {seeAlso: 'destinationInstances("D", $source.detail.seeAlso.doc)'}
        Detail: {source: Detail, drop: true}
      """
    func id(_ entity: String, _ key: Int64) -> ManagedObject.ID { .init(entityName: entity, primaryKey: key) }
    var details = (1...3).map { ManagedObject("Detail", $0) }
    details[0].toOne["doc"] = id("Doc", 1)
    details[1].toOne["doc"] = id("Doc", 2)
    details[0].toMany["seeAlso"] = [id("Detail", 2), id("Detail", 3)]
    var docs = (1...2).map { ManagedObject("Doc", $0) }
    docs[0].toOne["detail"] = id("Detail", 1)
    docs[1].toOne["detail"] = id("Detail", 2)
    let outcome = try CustomTrial([old, new], mappings: [mapping]).run(docs + details)
    #expect(outcome.objects.map { $0.toMany["seeAlso"] ?? [] } == [[id("Doc", 2)], []])
  }
}
