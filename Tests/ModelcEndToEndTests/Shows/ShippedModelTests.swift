import Foundation
import TestSupport
import Testing

@Suite("What apps ship, from adopt to plan", .needsFixtures)
struct ShippedModelTests {
  struct App: CustomTestStringConvertible, Sendable {
    var package: String
    var mappings: [String]
    var store: String?
    var testDescription: String { package }
  }

  private static let fearless = "soramitsu+fearless-iOS/fearless/Common/Storage"
  private static let notes =
    "kodecocodes+cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes"
  private static let moody = "objcio+core-data/Migrations/Migrations"
  private static let evolution = "JohnEstropia+CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo"
  private static let sample = "alemar11+CoreDataPlus/Tests/Resources/SampleModel"

  /// Every mapping model among the fixtures.
  static let apps = [
    App(
      package: "hwaxxer+BookMigration/BookMigration/Model.xcdatamodeld",
      mappings: ["Model1_to_Model2", "Model2_to_Model3_User", "Model2_to_Model3"].map {
        "hwaxxer+BookMigration/BookMigration/\($0)"
      }, store: "hwaxxer+BookMigration/BookMigration/Model1.sqlite"),
    App(
      package: "objcio+issue-4-core-data-migration/BookMigration/Model.xcdatamodeld",
      mappings: ["Model1_to_Model2", "Model2_to_Model3", "Model2_to_Model3_User"].map {
        "objcio+issue-4-core-data-migration/BookMigration/\($0)"
      }),
    App(
      package: "\(moody)/Moody.xcdatamodeld",
      mappings: ["2-Moody 3", "3-Moody 4", "4-Moody 5", "5-Moody 6"].map { "\(moody)/Moody \($0)" }),
    App(
      package: "\(notes)/UnCloudNotesDataModel.xcdatamodeld",
      mappings: ["v2_to_v3", "v3_to_v4"].map { "\(notes)/UnCloudNotesMappingModel_\($0)" }),
    App(
      package: "\(fearless)/UserDataModel.xcdatamodeld",
      mappings: ["SingleToMultiasset", "MultiassetV2", "UserDataModelV10toV11"].map {
        "\(fearless)/MigrationMappings/\($0)"
      }),
    App(
      package: "LoopKit+LoopKit/LoopKit/Persistence/Model.xcdatamodeld",
      mappings: ["LoopKit+LoopKit/LoopKit/Persistence/Modelv1v4"]),
    App(
      package: "\(evolution)/Advanced.EvolutionDemo.V1.xcdatamodeld",
      mappings: ["V2.FromV1", "V1.FromV2"].map { "\(evolution)/Advanced.EvolutionDemo.\($0)" }),
    App(package: "\(sample)/SampleModel.xcdatamodeld", mappings: ["\(sample)/MappingModels/V2toV3"]),
  ]

  /// What stays to be done: policies to port, versions to release, what goes for good to be said.
  private static let open: Set = ["MC4201", "MC7011", "MC7008"]

  @Test(arguments: apps)
  func `a mapping model comes in whole, compiles, is checked and planned`(_ app: App) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let mappings = app.mappings.map { Fixtures.url("\($0).xcmappingmodel").path }
      expectSuccess(
        try Modelc.run(["adopt", Fixtures.url(app.package).path] + mappings + ["-C", "T"], in: folder))
      expectSuccess(try place.modelc("compile", "-C", "T"))
      let check = try place.modelc("check", "-C", "T")
      #expect(Set(check.errors).isSubset(of: Self.open), "\(check.errors)")
      if let store = app.store {
        let copy = try Fixtures.copyStore(store, into: folder)
        let plan = try place.modelc("plan", copy.lastPathComponent, "-C", "T")
        #expect(Set(plan.errors).isSubset(of: ["MC4201"]), "\(plan)")
      }
    }
  }

  /// PyYAML takes less than libyaml does: a question mark in brackets, say.
  @Test(.needsPython) func `what is written is read by another reader as well`() throws {
    guard try Python.run(["-c", "import yaml"]).code == 0 else { return }
    try withTemporaryFolder { folder in
      for app in Self.apps {
        let mappings = app.mappings.map { Fixtures.url("\($0).xcmappingmodel").path }
        _ = try Modelc.run(
          ["adopt", Fixtures.url(app.package).path] + mappings + ["-C", "T", "--force"], in: folder)
      }
      let program = """
        import glob, sys, yaml
        for name in sorted(glob.glob(sys.argv[1] + '/**/*.yaml', recursive=True)):
          yaml.safe_load(open(name, encoding='utf-8'))
          print(name)
        """
      let run = try Python.run(["-c", program, folder.path])
      #expect(run.code == 0 && run.text.split(separator: "\n").count > 40, "\(run.text)")
    }
  }

  @Test func `policies that mappings name get a stub, and a project with models gets no other`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let app = Self.apps[0]
      let mappings = app.mappings.map { Fixtures.url("\($0).xcmappingmodel").path }
      expectSuccess(
        try Modelc.run(["adopt", Fixtures.url(app.package).path] + mappings + ["-C", "T"], in: folder))
      let before = try place.snapshot("T/Models")
      expectSuccess(try place.modelc("init", "T", "--policies"))
      #expect(try place.snapshot("T/Models") == before)
      func text(_ name: String) throws -> String {
        try String(contentsOf: place.url("T/Migrations/Policies/\(name).swift"), encoding: .utf8)
      }
      let stub = try text("MHWBookToBookPolicy")
      #expect(stub.contains("final class MHWBookToBookPolicy: UnportedPolicy {"))
      #expect(stub.contains("BookToBook from Model1 to Model2, BookToBook from Model2 to Model3"))
      let list = "\npublic let policies: [EntityMigrationPolicy.Type] = [\n  MHWBookToBookPolicy.self,\n]\n"
      #expect(try text("policies").hasSuffix(list))
    }
  }

  @Test func `a blank that is missing in brackets is asked for`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V1\nversions: [V1]\n", to: "Models/M/versions.yaml")
      try place.write(
        "entities:\n  Hut:\n    attributes: {name:string, b: integer32}\n", to: "Models/M/V1.yaml")
      let run = try place.modelc("compile")
      #expect(run.code == 1 && run.stderr.contains("write a space after the colon: 'name: string'"), "\(run)")
    }
  }

  @Test func `a command that is not there is asked for by its name`() throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run("inpect", "Store.sqlite", in: folder)
      #expect(
        run.code == 2 && run.stderr.hasPrefix("error: there is no command 'inpect'; did you mean 'inspect'?"))
      #expect(
        try Modelc.run("zzzzzzz", in: folder).stderr.hasPrefix("error: there is no command 'zzzzzzz'\n"))
      #expect(try Modelc.run("help", "inspect", in: folder).code == 0)
    }
  }
}
