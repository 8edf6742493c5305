import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import ReleaseChecks

struct Release: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Freeze versions that users have, so that `check` holds the model to them.",
    discussion: """
      Adds each version to the model's released.lock: checksum, fingerprint, date and tag. With --fixture, a genuine \
      store of it and its objects as YAML are kept beside, which every later check migrates. Commit all of them.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The release's tag in git, or its name.", valueName: "tag"))
  var tag: String?

  @Option(help: ArgumentHelp("Keep a store with so many objects.", valueName: "rows"))
  var fixture: Int?

  @Argument(
    help: ArgumentHelp(
      "The versions that are out; the current one and those before it.", valueName: "version"))
  var versions: [String]

  func validate() throws {
    if let tag, tag.isEmpty || tag.contains(where: \.isWhitespace) || tag == "-" {
      throw ValidationError("'\(tag)' cannot be a tag: it has no spaces")
    }
    if let fixture, !(0...1_000_000).contains(fixture) {
      throw ValidationError("--fixture is 0 to 1,000,000")
    }
  }

  func run() throws {
    try output.run {
      let models = try readCheckedModels(of: project.project)
      guard models.count == 1, let subject = models.first else {
        throw UsageError(.whichModel(models.map(\.model.name)))
      }
      if subject.diagnostics.hasErrors {
        throw DiagnosticsError(subject.diagnostics.filter { $0.severity == .error })
      }
      let records = try releaseVersions(
        versions, of: subject.model, at: subject.path, tag: tag, date: today(), rows: fixture)
      for record in records { output.report(record.fixture?.diagnostics ?? []) }
      if output.writesJSON {
        output.print(
          .object([
            .init("lock", .string(subject.places.lockFile)), .init("released", .array(records.map(json))),
          ]))
      } else {
        output.print(records.map { line($0, subject) }.shownLines)
        output.say("next: commit \(shellWord(subject.places.lockFile)); `modelc check` holds the model to it")
      }
    }
  }

  private func line(_ record: ReleaseRecord, _ subject: CheckedModel) -> String {
    let entry = record.entry
    let store = record.fixture.map {
      "; \(subject.places.store(of: entry.version)): \(counted($0.count, "object"))"
    }
    let what = record.wasReleased ? "was released on \(entry.date)" : "is released"
    return
      "\(entry.version) \(what)\(entry.tag.map { " as \($0)" } ?? ""), \(entry.checksum.prefix(12))…\(store ?? "")"
  }

  private func json(_ record: ReleaseRecord) -> JSONValue {
    let entry = record.entry
    return .object([
      .init("version", .string(entry.version)), .init("checksum", .string(entry.checksum)),
      .init("fingerprint", .string(entry.fingerprint)), .init("date", .string(entry.date)),
      .init("tag", JSONValue(entry.tag)), .init("isNew", .boolean(!record.wasReleased)),
      .init("objects", JSONValue(record.fixture?.count)),
    ])
  }
}

extension Diagnostic.Code {
  static let severalModels = Self("MC7024")
}

extension Diagnostic {
  fileprivate static func whichModel(_ names: [String]) -> Self {
    Self(
      .severalModels, .error, "the project has \(names.count) models; a release is of one",
      notes: ["models: \(names.joined(separator: ", "))"], help: ["name it with `--model`"])
  }
}
