import Foundation
import TestSupport
import Testing

/// `modelc show`: a version in a terminal, as Xcode's editor shows it.
@Suite struct ShowTests {
  @Test func `the project's current version, one of its versions, an entity of it`() throws {
    try Workplace.withDemo { place, _ in
      let all = try place.modelc("show", "-C", "T")
      expectSuccess(all)
      #expect(all.stdout.hasPrefix("Trails V3: 8 entities, checksum "))
      let old = try place.modelc("show", "V1", "-C", "T")
      #expect(old.stdout.hasPrefix("V1: 5 entities"), "\(old.stdout)")
      #expect(old.stdout.contains("\nHut"))
      let named = try place.modelc("show", "Trails", "V1", "Visit", "-C", "T")
      expectSuccess(named)
      let lines = named.stdout.split(separator: "\n").map(String.init)
      #expect(lines.first == "Visit" && lines[1].hasPrefix("  hash "), "\(named.stdout)")
      #expect(
        lines.contains { $0.contains("to-one Hut") && $0.contains("inverse visits") }, "\(named.stdout)")
      #expect(try place.modelc("show", "Hut", "-C", "T").stdout.hasPrefix("Hut"))
      // The compiled bundle and a store say the same.
      #expect(
        try place.modelc("show", "T/Build/Trails.momd", "V1", "Visit").stdout.split(separator: "\n")
          .dropFirst()
          == named.stdout.split(separator: "\n").dropFirst())
      #expect(try place.modelc("show", "T/Diary.sqlite", "Hut").code == 0)
    }
  }

  @Test func `JSON has what is beyond the defaults`() throws {
    try Workplace.withDemo { place, _ in
      let shown = try JSONDocument(
        place.modelc("show", "V1", "Hut", "-C", "T", "--format", "json").stdout)
      let hut = try #require(shown["entities"]?.elements?.first)
      #expect(hut["name"]?.text == "Hut" && hut["hash"]?.text?.count == 64)
      let visits = hut["relationships"]?.elements?.first { $0["name"]?.text == "visits" }
      #expect(visits?["destination"]?.text == "Visit" && visits?["toMany"] == .boolean(true))
    }
  }

  @Test func `a narrow terminal has every line`() throws {
    try Workplace.withDemo { place, _ in
      let run = try Modelc.run("show", "V3", "-C", "T", in: place.folder, environment: ["COLUMNS": "60"])
      expectSuccess(run)
      let long = run.stdout.split(separator: "\n").map(String.init).dropFirst().filter { $0.count > 60 }
      #expect(long == [], "\(long)")
    }
  }

  @Test func `what is not there is named`() throws {
    try Workplace.withDemo { place, _ in
      let entity = try place.modelc("show", "V1", "Hutt", "-C", "T")
      #expect(entity.code == 2 && entity.stderr.contains("did you mean 'Hut'?"), "\(entity)")
      let two = try place.modelc("show", "V1", "Hut", "Visit", "-C", "T")
      #expect(two.code == 2 && two.stderr.hasPrefix("Error: 'Hut' is not a version of V1"), "\(two)")
      #expect(try place.modelc("show", "V9", "-C", "T").stderr.contains("'V9' is not a known version"))
      try FileManager.default.createDirectory(at: place.url("Empty"), withIntermediateDirectories: true)
      #expect(try place.modelc("show", "-C", "Empty").code == 2)
    }
  }
}
