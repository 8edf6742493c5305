import Foundation

/// Builds a keyed archive as `NSKeyedArchiver` writes it, object by object.
///
/// Numbers are reserved before the objects are filled in, so that objects can refer to each other in circles
/// without any recursion. The order of calls decides the bytes.
struct KeyedArchiveBuilder {
  private typealias Value = PropertyListTable.Value

  private var table: PropertyListTable
  /// The first stands for nil.
  private var objects: [Value]
  /// The object that a text is, by the text's number; 0 for one that is none.
  private var objectsOfTexts: [Int32] = []
  /// The same for other scalars.
  private var objectsOfLiterals: [Int32] = []
  /// Keys and values of the objects that are begun and not ended, and where each of those begins.
  private var pendingKeys: [Value] = []
  private var pendingValues: [Value] = []
  private var begun: [Int] = []
  /// What is reserved and never filled in.
  private let nothing: Value
  /// The objects that classes are: so few that looking through them is faster than hashing.
  private var classes: [(name: String, reference: Int)] = []
  /// The one object that stands for `SELF` in all expressions, once there is one.
  var evaluatedObject: PropertyListValue?

  static let null = PropertyListValue.reference(0)

  /// - Parameters:
  ///   - entityCount: how many entities the model has whose archive it will be, where that is known.
  ///   - propertyCount: how many properties they have together.
  init(entityCount: Int = 0, propertyCount: Int = 0) {
    // As most models need, so that the lists are not copied as they grow.
    table = PropertyListTable(
      textCount: 200 + entityCount + propertyCount, elementCount: (entityCount + propertyCount) * 32)
    table.addKnownTexts()
    nothing = table.dictionary([], [])
    objects = [PropertyListTable.text(.null)]
    objects.reserveCapacity(entityCount * 6 + propertyCount * 3)
  }

  /// A number for an object that is filled in later.
  mutating func reserve() -> Int { append(nothing) }

  /// Numbers that follow each other.
  ///
  /// - Returns: the first.
  mutating func reserve(count: Int) -> Int {
    let first = objects.count
    objects.append(contentsOf: repeatElement(nothing, count: count))
    return first
  }

  private mutating func append(_ object: Value) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  mutating func fill(_ reference: Int, as className: String, _ fields: [PropertyListValue.Entry]) {
    begin()
    put(fields)
    end(reference, as: className)
  }

  /// Begins an object whose fields come one by one; others may be made between them.
  mutating func begin() { begun.append(pendingKeys.count) }

  mutating func put(_ key: KnownText, _ value: PropertyListValue) { put(key, table.value(value)) }

  mutating func put(_ key: KnownText, reference: Int) { put(key, table.reference(reference)) }

  mutating func put(_ key: KnownText, integer: Int) { put(key, table.integer(Int64(integer))) }

  mutating func put(_ key: KnownText, flag: Bool) { put(key, PropertyListTable.boolean(flag)) }

  /// The text as an object, or nil.
  mutating func put(_ key: KnownText, text: String?) {
    put(key, reference: text.map { self.reference(toText: $0) } ?? 0)
  }

  mutating func put(_ entries: [PropertyListValue.Entry]) {
    for entry in entries { put(own: entry.key, entry.value) }
  }

  /// Under a key that is not among the known texts.
  mutating func put(own key: String, _ value: PropertyListValue) {
    let value = table.value(value)
    put(table.text(key), value)
  }

  mutating func put(own key: String, ifAny text: String?) { if let text { put(own: key, string(text)) } }
  mutating func put(own key: String, ifTrue flag: Bool) { if flag { put(own: key, .boolean(true)) } }

  private mutating func put(_ key: KnownText, _ value: Value) { put(PropertyListTable.text(key), value) }

  private mutating func put(_ key: Value, _ value: Value) {
    pendingKeys.append(key)
    pendingValues.append(value)
  }

  /// Ends the object that was begun last.
  mutating func end(_ reference: Int, as className: String) {
    let first = begun.popLast() ?? 0
    let classReference = table.reference(self.reference(toClass: className))
    if objects.indices.contains(reference) {
      objects[reference] = table.dictionary(
        pendingKeys, pendingValues, from: first,
        last: (PropertyListTable.text(.classKey), classReference))
    }
    pendingKeys.removeLast(pendingKeys.count - first)
    pendingValues.removeLast(pendingValues.count - first)
  }

  private mutating func reference(toClass name: String) -> Int {
    if let known = classes.first(where: { $0.name == name }) { return known.reference }
    let chain = Self.classChain(name).map { PropertyListValue.string($0) }
    let value = table.value(.entries([.init("$classname", chain[0]), .init("$classes", .array(chain))]))
    let reference = append(value)
    classes.append((name, reference))
    return reference
  }

