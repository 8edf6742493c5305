import Foundation
import TestSupport
import Testing

@Suite("modelc demo")
struct DemoTests {
  @Test func `in a new folder it shows the whole job and names what to try next`() throws {
    try withTemporaryFolder { folder in
      let start = ContinuousClock.now
      let run = try Modelc.run("demo", "trip to the Alps", in: folder)
      #expect(ContinuousClock.now - start < .seconds(30))
      expectSuccess(run)
      #expect(run.stderr.isEmpty)
      #expect(!run.stdout.contains("\u{1B}"))
      #expect(run.stdout.contains("Migrated 1,004 objects"))
      #expect(run.stdout.contains("recognized by its hashes as V6"))
      #expect(run.stdout.contains("inspect -C 'trip to the Alps' 'trip to the Alps/Diary.sqlite'"))
      let left = try FolderSnapshot(folder).names.filter { $0.contains("Diary") }
      #expect(left == ["trip to the Alps/Diary.sqlite", "trip to the Alps/Diary.sqlite.V1.backup"])
      expectSuccess(try Modelc.run("compile", "--check", "-C", "trip to the Alps", in: folder))
    }
  }

  @Test func `without a folder it makes a fresh temporary one`() throws {
    try withTemporaryFolder { folder in
      let run = try Modelc.run("demo", in: folder, environment: ["TMPDIR": folder.path])
      expectSuccess(run)
      #expect(try FolderSnapshot(folder).names.contains { $0.hasSuffix("Diary.sqlite") }, "\(run)")
    }
  }

  @Test func `a folder that holds something is left alone`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try place.write("mine", to: "full/file.txt")
      expectRefusal(try place.modelc("demo", "full"), "MC0013", exit: 2)
      expectRefusal(try Modelc.run("demo", ".", in: place.url("full")), "MC0013", exit: 2)
      #expect(try place.snapshot("full").names == ["file.txt"])
      expectSuccess(try place.modelc("demo", "empty/new"))
    }
  }

  @Test(.needsOracle) func `its stores are sound`() throws {
    try Workplace.withDemo { place, store in
      try Oracle.expectSound([place.url(store), place.url("T/Diary.sqlite")])
    }
  }
}
