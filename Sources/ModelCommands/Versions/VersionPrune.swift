import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

/// Old versions that are to be taken out of a model, prepared in full: what goes, what is edited, and the model without them.
struct VersionPrune {
  /// A version that goes.
  struct Version {
    var version: ModelVersion
    /// Its line in the release lock.
    var release: ReleaseLock.Entry?
    /// How stores of it are migrated once it is gone: by the model that they carry, directly to the current version.
    var plan: PathPlan
    /// Steps on its path of today whose mappings then do not run.
    var mappedSteps: [String] = []
    /// Stores in the field; nil if nobody counted.
    var stores: Int?
    /// Tags that make stores of it.
    var tags: [String] = []

    /// A version that stays and that no store can tell from this one.
    var heir: String?

    var isStranded: Bool { heir == nil && ((stores ?? 0) > 0 || !tags.isEmpty) }
    var outcome: Outcome { heir != nil ? .same : plan.isBlocked ? .blocked : .inferred }
    /// What the stores lose that nobody has said may go.
    var losses: [String] {
      plan.diagnostics.filter { $0.code == .droppedData }.compactMap { $0.subject?.fullName }
    }
  }

  /// What becomes of stores of a version that is gone.
  enum Outcome: String, CaseIterable {
    /// A version that stays has the same hashes.
    case same
    /// The model that they carry leads them to the current version by inference.
    case inferred
    /// Inference does not serve: they cannot be migrated.
    case blocked
  }

  let project: Project
  let subject: CheckedModel
  let first: ModelVersion
  var versions: [Version] = []
  private(set) var changes = FileChanges()
  /// Version files that are written out whole, each with the number of its comments that are dropped.
  private(set) var writtenOut: [(file: String, comments: Int)] = []
  /// Mapping models of Xcode's that lie elsewhere and serve no version any more.
  private(set) var left: [String] = []
  /// Projects of Xcode's that list what goes.
  private(set) var projects: [String] = []
  /// Kept stores of released versions that stay.
  private(set) var keptStores = 0
  /// The model as it will be.
  private(set) var pruned: CheckedModel

  var model: VersionedModel { subject.model }
  var names: Set<String> { Set(versions.map(\.version.name)) }
  var isPackage: Bool { ModelSourceKind(subject.path) == .xcodePackage }
  var keptVersions: [String] { pruned.model.versions.map(\.name) }

  /// Whether a model is the same one, however its path is written.
  func isAbout(_ other: CheckedModel) -> Bool {
    let paths = [subject.path, other.path].map { URL(filePath: $0).standardizedFileURL.path }
    return paths[0] == paths[1]
  }

