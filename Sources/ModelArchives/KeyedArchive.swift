package import Foundation
import ManagedModel

/// A keyed archive (`NSKeyedArchiver`) that is read: objects by number, each with its class name and fields.
///
/// Classes are never looked up or created. What a class means is up to the reader of the archive, and an unknown
/// one is just an object with fields.
package struct KeyedArchive: Sendable {
  let list: BinaryPropertyList
  /// The node of each object, by the number that references use.
  private let objects: [Int]
  let rootReference: Int
  package let byteCount: Int

  package init(_ data: Data) throws(ArchiveFlaw) {
    let list = try BinaryPropertyList(data)
    guard let archiver = list.value(of: "$archiver", in: list.top), list[archiver].text == "NSKeyedArchiver",
      let table = list.value(of: "$objects", in: list.top),
      case .array(let objects) = list[table], let tops = list.value(of: "$top", in: list.top),
      case .dictionary(_, let roots) = list[tops],
      let root = list.value(of: "root", in: tops) ?? roots.first,
      case .reference(let rootReference) = list[root]
    else { throw ArchiveFlaw("it is not a keyed archive with a root object") }
    (self.list, self.objects, self.rootReference, byteCount) = (list, objects, rootReference, data.count)
    guard sharedElementCount <= data.count * 16 else {
      throw ArchiveFlaw("its objects share their contents without limit")
    }
  }

  /// How many elements there are to look at where every reference to a collection is followed.
  ///
  /// In genuine archives small collections are shared at most (an empty user info, the rules of an inherited
  /// attribute), so the number stays below that of the bytes.
  private var sharedElementCount: Int {
    var uses: [Int: Int] = [:]
    for node in list.nodes {
      let parts: [Int]
      switch node {
      case .array(let elements): parts = elements
      case .dictionary(_, let values): parts = values
      default: continue
      }
      for case .reference(let reference) in parts.lazy.map({ list[$0] }) { uses[reference, default: 0] += 1 }
    }
    var count = 0
    for (reference, node) in objects.enumerated() {
      guard case .dictionary(_, let values) = list[node], let use = uses[reference] else { continue }
      for value in values {
        guard case .array(let elements) = list[value] else { continue }
        let (product, overflow) = use.multipliedReportingOverflow(by: elements.count)
        count = overflow ? .max : count.addingReportingOverflow(product).partialValue
        guard count >= 0, count <= byteCount * 16 else { return .max }
      }
    }
    return count
  }

  package var root: ArchivedObject? {
    if case .object(let object) = value(at: rootReference) { object } else { nil }
  }

  /// The node of an object, or nil if the archive has no such object.
  func node(at reference: Int) -> Int? { objects.indices.contains(reference) ? objects[reference] : nil }

  /// What a field holds: a scalar that stands there itself, or the object that it refers to.
  func value(ofNode node: Int) -> ArchivedValue {
    switch list[node] {
    case .scalar(.boolean(let value)): .boolean(value)
    case .scalar(.integer(let value)): .integer(value)
    case .scalar(.unsignedInteger(let value)): .real(Double(value))
    case .scalar(.real(let value)): .real(value)
    case .scalar(.date(let value)): .date(value.timeIntervalSinceReferenceDate)
    case .scalar(.data(let value)): .data(value)
    case .scalar(.string(let value)): .string(value)
    case .null, .dictionary, .scalar: .null
    case .array(let nodes): .array(nodes)
    case .reference(let reference): value(at: reference)
    }
  }

  func value(at reference: Int) -> ArchivedValue {
    // The first object stands for nil everywhere.
    guard reference != 0, let node = node(at: reference) else { return .null }
    switch list[node] {
    case .reference: return .null
    case .dictionary: return ArchivedObject(self, reference: reference, node: node)?.value ?? .null
    default: return value(ofNode: node)
    }
  }
}

