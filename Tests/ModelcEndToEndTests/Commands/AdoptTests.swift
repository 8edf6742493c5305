import Foundation
import TestSupport
import Testing

@Suite("modelc adopt", .needsFixtures)
struct AdoptTests {
  @Test func `the same source again writes the same bytes`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let before = try place.snapshot("T")
      expectSuccess(try place.modelc("adopt", Fixtures.url(GenuineModel.moody.package).path, "-C", "T"))
      #expect(try place.snapshot("T") == before)
      #expect(
        before.names == [
          "Models/", "Models/Moody/", "Models/Moody/Moody 2.yaml", "Models/Moody/Moody 3.yaml",
          "Models/Moody/Moody 4.yaml", "Models/Moody/Moody 5.yaml", "Models/Moody/Moody 6.yaml",
          "Models/Moody/Moody.yaml", "Models/Moody/versions.yaml",
          "Models/Schemas/", "Models/Schemas/mapping.schema.json", "Models/Schemas/model.schema.json",
          "Models/Schemas/modelc.schema.json",
          "Models/Schemas/versions.schema.json",
        ])
    }
  }

  /// What Apple's tools took comes in with the meaning that Core Data gives it, and one line says so.
  @Test func `the meaning that is taken is written and told`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write(
        """
        <model userDefinedModelVersionIdentifier=""><entity name="Hut">
        <attribute name="beds" attributeType="Integer 16" defaultValueString="NO"/>
        <attribute name="rooms" attributeType="Integer 16" defaultValueString="NO"/>
        <attribute name="deleted" optional="YES" attributeType="Boolean"/></entity></model>
        """, to: "App.xcdatamodel/contents")
      let run = try place.modelc("adopt", "App.xcdatamodel", "-C", "T")
      expectSuccess(run)
      let lines = run.stdout.split(separator: "\n").filter { $0.contains("accepted as Core Data does") }
      #expect(lines.count == 2, "\(run.stdout)")
      #expect(lines.contains { $0.hasPrefix("defaults that are not values of their type: 2, ") })
      let text = try String(contentsOf: place.url("T/Models/App/App.yaml"), encoding: .utf8)
      #expect(text.contains("beds: integer16 = 0"))
      let list = try String(contentsOf: place.url("T/Models/App/versions.yaml"), encoding: .utf8)
      #expect(list.contains("{name: App, origin: xcode}"))
      let compiled = try place.modelc("compile", "-C", "T")
      expectSuccess(compiled)
      #expect(compiled.stderr.contains("warning[MC1102]"))
    }
  }

  @Test func `changed content is kept unless forced`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let original = try place.snapshot("T")
      let file = "T/Models/Moody/Moody 4.yaml"
      try place.write("# mine\n", to: file)
      let mine = try place.snapshot("T")
      let package = Fixtures.url(GenuineModel.moody.package).path
      let run = try place.modelc("adopt", package, "-C", "T")
      expectRefusal(run, "MC0012", exit: 2)
      #expect(run.stderr.contains(file) && run.stderr.contains("--force"))
      #expect(try place.snapshot("T") == mine)
      expectSuccess(try place.modelc("adopt", package, "-C", "T", "--force"))
      #expect(try place.snapshot("T") == original)
    }
  }

  @Test func `versions are in natural order and the current one is Xcode's`() throws {
    try Workplace.with("soramitsu+fearless-iOS/fearless/Common/Storage/SubstrateDataModel.xcdatamodeld") {
      place in
      let run = try place.modelc(
        "adopt",
        Fixtures.url("soramitsu+fearless-iOS/fearless/Common/Storage/SubstrateDataModel.xcdatamodeld").path,
        "-C", "T", "--format", "json")
      expectSuccess(run)
      struct Record: Decodable {
        struct Model: Decodable { var model: String, current: String, versions: [String] }
        var adopted: [Model]
      }
      let model = try #require(try run.decoded(as: Record.self).adopted.first)
      #expect(model.versions.count == 8)
      let listed = try String(
        contentsOf: place.url("T/Models/SubstrateDataModel/versions.yaml"), encoding: .utf8)
      #expect(listed.contains("current: \(model.current)"))
      let xcode = try propertyList(
        Data(
          contentsOf: Fixtures.url(
            "soramitsu+fearless-iOS/fearless/Common/Storage/SubstrateDataModel.xcdatamodeld/.xccurrentversion"
          )))
      #expect(xcode["_XCCurrentVersionName"] as? String == "\(model.current).xcdatamodel")
    }
  }

  static let sources = [
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
  ]

  @Test(arguments: sources)
  func `bundles and stores are adopted too, and recognise the stores`(_ source: String) throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run("adopt", Fixtures.url(source).path, in: folder)
      expectSuccess(run)
      #expect(run.stdout.hasPrefix("Models/"))
      let store = Fixtures.url(source.replacing(".momd", with: "_V1.sqlite")).path
      let inspection = try Modelc.run("inspect", store, "--format", "json", in: folder)
      #expect(try inspection.decoded(as: InspectionRecord.self).recognisedBy == "hashes")
    }
  }

  @Test(arguments: ["none.xcdatamodeld", "none.momd", "none.mom", "none.sqlite"])
  func `a source that is not there is a usage error`(_ name: String) throws {
    try withTemporaryFolder { folder in
      expectRefusal(try Modelc.run("adopt", name, in: folder), "MC0009", exit: 2)
      let json = try Modelc.run("adopt", name, "--format", "json", in: folder)
      #expect(try json.decoded(as: RefusalRecord.self).diagnostics.map(\.code) == ["MC0009"])
      #expect(try FolderSnapshot(folder).names == [])
    }
  }

  private static let fixtures = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures"
  /// Of two apps; only their hashes matter here.
  private static let stores = [
    "\(fixtures)/SampleModel_V1.sqlite", "\(fixtures)/SampleModel_V2.sqlite",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
  ]

  @Test func `stores become versions of one model, in the order that is said`() throws {
    try withTemporaryFolder { folder in
      func adopt(_ number: Int, _ options: String...) throws -> Modelc.Run {
        let store = Fixtures.url(Self.stores[number - 1]).path
        return try Modelc.run(["adopt", store, "--into", "Sample"] + options, in: folder)
      }
      expectSuccess(try adopt(2, "--as", "V2"))
      expectSuccess(try adopt(3, "--as", "V3"))
      expectSuccess(try adopt(1, "--as", "V1", "--before", "V2"))
      let list = try String(
        contentsOf: folder.appending(path: "Models/Sample/versions.yaml"), encoding: .utf8)
      #expect(list.contains("current: V2") && list.contains("  - V1\n  - V2\n  - V3\n"))
      let again = try adopt(1, "--as", "Old")
      expectSuccess(again)
      #expect(again.stdout.contains("V1 has the same version hashes"))
      expectRefusal(try adopt(2, "--as", "x/y"), "MC1101", exit: 2)
      expectRefusal(try adopt(2, "--as", "V9", "--before", "V7"), "MC2101", exit: 2)
      for (name, store) in zip(["V1", "V2", "V3"], Self.stores) {
        let path = Fixtures.url(store).path
        let inspection = try Modelc.run("inspect", path, "--format", "json", in: folder)
        #expect(try inspection.decoded(as: InspectionRecord.self).versions == [name])
      }
    }
  }

  @Test func `nothing that is listed is unlisted, forced or not`() throws {
    try withTemporaryFolder { folder in
      expectSuccess(
        try Modelc.run("adopt", Fixtures.url("\(Self.fixtures)/SampleModel.momd").path, in: folder))
      let before = try FolderSnapshot(folder)
      let store = Fixtures.url("\(Self.fixtures)/SampleModel_V1.sqlite").path
      for options in [["--force"], []] {
        let run = try Modelc.run(["adopt", store, "--model", "SampleModel"] + options, in: folder)
        expectRefusal(run, "MC0012", exit: 2)
        #expect(run.stderr.contains("--into"))
        #expect(try FolderSnapshot(folder) == before)
      }
    }
  }

  @Test func `a store without a model of its own is refused, with what to adopt instead`() throws {
    try withTemporaryFolder { folder in
      let store = Fixtures.url(GenuineModel.books.stores[0].path).path
      let run = try Modelc.run("adopt", store, in: folder)
      expectRefusal(run, "MC5109", exit: 3)
      #expect(run.stderr.contains(".xcdatamodeld"))
    }
  }
}
