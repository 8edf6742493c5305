/// Who wrote a version. Findings are strict only where the author can fix them.
package enum ModelOrigin: String, Hashable, Sendable, CaseIterable {
  /// The model language: its author can fix the file.
  case language
  /// Apple's tools accepted it (an `.xcdatamodel`, a `.mom`, a store's model cache), and users have stores of it. What
  /// they accept is not an error and has the meaning that Core Data gives it.
  case xcode
}
