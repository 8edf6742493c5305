import Foundation

/// The classes whose objects a model archive holds, each with its superclasses.
///
/// Each is one value of its own, known by its identity: an archive asks for the class of every object.
final class ArchivedClass: Sendable {
  let chain: [String]

  init(_ chain: String...) { self.chain = chain }

  static let array = ArchivedClass("NSArray", "NSObject")
  static let mutableArray = ArchivedClass("NSMutableArray", "NSArray", "NSObject")
  static let dictionary = ArchivedClass("NSDictionary", "NSObject")
  static let mutableDictionary = ArchivedClass("NSMutableDictionary", "NSDictionary", "NSObject")
  static let set = ArchivedClass("NSSet", "NSObject")
}

/// Builds a keyed archive as `NSKeyedArchiver` writes it, object by object.
///
/// Numbers are reserved before the objects are filled in, so that objects can refer to each other in circles
/// without any recursion. The order of calls decides the bytes.
struct KeyedArchiveBuilder {
  private enum Stored {
    case text(Int32)
    case value(Slot)
    /// The number of its class, and where its fields begin in ``fields``.
    case instance(class: Int32, start: Int32, count: Int32)
  }

  /// A value without a reference count: an archive has half a million.
  private enum Slot {
    case reference(Int32)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(Int32)
    /// Where its elements begin in ``elements``.
    case list(start: Int32, count: Int32)
    /// Its place in ``others``.
    case other(Int32)
  }

  private struct Field {
    /// The number of its text.
    var key: Int32
    var value: Slot
  }

  /// The first object stands for nil.
  private var objects: [Stored]
  private var texts: TextTable
  /// The object that a text is, by the text's number; 0 for one that is none.
  private var objectsOfTexts: [Int32] = []
  private var keyNumbers = KeyNumbers()
  /// Of all instances.
  private var fields: [Field] = []
  /// Of the objects that are begun and not ended, and where each of those begins.
  private var pending: [Field] = []
  private var begun: [Int] = []
  private var elements: [Slot] = []
  /// The first stands for what is reserved and never filled in.
  private var others: [PropertyListValue] = [.dictionary([])]
  /// The objects that classes are: so few that looking through them is faster than hashing.
  private var classes: [(class: ArchivedClass, reference: Int)] = []
  private var scalars: [PropertyListValue: Int] = [:]
  /// The one object that stands for `SELF` in all expressions, once there is one.
  var evaluatedObject: PropertyListValue?

  static let null = PropertyListValue.reference(0)

  /// - Parameters:
  ///   - entityCount: how many entities the model has whose archive it will be, where that is known.
  ///   - propertyCount: how many properties they have together.
  init(entityCount: Int = 0, propertyCount: Int = 0) {
    texts = TextTable(capacity: 200 + entityCount + propertyCount)
    objects = [.text(Int32(texts.number(of: "$null")))]
    // As most models need, so that the lists are not copied as they grow.
    objects.reserveCapacity(entityCount * 6 + propertyCount * 3)
    fields.reserveCapacity((entityCount + propertyCount) * 16)
    elements.reserveCapacity((entityCount + propertyCount) * 3)
  }

  /// A number for an object that is filled in later.
  mutating func reserve() -> Int { append(.value(.other(0))) }

  /// Numbers that follow each other.
  ///
  /// - Returns: the first.
  mutating func reserve(count: Int) -> Int {
    let first = objects.count
    objects.append(contentsOf: repeatElement(.value(.other(0)), count: count))
    return first
  }

  private mutating func append(_ object: Stored) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  mutating func fill(
    _ reference: Int, as archivedClass: ArchivedClass, _ fields: [PropertyListValue.Entry]
  ) {
    begin()
    put(fields)
    end(reference, as: archivedClass)
  }

  /// Begins an object whose fields come one by one; others may be made between them.
  mutating func begin() { begun.append(pending.count) }

  mutating func put(_ key: StaticString, _ value: PropertyListValue) {
    let value = slot(value)
    put(key, value)
  }

