extension [String] {
  /// Whether one is listed twice.
  package var hasDuplicates: Bool {
    // Most lists are short: comparing their texts is faster than hashing them.
    guard count <= 16 else { return Set(self).count < count }
    return indices.contains { self[..<$0].contains(self[$0]) }
  }
}
