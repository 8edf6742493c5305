import Foundation
import TestSupport
import Testing

@Suite("modelc writes source for SwiftData")
struct SwiftDataExportTests {
  private func withHuts(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/Huts/versions.yaml")
      try place.write("entities: {Hut: {attributes: {name: string}}}\n", to: "P/Models/Huts/V1.yaml")
      try place.write(
        """
        entities:
          Hut: {attributes: {name: string}, relationships: {visits: {toMany: Visit, inverse: hut, ordered: true}}}
          Visit: {relationships: {hut: {to: Hut, inverse: visits}}}

        """, to: "P/Models/Huts/V2.yaml")
      try body(place)
    }
  }

  @Test func `a file for each version and one for the plan, or all in one`() throws {
    try withHuts { place in
      let run = try place.modelc("export", "--as", "swiftdata", "-C", "P", "-o", "Out")
      expectSuccess(run)
      let names = ["HutsMigrationPlan.swift", "HutsV1.swift", "HutsV2.swift"]
      #expect(run.stdout.split(separator: "\n").map(String.init).sorted() == names.map { "Out/\($0)" })
      let written = try place.snapshot("Out")
      #expect(written.names == names)
      #expect(run.stderr.contains("warning[MC2620]: SwiftData cannot express that 'Hut.visits' is ordered"))
      #expect(run.stderr.contains("it changes the version hash of 'Hut'"))
      expectSuccess(try place.modelc("export", "V1", "--as", "swiftdata", "-C", "P", "-o", "One.swift"))
      #expect(try Data(contentsOf: place.url("One.swift")) == written["HutsV1.swift"])
      let all = try place.modelc(
        "export", "--as", "swiftdata", "-C", "P", "-o", "All.swift", "--format", "json")
      expectSuccess(all)
      #expect(all.stdout.contains("\"MC2620\"") && all.stdout.contains("\"All.swift\""))
      let text = try String(contentsOf: place.url("All.swift"), encoding: .utf8)
      for name in ["enum HutsV1:", "enum HutsV2:", "enum HutsMigrationPlan:"] { #expect(text.contains(name)) }
    }
  }

  @Test func `what an app has made of it is not overwritten`() throws {
    try withHuts { place in
      expectSuccess(try place.modelc("export", "--as", "swiftdata", "-C", "P", "-o", "Out"))
      expectSuccess(try place.modelc("export", "--as", "swiftdata", "-C", "P", "-o", "Out"))
      try place.write("// mine\n", to: "Out/HutsV2.swift")
      let before = try place.snapshot("Out")
      let run = try place.modelc("export", "--as", "swiftdata", "-C", "P", "-o", "Out")
      expectRefusal(run, "MC0012", exit: 2)
      #expect(run.stderr.contains("'Out/HutsV2.swift' has other content"))
      #expect(try place.snapshot("Out") == before)
    }
  }

  @Test func `a store and a package become source`() throws {
    try withHuts { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "1", "-o", "App.sqlite", "-C", "P"))
      expectSuccess(try place.modelc("export", "--as", "xcdatamodeld", "-o", "Huts.xcdatamodeld", "-C", "P"))
      let run = try place.modelc("adopt", "App.sqlite", "Huts.xcdatamodeld", "--as", "swiftdata", "-C", "Q")
      expectSuccess(run)
      #expect(try place.snapshot("Q/Models/App").names == ["AppMigrationPlan.swift", "AppV1.swift"])
      #expect(
        try place.snapshot("Q/Models/Huts").names == [
          "HutsMigrationPlan.swift", "HutsV1.swift", "HutsV2.swift",
        ])
      let text = try String(contentsOf: place.url("Q/Models/App/AppV1.swift"), encoding: .utf8)
      #expect(text.contains("final class Hut {\n        var name: String\n"))
      #expect(run.stderr.contains("[MC2620]"))
      try place.write("// mine\n", to: "Q/Models/App/AppV1.swift")
      expectRefusal(
        try place.modelc("adopt", "App.sqlite", "--as", "swiftdata", "-C", "Q"), "MC0012", exit: 2)
      expectSuccess(try place.modelc("adopt", "App.sqlite", "--as", "swiftdata", "--force", "-C", "Q"))
      #expect(try String(contentsOf: place.url("Q/Models/App/AppV1.swift"), encoding: .utf8) == text)
      #expect(
        try place.modelc("adopt", "App.sqlite", "--as", "swiftdata", "--into", "Huts", "-C", "P").code == 2)
    }
  }

  @Test func `a released version is frozen as classes`() throws {
    try withHuts { place in
      let run = try place.modelc("release", "V1", "--freeze", "Frozen/V1.swift", "-C", "P")
      expectSuccess(run)
      #expect(run.stdout.hasSuffix("Frozen/V1.swift\n"))
      let text = try String(contentsOf: place.url("Frozen/V1.swift"), encoding: .utf8)
      #expect(
        text.contains("/// Version V1 as it was released: never change it.\nenum HutsV1: VersionedSchema {"))
      try place.write("// mine\n", to: "Frozen/V2.swift")
      let lock = try place.snapshot("P/Models/Huts")
      expectRefusal(
        try place.modelc("release", "V2", "--freeze", "Frozen/V2.swift", "-C", "P"), "MC0012", exit: 2)
      #expect(try place.snapshot("P/Models/Huts") == lock)
      #expect(try place.modelc("release", "--all", "--freeze", "F.swift", "-C", "P").code == 2)
    }
  }
}
