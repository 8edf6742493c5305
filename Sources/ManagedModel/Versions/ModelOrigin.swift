/// Who has written a version: findings about it are as strict as its author can mend it.
package enum ModelOrigin: String, Hashable, Sendable, CaseIterable {
  /// Our own language, whose author is with us.
  case language
  /// Apple's tools took it (an `.xcdatamodel`, a `.mom`, a store's model cache), and stores of it are out: what they
  /// took is no error, and has the meaning that Core Data gives it.
  case xcode
}
