extension Array {
  /// Edits every element in its place.
  package mutating func editEach(_ body: (inout Element) -> Void) {
    for index in indices { body(&self[index]) }
  }
}
