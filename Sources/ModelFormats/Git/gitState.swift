import Foundation
import ManagedModel

/// What git says of a folder.
package struct GitState: Sendable {
  package enum Repository: Hashable, Sendable {
    case none
    case present(isShallow: Bool)
    /// There is one at this path, and git does not read it: mostly somebody else's (`safe.directory`).
    case refused(String)
  }

  /// `2.47.3`; nil if there is no git, or it cannot be run.
  package let version: String?
  package let repository: Repository

  /// - Parameter folder: one that is there.
  package init(of folder: String) {
    let words = gitAnswer(["--version"], in: nil)?.split(separator: " ") ?? []
    version = words.last { $0.first?.isNumber == true }.map(String.init)
    let run = try? runGit(["rev-parse", "--is-shallow-repository"], in: folder, seconds: 10)
    if let run, run.status == 0 {
      repository = .present(isShallow: String(decoding: run.output, as: UTF8.self).hasPrefix("true"))
    } else {
      let place = URL(filePath: folder, directoryHint: .isDirectory).standardizedFileURL
      let top = place.resolvingSymlinksInPath().path.folderWithGit
      repository = run == nil ? .none : top.map(Repository.refused) ?? .none
    }
  }
}

extension String {
  /// The nearest folder that has a `.git`, from this absolute path upwards; nil if none has.
  package var folderWithGit: String? {
    sequence(first: self) { $0.utf8.count > 1 ? $0.parentPath : nil }
      .first { FileManager.default.fileExists(atPath: $0 + "/.git") }
  }
}
