import Foundation
import TestSupport
import Testing

/// A folder into which one may not write; root may write anywhere and runs `modelc` as somebody else.
@Suite("A store in a folder without write permission is refused", .needsFixtures, .needsOtherUser)
struct ReadOnlyFolderTests {
  static let user = getuid() == 0 ? 65534 : nil

  static let isPossible: Bool = {
    guard let user else { return true }
    let folder = FileManager.default.temporaryDirectory
    return (try? Modelc.run("--version", in: folder, asUser: user))?.code == 0
  }()

  private func withReadOnlyStore(_ body: (_ place: Workplace, _ path: String) throws -> Void) throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      let folder = place.url("stores").path
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.folder.path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.url(path).path)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
      try body(place, path)
    }
  }

  @Test func `migrate says so and changes nothing`() throws {
    try withReadOnlyStore { place, path in
      let before = try place.snapshot()
      let target = ["-C", "T", "--to", "Moody 2"]
      let run = try Modelc.run(["migrate", path] + target, in: place.folder, asUser: Self.user)
      expectRefusal(run, "MC5304", exit: 6)
      let json = try Modelc.run(
        ["migrate", path, "--format", "json"] + target, in: place.folder, asUser: Self.user)
      #expect(try json.decoded(as: RefusalRecord.self).diagnostics.map(\.code) == ["MC5304"])
      #expect(json.code == 6 && json.stderr.isEmpty)
      #expect(try place.snapshot() == before)
    }
  }

  /// As the remedy of MC5304 says.
  @Test func `a result elsewhere needs no right to change the store`() throws {
    try withReadOnlyStore { place, path in
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: place.url(path).path)
      try FileManager.default.createDirectory(at: place.url("out"), withIntermediateDirectories: true)
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.url("out").path)
      let before = try place.snapshot()
      for arguments in [
        ["migrate", path, "--to", "Moody 2", "-o", "out/migrated"], ["repair", path, "-o", "out/repaired"],
        ["repair", path],
      ] {
        expectSuccess(try Modelc.run(arguments + ["-C", "T"], in: place.folder, asUser: Self.user))
      }
      for name in ["out/migrated", "out/repaired"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: place.url(name).path)
        #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o600 == 0o600, "\(name)")
      }
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `plan says that migrate would be refused`() throws {
    try withReadOnlyStore { place, path in
      let before = try place.snapshot()
      let run = try Modelc.run(
        ["plan", path, "-C", "T", "--to", "Moody 2"], in: place.folder, asUser: Self.user)
      #expect(run.errors == ["MC5304"] && run.code == 6, "\(run)")
      #expect(run.stdout.contains("Moody 2") && !run.stderr.contains("next:"))
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `a store of another user is not replaced by one's own file, and help says who can`() throws {
    // Without root there is one user.
    guard Self.user != nil else { return }
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      for (file, mode) in [(".", 0o755), ("stores", 0o777), (path, 0o666)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.url(file).path)
      }
      try? FileManager.default.removeItem(at: place.url(path + "-wal"))
      let before = try Data(contentsOf: place.url(path))
      let run = try Modelc.run(
        ["migrate", path, "-C", "T", "--to", "Moody 2", "--route", "clone"], in: place.folder,
        asUser: Self.user)
      expectRefusal(run, "MC5304", exit: 6)
      #expect(run.stderr.contains("run this as its owner or as root"), "\(run)")
      #expect(try Data(contentsOf: place.url(path)) == before)
    }
  }

  @Test func `plan says that a migration would be refused because of the log`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let path = try place.copyStore(GenuineModel.moody.stores[0].path)
      try? FileManager.default.removeItem(at: place.url(path + "-wal"))
      try Data().write(to: place.url(path + "-wal"))
      for (file, mode) in [(".", 0o755), ("stores", 0o777), (path, 0o666), (path + "-wal", 0o444)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.url(file).path)
      }
      let before = try place.snapshot()
      for command in ["plan", "migrate"] {
        let run = try Modelc.run(
          [command, path, "-C", "T", "--to", "Moody 2"], in: place.folder, asUser: Self.user)
        #expect(run.errors == ["MC5304"] && run.code == 6, "\(run)")
        #expect(run.stdout.contains("its log") || run.stderr.contains("its log"), "\(run)")
      }
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `what cannot be read or written is said with its place, and is no bug`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      for name in ["V1", "V2", "V3"] {
        try place.write("entities: {Hut: {attributes: {\(name): string?}}}\n", to: "P/Models/M/\(name).yaml")
      }
      try place.write("current: V3\nversions: [V1, V2, V3]\n", to: "P/Models/M/versions.yaml")
      expectSuccess(try place.modelc("fixture", "V3", "-C", "P", "--rows", "3", "-o", "s.sqlite"))
      for (path, mode) in [(".", 0o755), ("s.sqlite", 0o644), ("P/Models/M", 0o555)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.url(path).path)
      }
      func run(_ arguments: String...) throws -> Modelc.Run {
        try Modelc.run(arguments, in: folder, asUser: Self.user)
      }
      let prune = try run("version", "prune", "--before", "V3", "--apply", "-C", "P")
      expectRefusal(prune, "MC5304", exit: 6)
      #expect(prune.stderr.contains("V1.yaml': Permission denied"), "\(prune)")
      expectRefusal(try run("export", "s.sqlite", "--as", "yaml", "-o", "P/Models/M/x"), "MC5304", exit: 6)
      expectRefusal(try run("compile", "-C", "P", "-o", "P/Models/M"), "MC2206", exit: 6)
      let report = try run("check", "-C", "P", "--report", "sarif=P/Models/M/x")
      #expect(report.stderr.contains("cannot be written: you may not write there"), "\(report)")
      try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: place.url("P").path)
      let closed = try run("check", "-C", "P")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.url("P").path)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: place.url("P/Models/M").path)
      #expect(closed.stderr.contains("the folder 'P' may not be read"), "\(closed)")
    }
  }

  @Test func `what only reads works there`() throws {
    try withReadOnlyStore { place, path in
      let before = try place.snapshot()
      for command in ["inspect", "verify"] {
        expectSuccess(try Modelc.run([command, path, "-C", "T"], in: place.folder, asUser: Self.user))
      }
      #expect(try place.snapshot() == before)
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where root cannot become somebody else.
  static var needsOtherUser: Self {
    .enabled(if: ReadOnlyFolderTests.isPossible, "root cannot run modelc as another user here (setpriv)")
  }
}
