import Foundation
import TestSupport
import Testing

@Suite("modelc migrate --into") struct MergeCommandTests {
  /// An old version's store goes into one of the current version, once however often it is asked for.
  @Test func `an old store goes into the new app's`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "40", "-o", "Old.sqlite", "-C", "P"))
      expectSuccess(
        try place.modelc("fixture", "V3", "--rows", "40", "--seed", "9", "-o", "New.sqlite", "-C", "P"))
      let (old, new) = (
        try Data(contentsOf: place.url("Old.sqlite")), try Data(contentsOf: place.url("New.sqlite"))
      )
      let merge = ["migrate", "Old.sqlite", "--into", "New.sqlite", "--allow-loss", "MC3111", "-C", "P"]
      let dry = try Modelc.run(merge + ["--dry-run"], in: place.folder)
      expectSuccess(dry)
      #expect(dry.stdout.contains("would be merged") && dry.stdout.contains("nothing was written"))
      #expect(try Data(contentsOf: place.url("New.sqlite")) == new)
      let run = try Modelc.run(merge, in: place.folder)
      expectSuccess(run)
      #expect(run.stdout.hasPrefix("Old.sqlite (V1 → V3) merged into New.sqlite"))
      #expect(try Data(contentsOf: place.url("Old.sqlite")) == old)
      #expect(try Data(contentsOf: place.url("New.sqlite.before-merge.backup")) == new)
      expectSuccess(try place.modelc("verify", "New.sqlite", "-C", "P"))
      let again = try Modelc.run(merge, in: place.folder)
      expectSuccess(again)
      #expect(again.stdout.contains("Nothing is new; nothing was written"))
    }
  }

  @Test func `what cannot be is refused before anything is written`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V3", "--rows", "20", "-o", "Old.sqlite", "-C", "P"))
      expectSuccess(try place.modelc("fixture", "V2", "--rows", "20", "-o", "New.sqlite", "-C", "P"))
      let new = try Data(contentsOf: place.url("New.sqlite"))
      func merge(_ arguments: String...) throws -> Modelc.Run {
        try Modelc.run(["migrate", "Old.sqlite", "--into"] + arguments + ["-C", "P"], in: place.folder)
      }
      // The store is newer than the one that it would go into.
      let newer = try merge("New.sqlite")
      #expect(newer.code != 0 && newer.stderr.contains("error[MC"))
      #expect(try merge("Old.sqlite").code != 0)
      #expect(try merge("None.sqlite").code != 0)
      #expect(try merge("New.sqlite", "--match", "Hutt=name").code != 0)
      #expect(try merge("New.sqlite", "--existing", "drop").code == 2)
      #expect(try merge("New.sqlite", "-o", "Third.sqlite").code == 2)
      #expect(try place.modelc("migrate", "Old.sqlite", "--match", "Hut=name", "-C", "P").code == 2)
      #expect(try Data(contentsOf: place.url("New.sqlite")) == new)
      #expect(!FileManager.default.fileExists(atPath: place.url("New.sqlite.before-merge.backup").path))
    }
  }
}
