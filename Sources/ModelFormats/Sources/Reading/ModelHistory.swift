import Foundation
package import ManagedModel

/// A version of a model as it was in a commit.
package struct HistoricVersion: Sendable {
  package var version: ModelVersion
  /// The commit's full number.
  package var commit: String
  /// When it was made, in ISO 8601.
  package var date: String
  /// The model's package or folder, from the repository's top.
  package var path: String
}

/// The versions that a model has had in the history of its git repository, the latest first, read as far as is asked.
///
/// Of every content that a file has had it is the latest commit that brought it; each content is read once.
package final class ModelHistory {
  private let repository: GitRepository
  /// From the repository's top.
  private let path: String
  private let isPackage: Bool
  private let reader: ModelReader
  private let start = ContinuousClock.now
  private var pending: ArraySlice<Content>?
  private var known: [HistoricVersion] = []
  /// Whether there is more than was looked at.
  package private(set) var isCut = false
  /// Commits that touched the model.
  package private(set) var commitCount = 0
  /// The repository's folder, where it is not the one of the working folder: git finds `REV:path` from there.
  package private(set) var otherRepository: String?

  private struct Content {
    var commit: LoggedCommit
    /// Of an Xcode model's `contents`; nil for a folder of YAML files, which are read together.
    var file: (path: String, blob: String)?
  }

  /// - Parameter path: the model's package or folder on disk.
  /// - Throws: `DiagnosticsError` with MC0014 where it is in no repository.
  package init(ofModelAt path: String, _ reader: ModelReader = ModelReader()) throws(DiagnosticsError) {
    (repository, self.path) = try GitRepository.holding(path)
    self.reader = reader
    isPackage = ModelSourceKind(path) == .xcodePackage
    let working = try? GitRepository.holding(folder: nil)
    if working?.top != repository.top { otherRepository = repository.top }
  }

  /// The latest version that matches.
  package func first(where matches: (ModelVersion) -> Bool) throws(DiagnosticsError) -> HistoricVersion? {
    if let found = known.first(where: { matches($0.version) }) { return found }
    while let next = try nextVersions() {
      known += next
      if let found = next.first(where: { matches($0.version) }) { return found }
    }
    return nil
  }

  /// For how many seconds history is read: a large repository has more than anyone waits for.
  private static let timeLimit = 30.0
  private var secondsLeft: Double { Self.timeLimit - (ContinuousClock.now - start) / Duration.seconds(1) }

  /// - Returns: nil at the end, or when the time is up.
  private func nextVersions() throws(DiagnosticsError) -> [HistoricVersion]? {
    if pending == nil { pending = try contents() }
    guard let contents = pending, !contents.isEmpty else { return nil }
    guard secondsLeft > 0 else {
      isCut = true
      pending = []
      return nil
    }
    let batch = contents.prefix(isPackage ? 32 : 1)
    pending = contents.dropFirst(batch.count)
    return isPackage ? try versions(of: Array(batch)) : batch.flatMap(versions)
  }

  private func contents() throws(DiagnosticsError) -> ArraySlice<Content> {
    let log = try readGitLog(
      of: [String(path.dropFirst(repository.prefix.count))], in: repository.folder, seconds: secondsLeft,
      from: "--all")
    (isCut, commitCount) = (log.isCut, log.commits.count)
    var seen: Set<String> = []
    return log.commits.flatMap { commit -> [Content] in
      guard isPackage else { return [Content(commit: commit)] }
      return commit.files.filter { file in
        file.path.pathParts.last == "contents" && seen.insert(file.blob).inserted
      }.map { Content(commit: commit, file: ($0.path, $0.blob)) }
    }[...]
  }

  /// What cannot be read as a model is passed over.
  private func versions(of batch: [Content]) throws(DiagnosticsError) -> [HistoricVersion] {
    let blobs = batch.compactMap { $0.file?.blob }
    let texts = try repository.blobs(blobs, limit: xcodeDocumentSizeLimit)
    if texts.count < Set(blobs).count { isCut = true }
    let path = path
    let read = concurrentMap(batch) { content -> HistoricVersion? in
      guard let file = content.file, let text = texts[file.blob],
        let model = readXcodeModel(contents: text, file: file.path).model
      else { return nil }
      let name = file.path.pathParts.dropLast().last ?? ""
      let version = ModelVersion(
        name: URL(filePath: name).deletingPathExtension().lastPathComponent, model: model, origin: .xcode)
      return HistoricVersion(
        version: version, commit: content.commit.id, date: content.commit.date, path: path)
    }
    return read.compactMap(\.self)
  }

  private func versions(of content: Content) -> [HistoricVersion] {
    let place = GitLocation(revision: content.commit.id, path: path, folder: repository.folder)
    let model = try? withCheckout(of: place) { url, checkout in
      reader.read(at: url, including: IncludeChain(checkout)).model
    }
    return (model.flatMap(\.self)?.versions ?? []).reversed().map { version in
      HistoricVersion(version: version, commit: content.commit.id, date: content.commit.date, path: path)
    }
  }
}
