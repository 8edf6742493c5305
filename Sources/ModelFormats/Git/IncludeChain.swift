package import Foundation
package import ManagedModel

/// The models that are being read, from the first one to the one that it includes, and so on.
///
/// It ends cycles, and it bounds the work: models that include each other many times over are read at most
/// ``limit`` times in all.
package final class IncludeChain {
  /// Where the models are those of a revision.
  package let checkout: GitCheckout?
  private var open: [(place: String, shown: String)] = []
  private var count = 0
  private static let limit = 200

  package init(_ checkout: GitCheckout? = nil) { self.checkout = checkout }

  /// Where an included model stands, which of a revision is brought there; nil if absent.
  ///
  /// - Throws: `DiagnosticsError` with MC0014 where a revision's model leads out of the repository.
  package func url(of path: String, includedBy folder: URL) throws(DiagnosticsError) -> URL? {
    if let checkout { return try checkout.unpack(included: path, by: folder) }
    let path = includedPath(path, from: folder.relativePath)
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let url = isAbsolute ? URL(filePath: path) : URL(filePath: path, relativeTo: folder.baseURL)
    return isFolder(url) == nil ? nil : url
  }

  /// Runs the body with the folder as the innermost of the chain.
  package func reading<Result>(_ folder: URL, _ body: () -> Result) -> Result {
    open.append((Self.place(folder), folder.relativePath))
    defer { open.removeLast() }
    return body()
  }

  /// The way round, where the model is in the chain already.
  package func cycle(to url: URL) -> [String]? {
    let place = Self.place(url)
    guard let start = open.firstIndex(where: { $0.place == place }) else { return nil }
    return open[start...].map(\.shown) + [open[start].shown]
  }

  /// - Returns: false if more was included than any project includes.
  package func count(one url: URL) -> Bool {
    count += 1
    return count <= Self.limit
  }

  /// One text for one folder, however it is written.
  private static func place(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
}

/// The path of an included model on disk, as it is shown: `Models/App` and `../Shared` make `Models/Shared`.
private func includedPath(_ path: String, from folder: String) -> String {
  let slash = UInt8(ascii: "/")
  if path.utf8.first == slash { return path }
  var parts = folder.pathParts.filter { !$0.isEmpty }
  for part in path.pathParts where !part.isEmpty && part != "." {
    if part == "..", parts.last.map({ $0 != ".." && $0 != "." }) ?? false {
      parts.removeLast()
    } else {
      parts.append(part)
    }
  }
  return (folder.utf8.first == slash ? "/" : "") + parts.joined(separator: "/")
}