  mutating func object(_ className: String, _ fields: [PropertyListValue.Entry]) -> PropertyListValue {
    let reference = reserve()
    fill(reference, as: className, fields)
    return .reference(reference)
  }

  /// A scalar as an object; equal ones are one object. Reals are not, because 0.0 equals -0.0.
  mutating func scalar(_ scalar: PropertyListValue) -> PropertyListValue {
    if case .string(let text) = scalar { return string(text) }
    let value = table.value(scalar)
    guard value.kind == .literal else { return .reference(append(value)) }
    while objectsOfLiterals.count <= value.number { objectsOfLiterals.append(0) }
    if objectsOfLiterals[value.number] == 0 { objectsOfLiterals[value.number] = Int32(append(value)) }
    return .reference(Int(objectsOfLiterals[value.number]))
  }

  mutating func string(_ text: String?) -> PropertyListValue {
    text.map { .reference(reference(toText: $0)) } ?? Self.null
  }

  mutating func reference(toText text: String) -> Int {
    let value = table.text(text)
    while objectsOfTexts.count <= value.number { objectsOfTexts.append(0) }
    if objectsOfTexts[value.number] == 0 { objectsOfTexts[value.number] = Int32(append(value)) }
    return Int(objectsOfTexts[value.number])
  }

  mutating func collection(_ className: String, _ elements: [PropertyListValue]) -> PropertyListValue {
    let reference = reserve()
    begin()
    put(.objects, .array(elements))
    end(reference, as: className)
    return .reference(reference)
  }

  mutating func dictionary(_ className: String, _ entries: [PropertyListValue.Entry]) -> PropertyListValue {
    let keys = entries.map { table.reference(reference(toText: $0.key)) }
    let values = entries.map { table.value($0.value) }
    return dictionary(className, keys, values)
  }

  /// Objects that follow each other, by name.
  ///
  /// - Parameters:
  ///   - names: the objects that the names are.
  ///   - first: the number of the first.
  mutating func dictionary(_ className: String, names: [Int], first: Int) -> PropertyListValue {
    let keys = names.map { table.reference($0) }
    let values = names.indices.map { table.reference(first + $0) }
    return dictionary(className, keys, values)
  }

  private mutating func dictionary(
    _ className: String, _ keys: [Value], _ values: [Value]
  ) -> PropertyListValue {
    let reference = reserve()
    begin()
    put(.keys, table.array(keys))
    put(.objects, table.array(values))
    end(reference, as: className)
    return .reference(reference)
  }

  /// A dictionary of texts, by key in code-point order.
  mutating func dictionary(
    of texts: [String: String], _ className: String = "NSDictionary"
  ) -> PropertyListValue {
    let keys = texts.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return dictionary(className, keys.map { .init($0, string(texts[$0])) })
  }

  mutating func lists(_ lists: [[String]]) -> PropertyListValue {
    let elements = lists.map { list in collection("NSMutableArray", list.map { string($0) }) }
    return collection("NSMutableArray", elements)
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
      objects[place] = table.value(value)
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
    case .scalar(.unsignedInteger(let value)): return .real(Double(value))
    case .scalar(.date(let value)): return .real(value.timeIntervalSinceReferenceDate)
    case .scalar(let value): return value
    case .reference(let target): return .reference(place(of: target, in: &transfer))
    case .array(let nodes):
      // Objects refer to each other by number; nothing genuine is nested deeper.
      guard depth < 4 else { return Self.null }
      return .array(nodes.map { copy(of: $0, in: &transfer, depth: depth + 1) })
    case .dictionary(let keys, let values):
      guard depth < 4 else { return Self.null }
      var entries: [PropertyListValue.Entry] = []
      for (key, value) in zip(keys, values) {
        guard let text = transfer.archive.list[key].text else { continue }
        entries.append(.init(text, copy(of: value, in: &transfer, depth: depth + 1)))
      }
      return .entries(entries)
    }
  }

  /// Ends the archive of an object; empty for a value that is none.
  mutating func data(of root: PropertyListValue) -> Data {
    if case .reference(let place) = root { data(root: place) } else { Data() }
  }

  /// Ends the archive.
  mutating func data(root: Int) -> Data {
    let keys: [Value] = [
      table.text("$version"), table.text("$archiver"), table.text("$top"), table.text("$objects"),
    ]
    let values: [Value] = [
      table.integer(100_000), table.text("NSKeyedArchiver"),
      table.value(.entries([.init("root", .reference(root))])), table.array(objects),
    ]
    let top = table.dictionary(keys, values)
    return table.data(top: top)
  }
}
