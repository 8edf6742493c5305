import Foundation
import GRDB
import TestSupport
import Testing

@Suite("modelc adopt, mapping models", .needsFixtures)
struct AdoptMappingTests {
  private static let moody = "objcio+core-data/Migrations/Migrations/Moody 2-Moody 3.xcmappingmodel"
  private static let sample = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"

  @Test func `a mapping model is written under Migrations, and again to the same bytes`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let source = Fixtures.url(Self.moody).path
      let run = try place.modelc("adopt", source, "-C", "T")
      expectSuccess(run)
      #expect(run.stderr.isEmpty, "\(run)")
      let file = "T/Migrations/Moody/Moody 2-Moody 3.yaml"
      #expect(run.stdout.contains("\(file): 3 entity mappings, 3 value expressions"))
      let text = try String(contentsOf: place.url(file), encoding: .utf8)
      let schema = "# yaml-language-server: $schema=../../Models/Schemas/mapping.schema.json\n"
      #expect(text.hasPrefix(schema + "from: Moody 2\nto: Moody 3\ninferred: false\n"))
      #expect(text.contains("destinationInstances(\"MoodToMood\", "))
      expectSuccess(try place.modelc("adopt", source, "-C", "T"))
      #expect(try String(contentsOf: place.url(file), encoding: .utf8) == text)
      try place.write("# mine\n", to: file)
      expectRefusal(try place.modelc("adopt", source, "-C", "T"), "MC0012", exit: 2)
      #expect(try String(contentsOf: place.url(file), encoding: .utf8) == "# mine\n")
    }
  }

  @Test func `a compiled one comes in with its model, and not without`() throws {
    try withTemporaryFolder { folder in
      let compiled = Fixtures.url(Self.sample + "Fixtures/V2toV3.cdm").path
      let alone = try Modelc.run("adopt", compiled, in: folder)
      expectRefusal(alone, "MC4101", exit: 1)
      let package = Fixtures.url(Self.sample + "SampleModel.xcdatamodeld").path
      expectSuccess(try Modelc.run("adopt", compiled, package, in: folder))
      let file = folder.appending(path: "Migrations/SampleModel/SampleModel2-SampleModel3.yaml")
      let first = try Data(contentsOf: file)
      // The source that it was compiled from says the same.
      let source = Fixtures.url(Self.sample + "MappingModels/V2toV3.xcmappingmodel").path
      expectSuccess(try Modelc.run("adopt", source, in: folder))
      #expect(try Data(contentsOf: file) == first)
    }
  }

  @Test func `two mapping models of one step become a list`() throws {
    try withTemporaryFolder { folder in
      let base = "objcio+issue-4-core-data-migration/BookMigration/Model2_to_Model3"
      let sources = ["", "_User"].map { Fixtures.url("\(base)\($0).xcmappingmodel").path }
      let run = try Modelc.run(["adopt"] + sources + ["--format", "json"], in: folder)
      expectSuccess(run)
      struct Record: Decodable {
        struct Mapping: Decodable { var file: String, from: String, to: String, entityMappings: [String] }
        var adopted: [Mapping]
      }
      let adopted = try run.decoded(as: Record.self).adopted
      #expect(adopted.map(\.file) == ["Migrations/Model/Model2-Model3.yaml"])
      #expect(adopted[0].entityMappings.count == 4)
    }
  }
}

@Suite("modelc inspect --model", .needsFixtures)
struct InspectModelTests {
  private static let store =
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite"

  @Test func `prints the store's own model, which adopt makes a project of`() throws {
    try Workplace.with { place in
      let store = try place.copyStore(Self.store)
      let before = try place.snapshot()
      let shown = try place.modelc("inspect", store, "--model")
      expectSuccess(shown)
      #expect(try place.snapshot() == before)
      expectSuccess(try place.modelc("adopt", store, "--as", "V3a", "-C", "P"))
      let file = place.url("P/Models/SampleModel2_V1/V3a.yaml")
      let adopted = try String(contentsOf: file, encoding: .utf8)
      #expect(adopted.split(separator: "\n", maxSplits: 1).last.map(String.init) == shown.stdout)
      let recognised = try place.modelc("inspect", store, "-C", "P", "--format", "json")
      #expect(try recognised.decoded(as: InspectionRecord.self).versions == ["V3a"])
      expectRefusal(try place.modelc("adopt", store, "--as", "a/b", "-C", "P"), "MC1101", exit: 2)
    }
  }

  @Test func `says that a model whose hashes are not the store's is not trusted`() throws {
    try Workplace.with { place in
      let store = try place.copyStore(Self.store)
      let other = try place.copyStore(GenuineModel.moody.stores[0].path, as: "other.sqlite")
      let content = try DatabaseQueue(path: place.url(other).path).read { db in
        try Data.fetchOne(db, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")
      }
      let queue = try DatabaseQueue(path: place.url(store).path)
      try queue.write { try $0.execute(sql: "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", arguments: [content]) }
      try queue.close()
      let shown = try place.modelc("inspect", store, "--model")
      #expect(shown.code == 0)
      #expect(shown.stderr.contains("warning[MC5109]") && shown.stderr.contains("not trusted"))
      #expect(shown.stdout.hasPrefix("# Not trusted"))
      let adopted = try place.modelc("adopt", store, "-C", "P")
      expectRefusal(adopted, "MC5109", exit: 3)
      #expect(adopted.stderr.contains("'Mood'"))
      let json = try place.modelc("inspect", store, "--model", "--format", "json")
      struct Record: Decodable { var trusted: Bool, model: String }
      #expect(try json.decoded(as: Record.self).trusted == false)
    }
  }

  @Test func `refuses a store that carries no model`() throws {
    try Workplace.with { place in
      let store = try place.copyStore(GenuineModel.books.stores[0].path)
      let run = try place.modelc("inspect", store, "--model")
      #expect(run.errors == ["MC5109"] && run.code == 3 && run.stdout.isEmpty, "\(run)")
    }
  }
}
