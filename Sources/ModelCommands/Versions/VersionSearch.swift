import ArgumentParser
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import ReleaseChecks

/// Whether git's history is searched where no version of the project matches a store.
struct HistoryOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-git"),
    help: "Do not search git's history for the version of a store that matches none."
  )
  var ignoresGit = false

  func search(_ project: Project) -> VersionSearch { VersionSearch(ignoresGit ? nil : project) }
}

/// Looks for the versions of stores in the history of the project's models. It reads each revision once for all stores.
final class VersionSearch {
  private let project: Project?
  private lazy var paths = (try? project?.modelPaths(takesCopies: true)) ?? []
  // What is itself of a revision was chosen; a bundle is compiled from something else.
  private lazy var histories: [ModelHistory] = paths.filter {
    GitLocation($0) == nil && ModelSourceKind($0) != .bundle
  }
  .compactMap { path in project.flatMap { try? ModelHistory(ofModelAt: path, $0.reader) } }

  /// - Parameter project: nil if nothing shall be looked for.
  init(_ project: Project?) { self.project = project }

  /// The version of a store that matches none at hand: what there is to say about it.
  func findings(of store: String, _ metadata: StoreMetadata) -> [Diagnostic] {
    findings(of: store) { version in
      let model = VersionedModel(name: "", versions: [version], currentVersionName: version.name)
      return recogniseStore(metadata: metadata, among: [model]).recognisedBy == .hashes
    }
  }

  /// The same of what is known to match a version, as the hashes in a log.
  func findings(of store: String, where matches: (ModelVersion) -> Bool) -> [Diagnostic] {
    // Packages that a check looks at, beside those of the project's own folder.
    for path in paths {
      guard let found = project?.reader.read(path).model?.versions.first(where: matches) else { continue }
      return [
        Diagnostic(
          .versionInHistory, .information, "'\(store)' is of '\(found.name)' in '\(path)'",
          subject: ModelSubject(version: found.name),
          help: ["read the store with that model: `--models \(path.shellWord)`"])
      ]
    }
    var findings: [Diagnostic] = []
    for history in histories {
      let found = try? history.first(where: matches)
      if let found { return [.versionInHistory(store, found, in: history)] }
      if history.isCut {
        findings.append(
          .versionInHistory, .information,
          "the version of '\(store)' is not among those of the \(counted(history.commitCount, "commit")) that were looked at",
          notes: ["the history has more: 2,000 commits and 30 seconds are the limit"],
          help: ["name the revision of the release, if you know it: `--models v1.2:App.xcdatamodeld`"])
      }
    }
    return findings
  }

  /// The same after a refusal, where it was for that reason.
  func findings(of store: String, after refusal: [Diagnostic]) -> [Diagnostic] {
    let codes = [Diagnostic.Code.storeUnrecognised, .storeOfUnknownLaterVersion]
    guard project != nil, refusal.contains(where: { codes.contains($0.code) }),
      let metadata = try? openStore(store, among: []).read({ try $0.readStoreMetadata() })
    else { return [] }
    return findings(of: store, metadata)
  }
}

extension Diagnostic.Code { static let versionInHistory = Self("MC5111") }

extension Diagnostic {
  fileprivate static func versionInHistory(
    _ store: String, _ found: HistoricVersion, in history: ModelHistory
  ) -> Self {
    let commit = String(found.commit.prefix(12))
    let name = found.version.name
    let place = "\(commit):\(found.path)"
    var help = ["read the store with that model: `--models \(place.shellWord)`"]
    if ModelSourceKind(found.path) == .xcodePackage {
      let contents = "\(place)/\(name).xcdatamodel/contents"
      help.append(
        "to migrate such stores, bring it back as a version with its own name: `git show \(contents.shellWord)`"
      )
    }
    return Self(
      .versionInHistory, .information,
      "'\(store)' is of '\(name)' as it was in commit \(commit) of \(found.date.prefix(10))",
      subject: ModelSubject(version: name),
      notes: history.otherRepository.map { [Note("in the repository '\($0)': run git and modelc there")] }
        ?? [],
      help: help)
  }
}
