import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

struct MapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Start a mapping model, bind it to versions that have changed, or write it for Xcode.",
    subcommands: [MapNewCommand.self, MapRebaseCommand.self, MapExportCommand.self])
}

struct MapNewCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write the inferred mapping of a step as a file to edit.",
    discussion: """
      Writes Migrations/<Model>/<from>-<to>.yaml. Whatever would be lost, or what inference refuses, is listed there under \
      'undecided'; the file is not used until each line is answered and removed. What is removed from the \
      rest is inferred, as before.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Overwrite the file if it already exists.")
  var force = false

  @Argument(help: .text("The version before the step.", "from"))
  var source: String

  @Argument(help: .text("The version after it.", "to"))
  var destination: String

  func work() throws {
    let (model, from, to) = try project.project.step(from: source, to: destination)
    let folder = join(project.project.migrationsFolder, model.name)
    let names = from.stepNames(to: to).map { join(folder, "\($0).yaml") }
    func steps(in name: String) -> [[String]] { project.project.statedMappings(in: name).map(\.versionNames) }
    let own = names.first { steps(in: $0).contains([from.name, to.name]) }
    let file = ProjectFile(
      path: own ?? names.first { steps(in: $0).isEmpty } ?? names[0],
      text: from.draftMappingFile(
        to: to,
        schema: project.models == nil ? "../../Models/Schemas/\(LanguageFileKind.mapping.rawValue)" : nil))
    if !force, file.wouldOverwrite {
      throw UsageError(
        .wouldOverwrite, "'\(file.path)' already exists", notes: ["nothing was written"],
        help: ["edit it, or overwrite it with `--force`"])
    }
    try file.write()
    let drafted = readMappingFile(yaml: Data(file.text.utf8), file: file.path).mappingModels
    let undecided = drafted.map(\.undecided.count).reduce(0, +)
    output.print(
      Self.result.json(of: ([file.path], undecided)),
      else: "\(file.path): \(undecided) undecided".printable)
    let command = project.project.folderOfMappingModels(of: model) == nil ? "compile" : "check"
    output.say("next: edit it, then \(programName) \(command)\(project.arguments)")
  }

  static let result = JSONObject<(paths: [String], undecided: Int)>(
    "newMapping", "A mapping file that was started."
  ).adding(["written": .value(\.paths, "Paths."), "undecided": .value(\.undecided, "Lines to answer.")])
}

struct MapRebaseCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebase", abstract: "Bind mapping models to the current content of their versions.",
    discussion: """
      Renews 'versionHashes' in the mapping files of a step, or of all steps, and reports what in them does not fit the \
      versions. Nothing else in a file changes.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: .text("The two versions of the step; by default all steps.", "version"))
  var versions: [String] = []

  func validate() throws {
    try refuse(versions.count != 0 && versions.count != 2, "name the two versions of the step, or none")
  }

  func work() throws {
    if versions.count == 2 { _ = try project.project.step(from: versions[0], to: versions[1], isOfAny: true) }
    let models = try project.project.readSoundModels()
    var written: [String] = []
    var seen = 0
    for model in models {
      for file in project.project.mappingFiles(ofModel: model.name) {
        let data = try readFile(URL(filePath: file), shownAs: file)
        let mappings = readMappingFile(yaml: data, file: file).mappingModels
        guard versions.isEmpty || mappings.contains(where: { $0.versionNames == versions }) else { continue }
        seen += 1
        guard let text = try rebaseMappingFile(yaml: data, file: file, versions: model) else { continue }
        try keepingLayout(of: data, in: text, file: file)
          .write(to: URL(filePath: file).resolvingSymlinksInPath(), options: .atomic)
        written.append(file)
      }
    }
    if seen == 0 { throw nothingToRebase(models) }
    let mappings = project.project.readMappings(for: models)
    let findings = (mappings.diagnostics + mappings.check(against: models)).ordered
    output.print(
      written: written,
      written.isEmpty
        ? "\(counted(seen, "mapping file")) already bound to the current versions"
        : written.map { "\($0): now bound to its current versions" }.shownLines, findings)
    if findings.hasErrors { throw ExitCode(exitStatus(for: findings)) }
  }

  private func nothingToRebase(_ models: [VersionedModel]) -> UsageError {
    let newest = models.lazy.compactMap { model in
      model.currentVersion.flatMap { to in model.predecessor(of: to).map { [$0.name, to.name] } }
    }.first
    let step = versions.isEmpty ? newest ?? [] : versions
    let what = versions.isEmpty ? "no mapping file" : "no mapping file from \(versions[0]) to \(versions[1])"
    return UsageError(
      .fileUnreadable, "there is \(what) in '\(project.project.migrationsFolder)'",
      help: [
        step.isEmpty
          ? "a mapping leads from one version to another, but no model here has two versions"
          : "`modelc map new \(step.map(\.shellWord).joined(separator: " "))` writes one"
      ])
  }
}

struct MapExportCommand: ReportingCommand {
  enum Kind: String, ExpressibleByArgument, CaseIterable { case xcmappingmodel }

  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the mapping of a step as Xcode's mapping model.",
    discussion: """
      Writes an .xcmappingmodel, which Xcode opens and compiles into the app, over the app's own one for that step or next to the \
      package. It contains the whole step, including what is inferred. What Xcode's mapping models cannot express is reported (MC4210).
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(name: .customLong("as"), help: "What to write: xcmappingmodel.")
  var kind = Kind.xcmappingmodel

  @Option(name: .customShort("o"), help: .text("The .xcmappingmodel, or a folder to write it into.", "path"))
  var outputPath: String?

  @Flag(help: "Overwrite a mapping model that has other content.")
  var force = false

  @Argument(help: "The step, V1-V2, or its two versions; by default every step that has a mapping file.")
  var step: [String] = []

  func validate() throws { try refuse(step.count > 2, "name one step: V1-V2, or its two versions") }

  func work() throws {
    output.print(try project.project.exportMappings(step, to: outputPath, overwrites: force))
  }
}

extension OutputOptions {
  func print(_ exported: ExportedMappings) {
    print(written: exported.files, exported.files.shownLines, exported.diagnostics)
    say("next: add \(exported.files.count == 1 ? "it" : "them") to the app's target in Xcode, and build")
  }
}
