import Foundation

/// The values of a binary property list on their way out: texts and other scalars each once, and collections, whose
/// elements stand in one list.
///
/// A value has no reference count: the archive of a large model has a hundred thousand of them, and a compile writes one
/// archive per version.
struct PropertyListTable {
  /// The kind of a value, and its number among those of its kind.
  struct Value: Sendable {
    enum Kind {
      /// In ``PropertyListTable/texts``.
      case text
      /// To the object of that number in a keyed archive.
      case reference
      /// In ``PropertyListTable/literals``.
      case literal
      /// In ``PropertyListTable/collections``.
      case collection
    }

    let kind: Kind
    let number: Int

    init(_ kind: Kind, _ number: Int) { (self.kind, self.number) = (kind, number) }
  }

  /// Where the elements begin in ``PropertyListTable/elements``. Of a dictionary these are its keys; as many values
  /// follow.
  struct Collection {
    var start: Int32
    var count: Int32
    var isDictionary: Bool
  }

  private(set) var texts: TextTable
  /// Booleans, numbers, dates and data.
  private(set) var literals: [PropertyListValue] = []
  private(set) var collections: [Collection] = []
  /// Of all collections; each element belongs to one.
  private(set) var elements: [Value] = []
  /// References are to objects with lower numbers.
  private(set) var referenceLimit = 0
  private var literalsOfIntegers: [Int64: Int] = [:]
  /// By all their bytes: `Data` hashes the first of them only, and whoever writes a model chooses them.
  private var literalsOfData: [[UInt8]: Int] = [:]

  private static let booleans: [PropertyListValue] = [.boolean(false), .boolean(true)]

  /// - Parameters:
  ///   - textCount: how many texts there may be before the table grows.
  ///   - elementCount: how many elements of collections.
  init(textCount: Int = 32, elementCount: Int = 0) {
    texts = TextTable(capacity: textCount)
    literals = Self.booleans
    elements.reserveCapacity(elementCount)
  }

  static func text(_ number: Int) -> Value { Value(.text, number) }

  mutating func text(_ text: String) -> Value { Value(.text, texts.number(of: text)) }

  mutating func reference(_ number: Int) -> Value {
    let number = min(max(number, 0), Int(Int32.max) >> 2)
    if number >= referenceLimit { referenceLimit = number + 1 }
    return Value(.reference, number)
  }

  static func boolean(_ flag: Bool) -> Value { Value(.literal, flag ? 1 : 0) }

  mutating func integer(_ number: Int64) -> Value {
    if let known = literalsOfIntegers[number] { return Value(.literal, known) }
    literalsOfIntegers[number] = literals.count
    return add(.integer(number))
  }

  mutating func data(_ data: Data) -> Value {
    let bytes = Array(data)
    if let known = literalsOfData[bytes] { return Value(.literal, known) }
    literalsOfData[bytes] = literals.count
    return add(.data(data))
  }

  private mutating func add(_ literal: PropertyListValue) -> Value {
    literals.append(literal)
    return Value(.literal, literals.count - 1)
  }

  mutating func array(_ values: some Sequence<Value>) -> Value {
    let start = elements.count
    elements.append(contentsOf: values)
    return addCollection(from: start, count: elements.count - start, isDictionary: false)
  }

  /// - Parameters:
  ///   - first: where the keys and values begin in the two lists.
  ///   - last: the last pair, which all objects of an archive have beside their own.
  mutating func dictionary(
    _ keys: [Value], _ values: [Value], from first: Int = 0, last: (key: Value, value: Value)? = nil
  ) -> Value {
    let start = elements.count
    for place in first..<keys.count { elements.append(keys[place]) }
    if let last { elements.append(last.key) }
    for place in first..<values.count { elements.append(values[place]) }
    if let last { elements.append(last.value) }
    return addCollection(from: start, count: (elements.count - start) / 2, isDictionary: true)
  }

  private mutating func addCollection(from start: Int, count: Int, isDictionary: Bool) -> Value {
    collections.append(Collection(start: Int32(start), count: Int32(count), isDictionary: isDictionary))
    return Value(.collection, collections.count - 1)
  }

  mutating func value(_ value: PropertyListValue) -> Value {
    switch value {
    case .reference(let number): return reference(number)
    case .boolean(let flag): return Self.boolean(flag)
    case .integer(let number): return integer(number)
    // Not shared: the reals 0.0 and -0.0 are equal, yet other bytes.
    case .unsignedInteger, .real, .date: return add(value)
    case .string(let text): return self.text(text)
    case .data(let data): return self.data(data)
    case .array(let list): return array(list.map { self.value($0) })
    case .dictionary(let values):
      let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return self.value(.entries(names.compactMap { name in values[name].map { .init(name, $0) } }))
    case .entries(let entries):
      var (keys, values): ([Value], [Value]) = ([], [])
      for entry in entries {
        keys.append(text(entry.key))
        values.append(self.value(entry.value))
      }
      return dictionary(keys, values)
    }
  }

  /// The property list as bytes.
  func data(top: Value) -> Data { BinaryPropertyListWriter(self, top: top).data() }
}
