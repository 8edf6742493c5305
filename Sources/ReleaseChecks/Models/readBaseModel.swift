import Foundation
import GitFiles
package import ManagedModel
import ModelSources

/// What a check compares models with.
package enum CheckBase: Hashable, Sendable {
  case revision(String)
  /// A folder of released models and stores.
  case folder(String)

  package var name: String {
    switch self {
    case .revision(let name), .folder(let name): name
    }
  }
}

/// The model of a revision, or of a folder of released models, that is at `path` today.
///
/// A model that was moved is found at its old place: git knows renames.
///
/// - Parameters:
///   - today: the model that is checked, whose order of versions holds for both.
///   - check: the rules of a valid model over what was read.
/// - Returns: nil where it was not there yet.
/// - Throws: MC0014 where the revision cannot be read; MC0009 where a folder has no such model.
package func readBaseModel(
  at path: String, in base: CheckBase, today: VersionedModel? = nil,
  check: (VersionedModel, [Diagnostic]) -> [Diagnostic]
) throws(DiagnosticsError) -> BaseModel? {
  switch base {
  case .revision(let revision): return try read(path, revision, today, check)
  case .folder(let folder):
    let name = URL(filePath: path).lastPathComponent
    let candidates = ["\(folder)/\(name)", "\(folder)/Models/\(name)", folder]
    guard let found = candidates.first(where: isModel) else {
      throw DiagnosticsError(.noModelInBase(name, folder))
    }
    let (model, diagnostics) = readModelSource(found)
    guard let model else { throw DiagnosticsError(diagnostics) }
    let places = ReleasePlaces(modelAt: found)
    let ordered = today.map(model.ordered) ?? model
    return BaseModel(
      name: folder, path: found, model: ordered, diagnostics: check(ordered, diagnostics),
      lockText: places.lockText(), stores: stores(in: places.fixtureFolder) + stores(in: folder))
  }
}

private func read(
  _ path: String, _ revision: String, _ today: VersionedModel?,
  _ check: (VersionedModel, [Diagnostic]) -> [Diagnostic]
) throws(DiagnosticsError) -> BaseModel? {
  guard let commit = commit(named: revision, inRepositoryOf: path) else {
    // Says why: no repository, no such revision, a history cut short.
    _ = try withRevision(revision, of: path) { _ in }
    return nil
  }
  guard let (model, diagnostics, place) = readModel(at: path, in: revision) else { return nil }
  let lockFile = ReleasePlaces(modelAt: place).lockFile
  let lock = try? withRevision(revision, of: lockFile) { try? String(contentsOf: $0, encoding: .utf8) }
  let ordered = today.map(model.ordered) ?? model
  var base = BaseModel(
    name: revision, path: place, model: ordered, diagnostics: check(ordered, diagnostics),
    lockText: lock ?? nil)
  base.commit = commit
  base.isWhole = !diagnostics.hasErrors
  if let ancestor = mergeBase(of: revision, inRepositoryOf: path), ancestor != commit {
    base.ancestor = readModel(at: place, in: ancestor)?.model
  }
  return base
}

/// The model at today's place, else at its place before it was moved.
func readModel(
  at path: String, in revision: String
) -> (model: VersionedModel, diagnostics: [Diagnostic], path: String)? {
  func read(_ place: String) -> (model: VersionedModel, diagnostics: [Diagnostic], path: String)? {
    guard let reading = try? readModelSource(at: place, in: revision) else { return nil }
    return reading.model.map { ($0, reading.diagnostics, place) }
  }
  return read(path) ?? formerPaths(ofModelAt: path).lazy.compactMap(read).first
}

extension VersionedModel {
  /// A package in the order of another reading of it, in which more may be known of it: one order for both.
  fileprivate func ordered(like other: VersionedModel) -> VersionedModel {
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
  let files = FileManager.default
  if ModelSourceKind(path) != nil { return files.fileExists(atPath: path) }
  return files.fileExists(atPath: path + "/versions.yaml") || isSwiftSource(path)
}

/// The stores of a folder, by name.
package func stores(in folder: String) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.filter { $0.hasSuffix(".sqlite") || $0.hasSuffix(".store") }.sorted().map { "\(folder)/\($0)" }
}

extension Diagnostic {
  fileprivate static func noModelInBase(_ name: String, _ folder: String) -> Self {
    Self(
      .fileUnreadable, .error, "'\(folder)' holds no model '\(name)' to check against",
      help: ["name a git revision, or a folder with the released '\(name)' in it"])
  }
}
