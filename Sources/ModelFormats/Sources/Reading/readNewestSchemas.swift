import Foundation
package import ManagedModel
import SwiftDataModels

/// What SwiftData source declares in one commit.
package enum NewestSchema: Sendable {
  /// The commit has nothing there, or no model of SwiftData's.
  case absent
  /// The schema that its build makes stores with. Places are paths from the repository's top.
  case read(ModelVersion)
  case unreadable(String)

  fileprivate var isAbsent: Bool { if case .absent = self { true } else { false } }
}

extension ModelReader {
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
    var states: [NewestSchema] = Array(repeating: .absent, count: commits.count)
    let isFile = path.hasSuffix(".swift")
    // A folder may have been there without a model.
    func isOpen(_ index: Int) -> Bool { isFile ? places[index] == nil : states[index].isAbsent }
    func look(at place: String) throws(DiagnosticsError) {
      let (repository, top) = try GitRepository.holding(place)
      let missing = commits.indices.filter(isOpen)
      let ids = try repository.ids(at: top, in: missing.map { commits[$0] })
      let found = ids.map { id in id.map { (place: top, root: $0) } }
      for (index, place) in zip(missing, found) { places[index] = place }
      if isFile { return }
      for (index, state) in zip(missing, try newestSchemas(found, path)) { states[index] = state }
    }
    try look(at: path)
    if commits.indices.contains(where: isOpen) {
      for place in try formerPaths(ofModelAt: path) { try look(at: place) }
    }
    return isFile ? try newestSchemas(of: places.map { $0?.place }, path, in: commits) : states
  }

  /// What a file needs is beside it, or anywhere in its package. A commit without the file may have its classes in others.
  ///
  /// - Parameter files: where the file is in each commit; nil if it is not there yet.
  private func newestSchemas(
    of files: [String?], _ path: String, in commits: [String]
  ) throws(DiagnosticsError) -> [NewestSchema] {
    let file = URL(filePath: path).standardizedFileURL.path
    let (repository, today) = try GitRepository.holding(file)
    let heights = Set(URL(filePath: file).areas.map { file.pathParts.count - $0.pathParts.count })
    var states: [NewestSchema?] = commits.map { _ in nil }
    for height in heights.sorted() {
      let open = states.indices.filter { if case .read? = states[$0] { false } else { true } }
      let folders = open.map { (files[$0] ?? today).pathParts.dropLast(height).joined(separator: "/") }
      var roots: [(place: String, root: String)?] = open.map { _ in nil }
      for folder in Set(folders) {
        let own = folders.indices.filter { folders[$0] == folder }
        let ids = try repository.ids(at: folder, in: own.map { commits[open[$0]] })
        for (index, id) in zip(own, ids) { roots[index] = id.map { (folder, $0) } }
      }
      let found = try newestSchemas(roots, path, files: open.map { files[$0] })
      for (index, state) in zip(open, found) {
        if case .absent = state, states[index] != nil { continue }
        states[index] = state
      }
    }
    return states.map { $0 ?? .absent }
  }

  /// - Parameter files: of each place the file in it that was named, where one was.
  private func newestSchemas(
    _ places: [(place: String, root: String)?], _ path: String, files: [String?]? = nil
  ) throws(DiagnosticsError) -> [NewestSchema] {
    let history = try SwiftHistory(places.compactMap { $0?.root }, path, SwiftSourceReader(swift))
    var known: [String: NewestSchema] = [:]
    return places.enumerated().map { index, place in
      guard let place else { return .absent }
      let file = files?[index]
      let key = "\(place.root) \(file ?? place.place)"
      if let state = known[key] { return state }
      let state = history.newestSchema(below: place.root, at: place.place, file)
      known[key] = state
      return state
    }
  }
}

/// The Swift files of many commits, folder by folder: a folder that commits share is looked through once.
private final class SwiftHistory {
  /// What a folder's own files are to a model.
  private struct Folder {
    var namesSwiftData: [GitEntry] = []
    var lacksContent = false
    /// By the types that they declare; made where one is looked for.
    var declaring: [String: [GitEntry]]?
  }

  private let tree: GitFolders
  private let texts: [String: SwiftSourceText]
  private let reader: SwiftSourceReader
  private var folders: [String: Folder] = [:]

  init(_ roots: [String], _ path: String, _ reader: SwiftSourceReader) throws(DiagnosticsError) {
    self.reader = reader
    tree = try GitFolders(roots, inRepositoryOf: path) { name, isFolder in
      isFolder ? !name.isPassedOver : name.hasSuffix(".swift")
    }
    let contents = try GitRepository.holding(path).repository.blobs(tree.blobs.sorted(), limit: 4_000_000)
    texts = Dictionary(
      uniqueKeysWithValues: contents.map { ($0.key, SwiftSourceText($0.value, path: "", key: $0.key)) })
  }

  /// - Parameter own: the file that was named, where one was.
  func newestSchema(below root: String, at place: String, _ own: String?) -> NewestSchema {
    if tree.isCut { return .unreadable("the history has too many files") }
    let prefix = place.isEmpty ? "" : place + "/"
    let all = tree.folders(below: root)
    for (_, id) in all where folders[id] == nil { folders[id] = look(into: id) }
    if all.contains(where: { folders[$0.id]?.lacksContent == true }) {
      return .unreadable("git does not return all of its files")
    }
    let named = all.flatMap { path, id in
      (own == nil ? folders[id]?.namesSwiftData ?? [] : tree.files(in: id)).compactMap { file in
        let place = prefix + path + file.name
        return own == nil || own == place ? text(file.id, at: place) : nil
      }
    }
    guard !named.isEmpty else { return .absent }
    return newestSchema(
      SourceFiles(named) { names in
        all.flatMap { path, id in
          self.files(declaring: names, in: id).compactMap { self.text($0.id, at: prefix + path + $0.name) }
        }
      }, at: place, own)
  }

  private func look(into id: String) -> Folder {
    var folder = Folder()
    for file in tree.files(in: id) {
      guard let text = texts[file.id] else {
        folder.lacksContent = true
        continue
      }
      if text.namesSwiftData { folder.namesSwiftData.append(file) }
    }
    return folder
  }

  private func files(declaring names: Set<String>, in id: String) -> [GitEntry] {
    if folders[id]?.declaring == nil {
      var declaring: [String: [GitEntry]] = [:]
      for file in tree.files(in: id) {
        for name in texts[file.id].map(reader.declaredNames) ?? [] {
          declaring[name, default: []].append(file)
        }
      }
      folders[id]?.declaring = declaring
    }
    let found = folders[id]?.declaring?.filter { names.contains($0.key) }.flatMap(\.value) ?? []
    return Set(found).sorted { $0.name < $1.name }
  }

  private func text(_ blob: String, at path: String) -> SwiftSourceText? {
    var text = texts[blob]
    text?.path = path
    return text
  }

  private func newestSchema(_ files: SourceFiles, at place: String, _ own: String?) -> NewestSchema {
    let (model, diagnostics) = reader.read(
      files, name: "Models", source: own ?? place, own: own, newestOnly: true
    ) { $0 }
    if let error = diagnostics.first(where: { $0.severity == .error }) {
      return error.isAbsence ? .absent : .unreadable("\(error.code): \(error.message)")
    }
    return model?.currentVersion.map(NewestSchema.read) ?? .absent
  }
}

extension Diagnostic {
  /// Nothing of SwiftData's was there yet.
  package var isAbsence: Bool { code == .noSwiftDataModel && message.hasPrefix("there is no @Model") }
}
