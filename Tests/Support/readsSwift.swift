import SwiftDataModels
package import Testing

extension Trait where Self == ConditionTrait {
  /// Skips visibly where this program was built without the trait SwiftData.
  package static var readsSwift: Self { .enabled(if: parsesSwift, "built without the trait SwiftData") }
}
