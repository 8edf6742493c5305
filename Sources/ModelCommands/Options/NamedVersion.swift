import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore
import ReleaseChecks
import SwiftDataModels

/// One version of a model, as a command line named it.
struct NamedVersion {
  /// How the user knows it: `V3`, `App.momd#V3`, `Old.sqlite`.
  var label: String
  /// Nil if a store says no more than its model.
  var modelName: String?
  var version: ModelVersion
  /// The other versions that its source holds; none for a store.
  var siblings: VersionedModel?
  /// Whether the version was asked for by name, not taken because it is the current one.
  var isChosen: Bool
  /// What was found while it was read.
  var diagnostics: [Diagnostic] = []
  /// Parts of its source that could not be read, of whichever version they are.
  var unread: [Diagnostic] = []

  /// - Throws: where the current version was asked for, and another one stands for it.
  func requireCurrent() throws(DiagnosticsError) {
    if !isChosen { try siblings?.currentVersionErrors.ordered.refuse() }
  }

  /// - Throws: where ``requireCurrent()`` does, and for what leaves parts of it unread or `compile` refuses: what is
  ///   concluded of it would be wrong.
  func requireSound() throws(DiagnosticsError) {
    try requireCurrent()
    try (diagnostics.unread + (siblings.map { version.refusals(in: $0) } ?? [])).ordered.refuse()
  }
}

extension NamedVersion {
  /// - Parameter diagnostics: what was found in all of its source.
  init(
    _ version: ModelVersion, of model: VersionedModel? = nil, label: String? = nil, isChosen: Bool = true,
    _ diagnostics: [Diagnostic] = []
  ) {
    self.init(
      label: label ?? version.name, modelName: model?.name, version: version, siblings: model,
      isChosen: isChosen, diagnostics: diagnostics.about(version), unread: diagnostics.filter(\.isUnread))
  }
}

extension Project {
  /// Finds the version that an argument names: a version of the project (`V3`, `Trails/V3`), one of a package, a
  /// bundle or a folder (`App.xcdatamodeld#V3`; without a name, the current one), on disk or in a git revision
  /// (`HEAD~1:App.xcdatamodeld`), a model file, or a store's model.
  func findVersion(_ argument: String) throws -> NamedVersion {
    // `App.momd#V3` is the version V3 in `App.momd`, unless there is a file of that very name.
    let exists = FileManager.default.fileExists(atPath: argument)
    let mark = exists ? nil : argument.lastIndex(of: "#")
    let path = mark.map { String(argument[..<$0]) } ?? argument
    let name = mark.map { String(argument[argument.index(after: $0)...]) }
    if isSource(path) {
      try path.requireFile()
      var (model, diagnostics) = reader.read(path)
      var argument = argument
      if model == nil, let former = reader.readMoved(path) {
        (model, diagnostics) = (former.model, former.diagnostics)
        argument = former.path + (name.map { "#\($0)" } ?? "")
      }
      var version = try choose(name, from: model, diagnostics, argument)
      if ModelSourceKind(path) == .versionFile {
        (version.isChosen, version.diagnostics) = (true, diagnostics)
      }
      return version
    }
    var reading: (models: [VersionedModel], diagnostics: [Diagnostic])?
    var problems: [Diagnostic] = []
    do throws(DiagnosticsError) { reading = try readModels() } catch { problems = error.diagnostics }
    let models = reading?.models ?? []
    if let found = try projectVersion(argument, reading) { return found }
    if isFile(path), name == nil { return try readStoreVersion(path, among: models) }
    // What is listed and cannot be read is not unknown.
    let unread = models.flatMap { model in
      model.unreadVersions.filter { [$0.name, "\(model.name)/\($0.name)"].contains(argument) }
    }.flatMap(\.reasons)
    try (models.isEmpty ? reading?.diagnostics.filter { $0.severity == .error } ?? [] : unread).refuse()
    throw DiagnosticsError(
      Diagnostic.noSuchVersion(argument, known: models).with {
        $0.notes += problems.map { Diagnostic.Note($0.message) }
        $0.help += problems.flatMap(\.help)
      })
  }

  /// The version that a single one is compared with: the current one of the project's model of that name, else of its own
  /// source, else of the project's only model.
  func currentVersion(like version: NamedVersion) throws -> NamedVersion {
    var (models, diagnostics, absence) = ([VersionedModel](), [Diagnostic](), [Diagnostic]())
    do throws(DiagnosticsError) {
      (models, diagnostics) = try readModels()
    } catch {
      absence = error.diagnostics
    }
    let own = version.isChosen ? version.siblings : nil
    let model =
      models.first { $0.name == version.modelName } ?? own.flatMap { $0.versions.count > 1 ? $0 : nil }
      ?? (models.count == 1 ? models.first : nil)
    guard let model, let current = model.currentVersion else {
      // What is there and cannot be read is not absent.
      try (models.isEmpty ? diagnostics.filter { $0.severity == .error } : []).refuse()
      throw DiagnosticsError(
        .noCurrentVersion, "there is no current version to compare '\(version.label)' with",
        notes: models.isEmpty ? [] : ["models here: \(models.map(\.name).joined(separator: ", "))"],
        help: absence.isEmpty
          ? ["name a second version, or one of the models with `--model`"] : absence.flatMap(\.help))
    }
    return NamedVersion(current, of: model, isChosen: false, diagnostics)
  }
}

