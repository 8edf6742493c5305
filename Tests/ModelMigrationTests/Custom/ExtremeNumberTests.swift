import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

private final class DoublingPolicy: EntityMigrationPolicy {
  override class var policyName: String { "NotePolicy" }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    _ = try manager.destinationContext.insert("Note")
  }
}

@Suite("Numbers of a store at the end of their range")
struct ExtremeNumberTests {
  private static let old = "entities:\n  Note: {attributes: {title: string?, price: decimal?}}\n"
  private static let new =
    "entities:\n  Note: {attributes: {title: string?, price: decimal?, slug: string?}}\n"
  private static let mapping = """
    entityMappings:
      NoteToNote: {source: Note, destination: Note, policy: NotePolicy, attributes: {title: $source.title}}
    """
  private static let step = PostProcessingStep(name: "more", version: "V2") { _ = try $0.insert("Note") }

  /// Migrates a store that was changed, beside a canary; a failure leaves it byte for byte what it was.
  private func migrate(
    _ trial: CustomTrial, _ sql: String, _ objects: [ManagedModel.ManagedObject], route: RouteRequest = .auto
  ) throws -> (codes: [String], keys: [Int64]) {
    try withTemporaryFolder { folder in
      let folder = folder.appending(path: "store")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let canary = try Canary(beside: folder)
      let store = try trial.store(objects, in: folder)
      try store.write { try $0.execute(sql: sql) }
      let before = try Data(contentsOf: store.url)
      var trial = trial
      trial.options.route = route
      var codes: [String] = []
      do { try trial.migrate(store) } catch {
        codes = refusalCodes(error)
        #expect(!codes.isEmpty, "\(error)")
        #expect(try Data(contentsOf: store.url) == before)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
      #expect(canary.isUntouched)
      return (codes, try store.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZNOTE ORDER BY Z_PK") })
    }
  }

  private static let last = "9223372036854775807"

  @Test(arguments: [
    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(last)", "UPDATE ZNOTE SET Z_PK = \(last)",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(last); UPDATE ZNOTE SET Z_PK = -1",
  ])
  func `where no key is left, a policy's new object and a step's are refused`(_ sql: String) throws {
    let one = objects("Note", ["title": .string("One")])
    let custom = try CustomTrial(
      [Self.old, Self.new], mappings: [Self.mapping], policies: [DoublingPolicy.self])
    let steps = try CustomTrial([Self.old, Self.new], steps: [Self.step])
    #expect(try migrate(custom, sql, one).codes == ["MC5106"])
    for route in [RouteRequest.auto, .clone] {
      let codes = try migrate(steps, sql, one, route: route).codes
      #expect(codes == ["MC5106"] || codes == ["MC4302"], "\(route)")
    }
  }

  @Test(arguments: ["-9223372036854775808", "-1", "0", "1e300", "'x'", "x'00'", "NULL"])
  func `a highest key that is none counts as none, and new keys begin at 1`(_ number: String) throws {
    let steps = try CustomTrial([Self.old, Self.new], steps: [Self.step])
    let sql = "UPDATE Z_PRIMARYKEY SET Z_MAX = \(number); UPDATE ZNOTE SET Z_PK = -7"
    let outcome = try migrate(steps, sql, objects("Note", ["title": .string("One")]))
    #expect(outcome.codes == [] && outcome.keys == [-7, 1], "\(outcome)")
  }

  @Test(arguments: [RouteRequest.inPlace, .clone])
  func `bounds of rows from the greatest keys add up`(_ route: RouteRequest) throws {
    let old = """
      entities:
        Note: {attributes: {title: string?}}
        Page: {parent: Note}
        Leaf: {parent: Note}
        Tag: {}
        Word: {}
      """
    let new = old.replacing("title: string?", with: "title: string?, slug: string?")
    let trial = try CustomTrial([old, new])
    let keys = ["NOTE", "TAG", "WORD"].map { "UPDATE Z\($0) SET Z_PK = \(Self.last)" }
    let outcome = try migrate(
      trial, keys.joined(separator: ";"),
      objects("Note", [:]) + objects("Tag", [:]) + objects("Word", [:]), route: route)
    #expect(outcome.codes == [] && outcome.keys == [.max])
  }

  @Test func `a product of decimals that a decimal cannot hold is an error`() throws {
    let mapping = """
      entityMappings:
        NoteToNote:
          source: Note
          destination: Note
          attributes: {title: $source.title, price: $source.price * $source.price}
      """
    let trial = try CustomTrial([Self.old, Self.new], mappings: [mapping])
    for number in ["1e-100", "9.999e-127", "1e100"] {
      let codes = try migrate(
        trial, "UPDATE ZNOTE SET ZPRICE = \(number)", objects("Note", ["title": .string("One")])
      ).codes
      #expect(codes.count == 1, "\(number): \(codes)")
    }
  }
}
