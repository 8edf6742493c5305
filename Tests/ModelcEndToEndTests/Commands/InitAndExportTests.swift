import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite("modelc init and export")
struct InitAndExportTests {
  private let schemas = [
    "mapping.schema.json", "model.schema.json", "modelc.schema.json", "versions.schema.json",
  ]

  @Test(arguments: [false, true])
  func `a new project compiles, and its files name their schemas`(isSample: Bool) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let run = try Modelc.run(["init", "Diary"] + (isSample ? ["--sample"] : []), in: folder)
      expectSuccess(run)
      let name = isSample ? "Trails" : "Diary"
      let written = run.stdout.split(separator: "\n").map(String.init)
      #expect(written.contains("Diary/Models/\(name)/versions.yaml"))
      #expect(written.allSatisfy { FileManager.default.fileExists(atPath: place.url($0).path) })
      #expect(try place.snapshot("Diary/Models/Schemas").names == schemas)
      for file in written where file.hasSuffix(".yaml") {
        let first =
          try String(contentsOf: place.url(file), encoding: .utf8).split(separator: "\n").first ?? ""
        let path = try #require(first.firstMatch(of: #/\$schema=(\S+)/#)?.1)
        let schema = place.url(file).deletingLastPathComponent().appending(path: String(path))
          .standardizedFileURL
        #expect(FileManager.default.fileExists(atPath: schema.path), "\(schema.path)")
      }
      #expect(run.stderr.contains("  \(Modelc.executable.path) compile -C Diary"))
      expectSuccess(try place.modelc("compile", "-C", "Diary"))
      #expect(try String(contentsOf: place.url("Diary/.gitignore"), encoding: .utf8) == "Build/\n")
    }
  }

  @Test func `init is made again without harm, and never overwrites`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("init", "P"))
      let before = try place.snapshot("P")
      expectSuccess(try place.modelc("init", "P"))
      #expect(try place.snapshot("P") == before)
      try place.write("entities: {}\n", to: "P/Models/P/V1.yaml")
      let changed = try place.snapshot("P")
      let run = try place.modelc("init", "P")
      expectRefusal(run, "MC0012", exit: 2)
      #expect(run.stderr.contains("'P/Models/P/V1.yaml' already exists"))
      #expect(try place.snapshot("P") == changed)
      let json = try place.modelc("init", "P", "--format", "json")
      #expect(json.code == 2 && json.stdout.contains("\"MC0012\""))
    }
  }

  @Test func `export writes the schemas beside the models, or elsewhere`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("export", "--as", "json-schema", "-C", "P"))
      let beside = try place.snapshot("P/Models/Schemas")
      #expect(beside.names == schemas)
      let run = try place.modelc("export", "--as", "json-schema", "-o", "Out/deep", "--format", "json")
      expectSuccess(run)
      #expect(run.stdout.contains("\"Out/deep/model.schema.json\""))
      #expect(try place.snapshot("Out/deep") == beside)
      for schema in jsonSchemas() { #expect(beside[schema.name] == Data(schema.text.utf8)) }
      #expect(try place.modelc("export", "--as", "yaml").code == 2)
    }
  }

  @Test func `the demo leaves the schemas that its files name`() throws {
    try Workplace.withDemo { place, _ in
      let names = try place.snapshot("T/Models/Schemas").names
      #expect(names == schemas)
    }
  }
}
