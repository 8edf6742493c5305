import PersistentStore

/// A to-one whose keys come with the rows. Its objects have the keys of their source objects, so the keys are known before
/// the objects exist.
struct ReferenceFill {
  var name: String
  /// The relationship of the source that it follows, where it follows one.
  var followed: String?
  var toOne: ToOneShape
  /// Numbers of the mappings that make the objects it may lead to.
  var candidates: Set<Int>
  var targets: ReferenceTargets
  /// Whether each key that the source has is one of the targets', unless the source is at odds with itself.
  var isWhole: Bool
  /// Whether the keys stand in rows that stay.
  var stands = false
}

extension MappingWork {
  /// References that a policy has not to see before it sets them.
  var hiddenSlots: [Int] {
    fills.filter { !shown.contains($0.name) }.flatMap {
      [$0.toOne.keySlot, $0.toOne.numberSlot].compactMap(\.self)
    }
  }
}
