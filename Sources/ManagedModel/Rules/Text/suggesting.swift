extension Diagnostic {
  /// The same finding with the name that was probably meant, as help and as a fix of the range.
  ///
  /// - Parameters:
  ///   - text: the name as it is written there.
  ///   - other: the help where no name is near; nil to keep the finding's own.
  package func suggesting(
    _ near: NearMatch?, at range: SourceRange?, as text: (String) -> String = { $0 },
    else other: [String]? = nil
  ) -> Diagnostic {
    with {
      $0.help = near.map { ["did you mean '\($0.name)'?"] } ?? other ?? help
      guard let near, let range else { return }
      $0.fixIts = [
        FixIt("write '\(near.name)'", range: range, replacement: text(near.name), isSafe: near.isObvious)
      ]
    }
  }
}
