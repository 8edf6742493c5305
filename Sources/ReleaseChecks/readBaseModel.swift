import Foundation
package import ManagedModel
import ModelFormats

/// What a check is held against.
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

/// The model that stands in a revision, or in a folder of released models, where `path` is today.
///
/// - Parameter check: the rules of a valid model over what was read.
/// - Returns: nil where it was not there yet.
/// - Throws: MC0014 where the revision cannot be read; MC0009 where a folder has no such model.
package func readBaseModel(
  at path: String, in base: CheckBase, check: (VersionedModel, [Diagnostic]) -> [Diagnostic]
) throws(DiagnosticsError) -> BaseModel? {
  switch base {
  case .revision(let revision): return try read(path, revision, check)
  case .folder(let folder):
    let name = URL(filePath: path).lastPathComponent
    let candidates = ["\(folder)/\(name)", "\(folder)/Models/\(name)", folder]
    guard let found = candidates.first(where: isModel) else {
      throw DiagnosticsError(.noModelInBase(name, folder))
    }
    let (model, diagnostics) = readModelSource(found)
    guard let model else { throw DiagnosticsError(diagnostics) }
    let places = ReleasePlaces(modelAt: found)
    return BaseModel(
      name: folder, model: model, diagnostics: check(model, diagnostics), lockText: places.lockText(),
      stores: stores(in: places.fixtureFolder) + stores(in: folder))
  }
}

private func read(
  _ path: String, _ revision: String, _ check: (VersionedModel, [Diagnostic]) -> [Diagnostic]
) throws(DiagnosticsError) -> BaseModel? {
  guard commit(named: revision, inRepositoryOf: path) != nil else {
    // Says why: no repository, no such revision, a history cut short.
    _ = try withRevision(revision, of: path) { _ in }
    return nil
  }
  let lockFile = ReleasePlaces(modelAt: path).lockFile
  let lock = try? withRevision(revision, of: lockFile) { try? String(contentsOf: $0, encoding: .utf8) }
  let reading = try? readModelSource(at: path, in: revision)
  guard let model = reading?.model else { return nil }
  var base = BaseModel(
    name: revision, model: model, diagnostics: check(model, reading?.diagnostics ?? []),
    lockText: lock ?? nil)
  if let ancestor = mergeBase(of: revision, inRepositoryOf: path),
    ancestor != commit(named: revision, inRepositoryOf: path)
  {
    base.ancestor = try? readModelSource(at: path, in: ancestor).model
  }
  return base
}

private func isModel(_ path: String) -> Bool {
  let files = FileManager.default
  if ModelSourceKind(path) != nil { return files.fileExists(atPath: path) }
  return files.fileExists(atPath: path + "/versions.yaml")
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
