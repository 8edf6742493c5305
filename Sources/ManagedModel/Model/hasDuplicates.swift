extension [String] {
  /// Whether one is listed twice.
  package var hasDuplicates: Bool { Set(self).count < count }
}
