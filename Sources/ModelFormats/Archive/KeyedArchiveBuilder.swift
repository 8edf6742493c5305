import Foundation

/// The classes whose objects a model archive holds, each with its superclasses.
struct ArchivedClass: Hashable, Sendable {
  let chain: [String]

  init(_ chain: String...) { self.chain = chain }

  static let array = Self("NSArray", "NSObject")
  static let mutableArray = Self("NSMutableArray", "NSArray", "NSObject")
  static let dictionary = Self("NSDictionary", "NSObject")
  static let mutableDictionary = Self("NSMutableDictionary", "NSDictionary", "NSObject")
  static let set = Self("NSSet", "NSObject")
}

/// Builds a keyed archive as `NSKeyedArchiver` writes it, object by object.
///
/// Numbers are reserved before the objects are filled in, so that objects can refer to each other in circles
/// without any recursion. The order of calls decides the bytes.
struct KeyedArchiveBuilder {
  /// The first object stands for nil.
  private var objects: [PropertyListValue] = [.string("$null")]
  /// For each object the number of its class's; 0 for what is no instance.
  private var classOfObject: [Int] = [0]
  /// By the class's own name, which no two of them share.
  private var classes: [String: Int] = [:]
  private var strings: [ExactText: Int] = [:]
  private var scalars: [PropertyListValue: Int] = [:]

  static let null = PropertyListValue.reference(0)

  /// A number for an object that is filled in later.
  mutating func reserve() -> Int { append(.dictionary([])) }

  private mutating func append(_ object: PropertyListValue) -> Int {
    objects.append(object)
    classOfObject.append(0)
    return objects.count - 1
  }

  mutating func fill(
    _ reference: Int, as archivedClass: ArchivedClass, _ fields: [PropertyListValue.Entry]
  ) {
    guard objects.indices.contains(reference) else { return }
    classOfObject[reference] = classReference(archivedClass)
    objects[reference] = .dictionary(fields)
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
    case .real: return .reference(append(value))
    default:
      if let known = scalars[value] { return .reference(known) }
      let reference = append(value)
      scalars[value] = reference
      return .reference(reference)
    }
  }

  mutating func string(_ text: String?) -> PropertyListValue {
    guard let text else { return Self.null }
    if let known = strings[ExactText(text)] { return .reference(known) }
    let reference = append(.string(text))
    strings[ExactText(text)] = reference
    return .reference(reference)
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

  private mutating func classReference(_ archivedClass: ArchivedClass) -> Int {
    let chain = archivedClass.chain
    let name = chain.first ?? "NSObject"
    if let known = classes[name] { return known }
    let reference = append(
      .dictionary([
        .init("$classname", .string(name)),
        .init("$classes", .array(chain.map { .string($0) })),
      ]))
    classes[name] = reference
    return reference
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
      objects[place] = copy(of: node, in: &transfer, depth: 0)
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
    var encoder = BinaryPropertyListEncoder(referenceCount: objects.count)
    let top = encoder.addDictionary(count: 4)
    encoder.setEntry(0, of: top, "$version", .integer(100_000))
    encoder.setEntry(1, of: top, "$archiver", .string("NSKeyedArchiver"))
    encoder.setEntry(2, of: top, "$top", .dictionary([.init("root", .reference(root))]))
    encoder.setKey(3, of: top, "$objects")
    let list = encoder.addArray(count: objects.count)
    encoder.setValue(3, of: top, list)
    for index in objects.indices {
      let isInstance = classOfObject[index] != 0
      guard isInstance, case .dictionary(let fields) = objects[index] else {
        encoder.setElement(index, of: list, encoder.add(objects[index]))
        continue
      }
      let object = encoder.addDictionary(count: fields.count + 1)
      encoder.setElement(index, of: list, object)
      for (place, field) in fields.enumerated() {
        encoder.setEntry(place, of: object, field.key, field.value)
      }
      encoder.setEntry(fields.count, of: object, "$class", .reference(classOfObject[index]))
    }
    return encoder.data(top: top)
  }
}
