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
    case text(Int)
    case value(PropertyListValue)
    /// The number of its class, and where its fields are in ``keys`` and ``values``.
    case instance(class: Int, fields: Range<Int>)
  }

  /// The first object stands for nil.
  private var objects: [Stored]
  private var texts = TextTable(capacity: 1000)
  /// The object that a text is, by the text's number; 0 for one that is none.
  private var objectsOfTexts: [Int] = []
  /// The fields of all instances: numbers of the keys' texts, and values.
  private var keys: [Int] = []
  private var values: [PropertyListValue] = []
  private var classes: [ClassEntry] = []
  private var classNumbers: [ObjectIdentifier: Int] = [:]
  private var scalars: [PropertyListValue: Int] = [:]
  /// The one object that stands for `SELF` in all expressions, once there is one.
  var evaluatedObject: PropertyListValue?

  /// A class that has been written, with the keys of the object that was written last: most have the same.
  private struct ClassEntry {
    var reference: Int
    var keys: [(text: String, number: Int)] = []
  }

  static let null = PropertyListValue.reference(0)

  init() {
    objects = [.text(texts.number(of: "$null"))]
  }

  /// A number for an object that is filled in later.
  mutating func reserve() -> Int { append(.value(.dictionary([]))) }

  /// Numbers that follow each other.
  ///
  /// - Returns: the first.
  mutating func reserve(count: Int) -> Int {
    let first = objects.count
    for _ in 0..<count { objects.append(.value(.dictionary([]))) }
    return first
  }

  private mutating func append(_ object: Stored) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  mutating func fill(
    _ reference: Int, as archivedClass: ArchivedClass, _ fields: [PropertyListValue.Entry]
  ) {
    guard objects.indices.contains(reference) else { return }
    let number = number(of: archivedClass)
    let known = classes[number].keys
    let start = keys.count
    for (place, field) in fields.enumerated() {
      if place < known.count, known[place].text == field.key {
        keys.append(known[place].number)
      } else {
        keys.append(keyNumber(field.key, at: place, of: number))
      }
      values.append(field.value)
    }
    objects[reference] = .instance(class: classes[number].reference, fields: start..<keys.count)
  }

  private mutating func keyNumber(_ key: String, at place: Int, of archivedClass: Int) -> Int {
    let number = texts.number(of: key)
    if place < classes[archivedClass].keys.count {
      classes[archivedClass].keys[place] = (key, number)
    } else if place == classes[archivedClass].keys.count {
      classes[archivedClass].keys.append((key, number))
    }
    return number
  }

  private mutating func number(of archivedClass: ArchivedClass) -> Int {
    if let known = classNumbers[ObjectIdentifier(archivedClass)] { return known }
    let chain = archivedClass.chain.map { PropertyListValue.string($0) }
    let reference = append(
      .value(.dictionary([.init("$classname", chain[0]), .init("$classes", .array(chain))])))
    classNumbers[ObjectIdentifier(archivedClass)] = classes.count
    classes.append(ClassEntry(reference: reference))
    return classes.count - 1
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
    case .real: return .reference(append(.value(value)))
    default:
      if let known = scalars[value] { return .reference(known) }
      let reference = append(.value(value))
      scalars[value] = reference
      return .reference(reference)
    }
  }

  mutating func string(_ text: String?) -> PropertyListValue {
    guard let text else { return Self.null }
    let number = texts.number(of: text)
    while objectsOfTexts.count <= number { objectsOfTexts.append(0) }
    if objectsOfTexts[number] == 0 { objectsOfTexts[number] = append(.text(number)) }
    return .reference(objectsOfTexts[number])
  }

  mutating func collection(_ archivedClass: ArchivedClass, _ elements: [PropertyListValue])
    -> PropertyListValue
  {
    object(archivedClass, [.init("NS.objects", .array(elements))])
  }

  mutating func dictionary(
    _ archivedClass: ArchivedClass, _ entries: [PropertyListValue.Entry]
  ) -> PropertyListValue {
    var keys: [PropertyListValue] = []
    keys.reserveCapacity(entries.count)
    for entry in entries { keys.append(string(entry.key)) }
    let values = entries.map(\.value)
    return object(archivedClass, [.init("NS.keys", .array(keys)), .init("NS.objects", .array(values))])
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
      objects[place] = .value(copy(of: node, in: &transfer, depth: 0))
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

  func data(root: Int) -> Data {
    var texts = texts
    let classKey = texts.number(of: "$class")
    var encoder = BinaryPropertyListEncoder(texts: texts, referenceCount: objects.count)
    let top = encoder.addDictionary(count: 4)
    encoder.setKey(0, of: top, encoder.add(.string("$version")))
    encoder.setValue(0, of: top, encoder.add(.integer(100_000)))
    encoder.setKey(1, of: top, encoder.add(.string("$archiver")))
    encoder.setValue(1, of: top, encoder.add(.string("NSKeyedArchiver")))
    encoder.setKey(2, of: top, encoder.add(.string("$top")))
    encoder.setValue(2, of: top, encoder.add(.dictionary([.init("root", .reference(root))])))
    encoder.setKey(3, of: top, encoder.add(.string("$objects")))
    let list = encoder.addArray(count: objects.count)
    encoder.setValue(3, of: top, list)
    for index in objects.indices {
      encoder.setElement(index, of: list, add(objects[index], classKey, to: &encoder))
    }
    return encoder.data(top: top)
  }

  private func add(
    _ object: Stored, _ classKey: Int, to encoder: inout BinaryPropertyListEncoder
  ) -> Int {
    switch object {
    case .text(let number): return encoder.addText(number)
    case .value(let value): return encoder.add(value)
    case .instance(let classReference, let fields):
      let item = encoder.addDictionary(count: fields.count + 1)
      for (place, field) in fields.enumerated() {
        encoder.setKey(place, of: item, encoder.addText(keys[field]))
        encoder.setValue(place, of: item, encoder.add(values[field]))
      }
      encoder.setKey(fields.count, of: item, encoder.addText(classKey))
      encoder.setValue(fields.count, of: item, encoder.add(.reference(classReference)))
      return item
    }
  }
}
