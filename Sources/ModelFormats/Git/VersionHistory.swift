import Foundation
import ManagedModel

/// When each version of a model came into the history that leads to today's commit, also where it lay elsewhere before.
package struct VersionHistory {
  package struct Origin {
    /// As `2026-01-31`.
    package let date: String
    /// The oldest tag that has it; nil if none has, or nobody asked.
    package fileprivate(set) var tag: String?
    fileprivate let commit: String
    /// Grows with time.
    fileprivate let place: Int
  }

  /// By the version's name.
  package private(set) var origins: [String: Origin] = [:]
  private let folder: String

  /// Nil if git does not tell, or not of all.
  ///
  /// - Parameter path: of a package, or of a folder of YAML.
  package init?(ofModelAt path: String) {
    let (folder, rest) = path.existingFolder
    func commits(_ paths: [String], from tip: String) -> [LoggedCommit]? {
      let log = try? readGitLog(of: paths, in: folder, seconds: 15, from: tip)
      return log.flatMap { $0.isCut ? nil : $0.commits }
    }
    guard var all = commits([rest], from: "HEAD") else { return nil }
    // What came with several versions at once, or is in no commit yet, may have been moved here.
    let first = all.last.map { Set($0.files.compactMap { Self.name(ofVersionAt: $0.path) }) }
    if first?.count != 1, let former = try? formerPaths(ofModelAt: path), !former.isEmpty {
      all += commits(former, from: all.last?.id ?? "HEAD") ?? []
    }
    if all.isEmpty { return nil }
    self.folder = folder
    // What versions are called now, by the names that they had before a commit.
    var renamed: [String: String] = [:]
    for (age, commit) in all.enumerated() {
      let names = renamed
      for file in commit.files {
        guard let name = Self.name(ofVersionAt: file.path) else { continue }
        let (own, date) = (names[name] ?? name, String(commit.date.prefix(10)))
        origins[own] = Origin(date: date, commit: commit.id, place: all.count - age)
        if let former = file.former.flatMap(Self.name(ofVersionAt:)) { renamed[former] = own }
      }
    }
  }

  /// Whether several versions are there where the history of a shallow clone begins: which of them came first is not known.
  var isCutShort: Bool {
    let first = origins.values.map(\.place).min()
    return origins.values.filter { $0.place == first }.count > 1 && folder.isInShallowClone
  }

  /// A number for each of the names that grows with time; what git does not have yet came last. Nil if it has none.
  func order(of names: [String]) -> [String: Int]? {
    origins.isEmpty ? nil : Dictionary(firstOf: names.map { ($0, origins[$0]?.place ?? .max) })
  }

  /// The same with the oldest tag that has each version; nil in a shallow clone, whose first commits are no beginning.
  package func withTags() -> Self? {
    if folder.isInShallowClone { return nil }
    let known = origins.sorted { $0.key < $1.key }.prefix(1_000)
    // `v1.2~3^2` is an ancestor of the tag v1.2; of several tags git names the oldest.
    guard !known.isEmpty,
      let run = try? runGit(
        ["name-rev", "--tags", "--name-only"] + known.map(\.value.commit), in: folder, seconds: 15),
      run.status == 0
    else { return self }
    let answer = String(decoding: run.output, as: UTF8.self)
    var history = self
    for (line, origin) in zip(answer.split(separator: "\n", omittingEmptySubsequences: false), known) {
      let name = line.prefix { $0 != "~" && $0 != "^" }
      if name != "undefined", !name.isEmpty { history.origins[origin.key]?.tag = String(name) }
    }
    return history
  }

  /// `App.xcdatamodeld/App 2.xcdatamodel/contents` is the version App 2, `Models/App/V2.yaml` V2.
  private static func name(ofVersionAt path: String) -> String? {
    let parts = path.pathParts
    guard let last = parts.last else { return nil }
    if last == "contents", parts.count >= 2 {
      return String(parts[parts.count - 2].dropLast(".xcdatamodel".count))
    }
    guard last.hasSuffix(".yaml"), last != "versions.yaml", last != "modelc.yaml" else { return nil }
    return String(last.dropLast(".yaml".count))
  }
}