  /// Entries by which another model includes a version that goes.
  func brokenIncludes(of other: CheckedModel) -> [Diagnostic] {
    let file = join(other.path, versionListFileName)
    guard other.path.isModelFolder, let data = try? readFile(URL(filePath: file), shownAs: file) else {
      return []
    }
    func real(_ path: String) -> String {
      URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    return (readVersionList(yaml: data, file: file).list?.includes ?? []).compactMap { include in
      let gone = names.intersection(include.versions.values).sorted()
      guard real(join(other.path, include.path)) == real(subject.path), !gone.isEmpty else { return nil }
      return Diagnostic(
        .noCurrentVersion, .error, "'\(other.model.name)' includes \(gone.listed) of '\(model.name)'",
        place: include.place, help: ["first remove the version that needs it from '\(other.model.name)'"])
    }
  }

  /// Prepares everything and writes nothing.
  init(before name: String, of subject: CheckedModel, in project: Project, today: String) throws {
    (self.project, self.subject, pruned) = (project, subject, subject)
    let model = subject.model
    guard let first = model.version(named: name) else {
      throw DiagnosticsError(.noVersion(name, known: model.versions.map(\.name)))
    }
    self.first = first
    if model.isOrderGuessed {
      throw DiagnosticsError(
        .versionsNotPruned, "only the names suggest the order of the versions of '\(model.name)'",
        notes: ["as they are read: \(model.versions.map(\.name).listed)", "nothing was written"],
        help: ["state the order in a modelc.yaml next to the package: `versions:`, oldest first"])
    }
    let origins = Set(model.origins(of: first).dropFirst().map(\.name))
    if origins.isEmpty {
      throw DiagnosticsError(
        .versionsNotPruned, "no version of '\(model.name)' leads to '\(first.name)': none would be removed",
        notes: ["versions: \(model.versions.map(\.name).listed)"],
        help: ["name the oldest version that is to stay"])
    }
    guard !origins.contains(model.currentVersionName), let current = model.currentVersion else {
      let current = model.currentVersionName
      throw DiagnosticsError(
        .versionsNotPruned, "the current version '\(current)' is before '\(first.name)': it would be removed",
        notes: ["stores are migrated to the current version"],
        help: ["name a version up to '\(current)', or make a later one the current version first"])
    }
    var (lock, findings) = readReleaseLock(subject.lockText ?? "", file: subject.places.lockFile)
    if subject.lockText != nil, findings.hasErrors { throw DiagnosticsError(findings) }
    versions = try model.versions.filter { origins.contains($0.name) }.map { version in
      Version(
        version: version, release: lock.entry(version.name),
        plan: try model.planWithoutVersions(from: version, to: current),
        mappedSteps: subject.mappedSteps(from: version, to: current),
        heir: model.versions.last { !origins.contains($0.name) && $0.makesStores(of: version) }?.name)
    }
    changes.removed = removedFiles()
    try editVersions()
    // A lock is begun where there is none: without the line a store of such a version would be taken for a newer one.
    lock.retire(versions.map(\.version), on: today)
    if let text = subject.lockText {
      edit(subject.places.lockFile, Data(text.utf8), Data(lock.text.utf8))
    } else {
      changes.created[subject.places.lockFile] = Data(lock.text.utf8)
    }
    pruned = try prunedModel()
    pruned.lockText = lock.text
    if model.isDisposable { return }
    keptStores = keptVersions.filter { lock.entry($0) != nil }
      .count { FileManager.default.fileExists(atPath: subject.places.store(of: $0)) }
  }

  private mutating func edit(_ path: String, _ before: Data, _ after: Data) {
    if before != after { changes.edits.append(ModelFixes.Edit(path: path, before: before, after: after)) }
  }

  // MARK: What goes

  private mutating func removedFiles() -> [String] {
    let files = FileManager.default
    var found: [String] = []
    for name in versions.map(\.version.name) {
      found.append(join(subject.path, isPackage ? "\(name).xcdatamodel" : "\(name).yaml"))
      found += subject.places.files(of: name).filter(files.fileExists)
    }
    found += project.mappingFiles(ofModel: model.name).filter { file in
      guard let data = try? readFile(URL(filePath: file), shownAs: file) else { return false }
      return readMappingFile(yaml: data, file: file).mappingModels.contains { serves($0) }
    }
    let tests = join(project.migrationTestFolder(), model.name)
    found += mappingFileNames(in: tests).map { join(tests, $0) }.filter { file in
      (try? readMigrationTest(at: file)).map { names.contains($0.from) || $0.to.map(names.contains) ?? false }
        ?? false
    }
    guard isPackage, let top = project.folderOfMappingModels(of: model) else { return found }
    let xcode = XcodeFiles(below: top)
    let mappings = xcode.mappingModels.filter { path in
      guard let read = try? XcodeMappingReading(URL(filePath: path)).mapping.get() else { return false }
      return read.modelName == model.name && serves(read.mappingModel)
    }
    let own = mappings.filter {
      $0.parentPath == subject.path.parentPath || $0.hasPrefix(project.migrationsFolder + "/")
    }
    left = mappings.filter { !own.contains($0) }
    let listed = (names.map { "\($0).xcdatamodel" } + own.map { URL(filePath: $0).lastPathComponent })
    projects = xcode.projects.filter { path in
      let text = try? readFile(URL(filePath: join(path, "project.pbxproj")), shownAs: path)
      return text.map { text in listed.contains { text.range(of: Data($0.utf8)) != nil } } ?? false
    }
    return found + own
  }

  /// Whether a mapping model leads from or to a version that goes.
  private func serves(_ mapping: CustomMappingModel) -> Bool {
    names.contains(mapping.sourceVersionName) || names.contains(mapping.destinationVersionName)
  }

  // MARK: What is edited

  /// The list of versions, and version files that extend one that goes.
  private mutating func editVersions() throws {
    let folder = ModelFolder(URL(filePath: subject.path))
    var (file, section) = (folder.shownPath(versionListFileName), [String]())
    if isPackage {
      let settings = readPackageSettings(besidePackageAt: subject.path)
      guard settings.settings != nil else { return }
      file = settings.file
    }
    let before = try readFile(URL(filePath: file), shownAs: file)
    if isPackage, readYAML(before, file: file).node?["models"]?[model.name] != nil {
      section = ["models", model.name]
    }
    do throws(PrunedVersionList.ManualEditNeeded) {
      let list = try PrunedVersionList(
        before, file: file, section: section, without: names, unretired: isPackage ? unretiredNames() : [])
      edit(file, before, keepingLayout(of: before, in: list.text, file: file))
    } catch {
      throw DiagnosticsError(
        .versionsNotPruned, "modelc cannot remove an entry from '\(file)', because of its layout",
        place: error.place, notes: ["nothing was written"],
        help: ["write the list with a version on each line"])
    }
    if isPackage { return }
    let files = VersionFiles(folder: folder, listed: model.versions.map(\.name))
    for version in model.versions where !names.contains(version.name) {
      let file = folder.shownPath("\(version.name).yaml")
      let before = try folder.data(of: "\(version.name).yaml")
      guard let origin = readYAML(before, file: file).node?["extends"]?.text, names.contains(origin),
        let whole = readModel(yaml: before, file: file, named: version.name, among: files).model
      else { continue }
      let text = String(decoding: before, as: UTF8.self)
      let head = text.lines.prefix { $0.hasPrefix("#") || $0.isEmpty }
      let comments = text.lines.dropFirst(head.count).count { $0.contains("#") }
      writtenOut.append((file, comments))
      edit(file, before, Data((head.map { "\($0)\n" }.joined() + writeModel(whole)).utf8))
    }
  }

  /// Names that no version has that stays: in a `modelc.yaml` a word about them would be an error.
  private func unretiredNames() -> Set<String> {
    let kept = model.versions.filter { !names.contains($0.name) }
    return Set((subject.settings?.retired ?? []).map(\.name)).filter { name in
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      return !kept.contains { version in
        version.model.entities.contains { entity in
          guard entity.name == parts.first else { return false }
          guard parts.count > 1 else { return true }
          return entity.attributes.contains { $0.name == parts[1] }
            || entity.relationships.contains { $0.name == parts[1] }
        }
      }
    }
  }

  // MARK: What stays

  /// Reads the model as it will be, and refuses where that is another one than today's without those versions.
  private func prunedModel() throws -> CheckedModel {
    let edited = Dictionary(firstOf: changes.edits.map { ($0.path, $0.after) })
    let (read, diagnostics) = VersionedModel.reading(
      at: URL(filePath: subject.path), without: names, edited: edited)
    guard let read, !diagnostics.hasErrors else { throw DiagnosticsError(diagnostics) }
    let kept = model.versions.filter { !names.contains($0.name) }
    guard read.currentVersionName == model.currentVersionName,
      read.versions.map(\.name) == kept.map(\.name)
    else {
      throw DiagnosticsError(
        .versionsNotPruned, "without those versions the others would be in another order",
        notes: [
          "today: \(kept.map(\.name).listed)", "then: \(read.versions.map(\.name).listed)",
          "nothing was written",
        ], help: ["state the order in a modelc.yaml next to the package: `versions:`, oldest first"])
    }
    for (old, new) in zip(kept, read.versions) {
      let before = model.predecessors(of: old).map(\.name).filter { !names.contains($0) }
      let after = read.predecessors(of: new).map(\.name)
      if before != after {
        throw DiagnosticsError(
          .versionsNotPruned,
          "without those versions '\(new.name)' would follow \(after.isEmpty ? "no version" : after.listed)",
          notes: [
            before.isEmpty
              ? "all versions that it follows would be removed, but it is not the first version"
              : "it follows \(before.listed)", "nothing was written",
          ], help: ["keep more: name an earlier version with `--before`"])
      }
      guard old.versionChecksum == new.versionChecksum, old.model.fingerprint == new.model.fingerprint else {
        throw DiagnosticsError(
          .versionsNotPruned, "'\(new.name)', written as a whole model, would not be the same",
          notes: ["nothing was written"], help: ["write that version without 'extends' first"])
      }
    }
    var mappings = subject.mappings
    let removed = Set(changes.removed)
    mappings.custom.mappingModels[model.name]?.removeAll { serves($0) }
    mappings.diagnostics.removeAll { $0.place.map { removed.contains($0.file) } ?? false }
    mappings.files = mappings.files.filter { !removed.contains($0.key) }
    var pruned = subject
    pruned.diagnostics = read.findings(reading: diagnostics)
    (pruned.model, pruned.mappings) = (read, mappings)
    return pruned
  }
}

extension VersionedModel {
  /// What becomes of a version's stores where the model does not have it: they carry it themselves.
  fileprivate func planWithoutVersions(from version: ModelVersion, to current: ModelVersion) throws
    -> PathPlan
  {
    var (source, target) = (version, current)
    (source.predecessorNames, target.predecessorNames) = ([], [version.name])
    let own = VersionedModel(name: name, versions: [source, target], currentVersionName: target.name)
    return try planPath(from: source.name, to: target.name, models: [own])
  }
}

extension CheckedModel {
  /// The steps of today's path for which there is a mapping.
  fileprivate func mappedSteps(from version: ModelVersion, to current: ModelVersion) -> [String] {
    let path = model.path(fromAnyOf: [version.name], to: current) ?? []
    return zip(path, path.dropFirst()).filter { from, to in
      !mappings.custom.mappingModels(of: model.name, from: from.name, to: to.name).isEmpty
    }.map { "\($0.name) → \($1.name)" }
  }
}

extension Diagnostic.Code { static let versionsNotPruned = Self("MC7051") }
