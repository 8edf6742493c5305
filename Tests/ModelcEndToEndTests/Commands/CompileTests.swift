import Foundation
import TestSupport
import Testing

@Suite("modelc compile", .needsFixtures)
struct CompileTests {
  @Test(arguments: [GenuineModel.moody, .bookmarks, .sampleModel, .loopKit])
  func `the same model gives the same bytes, wherever and whenever`(_ model: GenuineModel) throws {
    var results: [FolderSnapshot] = []
    for environment in [
      ["TZ": "UTC", "LANG": "C"], ["TZ": "Pacific/Kiritimati", "LANG": "de_DE.UTF-8", "HOME": "/nowhere"],
    ] {
      try withTemporaryFolder { folder in
        let package = Fixtures.url(model.package).path
        expectSuccess(try Modelc.run("adopt", package, in: folder, environment: environment))
        expectSuccess(try Modelc.run("compile", in: folder, environment: environment))
        results.append(try FolderSnapshot(folder))
        // Once more over what is there.
        expectSuccess(try Modelc.run("compile", in: folder, environment: environment))
        results.append(try FolderSnapshot(folder))
      }
    }
    #expect(results.count == 4)
    #expect(results.allSatisfy { $0 == results[0] })
    #expect(results[0].names.contains("Build/\(model.name).momd/VersionInfo.plist"))
  }

  @Test func `from Xcode's package the bundle says the same as from the YAML`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let package = Fixtures.url(GenuineModel.moody.package).path
      expectSuccess(try place.modelc("compile", "-C", "T"))
      expectSuccess(try place.modelc("compile", package, "-o", "X"))
      let (adopted, direct) = (try place.snapshot("T/Build"), try place.snapshot("X"))
      #expect(adopted.names == direct.names)
      #expect(adopted.names.count == 8)
      let infos = try [adopted, direct].map {
        try propertyList($0["Moody.momd/VersionInfo.plist"] ?? Data()).filter { !$0.key.hasPrefix("Modelc") }
      }
      #expect(infos[0].count == 3)
      #expect(infos[0] as NSDictionary == infos[1] as NSDictionary)
    }
  }

  @Test func `-o writes to another folder and nothing into the project`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let before = try place.snapshot("T")
      let run = try place.modelc("compile", "-C", "T", "-o", "Out/deep")
      expectSuccess(run)
      #expect(run.stdout.hasPrefix("Out/deep/Moody.momd\n"))
      #expect(try place.snapshot("T") == before)
      #expect(try place.snapshot("Out/deep").names.count == 8)
    }
  }

  @Test func `--check answers 0 while nothing changed and 1 after a touch, and never writes`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let missing = try place.modelc("compile", "--check", "-C", "T")
      #expect(missing.code == 1 || missing.code == 2, "\(missing)")
      #expect(missing.errors.count == 1)
      #expect(!FileManager.default.fileExists(atPath: place.url("T/Build").path))

      expectSuccess(try place.modelc("compile", "-C", "T"))
      expectSuccess(try place.modelc("compile", "--check", "-C", "T"))
      try place.replace("latitude: double?", with: "latitude: float?", in: "T/Models/Moody/Moody 6.yaml")
      let before = try place.snapshot("T")
      let touched = try place.modelc("compile", "--check", "-C", "T")
      #expect(touched.errors == ["MC2201"])
      #expect(touched.code == 1)
      #expect(try place.snapshot("T") == before)
    }
  }

  @Test func `a comment, blank lines and the order of keys change no byte of the bundle`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      expectSuccess(try place.modelc("compile", "-C", "T"))
      let file = "T/Models/Moody/Moody 2.yaml"
      try place.replace("entities:\n", with: "# a comment\n\nentities:   # another\n", in: file)
      expectSuccess(try place.modelc("compile", "--check", "-C", "T"))
    }
  }

  @Test func `an unknown model gets the nearest name`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let run = try place.modelc("compile", "Mody", "-C", "T")
      expectRefusal(run, "MC0009", exit: 2)
      #expect(run.stderr.contains("did you mean 'Moody'?"))
    }
  }
}
