import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ReleaseChecks

extension Adopt {
  /// Adds the only version of a source to a model that is there: a store of a version that nobody has kept, say.
  ///
  /// - Returns: what was done, or that the model has the version already; and the version's name in the model.
  func add(_ source: VersionedModel, into name: String, from path: String) throws -> (
    text: String, version: String
  ) {
    let folder = join(project.project.modelsFolder, name)
    guard let added = source.versions.first, source.versions.count == 1 else {
      throw UsageError(
        .wouldOverwrite,
        "'\(path)' has \(counted(source.versions.count, "version")), and '--into' adds one",
        help: ["name a store or a '.mom' file, or adopt the whole model under another name"])
    }
    let list = join(folder, versionListFileName)
    guard let data = try? readFile(URL(filePath: list), shownAs: list) else {
      if let package = (try? project.project.of(modelNamed: name).modelPaths())?.first,
        ModelSourceKind(package) == .xcodePackage
      {
        let command = "modelc export \(path.shellWord) --as xcdatamodeld -o \(package.shellWord)"
        throw UsageError(
          .noBundlePlace, "'\(name)' is the package '\(package)', and '--into' adds a version in YAML",
          help: ["`\(command)` adds it to the package"])
      }
      guard before == nil else { throw UsageError(.noVersion(before ?? "", known: [])) }
      var files = [(versionListFileName, headed(writeVersions(source), .versionList))]
      files.append(("\(added.name).yaml", headed(writeModel(added.model), .version)))
      try write(files, to: folder)
      try writeSchemas()
      return ("\(folder), a new model: 1 version, current \(added.name)", added.name)
    }
    let mainLine = readVersionList(yaml: data, file: list).list?.mainLine ?? []
    if let before, !mainLine.contains(before) { throw UsageError(.noVersion(before, known: mainLine)) }
    let reading = readVersionedModel(folder: URL(filePath: folder))
    guard let model = reading.model else { throw DiagnosticsError(reading.diagnostics) }
    if let same = model.versions.first(where: { $0.makesStores(of: added) }) {
      return ("\(folder) already has it: \(same.name) has the same version hashes", same.name)
    }
    let version = try unusedName(added.name, in: model)
    guard let edited = ListedVersion(name: version).added(to: data, before: before, file: list) else {
      throw DiagnosticsError(
        .fileUnreadable, "'\(list)' lists no versions that could be added to",
        help: ["write its 'versions:' as a list"])
    }
    try write([("\(version).yaml", headed(writeModel(added.model), .version))], to: folder)
    try writeSchemas()
    try keepingLayout(of: data, in: edited, file: list).write(to: URL(filePath: list), options: .atomic)
    let place =
      before.map { "before \($0)" } ?? "after \(model.versions.last?.name ?? ""), and is not current"
    return ("\(folder): \(version) is listed \(place)", version)
  }

  /// The name, where no version has it; without `--as` with a number behind it else.
  private func unusedName(_ name: String, in model: VersionedModel) throws -> String {
    let taken = Set(model.versions.map { $0.name.lowercased() })
    if !taken.contains(name.lowercased()) { return name }
    if versionName != nil {
      throw UsageError(
        .versionListedTwice, "'\(model.name)' already has a version '\(name)'",
        help: ["choose another name with `--as`"])
    }
    let numbered = (2...).lazy.map { "\(name)-\($0)" }
    return numbered.first { !taken.contains($0.lowercased()) } ?? name
  }

  /// Versions that a list has and the source has not: they would be unlisted, whatever is forced.
  func checkNothingIsUnlisted(_ model: VersionedModel, in folder: String) throws {
    let file = join(folder, versionListFileName)
    guard let data = try? readFile(URL(filePath: file), shownAs: file) else { return }
    let listed = readVersionList(yaml: data, file: file).list?.versions ?? []
    let missing = listed.map(\.name).filter { model.version(named: $0) == nil }
    if !missing.isEmpty {
      throw UsageError(
        .wouldOverwrite,
        "'\(file)' lists \(missing.map { "'\($0)'" }.joined(separator: ", ")), which the source does not have",
        notes: ["stores of a version that is not listed could no longer be migrated"],
        help: [
          "add the source's version to the existing ones with `--into` and the model's name, or adopt under another name with `--model`"
        ])
    }
  }
}
