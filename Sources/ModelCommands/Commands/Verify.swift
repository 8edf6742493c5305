import ArgumentParser
import ManagedModel
import PersistentStore

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hold a store against its model and against itself.",
    discussion: """
      Looks at the file, the schema, entity numbers, references, orders, uniqueness, required values, validation \
      rules and external files; never writes. Exits with 1 where something is wrong; a warning is not.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "SQLite's integrity check in full, which holds every index against its table.")
  var full = false

  @Flag(help: "Show values of the first rows of a finding, not only their primary keys.")
  var showValues = false

  @Argument(help: "The store.")
  var store: String

  func run() throws {
    try output.run(json: [.init("store", .string(store))]) {
      let start = ContinuousClock.now
      let models = try knownModels()
      let connection = try openStore(store, among: models)
      let verification = try connection.read { db in
        try verifyStore(
          db, name: store, path: connection.file.path, among: models,
          options: VerificationOptions(integrityCheck: full ? .full : .quick, showsValues: showValues))
      }
      try connection.close()
      if verification.yardstick == nil, !verification.isDamaged {
        throw DiagnosticsError(verification.findings.map(\.diagnostic))
      }
      let seconds = seconds(since: start)
      if output.writesJSON {
        output.print(.object(verification.jsonMembers(store: store, seconds: seconds)))
      } else {
        output.print(verificationText(verification, store: store, seconds: seconds))
        output.report(verification.findings.map(\.diagnostic))
      }
      // What was found is the answer, whatever the family of its code.
      if verification.hasErrors { throw ExitCode(1) }
    }
  }

  /// A store carries its own model most times, so a folder without models is no obstacle; one that was named is.
  private func knownModels() throws -> [VersionedModel] {
    do {
      return try project.project.readSoundModels()
    } catch {
      guard project.arguments.isEmpty else { throw error }
      return []
    }
  }
}
