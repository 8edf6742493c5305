import Foundation
import TestSupport
import Testing

@Suite("A run can be ended at any time") struct TerminationTests {
  /// A hut with so many visits that a mapping's subqueries go on for minutes.
  private func withEndlessMapping(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ attributes: String) -> String {
        """
        entities:
          Hut: {attributes: {name: string = ''\(attributes)}, relationships: {visits: {toMany: Visit, inverse: hut}}}
          Visit: {attributes: {n: integer16 = 0}, relationships: {hut: {to: Hut, inverse: visits}}}

        """
      }
      try place.write("current: V2\nversions: [V1, V2]\n", to: "P/Models/App/versions.yaml")
      try place.write(version(""), to: "P/Models/App/V1.yaml")
      try place.write(version(", pairs: integer64 = 0"), to: "P/Models/App/V2.yaml")
      let inner = "SUBQUERY(visits, $c, $a.n + $b.n == $c.n * $c.n).@count > 0"
      let pairs = "SUBQUERY(visits, $a, SUBQUERY(visits, $b, \(inner)).@count > 0).@count"
      try place.write(
        """
        from: V1
        to: V2
        entityMappings:
          HutToHut: {source: Hut, destination: Hut, attributes: {pairs: "\(pairs)"}}

        """, to: "P/Migrations/App/V1-V2.yaml")
      let visits = (1...500).map { "  p\($0): {n: \($0), hut: Hut/p1}\n" }.joined()
      try place.write("", to: "stores/placeholder")
      try place.write("Hut:\n  p1: {name: a}\nVisit:\n\(visits)", to: "huts.yaml")
      expectSuccess(
        try place.modelc("fixture", "V1", "--objects", "huts.yaml", "-o", "stores/huts.sqlite", "-C", "P"))
      try body(place)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `an expression that goes on is ended within two seconds`(
    _ signal: Int32
  )
    throws
  {
    try withEndlessMapping { place in
      let before = try place.snapshot()
      let process = try start(["migrate", "stores/huts.sqlite", "-C", "P"], in: place)
      Thread.sleep(forTimeInterval: 1)
      try #require(process.isRunning, "it was to go on for minutes")
      kill(process.processIdentifier, signal)
      let start = ContinuousClock.now
      process.waitUntilExit()
      #expect(ContinuousClock.now - start < .seconds(2))
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 5)
      #expect(try place.snapshot() == before)
    }
  }

  /// The last ones come while the program is on its way out.
  @Test(arguments: [
    [SIGTERM], [SIGTERM, SIGINT], [SIGINT, SIGTERM, SIGTERM], Array(repeating: SIGINT, count: 40),
  ])
  func `nothing is left of a policy that is at work`(_ signals: [Int32]) throws {
    try withDiary { place in
      let before = try place.snapshot()
      for delay in [0, 0.3] {
        let process = try startWriting(["migrate", "stores/Diary.sqlite"], in: place)
        Thread.sleep(forTimeInterval: delay)
        try #require(process.isRunning, "the policy was to be at work")
        for signal in signals where process.isRunning {
          kill(process.processIdentifier, signal)
          Thread.sleep(forTimeInterval: 0.002)
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 5)
        try expectUnchanged(place, since: before)
      }
      expectSuccess(try place.modelc("verify", "stores/Diary.sqlite", "-C", "T"))
    }
  }

  /// Half of the objects, in a file that is well formed, would be taken for all of them.
  @Test(arguments: [
    ["export", "stores/Diary.sqlite", "--as", "yaml"], ["export", "stores/Diary.sqlite", "--as", "jsonl"],
    ["fixture", "V5", "--rows", "200000"],
  ])
  func `no part of a new file is left`(_ command: [String]) throws {
    try withDiary { place in
      let before = try place.snapshot()
      let process = try startWriting(command + ["-o", "stores/new"], in: place)
      try #require(process.isRunning, "it was to go on for seconds")
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      #expect(process.terminationStatus != 0)
      try expectUnchanged(place, since: before)
    }
  }

  /// The sample's project in `T`, and a store of it.
  private func withDiary(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FolderTemplates.write("trails", to: place.url("T")) { folder in
        expectSuccess(try Modelc.run("demo", ".", in: folder))
      }
      try place.write("", to: "stores/placeholder")
      expectSuccess(
        try place.modelc("fixture", "V5", "--rows", "20000", "-o", "stores/Diary.sqlite", "-C", "T"))
      try body(place)
    }
  }

  private func expectUnchanged(_ place: Workplace, since before: FolderSnapshot) throws {
    // A connection that is not closed leaves SQLite's own log, which is empty.
    let log = place.url("stores/Diary.sqlite-wal")
    if let data = try? Data(contentsOf: log), data.isEmpty { try FileManager.default.removeItem(at: log) }
    let after = try place.snapshot()
    #expect(after == before, "\(after)")
  }

  /// Waits until the command writes its private file.
  private func startWriting(_ arguments: [String], in place: Workplace) throws -> Process {
    let process = try start(arguments + ["-C", "T"], in: place)
    let names = { try FileManager.default.contentsOfDirectory(atPath: place.url("stores").path) }
    while process.isRunning, try !names().contains(where: { $0.contains(".modelc-") }) {
      Thread.sleep(forTimeInterval: 0.01)
    }
    return process
  }

  private func start(_ arguments: [String], in place: Workplace) throws -> Process {
    let process = Process()
    process.executableURL = Modelc.executable
    process.arguments = arguments + ["--quiet"]
    process.currentDirectoryURL = place.folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
