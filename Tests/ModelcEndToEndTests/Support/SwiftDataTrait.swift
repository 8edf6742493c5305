import Testing

extension Trait where Self == ConditionTrait {
  /// Skips, visibly, where modelc was built without the part that reads Swift.
  static var needsSwiftData: Self {
    #if SwiftData
      .enabled(if: true)
    #else
      .disabled("modelc was built without the trait SwiftData")
    #endif
  }
}
