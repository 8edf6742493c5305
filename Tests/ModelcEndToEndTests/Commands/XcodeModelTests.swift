import Foundation
import TestSupport
import Testing

/// A team that stays with Xcode needs no YAML: commands take its packages, and what the app ships, as they are.
@Suite("Commands on Xcode's models", .needsFixtures)
struct XcodeModelTests {
  private let package = Fixtures.url(GenuineModel.moody.package).path
  private let bundle = Fixtures.url(
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd"
  ).path

  @Test(arguments: ["--models", "--model"])
  func `a store is recognised, planned and migrated by a package alone`(_ option: String) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(GenuineModel.moody.stores[0].path)
      // Of `inspect`, '--model' asks for the store's own.
      let inspection = try place.modelc("inspect", store, "--models", package, "--format", "json")
      #expect(try inspection.decoded(as: InspectionRecord.self).versions == ["Moody"])
      let plan = try place.modelc("plan", store, option, package, "--to", "Moody 2")
      expectSuccess(plan)
      expectSuccess(try place.modelc("migrate", store, option, package, "--to", "Moody 2"))
      let after = try place.modelc("inspect", store, "--models", package, "--format", "json")
      #expect(try after.decoded(as: InspectionRecord.self).versions == ["Moody 2"])
    }
  }

  @Test func `a package in the project's folder, or among its models, is one of its models`() throws {
    for path in ["Moody.xcdatamodeld", "Models/Moody.xcdatamodeld"] {
      try withTemporaryFolder { folder in
        let place = Workplace(folder: folder)
        try FolderSnapshot(URL(filePath: package)).write(to: place.url(path))
        let list = try place.modelc("version", "list")
        expectSuccess(list)
        #expect(list.stdout.hasPrefix("Moody: 6 versions"))
        expectSuccess(try place.modelc("compile"))
        #expect(try place.snapshot("Build").names.contains("Moody.momd/Moody 6.mom"))
        // What was adopted from it goes before it.
        expectSuccess(try place.modelc("adopt", path))
        #expect(try place.modelc("version", "list").stdout == list.stdout)
      }
    }
  }

  @Test func `bundles and single versions are taken too`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let store = try place.copyStore(GenuineModel.sampleModel.stores[0].path)
      let run = try place.modelc("inspect", store, "--models", bundle, "--format", "json")
      #expect(try run.decoded(as: InspectionRecord.self).versions == ["SampleModel"])
      expectSuccess(try place.modelc("version", "list", bundle))
      expectSuccess(
        try place.modelc("inspect", bundle + "/SampleModel2.mom", package + "/Moody 3.xcdatamodel"))
      expectSuccess(try place.modelc("diff", bundle + "#SampleModel", bundle + "/SampleModel2.mom"))
    }
  }

  @Test func `what was adopted goes back out with the same bytes`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let run = try place.modelc("export", "-C", "T", "--as", "xcdatamodeld", "-o", "Out")
      expectSuccess(run)
      #expect(run.stdout == "Out/Moody.xcdatamodeld: 6 versions, current Moody 6\n")
      let (out, original) = (
        try place.snapshot("Out/Moody.xcdatamodeld"), try FolderSnapshot(URL(filePath: package))
      )
      #expect(out.names == original.names)
      for name in original.names where name != "Moody.xcdatamodel/contents" {
        #expect(out[name] == original[name], "\(name)")
      }
      // That one was saved by hand, with a line end after its last line.
      let name = "Moody.xcdatamodel/contents"
      #expect(try #require(out[name]) + Data("\n".utf8) == original[name])
    }
  }

  @Test func `one version goes into a package that is there, and an edit is the only difference`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      try FolderSnapshot(URL(filePath: package)).write(to: place.url("Moody.xcdatamodeld"))
      let before = try place.snapshot("Moody.xcdatamodeld")
      let run = try place.modelc(
        "export", "Moody 5", "-C", "T", "--as", "xcdatamodeld", "-o", "Moody.xcdatamodeld")
      expectSuccess(run)
      #expect(try place.snapshot("Moody.xcdatamodeld") == before)
      try place.replace("isoContinent: ", with: "isoRegion: ", in: "T/Models/Moody/Moody 5.yaml")
      expectSuccess(
        try place.modelc("export", "Moody 5", "-C", "T", "--as", "xcdatamodeld", "-o", "Moody.xcdatamodeld"))
      let after = try place.snapshot("Moody.xcdatamodeld")
      #expect(after.names.filter { after[$0] != before[$0] } == ["Moody 5.xcdatamodel/contents"])
      let (old, new) = (lines(before), lines(after))
      #expect(old.count == new.count && zip(old, new).filter { $0 != $1 }.count == 1)
    }
  }

  private func lines(_ package: FolderSnapshot) -> [Substring] {
    String(decoding: package["Moody 5.xcdatamodel/contents"] ?? Data(), as: UTF8.self).split(separator: "\n")
  }

  @Test func `export writes bundles, single versions and several models, and says where it cannot`() throws {
    try Workplace.with(GenuineModel.moody.package, GenuineModel.books.package) { place in
      expectSuccess(try place.modelc("export", "Moody", "-C", "T", "--as", "momd", "-o", "Out"))
      expectSuccess(try place.modelc("compile", "Moody", "-C", "T", "-o", "Own"))
      #expect(try place.snapshot("Out") == place.snapshot("Own"))
      expectSuccess(try place.modelc("export", "-C", "T", "--as", "xcdatamodeld", "-o", "All"))
      #expect(try place.snapshot("All").names.contains("Model.xcdatamodeld/Model3.xcdatamodel/contents"))
      expectSuccess(
        try place.modelc("export", bundle + "#SampleModel2", "--as", "xcdatamodeld", "-o", "S.xcdatamodel"))
      expectSuccess(try place.modelc("inspect", "S.xcdatamodel"))
      let several = try place.modelc("export", "-C", "T", "--as", "xcdatamodeld", "-o", "One.xcdatamodeld")
      expectRefusal(several, "MC2205", exit: 2)
      let taken = try place.modelc(
        "export", "Moody", "-C", "T", "--as", "xcdatamodeld", "-o", "One.xcdatamodel")
      expectRefusal(taken, "MC2205", exit: 1)
      try place.write("entities: {Hut: {colour: red}}\n", to: "T/Models/Moody/Moody 5.yaml")
      let broken = try place.modelc("export", "Moody", "-C", "T", "--as", "xcdatamodeld", "-o", "Broken")
      expectRefusal(broken, "MC0003", exit: 1)
      #expect(!FileManager.default.fileExists(atPath: place.url("Broken").path))
    }
  }

  @Test func `the bundle of a package equals the genuine one in hashes, checksums and current version`()
    throws
  {
    for name in ["SampleModel", "SampleModel3"] {
      try withTemporaryFolder { folder in
        let resources = Fixtures.url("alemar11+CoreDataPlus/Tests/Resources/\(name)")
        expectSuccess(
          try Modelc.run("compile", "\(resources.path)/\(name).xcdatamodeld", "-o", ".", in: folder))
        let path = "\(name).momd/VersionInfo.plist"
        let ours = try propertyList(Data(contentsOf: folder.appending(path: path)))
        let genuine = try propertyList(Data(contentsOf: resources.appending(path: "Fixtures/\(path)")))
        #expect(genuine.count >= 2)
        var compared = 0
        for (key, value) in genuine where key != "NSManagedObjectModel_VersionHashes" {
          #expect(ours[key] as? NSObject == value as? NSObject, "\(name): \(key)")
          compared += 1
        }
        let key = "NSManagedObjectModel_VersionHashes"
        let hashes = try #require(genuine[key] as? [String: [String: Data]])
        #expect(ours[key] as? [String: [String: Data]] == hashes)
        #expect(hashes.values.map(\.count).reduce(0, +) > 0 && compared > 0)
      }
    }
  }
}
