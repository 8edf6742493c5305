import Foundation
import TestSupport
import Testing

@Suite("modelc map") struct MapTests {
  @Test func `the inferred mapping is written, compiles, and is bound to its versions`() throws {
    try Workplace.withSample { place in
      let run = try place.modelc("map", "new", "V2", "V3", "-C", "P")
      expectSuccess(run)
      let file = "P/Migrations/Trails/V2-V3.yaml"
      #expect(run.stdout.hasPrefix("\(file): "))
      let text = try String(contentsOf: place.url(file), encoding: .utf8)
      let question =
        "the values of 'Hut.warden' are not used: use them in a value, or accept it with 'drops: [Hut.warden]' next to 'entityMappings'"
      #expect(text.contains(question), "\(text)")
      // Nothing is done by it before it is answered.
      expectRefusal(try place.modelc("compile", "-C", "P"), "MC4111", exit: 1)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let decided = lines.filter { !$0.contains(question) }.map {
        $0.hasPrefix("undecided:") ? "drops: [Hut.warden]" : $0
      }
      try place.write(decided.joined(separator: "\n"), to: file)
      expectSuccess(try place.modelc("compile", "-C", "P"))
      // It is never overwritten unasked.
      try place.replace("entityMappings:", with: "# mine\nentityMappings:", in: file)
      expectRefusal(try place.modelc("map", "new", "V2", "V3", "-C", "P"), "MC0012", exit: 2)
      // The version moves on.
      try place.replace(
        "hasCross: boolean = false", with: "hasCross: boolean?", in: "P/Models/Trails/V3.yaml")
      try place.replace("beds: integer16 = 0", with: "beds: integer32 = 0", in: "P/Models/Trails/V3.yaml")
      let moved = try place.modelc("compile", "-C", "P")
      expectRefusal(moved, "MC4101", exit: 1)
      #expect(moved.plainMessages.contains("`modelc map rebase -C P V2 V3`"))
      expectSuccess(try place.modelc("map", "rebase", "V2", "V3", "-C", "P"))
      expectSuccess(try place.modelc("compile", "-C", "P"))
      #expect(try String(contentsOf: place.url(file), encoding: .utf8).contains("# mine\n"))
    }
  }

  @Test func `what is wrong in a mapping file is said by compile`() throws {
    try Workplace.withSample { place in
      let file = "P/Migrations/Trails/V2-V3.yaml"
      for (text, code, place_) in [
        ("from: V2\nto: V9\n", "MC4101", "2:1"), ("from: V3\nto: V3\n", "MC4105", "2:1"),
        ("from: V2\nto: V3\nentityMappings:\n  A: {source: Hutt, destination: Hut}\n", "MC4102", "4:15"),
        ("from: V2\nto: V3\nentityMapping: {}\n", "MC0003", "3:1"),
      ] {
        try place.write(text, to: file)
        let run = try place.modelc("compile", "-C", "P")
        #expect(
          run.stderr.contains("\(file):\(place_): \(code == "MC4105" ? "warning" : "error")[\(code)]"),
          "\(run.stderr)")
        #expect(run.code == (code == "MC4105" ? 0 : 1))
      }
    }
  }

  @Test func `a mapping for a version that cannot be read is no second error`() throws {
    try Workplace.withSample { place in
      try place.write("from: V2\nto: V3\n", to: "P/Migrations/Trails/V2-V3.yaml")
      try place.write("entities: [\n", to: "P/Models/Trails/V2.yaml")
      #expect(try place.modelc("compile", "-C", "P").errors == ["MC0001"])
    }
  }

  @Test func `versions that are not there are told`() throws {
    try Workplace.withSample { place in
      let run = try place.modelc("map", "new", "V2", "V33", "-C", "P")
      expectRefusal(run, "MC2101", exit: 2)
      #expect(run.stderr.contains("did you mean 'V3'?"))
      expectRefusal(try place.modelc("map", "rebase", "-C", "P"), "MC0009", exit: 2)
    }
  }

  @Test func `typed accessors are those beside the sample's policy`() throws {
    let migrations = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try withTemporaryFolder { folder in
      for version in ["V5", "V6"] {
        let run = try Modelc.run(
          "export", version, "--as", "swift", "-C", migrations.path, "-o", "Typed", in: folder)
        expectSuccess(run)
        let written = try Data(contentsOf: folder.appending(path: "Typed/\(version).swift"))
        #expect(try written == Data(contentsOf: migrations.appending(path: "Migrations/\(version).swift")))
      }
    }
  }
}
