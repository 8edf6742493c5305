import Foundation
import GitFiles
import ManagedModel
import ModelSources

/// Who may have stores of a version of the base. The gravity of an edit depends on that.
enum VersionStanding: Hashable {
  /// A tag holds it, or it stands in a folder of released models: users have stores of it.
  case shipped(String)
  /// Others have it from a branch. Users may have it.
  case shared(String)
  /// There is a lock, and the lock does not list it.
  case unreleased(String)
  /// It stands on today's branch alone.
  case local

  /// Of an edit that makes stores unknown.
  var severity: Diagnostic.Severity {
    switch self {
    case .shipped, .shared: .error
    case .unreleased, .local: .warning
    }
  }

  /// What is known, as the middle of a sentence.
  var words: String {
    switch self {
    case .shipped(let place): "is in \(place)"
    case .shared(let branch): "stands on \(branch)"
    case .unreleased(let branch): "stands on \(branch), and the lock does not list it"
    case .local: "stands on this branch alone"
    }
  }

  var note: String {
    switch self {
    case .shipped, .shared:
      "stores that were made with it carry the hashes of before: no version would know them"
    case .unreleased, .local:
      "stores of developers and testers that were made with it would not open any more"
    }
  }
}

/// Looks up who may have stores of a base's versions. It asks git once, and only where a version was edited.
struct VersionStandings {
  let subject: CheckedModel
  let base: BaseModel
  private let tags: [GitTag]
  /// Whether there are more tags than were looked at.
  let isCut: Bool
  private let branch: String?
  /// The versions of the branch that everybody works on, and where it and today's branch went apart.
  private let shared: [ModelVersion]
  private let sharedName: String

  init(of subject: CheckedModel, in base: BaseModel) {
    (self.subject, self.base) = (subject, base)
    guard let commit = base.commit else {
      (tags, isCut, branch, shared, sharedName) = ([], false, nil, [], "")
      return
    }
    (tags, isCut) = (try? readTags(inRepositoryOf: subject.path)) ?? ([], false)
    let main = defaultBranch(inRepositoryOf: subject.path)
    branch = sharedBranch(holding: commit, inRepositoryOf: subject.path)
    sharedName = main?.name ?? ""
    guard branch == nil, let main else {
      shared = []
      return
    }
    let revisions = [main.commit, mergeBase(of: main.commit, inRepositoryOf: subject.path)].compactMap(\.self)
    shared = Set(revisions).flatMap { readModel(at: base.path, in: $0)?.model.versions ?? [] }
  }

  /// - Parameter hasLock: whether anything is released in it; it does not list the version.
  func standing(of version: ModelVersion, hasLock: Bool) -> VersionStanding {
    guard let commit = base.commit else { return .shipped("'\(base.name)'") }
    let place = pathInRepository(base.path).map { "\($0)/\(versionFile(version))" }
    let own = place.flatMap { try? gitObjects(at: [(commit, $0)], inRepositoryOf: subject.path).first }
    if let own, let blob = own, let tag = firstTag(holding: blob, version) {
      return .shipped("the tag \(tag.name), \(tag.date)")
    }
    let isShared =
      branch != nil
      || shared.contains { $0.name == version.name && $0.versionChecksum == version.versionChecksum }
    // Where there is no branch that everybody works on, every branch may be it.
    let name = branch ?? (sharedName.isEmpty ? base.name : sharedName)
    guard isShared || sharedName.isEmpty else { return .local }
    return hasLock ? .unreleased(name) : .shared(name)
  }

  /// Whether a version is word for word, in today's file, what a tag holds: then its edit takes a mistake back.
  func isRestored(_ version: ModelVersion) -> Bool {
    guard base.commit != nil else { return false }
    let blob = gitObject(ofFileAt: "\(subject.path)/\(versionFile(version))")
    return blob.flatMap { firstTag(holding: $0, version) } != nil
  }

  /// The first tag that holds a file of those bytes, and whose current version is that one or comes after it.
  private func firstTag(holding blob: String, _ version: ModelVersion) -> GitTag? {
    for place in Set([base.path, subject.path]) {
      guard let path = pathInRepository(place) else { continue }
      func objects(_ tags: [GitTag], _ file: String) -> [String?] {
        (try? gitObjects(at: tags.map { ($0.commit, file) }, inRepositoryOf: place)) ?? []
      }
      let holding = zip(tags, objects(tags, "\(path)/\(versionFile(version))")).filter { $0.1 == blob }.map(
        \.0)
      var seen: Set<String> = []
      for (tag, content) in zip(holding, objects(holding, path)) {
        guard let content, seen.insert(content).inserted, seen.count <= 20,
          let model = try? readModelSource(at: place, in: tag.commit).model,
          let current = model.currentVersion
        else { continue }
        let isOut =
          current.name == version.name || model.origins(of: current).contains { $0.name == version.name }
        if isOut { return tag }
      }
    }
    return nil
  }

  /// From the model's package or folder.
  private func versionFile(_ version: ModelVersion) -> String {
    if version.notation == .swiftData, let file = version.sourceMap?.file {
      let folder = base.path.hasSuffix("/") ? base.path : base.path + "/"
      let path = file.hasPrefix("\(base.name):") ? String(file.dropFirst(base.name.count + 1)) : file
      return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : ""
    }
    if version.origin == .xcode { return "\(version.name).xcdatamodel/contents" }
    let file = version.sourceMap.map { URL(filePath: $0.file).lastPathComponent }
    return file ?? "\(version.name).yaml"
  }
}
