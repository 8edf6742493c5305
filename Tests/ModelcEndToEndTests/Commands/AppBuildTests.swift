import Foundation
import TestSupport
import Testing

@Suite("An app as a source of models", .needsFixtures, .needsPython) struct AppBuildTests {
  private static let sample = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"

  /// An app with a compiled model and mapping model, and a widget; as a folder and as an `.ipa`.
  private func withApp(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let package = Fixtures.url(Self.sample + "SampleModel.xcdatamodeld").path
      for app in ["Payload/S.app", "Payload/S.app/PlugIns/W.appex"] {
        expectSuccess(try place.modelc("compile", package, "-o", app))
      }
      try Data(contentsOf: Fixtures.url(Self.sample + "Fixtures/V2toV3.cdm")).write(
        to: place.url("Payload/S.app/V2toV3.cdm"))
      try zip(place)
      try body(place)
    }
  }

  private func json(_ run: Modelc.Run) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(run.stdout.utf8)) as? [String: Any])
  }

  private func zip(_ place: Workplace) throws {
    let script =
      "import shutil,sys; shutil.make_archive('S','zip','.','Payload'); shutil.move('S.zip','S.ipa')"
    _ = try Python.run(["-c", "import os; os.chdir(r'\(place.folder.path)'); \(script)"])
  }

  @Test func `both forms are what they were compiled from`() throws {
    try withApp { place in
      let package = Fixtures.url(Self.sample + "SampleModel.xcdatamodeld").path
      for app in ["Payload/S.app", "S.ipa", "S.ipa/Payload/S.app", "Payload"] {
        let list = try place.modelc("version", "list", "--models", app, "--format", "json")
        expectSuccess(list)
        let known = try place.modelc("version", "list", "--models", package, "--format", "json")
        let checksums = try [list, known].map { run in
          try #require(json(run)["versions"] as? [[String: Any]]).map { $0["checksum"] as? String }
        }
        #expect(checksums[0] == checksums[1] && checksums[0].count == 3, "\(app)")
      }
      for command in [
        ["show", "S.ipa"], ["export", "--as", "svg", "S.ipa"],
        ["diff", "S.ipa#SampleModel", "S.ipa#SampleModel2"],
        ["adopt", "S.ipa/Payload/S.app/SampleModel.momd"], ["adopt", "S.ipa/Payload/S.app/V2toV3.cdm"],
      ] {
        expectSuccess(try Modelc.run(command, in: place.folder))
      }
    }
  }

  @Test func `its mapping model is used, as in the app`() throws {
    try withApp { place in
      for app in ["Payload/S.app", "S.ipa"] {
        let store = try place.copyStore(
          Self.sample + "Fixtures/SampleModel_V2.sqlite", as: "\(app.count).sqlite")
        let plan = try place.modelc("plan", store, "--models", app, "--to", "SampleModel3")
        #expect(
          plan.stderr.contains("mapping model: \(app == "S.ipa" ? "S.ipa/Payload/S.app" : app)/V2toV3.cdm"),
          "\(plan)")
      }
    }
  }

  @Test func `a release is checked against the app that is out`() throws {
    try withApp { place in
      let package = Fixtures.url(Self.sample + "SampleModel.xcdatamodeld")
      try FileManager.default.copyItem(at: package, to: place.url("SampleModel.xcdatamodeld"))
      func check(_ app: String) throws -> Modelc.Run {
        try place.modelc(
          "check", "--models", "SampleModel.xcdatamodeld", "--against", app, "--level", "path", "--no-cache")
      }
      for app in ["S.ipa", "Payload/S.app"] { expectSuccess(try check(app)) }
      try place.replace(
        "\"firstName\"", with: "\"foreName\"",
        in: "SampleModel.xcdatamodeld/SampleModel2.xcdatamodel/contents")
      for app in ["S.ipa", "Payload/S.app"] {
        let run = try check(app)
        #expect(run.code == 1 && run.stdout.contains("error[MC7026]"), "\(run)")
        #expect(run.stdout.contains("is in '\(app)'"), "\(run)")
      }
      #expect(try check("Other.ipa").code == 2)
      for app in ["S.ipa", "Payload/S.app"] {
        expectRefusal(try place.modelc("release", "SampleModel", "--models", app), "MC0009", exit: 2)
      }
    }
  }

  @Test func `a widget with another model is named, and archives that are not any are refused`() throws {
    try withApp { place in
      let same = try place.modelc("inspect", "S.ipa")
      expectSuccess(same)
      #expect(same.stdout.contains("S.ipa/Payload/S.app/V2toV3.cdm") && !same.stderr.contains("MC2207"))
      let info = "Payload/S.app/PlugIns/W.appex/SampleModel.momd"
      try FileManager.default.removeItem(at: place.url(info))
      expectSuccess(
        try place.modelc(
          "compile", Fixtures.url(GenuineModel.moody.package).path, "-o", "Payload/S.app/PlugIns/W.appex"))
      try FileManager.default.moveItem(
        at: place.url("Payload/S.app/PlugIns/W.appex/Moody.momd"), to: place.url(info))
      try zip(place)
      for app in ["Payload/S.app", "S.ipa"] {
        #expect(try place.modelc("inspect", app).stderr.contains("warning[MC2207]"))
      }
      try place.write("PK", to: "Bad.ipa")
      expectRefusal(try place.modelc("inspect", "Bad.ipa"), "MC2203", exit: 1)
      try place.write("", to: "Empty.app/Info.plist")
      expectRefusal(try place.modelc("show", "Empty.app"), "MC0009", exit: 2)
    }
  }

  @Test func `a user's container: what each file is`() throws {
    try withApp { place in
      let support = "Data/Library/Application Support"
      try place.copyStore(
        Self.sample + "Fixtures/SampleModel_V2.sqlite", as: "SampleModel.sqlite", into: support)
      try place.copyStore(Self.sample + "Fixtures/SampleModel_V1.sqlite", as: "Old.sqlite", into: support)
      try place.write("log", to: "\(support)/Gone.sqlite-wal")
      try place.write("", to: "\(support)/Empty.sqlite")
      try place.write("hello", to: "\(support)/notes.txt")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)],
        ofItemAtPath: place.url("\(support)/Old.sqlite").path)
      let run = try place.modelc("inspect", "Data", "--models", "S.ipa", "--format", "json")
      expectSuccess(run)
      let files = try #require(json(run)["files"] as? [[String: Any]])
      let kinds = Dictionary(
        uniqueKeysWithValues: files.map { file in
          (
            URL(filePath: file["path"] as? String ?? "").lastPathComponent,
            [file["kind"] as? String ?? "", (file["versions"] as? [String] ?? []).joined()]
          )
        })
      #expect(
        kinds == [
          "SampleModel.sqlite": ["coreData", "SampleModel2"], "Old.sqlite": ["coreData", "SampleModel"],
          "Gone.sqlite-wal": ["logWithoutStore", ""], "Empty.sqlite": ["notAStore", ""],
        ])
      let newest = files.filter { $0["isNewest"] as? Bool == true }.map { $0["isDefaultPlace"] as? Bool }
      #expect(newest == [true])
      try FileManager.default.createDirectory(at: place.url("None"), withIntermediateDirectories: true)
      expectRefusal(try place.modelc("inspect", "None"), "MC0009", exit: 2)
    }
  }
}
