/// The objects of a binary property list in the order in which they stand in it.
///
/// A collection comes before its elements, a key before its value, and a scalar where it is met first: the order of
/// CoreFoundation's writer.
struct BinaryPropertyListItems {
  private(set) var all: [PropertyListTable.Value] = []
  /// The numbers of elements, keys and values: for each of ``PropertyListTable/elements`` the item that it is.
  private(set) var links: [Int32]
  /// The items that texts, references and literals are, one after the other; -1 for those that were not met yet.
  private var known: [Int32]
  private let table: PropertyListTable

  init(_ table: PropertyListTable, top: PropertyListTable.Value) {
    self.table = table
    links = [Int32](repeating: 0, count: table.elements.count)
    known = [Int32](repeating: -1, count: table.texts.count + table.referenceLimit + table.literals.count)
    all.reserveCapacity(known.count + table.collections.count)
    _ = item(top)
  }

  private mutating func item(_ value: PropertyListTable.Value) -> Int32 {
    switch value.kind {
    case .text: scalar(value, at: value.number)
    case .reference: scalar(value, at: table.texts.count + value.number)
    case .literal: scalar(value, at: table.texts.count + table.referenceLimit + value.number)
    case .collection: collection(value)
    }
  }

  private mutating func scalar(_ value: PropertyListTable.Value, at place: Int) -> Int32 {
    if known[place] < 0 { known[place] = append(value) }
    return known[place]
  }

  private mutating func collection(_ value: PropertyListTable.Value) -> Int32 {
    let item = append(value)
    let collection = table.collections[value.number]
    let (start, count) = (Int(collection.start), Int(collection.count))
    for place in start..<start + count {
      links[place] = self.item(table.elements[place])
      if collection.isDictionary { links[place + count] = self.item(table.elements[place + count]) }
    }
    return item
  }

  private mutating func append(_ value: PropertyListTable.Value) -> Int32 {
    all.append(value)
    return Int32(all.count - 1)
  }
}
