import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a store or a compiled bundle is.",
    discussion: "Never writes: a store is left without a trace, also while an app has it open.")

  @OptionGroup var project: ProjectFolderOptions
  @OptionGroup var output: OutputOptions

  @Flag(name: .customLong("model"), help: "Print the model that a store itself carries, as YAML.")
  var showsModel = false

  @Argument(help: ArgumentHelp("Stores, and .momd bundles.", valueName: "path"))
  var paths: [String]

  func validate() throws {
    if paths.isEmpty { throw ValidationError("name a store or a bundle") }
  }

  func run() throws {
    let (models, findings) = knownModels()
    var objects: [JSONValue] = []
    var worst: Int32 = 0
    for path in paths {
      do {
        objects.append(try inspect(path, among: models, findings))
      } catch {
        let (diagnostics, code) = output.explain(error)
        output.report(diagnostics)
        objects.append(
          .object([.init("store", .string(path)), .init("diagnostics", .array(diagnostics.map(\.json)))]))
        if worst == 0 { worst = code }
      }
    }
    output.report(findings)
    if output.writesJSON { output.print(objects.count == 1 ? objects[0] : .array(objects)) }
    if worst == 0 { worst = exitStatus(for: findings) }
    if worst != 0 { throw ExitCode(worst) }
  }

  /// A store can be looked at without any model; one that was named or is there, and cannot be read, is a finding.
  private func knownModels() -> (models: [VersionedModel], findings: [Diagnostic]) {
    if showsModel || paths.allSatisfy(isBundle) { return ([], []) }
    do {
      let (models, diagnostics) = try project.project.readModels()
      return (models, diagnostics.filter { $0.severity == .error })
    } catch {
      return ([], project.arguments.isEmpty ? [] : error.diagnostics)
    }
  }

  func isBundle(_ path: String) -> Bool { URL(filePath: path).pathExtension == "momd" }

  private func inspect(
    _ path: String, among models: [VersionedModel], _ findings: [Diagnostic]
  ) throws -> JSONValue {
    if showsModel { return try showModel(of: path) }
    if isBundle(path) {
      let (model, diagnostics) = try readModelBundle(at: URL(filePath: path))
      output.report(diagnostics)
      if !output.writesJSON { output.print(bundleText(model, path: path)) }
      return model.json(bundle: path)
    }
    let connection = try StoreConnection(path: path)
    var inspection = try connection.read { db in
      try inspectStore(db, among: models)
    }
    try connection.close()
    if !output.writesJSON {
      output.print(storeText(inspection, path: path, hasModels: !models.isEmpty))
      output.report(inspection.diagnostics)
    }
    inspection.diagnostics += findings
    return inspection.json(store: path)
  }
}

private func bundleText(_ model: VersionedModel, path: String) -> String {
  var lines = ["\(path): \(counted(model.versions.count, "version")), current \(model.currentVersionName)"]
  var table = TextTable(.left, .right, .left)
  for version in model.versions {
    let entities = counted(version.entityVersionHashesByName.count, "entity", plural: "entities")
    table.append(version.name, entities, version.versionChecksum)
  }
  lines += table.lines(indent: 2)
  return lines.joined(separator: "\n")
}

private func storeText(_ inspection: StoreInspection, path: String, hasModels: Bool) -> String {
  var lines = ["\(path): \(versionText(inspection.recognition, hasModels: hasModels))"]
  let metadata = inspection.metadata
  let framework = metadata.frameworkVersion.map { ", Core Data \($0)" } ?? ""
  lines.append(
    "  \(humanSize(Int64(inspection.byteCount))) in pages of \(inspection.pageSize), journal \(inspection.journalMode)\(framework)"
  )
  lines.append("  UUID \(metadata.uuid)")
  if inspection.hasPersistentHistory { lines.append("  has persistent history") }
  if inspection.hasCloudKitTables { lines.append("  mirrors to CloudKit") }
  var table = TextTable(.left, .left, .right)
  for entity in inspection.entities {
    table.append(entity.name, entity.tableName ?? "no table", counted(entity.rows, "object"))
  }
  lines += [""] + table.lines(indent: 2)
  let keys = metadata.applicationValues.keys.sorted()
  if !keys.isEmpty { lines += ["", "  the app's own metadata: \(keys.joined(separator: ", "))"] }
  if let near = inspection.recognition.nearest.first { lines += [""] + nearestLines(near) }
  return lines.joined(separator: "\n")
}

private func nearestLines(_ near: NearestVersion) -> [String] {
  if near.sharesNothing { return ["  no known version has an entity of one of these names"] }
  let equal = "\(near.equal) of \(near.total) \(near.total == 1 ? "entity" : "entities") equal"
  var differences = TextTable(.left, .left, .left)
  for difference in near.differing {
    differences.append(
      difference.property.map { "\(difference.entity).\($0)" } ?? difference.entity,
      "store: \(difference.store ?? "none")", "\(near.versionName): \(difference.version ?? "none")")
  }
  return ["  nearest: \(near.versionName) of \(near.modelName), \(equal)"] + differences.lines(indent: 4)
}

extension NearestVersion {
  /// Whether no entity of the one has its name in the other.
  fileprivate var sharesNothing: Bool {
    equal == 0
      && differing.allSatisfy { $0.property == nil && ($0.store == nil || $0.version == nil) }
  }
}

private func versionText(_ recognition: Recognition, hasModels: Bool) -> String {
  let names = recognition.versions.map { "\($0.versionName) of \($0.modelName)" }
  switch names.count {
  case 0: return hasModels ? "of no known version" : "a store; there is no model here to compare it with"
  case 1: return names[0]
  default: return names.joined(separator: " or ") + " (their hashes are equal)"
  }
}
