package import Foundation
package import ManagedModel

/// A model's folder, whose files may stand there as they are or as they would be after an edit.
package struct ModelFolder: Sendable {
  package let url: URL
  /// The path as the user would write it, with a slash at its end.
  package let shownFolder: String
  /// Contents that take the place of those on disk, by the path that is shown.
  package var edited: [String: Data]
  /// Versions whose files count as gone.
  private let removed: Set<String>

  package init(_ url: URL, edited: [String: Data] = [:], without removed: Set<String> = []) {
    (self.url, self.removed, self.edited) = (url, removed, edited)
    shownFolder = url.relativePath.hasSuffix("/") ? url.relativePath : url.relativePath + "/"
  }

  package func shownPath(_ name: String) -> String { shownFolder + name }

  package func data(of name: String) throws(DiagnosticsError) -> Data {
    if let data = edited[shownPath(name)] { return data }
    return try readFile(url.appending(path: name), shownAs: shownPath(name))
  }

  func holds(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appending(path: name).path)
  }

  /// The versions that have a file there, by name.
  var versionNames: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") && $0 != versionListFileName }
      .map { String($0.dropLast(".yaml".count)) }.filter { !removed.contains($0) }.sortedNaturally
  }
}