extension ModelReader {
  /// A model of a git revision that lies elsewhere today: git knows renames.
  fileprivate func readMoved(
    _ path: String
  ) -> (model: VersionedModel, diagnostics: [Diagnostic], path: String)? {
    guard let place = GitLocation(path), let top = try? GitRepository.holding(folder: nil).top,
      let today = try? pathInRepository(place)
    else { return nil }
    for former in (try? formerPaths(ofModelAt: "\(top)/\(today)")) ?? [] {
      guard let reading = try? read(at: former, in: place.revision), let model = reading.model else {
        continue
      }
      return (model, reading.diagnostics, "\(place.revision):\(former.dropFirst(top.count + 1))")
    }
    return nil
  }
}

/// Whether the path is that of a model, and not of a store.
private func isSource(_ path: String) -> Bool {
  if GitLocation(path) != nil || path.isModelFolder { return true }
  return ModelSourceKind(path).map { $0 != .versionFile || isFile(path) } ?? path.isSwiftSource
}

private func isFile(_ path: String) -> Bool { FileFacts(ofFileAt: path)?.isRegular == true }

private func choose(
  _ name: String?, from model: VersionedModel?, _ diagnostics: [Diagnostic], _ argument: String
) throws -> NamedVersion {
  guard let model else { throw DiagnosticsError(diagnostics) }
  guard let version = name.map({ model.version(named: $0) }) ?? model.currentVersion else {
    let errors = diagnostics.filter { $0.severity == .error }
    throw DiagnosticsError(
      errors.isEmpty ? [.noSuchVersion(argument, known: [model], isVersion: name != nil)] : errors)
  }
  let label = name == nil && model.versions.count > 1 ? "\(argument)#\(version.name)" : argument
  return NamedVersion(version, of: model, label: label, isChosen: name != nil, diagnostics)
}

/// - Returns: nil if the argument is not the name of a version of the project.
private func projectVersion(
  _ argument: String, _ reading: (models: [VersionedModel], diagnostics: [Diagnostic])?
) throws(DiagnosticsError) -> NamedVersion? {
  guard let reading else { return nil }
  let found = reading.models.compactMap { model -> NamedVersion? in
    let prefix = model.name + "/"
    let name = argument.hasPrefix(prefix) ? String(argument.dropFirst(prefix.count)) : argument
    return model.version(named: name).map {
      NamedVersion($0, of: model, label: argument, reading.diagnostics)
    }
  }
  if found.count > 1 {
    throw DiagnosticsError(
      .severalModels, "several models have a version '\(argument)'",
      help: found.compactMap(\.modelName).map { "write '\($0)/\(argument)'" })
  }
  return found.first
}

/// The store's own model, else the model of the version that its hashes name.
private func readStoreVersion(_ path: String, among models: [VersionedModel]) throws -> NamedVersion {
  try StoreConnection(path: path).read { db in
    let metadata = try db.readStoreMetadata()
    let own = try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: metadata)
    let recognition = recogniseStore(metadata: metadata, among: models, storeModel: own)
    let match = recognition.match(among: models)
    if let own {
      let version = ModelVersion(
        name: match?.versionName ?? URL(filePath: path).deletingPathExtension().lastPathComponent, model: own,
        recordedHashes: metadata.versionHashes)
      return NamedVersion(label: path, modelName: match?.modelName, version: version, isChosen: true)
    }
    guard let match, let model = models.first(where: { $0.name == match.modelName }),
      let version = model.version(named: match.versionName)
    else { throw try DiagnosticsError(db.unrecognised(path, metadata, among: models)) }
    let restricted = ModelVersion(
      name: version.name, model: version.model.restricted(toConfiguration: match.configuration),
      sourceMap: version.sourceMap, recordedHashes: metadata.versionHashes)
    return NamedVersion(
      label: "\(path) (\(version.name))", modelName: model.name, version: restricted, isChosen: true)
  }
}

extension ModelVersion {
  /// What `compile` refuses of it. A bundle and a store's own model are what they are: only text can be mended.
  func refusals(in model: VersionedModel) -> [Diagnostic] { sourceMap == nil ? [] : checkTarget(in: model) }
}

extension [Diagnostic] {
  /// Errors that leave parts of a source unread.
  var unread: [Diagnostic] { filter { $0.severity == .error && $0.code != .differentHashes } }

  /// Errors that leave parts of the version unread; the rest is for `compile`.
  fileprivate func about(_ version: ModelVersion) -> [Diagnostic] {
    filter { finding in
      // A name that is declared twice is no version's own: what is of its type is left out all the same.
      let isOfAll = finding.code == .ambiguousName && finding.subject == nil
      return finding.severity == .error && (isOfAll || finding.subject?.version == version.name)
    }
  }
}
