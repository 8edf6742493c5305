extension ManagedObjectModel {
  /// Edits the first entity of the name, where there is one.
  mutating func edit(_ entity: String, _ body: (inout EntityDescription) -> Void) {
    guard let index = entities.firstIndex(where: { $0.name == entity }) else { return }
    body(&entities[index])
  }
}

extension Array where Element: Renamable {
  /// Edits the first item of the name, where there is one.
  mutating func edit(_ name: String, _ body: (inout Element) -> Void) {
    guard let index = firstIndex(where: { $0.name == name }) else { return }
    body(&self[index])
  }

  mutating func remove(_ name: String) {
    if let index = firstIndex(where: { $0.name == name }) { remove(at: index) }
  }
}

extension Array where Element: Equatable {
  mutating func removeFirst(equalTo element: Element) {
    if let index = firstIndex(of: element) { remove(at: index) }
  }
}
