import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ModelMigration
import ReleaseChecks
import TestSupport
import Testing

/// A project in a git repository with two released versions, their stores, and a third that is being made.
///
/// Checks are run in process, because a story needs several.
struct ReleasedProject {
  let repository: Repository
  var path: String { repository.folder.path }

  static let first = """
    entities:
      Hut:
        attributes:
          name: string = ''
          warden: string?
          beds: integer16 = 0
        relationships:
          visits: {toMany: Visit, inverse: hut}
      Visit:
        attributes:
          date: date?
          note: string?
        relationships:
          hut: {to: Hut, inverse: visits}

    """
  static let second = first.replacing(
    "      beds: integer16 = 0\n", with: "      beds: integer16 = 0\n      website: uri?\n")
  /// V3 as it ought to be.
  static let third = second.replacing(
    "      website: uri?\n", with: "      website: uri?\n      opened: date?\n")

  /// A mapping file between two versions, which changes what users have.
  static func upperCasing(from source: String, to destination: String) -> String {
    """
    from: \(source)
    to: \(destination)
    entityMappings:
      HutToHut:
        source: Hut
        destination: Hut
        attributes:
          warden: uppercase:($source.warden)

    """
  }

  static func with(_ body: (ReleasedProject) throws -> Void) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(first, to: "Models/Huts/V1.yaml")
      try project.write(second, to: "Models/Huts/V2.yaml")
      try project.write(third, to: "Models/Huts/V3.yaml")
      try project.write("current: V3\nversions: [V1, V2, V3]\n", to: "Models/Huts/versions.yaml")
      let model = try #require(project.model)
      _ = try model.releaseVersions(
        ["V1", "V2"], at: project.file("Models/Huts"), tag: "v1.0", date: "2026-01-31", rows: 40)
      try repository.git("add", "-A")
      try repository.git("commit", "--quiet", "-m", "released")
      try body(project)
    }
  }

  var model: VersionedModel? { readVersionedModel(folder: URL(filePath: file("Models/Huts"))).model }

  func file(_ name: String) -> String { repository.folder.appending(path: name).path }

  func write(_ text: String, to name: String) throws {
    let url = repository.folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  func edit(_ name: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: file(name), encoding: .utf8)
    try #require(text.contains(old))
    try write(text.replacing(old, with: new), to: name)
  }

  func commit(_ subject: String) throws {
    try repository.git("add", "-A")
    try repository.git("commit", "--quiet", "-m", subject)
  }

  /// `modelc check`, its exit code and its findings that count.
  ///
  /// - Parameter policies: what this modelc brings along.
  func check(
    _ arguments: String..., arguments further: [String] = [], models: String? = nil,
    policies: [EntityMigrationPolicy.Type] = []
  ) throws -> (code: Int32, found: [Found]) {
    let report = file("check.jsonl")
    defer { try? FileManager.default.removeItem(atPath: report) }
    let place = models.map { ["--models", file($0)] } ?? ["-C", path]
    let code = ModelcCommand.run(
      ["check", "-q", "--no-cache", "--report", "jsonl=\(report)"] + place + arguments + further,
      policies: policies)
    guard let text = try? String(contentsOfFile: report, encoding: .utf8) else { return (code, []) }
    let found = try text.split(separator: "\n").dropLast().map {
      try JSONDecoder().decode(Found.self, from: Data($0.utf8))
    }
    return (code, found)
  }

  /// Its findings that are new, but for remarks.
  func new(_ arguments: String..., models: String? = nil) throws -> [Found] {
    try check(arguments: arguments, models: models).found.filter {
      $0.state == "new" && $0.severity != "information"
    }
  }

  /// A finding as a report tells it.
  struct Found: Decodable, Equatable {
    var code: String
    var severity: String
    var file: String?
    var line: Int?
    var message: String
    var state: String
    var notes: [Note]
    var help: [String]

    struct Note: Decodable, Equatable { var message: String }

    /// Runs the commands of git that the help says, as someone does who pastes it in another folder.
    func pasteHelp() throws {
      for command in help.flatMap({ $0.split(separator: "`", omittingEmptySubsequences: false).enumerated() })
      where command.offset % 2 == 1 && command.element.contains("git ") {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", String(command.element)]
        process.currentDirectoryURL = URL(filePath: "/")
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command.element)")
      }
    }

    /// `Models/Huts/V1.yaml:4`, from the project's folder.
    func place(in project: ReleasedProject) -> String {
      let file = (file ?? "").replacing(project.path + "/", with: "")
      return "\(file):\(line ?? 0)"
    }
  }
}
