import Foundation
import ManagedModel
import ModelFormats

extension ModelReader {
  /// The model of a folder of released models, or of an app, that is at `path` today.
  ///
  /// - Parameters:
  ///   - today: the model that is checked, whose order of versions holds for both.
  ///   - paths: of all models that are checked.
  /// - Returns: nil if an app did not have it.
  /// - Throws: MC0009 where a folder has no such model.
  func readBase(
    at path: String, inFolder folder: String, today: VersionedModel, among paths: [String]
  ) throws(DiagnosticsError) -> BaseModel? {
    let name = URL(filePath: path).lastPathComponent
    let candidates = [
      "\(folder)/\(name)", "\(folder)/Models/\(name)", "\(folder)/\(stem(path)).momd", folder,
    ]
    var place = candidates.first { ModelSourceKind($0) != .build && isModel($0) }
    if place == nil || AppBuild.isInside(path),
      ModelSourceKind(folder) == .build || AppBuild.holdsBuilds(folder)
    {
      let build = try AppBuild(folder)
      let counterpart = build.counterpart(of: path, among: paths)
      // An app may get a further model, also one of a name that it has already.
      if counterpart == nil, AppBuild.isInside(path), !build.models.isEmpty { return nil }
      place = counterpart ?? place
    }
    guard let found = place else {
      throw DiagnosticsError(
        .fileUnreadable, "'\(folder)' holds no model '\(name)' to check against",
        help: ["name a git revision, or a folder with the released '\(name)' in it"])
    }
    let (model, diagnostics) = read(found)
    guard let model else { throw DiagnosticsError(diagnostics) }
    let (places, ordered) = (ReleasePlaces(modelAt: found), model.ordered(like: today))
    return BaseModel(
      name: folder, isFolder: true, path: found, model: ordered,
      diagnostics: ordered.findings(reading: diagnostics), lockText: try places.lockText(),
      stores: stores(in: places.fixtureFolder) + stores(in: folder))
  }

  /// The model of a revision that is at `path` today.
  ///
  /// A model that was moved is found at its old place: git knows renames.
  ///
  /// - Parameter allowsUnread: whether what this clone lacks is a base of no version, which is said.
  /// - Returns: nil if it was not there yet.
  /// - Throws: MC0014 where the revision cannot be read.
  func readBase(
    at path: String, in revision: String, today: VersionedModel, allowsUnread: Bool
  ) throws(DiagnosticsError) -> BaseModel? {
    do throws(DiagnosticsError) {
      return try readBase(path, revision, today)
    } catch  where allowsUnread && error.diagnostics.contains(where: { $0.code == .lackingGitObject }) {
      return BaseModel(
        name: revision, path: path, model: today.withoutVersions, diagnostics: error.diagnostics)
    }
  }

  /// The model of a revision that has its files itself, where today's lie in a submodule.
  ///
  /// - Parameter folder: of the repository around the submodule.
  func readBase(
    ofSubmodelAt path: String, in revision: String, seenFrom folder: String, today: VersionedModel
  ) throws(DiagnosticsError) -> BaseModel? {
    let top = try GitRepository.holding(folder: folder).top
    let full = URL(filePath: path).resolvingSymlinksInPath().path
    guard full.hasPrefix(top + "/") else { return nil }
    let place = GitLocation(revision: revision, path: String(full.dropFirst(top.count + 1)), folder: folder)
    guard let (model, diagnostics) = try read(place), let model else { return nil }
    let ordered = model.ordered(like: today)
    return BaseModel(
      name: revision, path: "\(revision):\(place.path)", model: ordered,
      diagnostics: ordered.findings(reading: diagnostics))
  }

  private func readBase(
    _ path: String, _ revision: String, _ today: VersionedModel
  ) throws(DiagnosticsError) -> BaseModel? {
    guard let (model, diagnostics, place) = try readAnywhere(at: path, in: revision) else { return nil }
    let commit = commit(named: revision, inRepositoryOf: path)
    let lockFile = ReleasePlaces(modelAt: place, isSource: path.isSwiftSource).lockFile
    let lockText = try withRevision(revision, of: lockFile) { file in
      Result { () throws(DiagnosticsError) in try readLockText(file) }
    }
    // What cannot be read at all is compared with nothing, and that is said.
    let ordered = (model ?? today.withoutVersions).ordered(like: today)
    var base = BaseModel(
      name: revision, path: place, commit: commit, model: ordered,
      diagnostics: ordered.findings(reading: diagnostics), lockText: try lockText?.get())
    if let ancestor = try revision.mergeBase(inRepositoryOf: path), ancestor != commit {
      base.isTag = try revision.isTag(inRepositoryOf: path)
      base.forks = try readBase(place, ancestor, today).map { [$0] } ?? []
    }
    return base
  }

  /// The model at today's place, else at its place before it was moved; nil if the revision has it nowhere.
  ///
  /// - Throws: MC0014 where there is no repository, or no such revision; MC0019 where this clone lacks it.
  func readAnywhere(
    at path: String, in revision: String
  ) throws(DiagnosticsError) -> (model: VersionedModel?, diagnostics: [Diagnostic], path: String)? {
    // A folder of source may have been there without a model, and without source.
    let absences: Set<Diagnostic.Code> = path.isSwiftSource ? [.fileUnreadable] : []
    func reading(at place: String) throws(DiagnosticsError) -> Reading? {
      try read(at: place, in: revision).flatMap { found in
        let isAbsent = found.diagnostics.contains { $0.isAbsence || absences.contains($0.code) }
        return found.model == nil && isAbsent ? nil : found
      }
    }
    if let (model, diagnostics) = try reading(at: path) { return (model, diagnostics, path) }
    let commit = commit(named: revision, inRepositoryOf: path)
    for place in try formerPaths(ofModelAt: path, since: commit) {
      if let (model, diagnostics) = try reading(at: place) { return (model, diagnostics, place) }
    }
    return nil
  }
}

extension VersionedModel {
  fileprivate var withoutVersions: Self { Self(name: name, versions: [], currentVersionName: "") }

  /// A package in the order of another reading of it, in which more may be known of it: one order for both. What a
  /// revision's own `modelc.yaml` says of it holds.
  fileprivate func ordered(like other: VersionedModel) -> VersionedModel {
    if isOrderStated { return self }
    guard versions.allSatisfy({ $0.origin == .xcode && $0.predecessorNames.isEmpty }) else { return self }
    let places = Dictionary(firstOf: other.versions.enumerated().map { ($0.element.name, $0.offset) })
    var former = -1
    // What is gone stays behind what it followed.
    let ranked = versions.enumerated().map { index, version in
      former = places[version.name] ?? former
      return (rank: former, index: index, version: version)
    }
    var ordered = self
    ordered.versions = ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.version)
    return ordered
  }
}

private func isModel(_ path: String) -> Bool {
  if ModelSourceKind(path) != nil { return FileManager.default.fileExists(atPath: path) }
  return path.isModelFolder || path.isSwiftSource
}

/// The stores of a folder, by name.
package func stores(in folder: String) -> [String] {
  directoryEntries(of: folder).map(\.name).filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }
    .map { "\(folder)/\($0)" }
}

func stem(_ path: String) -> String { URL(filePath: path).deletingPathExtension().lastPathComponent }
