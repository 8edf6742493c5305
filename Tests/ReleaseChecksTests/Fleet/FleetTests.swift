import Foundation
import ManagedModel
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

@Suite("Many stores") struct FleetTests {
  private struct Line: Decodable {
    var status: String
    var exit: Int
    var store: String
  }

  private func lines(_ file: String) throws -> [Line] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  @Test func `sixty stores in shares, one of them bad, interrupted and run again`() throws {
    try ReleasedProject.with { project in
      let folder = project.file("stores")
      let files = FileManager.default
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let stores = (100..<160).map { "\(folder)/\($0).sqlite" }
      for store in stores {
        try files.copyItem(atPath: project.file("Models/Huts/Released/V1.sqlite"), toPath: store)
      }
      try project.write("no store", to: "stores/150.sqlite")
      func run(_ arguments: String...) -> Int32 {
        ModelcCommand.run(["migrate", "-q", "--no-backup", "-C", project.path] + arguments + stores)
      }
      let report = project.file("lines")
      // The first share only, as if the others had been stopped.
      #expect(run("--jobs", "2", "--shard", "1/4", "--report", "jsonl=\(report).1") == 0)
      let first = try lines(report + ".1")
      #expect(first.count == 15 && first.allSatisfy { $0.status == "migrated" })
      #expect(run("--jobs", "2", "--report", "jsonl=\(report).2") == 3)
      let second = try lines(report + ".2")
      #expect(Set(second.map(\.store)) == Set(stores))
      #expect(second.count { $0.status == "current" } == 15)
      #expect(second.filter { $0.status == "failed" }.map(\.store) == ["\(folder)/150.sqlite"])
      #expect(try String(contentsOfFile: "\(folder)/150.sqlite", encoding: .utf8) == "no store")
      let model = try #require(project.model)
      let version = try #require(model.version(named: "V3"))
      #expect(try readAllObjects(ofStoreAt: stores[7], as: version).count == 40)
    }
  }

  @Test func `shares that are none`() {
    for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
      #expect(ModelcCommand.run(["migrate", "x.sqlite", "--shard", shard]) == 2)
    }
    #expect(ModelcCommand.run(["migrate", "x.sqlite", "--jobs", "0"]) == 2)
  }
}
