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
  private var classes: [ArchivedClass: Int] = [:]
  private var scalars: [PropertyListValue: Int] = [:]

  static let null = PropertyListValue.reference(0)

  /// A number for an object that is filled in later.
  mutating func reserve() -> Int {
    objects.append(.dictionary([]))
    return objects.count - 1
  }

  mutating func fill(
    _ reference: Int, as archivedClass: ArchivedClass, _ fields: [(String, PropertyListValue)]
  ) {
    guard objects.indices.contains(reference) else { return }
    let entries = fields.map { PropertyListValue.Entry($0.0, $0.1) }
    let isa = PropertyListValue.Entry("$class", classReference(archivedClass))
    objects[reference] = .dictionary(entries + [isa])
  }

  mutating func object(
    _ archivedClass: ArchivedClass, _ fields: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    let reference = reserve()
    fill(reference, as: archivedClass, fields)
    return .reference(reference)
  }

  /// A scalar as an object; equal ones are one object. Reals are not, because 0.0 equals -0.0.
  mutating func scalar(_ value: PropertyListValue) -> PropertyListValue {
    if let known = scalars[value] { return .reference(known) }
    objects.append(value)
    if case .real = value {} else { scalars[value] = objects.count - 1 }
    return .reference(objects.count - 1)
  }

  mutating func string(_ text: String?) -> PropertyListValue {
    text.map { scalar(.string($0)) } ?? Self.null
  }

  mutating func collection(_ archivedClass: ArchivedClass, _ elements: [PropertyListValue])
    -> PropertyListValue
  {
    object(archivedClass, [("NS.objects", .array(elements))])
  }

  mutating func dictionary(
    _ archivedClass: ArchivedClass, _ entries: [(String, PropertyListValue)]
  ) -> PropertyListValue {
    var keys: [PropertyListValue] = []
    for (key, _) in entries { keys.append(string(key)) }
    return object(archivedClass, [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.1)))])
  }

  /// A dictionary of texts, by key in code-point order.
  mutating func dictionary(of texts: [String: String]) -> PropertyListValue {
    var entries: [(String, PropertyListValue)] = []
    for key in texts.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      entries.append((key, string(texts[key])))
    }
    return dictionary(.dictionary, entries)
  }

  private mutating func classReference(_ archivedClass: ArchivedClass) -> PropertyListValue {
    if let known = classes[archivedClass] { return .reference(known) }
    objects.append(
      .dictionary([
        .init("$classname", .string(archivedClass.chain.first ?? "NSObject")),
        .init("$classes", .array(archivedClass.chain.map { .string($0) })),
      ]))
    classes[archivedClass] = objects.count - 1
    return .reference(objects.count - 1)
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
    encodeBinaryPropertyList(
      .dictionary([
        .init("$version", .integer(100_000)),
        .init("$archiver", .string("NSKeyedArchiver")),
        .init("$top", .dictionary([.init("root", .reference(root))])),
        .init("$objects", .array(objects)),
      ]))
  }
}
