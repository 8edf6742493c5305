import Foundation
import ManagedModel
import ReleaseChecks
import TestSupport
import Testing

@testable import ModelCommands

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
      // Shares follow from the paths, which are new in every run: the bad store is one of the others' shares.
      let share = try #require(FleetOptions.Shard(argument: "1/4"))
      let bad = try #require(stores.first { !share.holds($0) })
      try Data("no store".utf8).write(to: URL(fileURLWithPath: bad))
      func run(_ arguments: String...) -> Int32 {
        ModelcCommand.run(["migrate", "-q", "--no-backup", "-C", project.path] + arguments + stores)
      }
      let report = project.file("lines")
      // The first share only, as if the others had been stopped.
      #expect(run("--jobs", "2", "--shard", "1/4", "--report", "jsonl=\(report).1") == 0)
      let first = try lines(report + ".1")
      #expect(Set(first.map(\.store)) == Set(stores.filter { share.holds($0) }))
      #expect(first.allSatisfy { $0.status == "migrated" })
      #expect(run("--jobs", "2", "--report", "jsonl=\(report).2") == 3)
      let second = try lines(report + ".2")
      #expect(Set(second.map(\.store)) == Set(stores))
      #expect(second.count { $0.status == "current" } == first.count)
      #expect(second.filter { $0.status == "failed" }.map(\.store) == [bad])
      #expect(try String(contentsOfFile: bad, encoding: .utf8) == "no store")
      let model = try #require(project.model)
      let version = try #require(model.version(named: "V3"))
      let good = try #require(stores.last { $0 != bad })
      #expect(try readAllObjects(ofStoreAt: good, as: version).count == 40)
    }
  }

  /// Copies of a released store under these names, in a folder of the project.
  private func withStores(
    _ names: [String], _ body: (_ project: ReleasedProject, _ stores: [String]) throws -> Void
  ) throws {
    try ReleasedProject.with { project in
      let folder = project.file("stores")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let stores = names.map { "\(folder)/\($0)" }
      for store in stores {
        try FileManager.default.copyItem(
          atPath: project.file("Models/Huts/Released/V1.sqlite"), toPath: store)
      }
      try body(project, stores)
    }
  }

  private func migrate(_ project: ReleasedProject, _ arguments: [String]) -> Int32 {
    ModelcCommand.run(["migrate", "-q", "--no-backup", "-C", project.path] + arguments)
  }

  @Test func `shares of a list hold each store once, whatever else is in it`() throws {
    let shards = (1...3).compactMap { FleetOptions.Shard(argument: "\($0)/3") }
    try #require(shards.count == 3)
    let names = (0..<3_000).map { "/data/customer-\($0)/Store.sqlite" }
    let counts = shards.map { shard in names.count(where: shard.holds) }
    #expect(counts.reduce(0, +) == 3_000 && counts.allSatisfy { (850...1_150).contains($0) }, "\(counts)")
    #expect(names.allSatisfy { name in shards.count { $0.holds(name) } == 1 })
  }

  @Test func `a list with duplicates, line ends, names with a line end in them, and what is not there`()
    throws
  {
    try withStores(["a.sqlite", "b b.sqlite", "c\nc.sqlite"]) { project, stores in
      let report = project.file("lines")
      try project.write(
        "\(stores[0])\r\n\n\(stores[1])\n\(stores[0])\n/nowhere.sqlite\n\(project.path)", to: "list")
      #expect(migrate(project, ["--list", project.file("list"), "--report", "jsonl=\(report)"]) == 2)
      #expect(try lines(report).map(\.status) == ["migrated", "migrated", "failed", "failed"])
      try project.write(stores.joined(separator: "\0") + "\0", to: "list")
      #expect(migrate(project, ["-0", "--list", project.file("list"), "--report", "jsonl=\(report).2"]) == 0)
      #expect(try lines(report + ".2").map(\.status) == ["current", "current", "migrated"])
      #expect(migrate(project, ["--list", project.file("none")]) == 2)
      #expect(migrate(project, ["--list", project.file("list"), "-o", project.file("out.sqlite")]) == 2)
    }
  }

  @Test func `few go first, and it ends after some failures; a second run leaves out what is done`() throws {
    try withStores((10..<30).map { "\($0).sqlite" }) { project, stores in
      let report = project.file("lines")
      for index in [1, 3, 5, 7] { try Data("no store".utf8).write(to: URL(filePath: stores[index])) }
      #expect(migrate(project, ["--canary", "10%", "--report", "jsonl=\(report)"] + stores) == 3)
      #expect(try lines(report).map(\.status) == ["migrated", "failed"])
      #expect(
        migrate(project, ["--resume", "--max-failures", "2", "--report", "jsonl=\(report)"] + stores) == 3)
      #expect(try lines(report).dropFirst(2).map(\.status) == ["failed", "migrated", "failed"])
      // A line that was cut off, as on a full disk.
      let text = try String(contentsOfFile: report, encoding: .utf8)
      try project.write(text + #"{"status":"migrated","store":"\#(stores[9])"#, to: "lines")
      #expect(migrate(project, ["--resume", "--jobs", "2", "--report", "jsonl=\(report)"] + stores) == 3)
      let last = text.split(separator: "\n").count
      let all = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").dropFirst(last + 1)
      let found = try all.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      #expect(found.count == 18 && found.count { $0.status == "failed" } == 4)
      for arguments in [
        ["--resume"], ["--canary", "0"], ["--canary", "101%"], ["--max-failures", "0"], ["-0"],
      ] {
        #expect(migrate(project, arguments + [stores[0]]) == 2)
      }
    }
  }

  @Test func `no file that an option names to be written takes a store's place, or a link's`() throws {
    try withStores(["a.sqlite", "b.sqlite"]) { project, stores in
      let store = try Data(contentsOf: URL(filePath: stores[0]))
      // The name of the report was forgotten.
      #expect(migrate(project, ["--report"] + stores) == 2)
      for report in ["html=", "jsonl="] {
        #expect(migrate(project, [stores[1], "--report", report + stores[0]]) == 2)
      }
      for arguments in [
        ["report", stores[1], "-o", stores[0]], ["export", "--as", "svg", "-o", stores[0]],
        ["check", "-q", "--level", "hash", "--report", "sarif=\(stores[0])"],
        ["check", "-q", "--level", "hash", "--write-baseline", "--baseline", stores[0]],
      ] {
        #expect(ModelcCommand.run(arguments + ["-C", project.path]) == 2, "\(arguments)")
      }
      for path in stores { #expect(try Data(contentsOf: URL(filePath: path)) == store) }
      let link = project.file("link.svg")
      try project.write("", to: "real.svg")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.svg")
      #expect(ModelcCommand.run(["export", "--as", "svg", "-o", link, "-C", project.path]) == 0)
      #expect(try String(contentsOfFile: project.file("real.svg"), encoding: .utf8).contains("<svg"))
    }
  }

  @Test func `a log that was fetched is put back, as an empty one`() throws {
    try withStores(["a.sqlite"]) { project, stores in
      let put = "cp {file} {} && cp {file}-wal {}-wal"
      #expect(migrate(project, stores + ["--fetch", "cp {} {file} && : > {file}-wal", "--put", put]) == 0)
      let log = try Data(contentsOf: URL(filePath: stores[0] + "-wal"))
      #expect(log.isEmpty)
      #expect(ModelcCommand.run(["verify", "-q", stores[0], "-C", project.path]) == 0)
    }
  }

  @Test func `a store whose name begins with a hyphen is no option in what is suggested`() throws {
    try withStores([]) { project, _ in
      let report = project.file("lines")
      #expect(migrate(project, ["--report", "jsonl=\(report)", "--", "-x.sqlite"]) == 2)
      let named = try lines(report).map(\.store)
      #expect(named == ["./-x.sqlite"])
    }
  }

  @Test func `shares that are none`() {
    for shard in ["0/2", "3/2", "1", "a/b", "1/0", "job", "job/4"] {
      #expect(ModelcCommand.run(["migrate", "x.sqlite", "--shard", shard]) == 2)
    }
    #expect(ModelcCommand.run(["migrate", "x.sqlite", "--jobs", "0"]) == 2)
  }
}
