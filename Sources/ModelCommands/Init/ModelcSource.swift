import Foundation
import GitFiles

/// Where a runner gets the version of modelc that a project's checks are pinned to.
struct ModelcSource: Hashable {
  var version: String
  /// Its repository's URL, or a path; empty where this program does not know.
  var repository: String
  /// A commit, or a tag.
  var revision: String

  /// Whether another machine could clone it.
  var isReachable: Bool { repository.utf8.contains(UInt8(ascii: ":")) }

  /// A modelc that was built in a clone of its repository knows its commit. Any other is named by its version's tag.
  static let ofThisProgram: ModelcSource = {
    let version = programVersion
    guard let folder = ownPackage, let source = cloneSource(ofRepositoryAt: folder) else {
      return ModelcSource(version: version, repository: "", revision: version)
    }
    return ModelcSource(version: version, repository: source.url, revision: source.commit)
  }()

  /// The package whose build folder holds this program.
  private static var ownPackage: String? {
    guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
    for _ in 0..<6 {
      folder.deleteLastPathComponent()
      let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
      if let manifest { return manifest.contains("name: \"modelc\",\n") ? folder.path : nil }
    }
    return nil
  }
}
