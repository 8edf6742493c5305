/// The objects of a binary property list in the order in which they stand in it.
///
/// A collection comes before its elements, a key before its value, and a scalar where it is met first: the order of
/// CoreFoundation's writer.
struct BinaryPropertyListItems {
  let all: [PropertyListTable.Value]
  /// The numbers of elements, keys and values: for each of ``PropertyListTable/elements`` the item that it is.
  let links: [Int32]

  init(_ table: PropertyListTable, top: PropertyListTable.Value) {
    let literalStart = table.texts.count + table.referenceLimit
    var links = [Int32](repeating: 0, count: table.elements.count)
    var known = [Int32](repeating: -1, count: literalStart + table.literals.count)
    // An archive has a hundred thousand links: they are made without a check of each place.
    all = unsafe links.withUnsafeMutableBufferPointer { links in
      unsafe known.withUnsafeMutableBufferPointer { known in
        unsafe table.elements.withUnsafeBufferPointer { elements in
          var numbering = unsafe ItemNumbering(
            elements: elements, links: links, known: known, collections: table.collections,
            referenceStart: table.texts.count, literalStart: literalStart)
          unsafe numbering.all.reserveCapacity(known.count + table.collections.count)
          _ = unsafe numbering.item(top)
          return unsafe numbering.all
        }
      }
    }
    self.links = links
  }
}

@unsafe private struct ItemNumbering {
  let elements: UnsafeBufferPointer<PropertyListTable.Value>
  let links: UnsafeMutableBufferPointer<Int32>
  /// The items that texts, references and literals are; -1 for those that were not met yet.
  let known: UnsafeMutableBufferPointer<Int32>
  let collections: [PropertyListTable.Collection]
  /// Where references and literals begin in ``known``.
  let referenceStart: Int
  let literalStart: Int
  var all: [PropertyListTable.Value] = []

  @inline(__always)
  mutating func item(_ value: PropertyListTable.Value) -> Int32 {
    switch value.kind {
    case .text: unsafe scalar(value, at: value.number)
    case .reference: unsafe scalar(value, at: referenceStart + value.number)
    case .literal: unsafe scalar(value, at: literalStart + value.number)
    case .collection: unsafe collection(value)
    }
  }

  @inline(__always)
  private mutating func scalar(_ value: PropertyListTable.Value, at place: Int) -> Int32 {
    let item = unsafe known[place]
    if item >= 0 { return item }
    let new = unsafe append(value)
    unsafe known[place] = new
    return new
  }

  private mutating func collection(_ value: PropertyListTable.Value) -> Int32 {
    let item = unsafe append(value)
    let collection = unsafe collections[value.number]
    let (start, count) = (Int(collection.start), Int(collection.count))
    if collection.isDictionary {
      for place in start..<start + count {
        unsafe links[place] = unsafe self.item(elements[place])
        unsafe links[place + count] = unsafe self.item(elements[place + count])
      }
    } else {
      for place in start..<start + count { unsafe links[place] = unsafe self.item(elements[place]) }
    }
    return item
  }

  private mutating func append(_ value: PropertyListTable.Value) -> Int32 {
    unsafe all.append(value)
    return unsafe Int32(all.count - 1)
  }
}
