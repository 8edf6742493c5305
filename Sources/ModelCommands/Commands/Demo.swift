import ArgumentParser
import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import PersistentStore
import ReleaseChecks

struct Demo: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the main job on a sample: models, a store of version 1, its migration.",
    discussion: "Writes into a folder that must be empty or new; by default into a new temporary folder.")

  @Option(help: "Colors: auto, always or never; NO_COLOR is respected.")
  var color: ColorMode = .auto

  @Argument(help: .text("Where to write.", "dir"))
  var folder: String?

  var output: OutputOptions {
    var terminal = TerminalOptions()
    (terminal.color, terminal.quiet) = (color, false)
    return terminal.output(json: false)
  }

  func work() throws { try show(in: prepareFolder()) }

  private func prepareFolder() throws -> String {
    let files = FileManager.default
    guard let folder else { return try TemporaryFolder("demo", keeps: true).path }
    if let present = try? files.contentsOfDirectory(atPath: folder), !present.isEmpty {
      throw UsageError(
        .folderNotEmpty, "'\(folder)' is not empty", help: ["name a new folder, or leave it out"])
    }
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  private func show(in folder: String) throws {
    let project = Project(ofRunIn: folder)
    let sample = starterFiles(
      in: join(project.modelsFolder, SampleModel.name),
      mappings: join(project.migrationsFolder, SampleModel.name), isSample: true)
    // The first lines of the sample's files name the schemas.
    for file in sample + schemaFiles(in: project.schemaFolder()) { try file.write() }

    output.print("1. Models: six versions of a hiking diary, as YAML, compiled to a bundle")
    let model = try compile(project)
    let custom = try project.customMigrations(for: [model])
    output.print(
      "   mapping models of three steps: \(SampleModel.mappings.map(\.name).joined(separator: ", "))")
    let store = join(folder, "Diary.sqlite")
    try createSampleStore(at: store, model)
    output.print("\n2. A store as an app of version V1 would have left it: \(store.printable)")
    output.print("\n3. The plan for it")
    let plan = try planMigration(ofStoreAt: store, models: [model], custom: custom)
    output.print(planText(plan))
    output.report(plan.diagnostics, minimum: .warning)
    output.print("\n4. The migration")
    output.print(try migrateStore(at: store, models: [model], custom: custom).text(isDryRun: false))
    output.print("\n5. The store afterwards")
    output.print(try summary(of: store, model))
    output.print(hints(folder: folder, store: store))
  }

  private func compile(_ project: Project) throws -> VersionedModel {
    let (models, diagnostics) = try project.readModels()
    let findings = diagnostics + models.flatMap { checkVersions($0) }
    output.report(findings, minimum: .warning)
    guard let model = models.first, !findings.hasErrors else { throw DiagnosticsError(findings) }
    let bundle = join(project.buildFolder, model.name + ".momd")
    try FileManager.default.createDirectory(atPath: project.buildFolder, withIntermediateDirectories: true)
    try model.writeBundle(to: URL(filePath: bundle))
    output.print((["   \(bundle)"] + model.versionLines(indent: 5)).shownLines)
    return model
  }

  private func summary(of store: String, _ model: VersionedModel) throws -> String {
    let inspection = try inspectStore(at: store, models: [model], counting: .exact)
    let version = inspection.recognition.versions.map(\.versionName).joined(separator: ", ")
    let entities = inspection.entities.compactMap { entity in
      entity.rows.flatMap { $0 > 0 ? [entity.name, entity.tableName ?? "", counted($0, "object")] : nil }
    }
    return
      (["   recognized by its hashes as \(version)"]
      + TextTable(.left, .left, .right, rows: entities).lines(indent: 5)).shownLines
  }

  private func hints(folder: String, store: String) -> String {
    let place = folder.shellWord
    return """

      Next:
        \(programName) inspect -C \(place) \(store.shellWord)
        edit \(join(folder, "Models/Trails/V6.yaml").shellWord), then: \(programName) compile -C \(place)
        \(programName) adopt -C \(place) YourApp.xcdatamodeld
      """
  }
}

/// Writes a store of the sample's first version with its thousand objects.
private func createSampleStore(at path: String, _ model: VersionedModel) throws {
  guard let version = model.versions.first else { return }
  let file = try createNewStoreFile(at: privatePath(besides: path), for: path)
  try file.write { db in
    _ = try fillStore(in: db, version: version, objects: sampleDiary())
  }
  try file.finish()
  try file.publish(at: path)
}

extension Diagnostic.Code { fileprivate static let folderNotEmpty = Self("MC0013") }
