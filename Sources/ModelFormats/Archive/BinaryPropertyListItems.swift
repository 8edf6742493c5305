/// The objects of a binary property list in the order in which they stand in it.
///
/// A collection comes before its elements, a key before its value, and a scalar where it is met first: the order of
/// CoreFoundation's writer.
struct BinaryPropertyListItems {
  private let table: PropertyListTable
  private(set) var all: [PropertyListTable.Value] = []
  /// The numbers of elements, keys and values: for each of ``PropertyListTable/elements`` the item that it is.
  private(set) var links: [Int32]
  /// The items that scalars are, by their numbers; -1 for those that were not met yet.
  private var itemsOfTexts: [Int32]
  private var itemsOfReferences: [Int32]
  private var itemsOfLiterals: [Int32]

  init(_ table: PropertyListTable, top: PropertyListTable.Value) {
    self.table = table
    links = Array(repeating: 0, count: table.elements.count)
    itemsOfTexts = Array(repeating: -1, count: table.texts.count)
    itemsOfReferences = Array(repeating: -1, count: table.referenceLimit)
    itemsOfLiterals = Array(repeating: -1, count: table.literals.count)
    all.reserveCapacity(itemsOfTexts.count + itemsOfReferences.count * 2 + itemsOfLiterals.count)
    _ = item(top)
  }

  private mutating func item(_ value: PropertyListTable.Value) -> Int32 {
    let number = value.number
    switch value.kind {
    case .text:
      if itemsOfTexts[number] < 0 { itemsOfTexts[number] = append(value) }
      return itemsOfTexts[number]
    case .reference:
      if itemsOfReferences[number] < 0 { itemsOfReferences[number] = append(value) }
      return itemsOfReferences[number]
    case .literal:
      if itemsOfLiterals[number] < 0 { itemsOfLiterals[number] = append(value) }
      return itemsOfLiterals[number]
    case .collection:
      let item = append(value)
      link(table.collections[number])
      return item
    }
  }

  private mutating func link(_ collection: PropertyListTable.Collection) {
    let (start, count) = (Int(collection.start), Int(collection.count))
    for place in start..<start + count {
      links[place] = item(table.elements[place])
      if collection.isDictionary { links[place + count] = item(table.elements[place + count]) }
    }
  }

  private mutating func append(_ value: PropertyListTable.Value) -> Int32 {
    all.append(value)
    return Int32(all.count - 1)
  }
}
