import Foundation
import GRDB
import ManagedModel
import ModelFormats
import PersistentStore
import StoreFixtures
import TestSupport
import Testing

@Suite struct `Fixtures of models with numbers at the end of their range` {
  private func model(_ text: String) throws -> ManagedObjectModel {
    try #require(readModel(yaml: Data(text.utf8), file: "V1.yaml").model)
  }

  @Test func `A constraint of more values than 64 bits count`() throws {
    let model = try model(
      """
      entities:
        A:
          attributes: {a: integer16, b: integer16, c: integer16, d: integer16, e: integer16}
          uniquenessConstraints: [[a, b, c, d, e]]
      """)
    try withFixture(of: model, .rows(50)) { _, report, _ in #expect(report.count == 50) }
  }

  @Test func `Near the greatest number no mask is beyond it`() throws {
    let model = try model("entities: {A: {attributes: {n: {type: integer64, min: 9223372036854775800}}}}")
    let object = ManagedObject("A", 1, values: ["n": .integer(.max)])
    let fields = try MaskedFields(["*"], model: model)
    let error = #expect(throws: DiagnosticsError.self) { try mask([object], fields, model: model, seed: 1) }
    #expect(error?.diagnostics.map(\.code.description) == ["MC5501"])
  }

  @Test func `Decimals of the smallest size are masked`() throws {
    let model = try model("entities: {A: {attributes: {n: decimal}}}")
    let number = try #require(Decimal(string: "1e-127"))
    let object = ManagedObject("A", 1, values: ["n": .decimal(number)])
    #expect(try mask([object], MaskedFields(["*"], model: model), model: model, seed: 1) != [object])
    #expect(product(number, number).isNaN)
    #expect(product(3, number) == number * 3)
  }

  @Test func `Lengths and counts that no fixture can have`() throws {
    var model = try model("entities: {A: {attributes: {s: string}}}")
    model.entities[0].attributes[0].validation.minimumLength = .max
    let error = #expect(throws: DiagnosticsError.self) { try withFixture(of: model, .rows(3)) { _, _, _ in } }
    #expect(error?.diagnostics.map(\.code.description) == ["MC5501"])
    model.entities[0].attributes[0].validation.minimumLength = nil
    model.entities[0].attributes[0].validation.maximumLength = -5
    _ = try? withFixture(of: model, .rows(3)) { _, _, _ in }
    var peers = try self.model(
      "entities: {A: {relationships: {peers: {toMany: A, inverse: peers, optional: false}}}}")
    peers.entities[0].relationships[0].minCount = .max
    #expect(throws: DiagnosticsError.self) { try withFixture(of: peers, .rows(9)) { _, _, _ in } }
  }
}

@Suite struct `Files that say any size` {
  @Test func `A store larger than SQLite's are is refused`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Store.sqlite")
      let queue = try DatabaseQueue(path: file.path)
      try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
      try queue.close()
      // Some file systems have a smaller limit of their own.
      guard unsafe truncate(file.path, 1 << 60) == 0 else { return }
      let error = #expect(throws: DiagnosticsError.self) { try StoreFile(path: file.path) }
      #expect(error?.diagnostics.map(\.code.description) == ["MC5001"])
    }
  }

  @Test func `Sums end at the greatest number`() {
    #expect(Int64.max.addingClamped(1) == .max && Int64.min.addingClamped(-1) == .min)
    #expect(Int64(2).addingClamped(3) == 5)
  }
}
