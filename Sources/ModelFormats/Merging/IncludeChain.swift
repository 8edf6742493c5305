import Foundation
import ManagedModel

/// The models that are being read, from the first one to the one that it includes, and so on.
///
/// It ends cycles, and it bounds the work: models that include each other many times over are read at most
/// ``limit`` times in all.
final class IncludeChain {
  private var open: [(place: String, shown: String)] = []
  private var count = 0
  private static let limit = 200

  /// Runs the body with the folder as the innermost of the chain.
  func reading<Result>(_ folder: URL, _ body: () -> Result) -> Result {
    open.append((Self.place(folder), folder.relativePath))
    defer { open.removeLast() }
    return body()
  }

  /// The way round, where the model is in the chain already.
  func cycle(to url: URL) -> [String]? {
    let place = Self.place(url)
    guard let start = open.firstIndex(where: { $0.place == place }) else { return nil }
    return open[start...].map(\.shown) + [open[start].shown]
  }

  /// - Returns: false where more was included than any project includes.
  func count(one url: URL) -> Bool {
    count += 1
    return count <= Self.limit
  }

  /// One text for one folder, however it is written.
  private static func place(_ url: URL) -> String {
    url.standardizedFileURL.resolvingSymlinksInPath().path
  }
}

/// The path of an included model: `Models/App` and `../Shared` make `Models/Shared`.
///
/// As text, because a folder of a git revision is called `REV:path`.
func includedPath(_ path: String, from folder: String) -> String {
  if path.hasPrefix("/") { return path }
  var parts = folder.split(separator: "/").map(String.init)
  for part in path.split(separator: "/") where part != "." {
    if part == "..", parts.last.map({ $0 != ".." && $0 != "." }) ?? false {
      parts.removeLast()
    } else {
      parts.append(String(part))
    }
  }
  return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
}

/// What the `versions.yaml` of a folder includes; nothing where there is none that can be read.
func includedPaths(in folder: URL) -> [String] {
  guard let data = try? readFile(folder.appending(path: versionListFileName), shownAs: versionListFileName)
  else { return [] }
  return readVersionList(yaml: data, file: versionListFileName).list?.includes.map(\.path) ?? []
}
