extension [String] {
  /// The names of versions on one line: all of a few, else the latest ones, which are meant most often, and how many there are
  /// before them.
  package var listed: String {
    let limit = 8
    guard count > limit + 1 else { return joined(separator: ", ") }
    return "\(count - limit) older ones, \(suffix(limit).joined(separator: ", "))"
  }
}
