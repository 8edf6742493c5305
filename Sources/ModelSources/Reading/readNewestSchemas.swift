import GitFiles
package import ManagedModel
import SwiftDataModels
import SwiftDeclarations

/// What SwiftData source declares in one commit.
package enum NewestSchema: Sendable {
  /// The commit has nothing there, or no model of SwiftData's.
  case absent
  /// The schema that its build makes stores with. Places are paths from the repository's top.
  case read(ModelVersion)
  case unreadable(String)
}

/// Reads the newest schema of SwiftData source in each of many commits.
///
/// A folder and a file that commits share are read once, whatever the number of commits.
///
/// - Parameter path: on disk, as it is called today; source that was moved is read where it lay.
/// - Throws: MC0014 where git does not give it.
package func readNewestSchemas(
  ofSourceAt path: String, in commits: [String]
) throws(DiagnosticsError) -> [NewestSchema] {
  var places: [(place: String, root: String)?] = Array(repeating: nil, count: commits.count)
  func look(at place: String) throws(DiagnosticsError) {
    let (repository, top) = try GitRepository.holding(place)
    let missing = commits.indices.filter { places[$0] == nil }
    let ids = try repository.ids(at: top, in: missing.map { commits[$0] })
    for (index, id) in zip(missing, ids) { places[index] = id.map { (top, $0) } }
  }
  try look(at: path)
  if places.contains(where: { $0 == nil }) {
    for place in try formerPaths(ofModelAt: path, isSwift: true) { try look(at: place) }
  }
  let history = try SwiftHistory(places.compactMap { $0?.root }, path)
  var known: [String: NewestSchema] = [:]
  return places.map { place in
    guard let place else { return .absent }
    let key = "\(place.root) \(place.place)"
    if let state = known[key] { return state }
    let state = history.newestSchema(below: place.root, at: place.place)
    known[key] = state
    return state
  }
}

/// The Swift files of many commits, folder by folder: a folder that commits share is looked through once.
private final class SwiftHistory {
  /// What a folder's own files are to a model.
  private struct Folder {
    var namesSwiftData: [GitFolders.File] = []
    var lacksContent = false
    /// By the types that they declare; made where one is looked for.
    var declaring: [String: [GitFolders.File]]?
  }

  private let tree: GitFolders
  private let texts: [String: SourceText]
  private let reader = SwiftSourceReader(platform: .current)
  private let isOneFile: Bool
  private var folders: [String: Folder] = [:]

  init(_ roots: [String], _ path: String) throws(DiagnosticsError) {
    isOneFile = path.hasSuffix(".swift")
    tree = try GitFolders(isOneFile ? [] : roots, inRepositoryOf: path) { name, isFolder in
      isFolder ? !isPassedOver(name) : name.hasSuffix(".swift")
    }
    let blobs = isOneFile ? Set(roots) : tree.blobs
    let contents = try GitRepository.holding(path).repository.blobs(blobs.sorted(), limit: 4_000_000)
    texts = Dictionary(
      uniqueKeysWithValues: contents.map { ($0.key, SourceText($0.value, path: "", key: $0.key)) })
  }

  func newestSchema(below root: String, at place: String) -> NewestSchema {
    if tree.isCut { return .unreadable("the history holds more files than any source") }
    if isOneFile {
      guard let text = text(root, at: place) else { return .unreadable("git does not give it") }
      return newestSchema(SourceFiles([text]), at: place)
    }
    let prefix = place.isEmpty ? "" : place + "/"
    let all = tree.folders(below: root)
    for (_, id) in all where folders[id] == nil { folders[id] = look(into: id) }
    if all.contains(where: { folders[$0.id]?.lacksContent == true }) {
      return .unreadable("git does not give all of its files")
    }
    let named = all.flatMap { path, id in
      (folders[id]?.namesSwiftData ?? []).compactMap { text($0.blob, at: prefix + path + $0.path) }
    }
    guard !named.isEmpty else { return .absent }
    return newestSchema(
      SourceFiles(named) { names in
        all.flatMap { path, id in
          self.files(declaring: names, in: id).compactMap { self.text($0.blob, at: prefix + path + $0.path) }
        }
      }, at: place)
  }

  private func look(into id: String) -> Folder {
    var folder = Folder()
    for file in tree.files(in: id) {
      guard let text = texts[file.blob] else {
        folder.lacksContent = true
        continue
      }
      if text.namesSwiftData { folder.namesSwiftData.append(file) }
    }
    return folder
  }

  private func files(declaring names: Set<String>, in id: String) -> [GitFolders.File] {
    if folders[id]?.declaring == nil {
      var declaring: [String: [GitFolders.File]] = [:]
      for file in tree.files(in: id) {
        for name in texts[file.blob].map(reader.declaredNames) ?? [] {
          declaring[name, default: []].append(file)
        }
      }
      folders[id]?.declaring = declaring
    }
    let found = Set(names.flatMap { folders[id]?.declaring?[$0] ?? [] })
    return found.sorted { $0.path < $1.path }
  }

  private func text(_ blob: String, at path: String) -> SourceText? {
    var text = texts[blob]
    text?.path = path
    return text
  }

  private func newestSchema(_ files: SourceFiles, at place: String) -> NewestSchema {
    let (model, diagnostics) = reader.read(
      files, name: "Models", source: place, newestOnly: true
    ) { $0 }
    if let error = diagnostics.first(where: { $0.severity == .error }) {
      return error.isAbsence ? .absent : .unreadable("\(error.code): \(error.message)")
    }
    return model?.currentVersion.map(NewestSchema.read) ?? .absent
  }
}

extension Diagnostic {
  /// Nothing of SwiftData's was there yet.
  fileprivate var isAbsence: Bool { code == .noSwiftDataModel && message.hasPrefix("there is no @Model") }
}