  mutating func put(_ key: StaticString, reference: Int) { put(key, .reference(Int32(reference))) }

  /// The text as an object, or nil.
  mutating func put(_ key: StaticString, text: String?) {
    let reference = text.map { self.reference(toText: $0) } ?? 0
    put(key, .reference(Int32(reference)))
  }

  /// The text with that number as an object.
  mutating func put(_ key: StaticString, textNumbered number: Int) {
    let reference = reference(toTextNumbered: number)
    put(key, .reference(Int32(reference)))
  }

  mutating func put(_ entries: [PropertyListValue.Entry]) {
    for entry in entries { put(own: entry.key, entry.value) }
  }

  /// Under a key that the program does not hold as a literal.
  mutating func put(own key: String, _ value: PropertyListValue) {
    let value = slot(value)
    pending.append(Field(key: Int32(texts.number(of: key)), value: value))
  }

  mutating func put(own key: String, text: String) { put(own: key, string(text)) }

  private mutating func put(_ key: StaticString, _ value: Slot) {
    let number = keyNumbers.number(of: key, in: &texts)
    pending.append(Field(key: number, value: value))
  }

  /// Ends the object that was begun last.
  mutating func end(_ reference: Int, as archivedClass: ArchivedClass) {
    let first = begun.popLast() ?? 0
    let classReference = self.reference(to: archivedClass)
    if objects.indices.contains(reference) {
      objects[reference] = .instance(
        class: Int32(classReference), start: Int32(fields.count), count: Int32(pending.count - first))
      fields.append(contentsOf: pending[first...])
    }
    pending.removeLast(pending.count - first)
  }

  private mutating func reference(to archivedClass: ArchivedClass) -> Int {
    if let known = classes.first(where: { $0.class === archivedClass }) { return known.reference }
    let chain = archivedClass.chain.map { PropertyListValue.string($0) }
    let value = slot(.dictionary([.init("$classname", chain[0]), .init("$classes", .array(chain))]))
    let reference = append(.value(value))
    classes.append((archivedClass, reference))
    return reference
  }

  private mutating func slot(_ value: PropertyListValue) -> Slot {
    switch value {
    case .reference(let number):
      return Int32(exactly: number).map { .reference($0) } ?? .other(keep(value))
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .string(let text): return .text(Int32(texts.number(of: text)))
    case .data, .dictionary: return .other(keep(value))
    case .array(let list):
      var slots: [Slot] = []
      slots.reserveCapacity(list.count)
      for element in list { slots.append(slot(element)) }
      elements += slots
      return .list(start: Int32(elements.count - slots.count), count: Int32(slots.count))
    }
  }

  private mutating func keep(_ value: PropertyListValue) -> Int32 {
    others.append(value)
    return Int32(others.count - 1)
  }

  mutating func object(
    _ archivedClass: ArchivedClass, _ fields: [PropertyListValue.Entry]
  ) -> PropertyListValue {
    let reference = reserve()
    fill(reference, as: archivedClass, fields)
    return .reference(reference)
  }

