import Foundation
import ManagedModel
import ModelFormats

/// Who may have stores of a version of the base. The gravity of an edit depends on that.
enum ReleaseStatus: Hashable {
  /// The lock lists it, with that tag and day.
  case released(String)
  /// A tag holds it, or it stands in a folder of released models: users have stores of it.
  case shipped(String)
  /// Others have it from a branch. Users may have it.
  case shared(String)
  /// There is a lock, and the lock does not list it.
  case unreleased(String)
  /// It stands on today's branch alone.
  case local
  /// Git does not tell, for that reason: users may have it.
  case unknown(String)

  /// Of an edit that makes stores unknown.
  var severity: Diagnostic.Severity {
    switch self {
    case .released, .shipped, .shared, .unknown: .error
    case .unreleased, .local: .warning
    }
  }

  /// What is known, as the middle of a sentence.
  var words: String {
    switch self {
    case .released(let release): "is released (\(release))"
    case .shipped(let place): "is in \(place)"
    case .shared(let branch): "is on \(branch)"
    case .unreleased(let branch): "is on \(branch), and the lock does not list it"
    case .local: "is only on this branch"
    case .unknown: "may be in a tag"
    }
  }

  var note: String {
    switch self {
    case .released: "users' stores have the hashes of what was released: no version would match them"
    case .shipped, .shared:
      "stores that were created with it have the old hashes: no version would match them"
    case .unknown(let reason): "the tags cannot be read: \(reason)"
    case .unreleased, .local:
      "stores of developers and testers that were created with it would no longer open"
    }
  }
}

/// Looks up who may have stores of a base's versions. It asks git once, and only where a version was edited.
struct ReleaseStatuses {
  let subject: CheckedModel
  let base: BaseModel
  private var tags: [GitTag] = []
  /// Whether there are more tags than were looked at.
  private(set) var isCut = false
  private var branch: String?
  /// The versions of the branch that everybody works on, where it and today's branch went apart.
  private var shared: [ModelVersion] = []
  private var sharedName = ""
  /// Why git does not tell.
  private var failure: String?
  /// The versions that are out with each content of the model.
  private let released = NamedCache<Set<String>>()

  init(of subject: CheckedModel, in base: BaseModel) {
    (self.subject, self.base) = (subject, base)
    guard let commit = base.commit else { return }
    do throws(DiagnosticsError) {
      (tags, isCut) = try readTags(inRepositoryOf: subject.path)
      let main = defaultBranch(inRepositoryOf: subject.path)
      branch = subject.path.sharedBranch(holding: commit, preferably: base.name)
      // A commit that no branch leads to was one's before a forced push.
      if branch == nil, base.name.allSatisfy(\.isHexDigit),
        (try? commit.mergeBase(inRepositoryOf: subject.path)) != commit
      {
        branch = base.name
      }
      sharedName = main?.name ?? ""
      guard branch == nil, let main else { return }
      let revisions = [main.commit, try? main.commit.mergeBase(inRepositoryOf: subject.path)]
      for revision in Set(revisions.compactMap(\.self)) {
        shared += try subject.reader.readAnywhere(at: base.path, in: revision)?.model?.versions ?? []
      }
    } catch {
      failure = error.diagnostics.first?.message ?? ""
    }
  }

  /// - Parameter hasLock: whether anything is released in it; it does not list the version.
  func status(of version: ModelVersion, hasLock: Bool) -> ReleaseStatus {
    guard let commit = base.commit else { return .shipped("'\(base.name)'") }
    if let failure { return .unknown(failure) }
    // Of SwiftData's source the tags are judged by what stores they made.
    if version.notation != .swiftData {
      do throws(DiagnosticsError) {
        let (repository, place) = try GitRepository.holding(base.path)
        let file = "\(place)/\(version.file ?? "")"
        let own = try repository.ids(at: file, in: [commit]).first ?? nil
        if let own, let tag = try firstTag(holding: version, where: { $0 == own }) {
          return .shipped("the tag \(tag.name), \(tag.date)")
        }
      } catch {
        return .unknown(error.diagnostics.first?.message ?? "")
      }
    }
    let isShared =
      branch != nil
      || shared.contains { $0.name == version.name && $0.versionChecksum == version.versionChecksum }
    // Where there is no branch that everybody works on, every branch may be it.
    let name = branch ?? (sharedName.isEmpty ? base.name : sharedName)
    guard isShared || sharedName.isEmpty else { return .local }
    return hasLock ? .unreleased(name) : .shared(name)
  }

  /// The first tag that holds, word for word, what is in today's file of a version: then its edit takes a mistake back.
  func tag(restoredBy version: ModelVersion) -> GitTag? {
    guard base.commit != nil, failure == nil,
      let content = try? readFile(
        URL(filePath: "\(subject.path)/\(version.file ?? "")"), shownAs: version.name),
      let repository = try? GitRepository.holding(subject.path).repository
    else { return nil }
    var known: [String: Bool] = [:]
    return try? firstTag(holding: version) { id in
      let isHeld = known[id] ?? repository.holds(content, as: id)
      known[id] = isHeld
      return isHeld
    }
  }

  /// The first tag whose file of the version is the one that is meant, and whose current version is that one or comes after
  /// it.
  private func firstTag(
    holding version: ModelVersion, where isIntended: (_ blob: String) -> Bool
  ) throws(DiagnosticsError) -> GitTag? {
    for place in Set([base.path, subject.path]) {
      let (repository, path) = try GitRepository.holding(place)
      let files = try repository.ids(at: "\(path)/\(version.file ?? "")", in: tags.map(\.commit))
      let holding = zip(tags, files).filter { $0.1.map(isIntended) ?? false }.map(\.0)
      var seen: Set<String> = []
      for (tag, content) in zip(holding, try repository.ids(at: path, in: holding.map(\.commit))) {
        guard let content, seen.insert(content).inserted, seen.count <= 20 else { continue }
        if released[content] == nil {
          released[content] = try subject.reader.read(at: place, in: tag.commit)?.model?.namesToCurrent ?? []
        }
        if released[content]?.contains(version.name) == true { return tag }
      }
    }
    return nil
  }
}
