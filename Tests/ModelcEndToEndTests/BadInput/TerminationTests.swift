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
      let process = Process()
      process.executableURL = Modelc.executable
      process.arguments = ["migrate", "stores/huts.sqlite", "-C", "P", "--quiet"]
      process.currentDirectoryURL = place.folder
      process.standardError = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
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
}
