package import Foundation
package import Testing

/// The genuine Core Data models and stores in `../shared/fixtures`, which are read where they lie and never
/// copied into the project.
package enum Fixtures {
  /// `MODELC_FIXTURES`, else `../shared/fixtures` beside the package.
  package static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["MODELC_FIXTURES"] { return URL(filePath: path) }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/fixtures")
  }()

  /// Whether long lists are gone through from end to end, and not a part of them: with `MODELC_SEEDS`.
  package static let areWhole = ProcessInfo.processInfo.environment["MODELC_SEEDS"] != nil

  package static var arePresent: Bool { FileManager.default.fileExists(atPath: root.path) }

  package static func url(_ path: String) -> URL { root.appending(path: path) }

  /// Every file or folder below the fixtures whose name has the extension, sorted by path.
  package static func all(withExtension pathExtension: String) -> [URL] {
    guard let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else {
      return []
    }
    var found: [URL] = []
    for case let url as URL in walker where url.pathExtension == pathExtension { found.append(url) }
    return found.sorted { $0.path < $1.path }
  }

  /// Copies a store with its `-wal`, where it has one, into a folder, because opening may touch it.
  package static func copyStore(_ path: String, into folder: URL) throws -> URL {
    let source = url(path)
    let copy = folder.appending(path: source.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      let target = copy.path + suffix
      try Data(contentsOf: URL(filePath: source.path + suffix)).write(to: URL(filePath: target))
    }
    return copy
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where the genuine fixtures are not at hand.
  package static var needsFixtures: Self {
    .enabled(if: Fixtures.arePresent, "the genuine fixtures (../shared/fixtures) are absent")
  }
}