/// What a field of an archived object holds.
package enum ArchivedValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data(Data)
  case string(String)
  /// Nodes of the elements.
  case array([Int])
  case object(ArchivedObject)

  package var object: ArchivedObject? { if case .object(let object) = self { object } else { nil } }
  package var string: String? { if case .string(let text) = self { text } else { nil } }
  var isTrue: Bool {
    switch self {
    case .boolean(let value): value
    case .integer(let value): value != 0
    default: false
    }
  }
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// One object of a keyed archive.
package struct ArchivedObject: Sendable {
  let archive: KeyedArchive
  /// The object's number, which is its identity.
  let reference: Int
  package let className: String
  /// Nodes by key.
  let fields: [String: Int]

  /// Nil if the node is not an object but a class, say.
  fileprivate init?(_ archive: KeyedArchive, reference: Int, node: Int) {
    guard case .dictionary(let keys, let values) = archive.list[node],
      let classField = archive.list.value(of: "$class", in: node),
      case .reference(let classReference) = archive.list[classField],
      let classNode = archive.node(at: classReference),
      let nameNode = archive.list.value(of: "$classname", in: classNode),
      let className = archive.list[nameNode].text
    else { return nil }
    var fields: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if let text = archive.list[key].text, fields[text] == nil { fields[text] = value }
    }
    (self.archive, self.reference) = (archive, reference)
    (self.className, self.fields) = (className, fields)
  }

  /// The object itself, or the scalar that its class wraps.
  fileprivate var value: ArchivedValue {
    switch className {
    case "NSString", "NSMutableString": string("NS.string").map { .string($0) } ?? .object(self)
    case "NSData", "NSMutableData":
      if case .data(let data) = self["NS.data"] { .data(data) } else { .object(self) }
    case "NSDate":
      switch self["NS.time"] {
      case .real(let seconds): .date(seconds)
      case .integer(let seconds): .date(Double(seconds))
      default: .object(self)
      }
    case "NSNull": .null
    default: .object(self)
    }
  }

  package subscript(key: String) -> ArchivedValue { fields[key].map(archive.value(ofNode:)) ?? .null }

  package func string(_ key: String) -> String? { self[key].string }
  package func object(_ key: String) -> ArchivedObject? { self[key].object }
  package func integer(_ key: String) -> Int64? { self[key].integer }

  /// True only where the field says so; an absent one is false.
  func flag(_ key: String) -> Bool { self[key].isTrue }

  /// The value of this `NSUUID`.
  var uuid: UUID? {
    guard case .data(let data) = self["NS.uuidbytes"], data.count == 16 else { return nil }
    return UUID(bytes: Array(data))
  }

  /// The elements of an array or set that a field holds; none where it holds something else.
  package func elements(_ key: String) -> [ArchivedValue] { object(key)?.elements ?? [] }

  /// The elements of this array or set.
  var elements: [ArchivedValue] {
    if case .array(let nodes) = self["NS.objects"] { return nodes.map(archive.value(ofNode:)) }
    // Sets of old archives number their elements.
    var elements: [ArchivedValue] = []
    while let node = fields["NS.object.\(elements.count)"] { elements.append(archive.value(ofNode: node)) }
    return elements
  }

  private func array(_ key: String) -> [ArchivedValue] {
    if case .array(let nodes) = self[key] { nodes.map(archive.value(ofNode:)) } else { [] }
  }

  func entries(_ key: String) -> [(key: String, value: ArchivedValue)] { object(key)?.entries ?? [] }

  /// The entries of this dictionary, whose keys are text, in the order of the archive.
  package var entries: [(key: String, value: ArchivedValue)] {
    let isKnown = className.hasPrefix("NSKnownKeysDictionary")
    let keys = isKnown ? object("searchMapping")?.elements("keys") ?? [] : array("NS.keys")
    let values = isKnown ? elements("values") : array("NS.objects")
    return zip(keys, values).compactMap { key, value in key.string.map { (key: $0, value: value) } }
  }

  /// A dictionary of texts, such as user info; other values are left out.
  package func texts(_ key: String) -> [String: String] { object(key)?.texts ?? [:] }
  package var texts: [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in entries { if let text = value.string { texts[key] = text } }
    return texts
  }
}
