import ManagedModel

extension ManagedObject {
  /// The objects that a relationship leads to, be it to one or to many.
  func ends(of relationship: String) -> [ID] {
    toOne[relationship].map { [$0] } ?? toMany[relationship] ?? []
  }
}
