import Foundation
import ModelFormats

/// Where a runner gets the version of modelc that a project's checks are pinned to.
struct ModelcSource: Hashable {
  var version: String
  /// Its repository's URL, or a path; empty if this program does not know.
  var repository: String
  /// A commit, or a tag.
  var revision: String
  /// Whether this program was installed from a release, rather than built.
  var isRelease = false

  /// Whether another machine could clone it.
  var isReachable: Bool { repository.utf8.contains(UInt8(ascii: ":")) }

  /// `owner/name`, where the repository is on GitHub, whose releases have addresses that are known.
  var gitHubName: String? {
    repository.wholeMatch(of: #/https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?/#).map {
      String($0.1)
    }
  }

  /// A modelc of a release has a file beside it that says where from; one that was built in a clone of its repository
  /// knows its commit. Any other is named by its version's tag.
  ///
  /// A clone of a folder, perhaps of a bare repository or of one that is gone, is its own source: it is the one place
  /// where a package of modelc's is known to be.
  static let ofThisProgram: ModelcSource = {
    if let release = installedRelease { return release }
    let folder = ownPackage
    let clone = folder.flatMap { $0.cloneSource() }
    var source = ModelcSource(
      version: programVersion, repository: clone?.url ?? "", revision: clone?.commit ?? programVersion)
    if !source.isReachable { source.repository = folder ?? "" }
    return source
  }()

  private static var program: URL? { Bundle.main.executableURL?.resolvingSymlinksInPath() }

  /// What `share/modelc/release.json` says, beside the folder of this program. A release writes it.
  private static var installedRelease: ModelcSource? {
    struct Origin: Decodable { var version: String, repository: String?, revision: String? }
    let prefix = program?.deletingLastPathComponent().deletingLastPathComponent()
    guard let file = prefix?.appending(path: "share/modelc/release.json"),
      let data = try? Data(contentsOf: file),
      let origin = try? JSONDecoder().decode(Origin.self, from: data)
    else { return nil }
    return ModelcSource(
      version: origin.version, repository: origin.repository ?? "",
      revision: origin.revision ?? "v\(origin.version)", isRelease: true)
  }

  /// The package whose build folder holds this program.
  private static var ownPackage: String? {
    guard var folder = program else { return nil }
    for _ in 0..<6 {
      folder.deleteLastPathComponent()
      let manifest = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
      if let manifest { return manifest.contains("name: \"modelc\",\n") ? folder.path : nil }
    }
    return nil
  }
}