  /// A scalar as an object; equal ones are one object. Reals are not, because 0.0 equals -0.0.
  mutating func scalar(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .string(let text): return string(text)
    case .real(let number): return .reference(append(.value(.real(number))))
    default:
      if let known = scalars[value] { return .reference(known) }
      let slot = slot(value)
      let reference = append(.value(slot))
      scalars[value] = reference
      return .reference(reference)
    }
  }

  mutating func string(_ text: String?) -> PropertyListValue {
    text.map { .reference(reference(toText: $0)) } ?? Self.null
  }

  /// The number of a text, which may be no object, and whether it is ASCII.
  mutating func number(ofText text: String) -> (number: Int, isASCII: Bool) {
    let number = texts.number(of: text)
    return (number, texts.isASCII(number))
  }

  private mutating func reference(toText text: String) -> Int {
    reference(toTextNumbered: texts.number(of: text))
  }

  private mutating func reference(toTextNumbered number: Int) -> Int {
    while objectsOfTexts.count <= number { objectsOfTexts.append(0) }
    if objectsOfTexts[number] == 0 { objectsOfTexts[number] = Int32(append(.text(Int32(number)))) }
    return Int(objectsOfTexts[number])
  }

  mutating func collection(_ archivedClass: ArchivedClass, _ elements: [PropertyListValue])
    -> PropertyListValue
  {
    let reference = reserve()
    begin()
    put("NS.objects", .array(elements))
    end(reference, as: archivedClass)
    return .reference(reference)
  }

  mutating func dictionary(
    _ archivedClass: ArchivedClass, _ entries: [PropertyListValue.Entry]
  ) -> PropertyListValue {
    let start = elements.count
    for entry in entries { elements.append(.reference(Int32(reference(toText: entry.key)))) }
    for entry in entries {
      let value = slot(entry.value)
      elements.append(value)
    }
    return dictionary(archivedClass, from: start, count: entries.count)
  }

  /// Objects that follow each other, by name.
  ///
  /// - Parameters:
  ///   - names: the numbers of their names.
  ///   - first: the number of the first.
  mutating func dictionary(
    _ archivedClass: ArchivedClass, names: [Int], first: Int
  ) -> PropertyListValue {
    let start = elements.count
    for name in names { elements.append(.reference(Int32(reference(toTextNumbered: name)))) }
    for index in names.indices { elements.append(.reference(Int32(first + index))) }
    return dictionary(archivedClass, from: start, count: names.count)
  }

  /// - Parameter start: where the keys begin in ``elements``; the values follow.
  private mutating func dictionary(
    _ archivedClass: ArchivedClass, from start: Int, count: Int
  ) -> PropertyListValue {
    let reference = reserve()
    begin()
    put("NS.keys", .list(start: Int32(start), count: Int32(count)))
    put("NS.objects", .list(start: Int32(start + count), count: Int32(count)))
    end(reference, as: archivedClass)
    return .reference(reference)
  }

  /// A dictionary of texts, by key in code-point order.
  mutating func dictionary(of texts: [String: String]) -> PropertyListValue {
    var entries: [PropertyListValue.Entry] = []
    for key in texts.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      entries.append(.init(key, string(texts[key])))
    }
    return dictionary(.dictionary, entries)
  }

  /// Takes an object of another archive over, with all that it refers to.
  ///
  /// Beyond the budget, values are nil.
  mutating func embed(_ reference: Int, of archive: KeyedArchive, budget: WorkBudget) -> PropertyListValue {
    var transfer = Transfer(archive: archive, budget: budget)
    let root = place(of: reference, in: &transfer)
    var next = 0
    while next < transfer.queue.count {
      let source = transfer.queue[next]
      next += 1
      guard let node = archive.node(at: source), let place = transfer.places[source] else { continue }
      let value = copy(of: node, in: &transfer, depth: 0)
      objects[place] = .value(slot(value))
    }
    return .reference(root)
  }

  private struct Transfer {
    let archive: KeyedArchive
    let budget: WorkBudget
    /// New numbers by old ones.
    var places = [0: 0]
    var queue: [Int] = []
  }

  private mutating func place(of reference: Int, in transfer: inout Transfer) -> Int {
    if let known = transfer.places[reference] { return known }
    let place = reserve()
    transfer.places[reference] = place
    transfer.queue.append(reference)
    return place
  }

  private mutating func copy(of node: Int, in transfer: inout Transfer, depth: Int) -> PropertyListValue {
    let source = transfer.archive.list[node]
    guard transfer.budget.spend(source.byteCount) else { return Self.null }
    switch source {
    case .null: return Self.null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value), .date(let value): return .real(value)
    case .data(let value): return .data(value)
    case .string(let value): return .string(value)
    case .reference(let target): return .reference(place(of: target, in: &transfer))
    case .array(let nodes):
      // Objects refer to each other by number; nothing genuine is nested deeper.
      guard depth < 4 else { return Self.null }
      var elements: [PropertyListValue] = []
      for node in nodes { elements.append(copy(of: node, in: &transfer, depth: depth + 1)) }
      return .array(elements)
    case .dictionary(let keys, let values):
      guard depth < 4 else { return Self.null }
      var entries: [PropertyListValue.Entry] = []
      for (key, value) in zip(keys, values) {
        guard case .string(let text) = transfer.archive.list[key] else { continue }
        entries.append(.init(text, copy(of: value, in: &transfer, depth: depth + 1)))
      }
      return .dictionary(entries)
    }
  }

  /// Ends the archive.
  mutating func data(root: Int) -> Data {
    let classKey = texts.number(of: "$class")
    // The encoder only looks up what is numbered already, and need not copy the table.
    for key in ["$version", "$archiver", "NSKeyedArchiver", "$top", "root", "$objects"] {
      _ = texts.number(of: key)
    }
    var encoder = BinaryPropertyListEncoder(
      texts: texts, referenceCount: objects.count, linkCount: fields.count * 2 + objects.count * 3)
    let top = encoder.addDictionary(count: 4)
    encoder.setLink(top.start, encoder.add(.string("$version")))
    encoder.setLink(top.start + 4, encoder.add(.integer(100_000)))
    encoder.setLink(top.start + 1, encoder.add(.string("$archiver")))
    encoder.setLink(top.start + 5, encoder.add(.string("NSKeyedArchiver")))
    encoder.setLink(top.start + 2, encoder.add(.string("$top")))
    encoder.setLink(top.start + 6, encoder.add(.dictionary([.init("root", .reference(root))])))
    encoder.setLink(top.start + 3, encoder.add(.string("$objects")))
    let list = encoder.addArray(count: objects.count)
    encoder.setLink(top.start + 7, list.item)
    for (index, object) in objects.enumerated() {
      encoder.setLink(list.start + index, add(object, classKey, to: &encoder))
    }
    return encoder.data(top: top.item)
  }

  private func add(
    _ object: Stored, _ classKey: Int, to encoder: inout BinaryPropertyListEncoder
  ) -> Int32 {
    switch object {
    case .text(let number): return encoder.addText(Int(number))
    case .value(let value): return add(value, to: &encoder)
    case .instance(let classReference, let start, let count):
      let (start, count) = (Int(start), Int(count))
      let dictionary = encoder.addDictionary(count: count + 1)
      let values = dictionary.start + count + 1
      for place in 0..<count {
        let field = fields[start + place]
        encoder.setLink(dictionary.start + place, encoder.addText(Int(field.key)))
        encoder.setLink(values + place, add(field.value, to: &encoder))
      }
      encoder.setLink(dictionary.start + count, encoder.addText(classKey))
      encoder.setLink(values + count, encoder.addReference(Int(classReference)))
      return dictionary.item
    }
  }

  private func add(_ slot: Slot, to encoder: inout BinaryPropertyListEncoder) -> Int32 {
    switch slot {
    case .reference(let number): return encoder.addReference(Int(number))
    case .boolean(let flag): return encoder.addBoolean(flag)
    case .integer(let number): return encoder.addInteger(number)
    case .real(let number): return encoder.addReal(number)
    case .text(let number): return encoder.addText(Int(number))
    case .other(let place): return encoder.add(others[Int(place)])
    case .list(let start, let count):
      let array = encoder.addArray(count: Int(count))
      for place in 0..<Int(count) {
        encoder.setLink(array.start + place, add(elements[Int(start) + place], to: &encoder))
      }
      return array.item
    }
  }
}

/// The numbers of keys that stand in the program: each is found by its address.
private struct KeyNumbers {
  private var known: [(address: UInt, number: Int32)] = Array(repeating: (0, 0), count: 128)

  mutating func number(of key: StaticString, in texts: inout TextTable) -> Int32 {
    let address = unsafe UInt(bitPattern: key.utf8Start)
    let place = Int(truncatingIfNeeded: address >> 3 ^ address >> 10) & (known.count - 1)
    if known[place].address == address { return known[place].number }
    let number = Int32(texts.number(of: key))
    known[place] = (address, number)
    return number
  }
}
