import ArgumentParser
import Foundation
import ManagedModel
import ModelMapping
import ReleaseChecks

struct VersionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the versions, their checksums, which are released, and which no store can tell apart.",
    discussion:
      "Two versions with equal version hashes are one to Core Data; what differs nevertheless is named. What is "
      + "released, since when and by which tag, says the release lock.")

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp(
      "Models by name, or .xcdatamodeld and .momd paths, also REV:path; all of the project's without any.",
      valueName: "model"))
  var models: [String] = []

  func run() throws {
    try output.run {
      let (models, diagnostics) = try readModels(models, of: project.project)
      let reading = diagnostics.filter { $0.severity == .error }
      let releases = releases()
      let lists = models.map { model in
        (VersionTable(model, releases: releases[model.name, default: []]), checkVersionDifferences(model))
      }
      if output.writesJSON {
        let objects = lists.map { $0.json(reading + $1) }
        output.print(objects.count == 1 ? objects[0] : .array(objects))
      } else {
        output.print(lists.map { $0.0.text }.joined(separator: "\n\n"))
        output.report((reading + lists.flatMap(\.1)).ordered)
      }
      if models.isEmpty || reading.hasErrors { throw ExitCode(max(1, exitStatus(for: reading))) }
    }
  }

  /// What the locks of the models list, by model; nothing of a revision, nor of a lock that somebody edited.
  private func releases() -> [String: [ReleaseLock.Entry]] {
    let project = project.project
    let paths =
      models.isEmpty
      ? try? project.modelPaths()
      : models.flatMap { name -> [String] in
        if isModelPath(name) { return [name] }
        return (try? project.of(modelNamed: name).modelPaths()) ?? []
      }
    let entries = (paths ?? []).compactMap { path -> (String, [ReleaseLock.Entry])? in
      let places = ReleasePlaces(modelAt: path)
      guard let text = try? places.lockText() else { return nil }
      let (lock, diagnostics) = readReleaseLock(text, file: places.lockFile)
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      return diagnostics.isEmpty ? (name, lock.entries) : nil
    }
    return Dictionary(firstOf: entries)
  }
}
