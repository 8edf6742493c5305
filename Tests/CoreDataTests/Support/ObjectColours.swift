#if canImport(CoreData)
  import ManagedModel

  /// Objects without their keys: each by its entity, its values, and those of the objects that it leads to.
  ///
  /// `NSMigrationManager` gives new keys. Two graphs whose colours are the same lists are the same graph as far as
  /// anybody can see who follows relationships a few steps from any object.
  func colours(of objects: [ManagedObject]) -> [String] {
    var colours = Dictionary(
      objects.map { ($0.id, own($0)) }, uniquingKeysWith: { first, _ in first })
    for _ in 0..<3 {
      let before = colours
      func colour(_ id: ManagedObject.ID) -> String { before[id].map(shortened) ?? "missing" }
      for object in objects {
        let ones = object.toOne.map { "\($0.key)>\(colour($0.value))" }.sorted()
        let many = object.toMany.map { "\($0.key)>\($0.value.map(colour).sorted())" }.sorted()
        colours[object.id] = ([own(object)] + ones + many).joined(separator: ";")
      }
    }
    return colours.values.sorted()
  }

  private func own(_ object: ManagedObject) -> String {
    let values = object.values.map { "\($0.key)=\($0.value.text)" }.sorted()
    return object.id.entityName + " " + values.joined(separator: ",")
  }

  /// Of a fixed length, so that three rounds do not become a text of every path.
  private func shortened(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
#endif
