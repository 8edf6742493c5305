extension String {
  /// The path without its last component; empty if it has but one.
  ///
  /// Foundation's `deletingLastPathComponent` ends the program for a path of one character (swift-corelibs-foundation 6.3).
  package var parentPath: String {
    func withoutSlashes(_ text: Substring) -> Substring {
      var text = text
      while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
      return text
    }
    let whole = withoutSlashes(self[...])
    guard let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let parent = withoutSlashes(whole[..<slash])
    return parent.isEmpty ? "/" : String(parent)
  }
}
