import Foundation

/// A path in a revision of a git repository, as git itself writes it: `HEAD~1:App.xcdatamodeld`.
///
/// As with git, the path begins at the repository's top, or at the working folder where it begins with `./` or `../`.
package struct GitLocation: Hashable, Sendable {
  package let revision: String
  package let path: String
  /// Where git runs; nil for the working folder.
  private(set) var folder: String?

  /// - Returns: nil if the text has not this form, or names a file that is there.
  package init?(_ text: String) {
    guard let colon = Self.separator(in: text), !FileManager.default.fileExists(atPath: text) else {
      return nil
    }
    revision = String(text[..<colon])
    var path = String(text[text.index(after: colon)...])
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
    self.path = path
    guard !revision.isEmpty, !path.isEmpty else { return nil }
  }

  /// - Parameter folder: where `./` begins; nil for the working folder.
  package init(revision: String, path: String, folder: String? = nil) {
    (self.revision, self.path, self.folder) = (revision, path, folder)
  }

  /// As git looks it up, and as it is shown.
  var name: String { "\(revision):\(path)" }

  /// The first colon outside braces: `HEAD^{/fix: names}:App.xcdatamodeld`.
  private static func separator(in text: String) -> String.Index? {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "{": depth += 1
      case "}": depth -= 1
      case ":" where depth <= 0: return index
      default: break
      }
    }
    return nil
  }
}
