package import Foundation

extension Data {
  /// Whether the bytes are an archive of `NSKeyedArchiver`, of whatever classes.
  package var isKeyedArchive: Bool { (try? KeyedArchive(self)) != nil }

  /// The value of bytes that are a keyed archive of plain values, or a property list.
  ///
  /// Texts, numbers (`NSNumber`), dates, data, URLs, UUIDs, nulls, and arrays, sets and dictionaries of these come out as
  /// Foundation's types. No class is looked up, nesting and size are bounded.
  ///
  /// - Throws: ``ArchiveFlaw`` for bytes that are neither, and for objects of other classes.
  package func decodePlainValue() throws(ArchiveFlaw) -> Any {
    guard let archive = try? KeyedArchive(self) else {
      guard let value = readPropertyList() else {
        throw ArchiveFlaw("its bytes are neither an archive nor a property list")
      }
      return value.foundationValue
    }
    var decoder = PlainDecoder(budget: count * 4 + 10_000)
    return try decoder.value(archive.value(at: archive.rootReference), depth: 0)
  }
}

/// A keyed archive of a plain value, as Core Data's own transformers write it; nil if the value is none.
package func encodePlainValue(_ value: Any) -> Data? {
  guard isPlain(value, depth: 0) else { return nil }
  return try? NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
}

private func isPlain(_ value: Any, depth: Int) -> Bool {
  guard depth < depthLimit else { return false }
  switch value {
  case is String, is NSNumber, is Int, is Int64, is Int32, is Int16, is Double, is Float, is Bool, is Date,
    is Data,
    is URL, is UUID, is NSNull, is NSString, is NSDate, is NSData, is NSURL, is NSUUID:
    return true
  case let values as [Any]: return values.allSatisfy { isPlain($0, depth: depth + 1) }
  case let values as Set<AnyHashable>: return values.allSatisfy { isPlain($0.base, depth: depth + 1) }
  case let values as [AnyHashable: Any]:
    return values.allSatisfy { isPlain($0.base, depth: depth + 1) && isPlain($1, depth: depth + 1) }
  default: return false
  }
}

private let depthLimit = 32

private struct PlainDecoder {
  /// How many values may still be unfolded; shared ones count each time.
  var budget: Int

  mutating func value(_ value: ArchivedValue, depth: Int) throws(ArchiveFlaw) -> Any {
    budget -= 1
    guard budget > 0, depth < depthLimit else {
      throw ArchiveFlaw("its archive is nested too deeply, or expands without limit")
    }
    switch value {
    case .null: return NSNull()
    case .boolean(let flag): return NSNumber(value: flag)
    case .integer(let number): return NSNumber(value: number)
    case .real(let number): return NSNumber(value: number)
    case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): return data
    case .string(let text): return text
    case .array: throw ArchiveFlaw("its archive contains a list that is not an object")
    case .object(let object): return try self.object(object, depth: depth)
    }
  }

  private mutating func object(_ object: ArchivedObject, depth: Int) throws(ArchiveFlaw) -> Any {
    switch object.className {
    case "NSArray", "NSMutableArray": return try elements(of: object, depth)
    case "NSSet", "NSMutableSet":
      var set: Set<AnyHashable> = []
      for element in try elements(of: object, depth) { set.insert(try hashable(element)) }
      return set
    case "NSDictionary", "NSMutableDictionary": return try dictionary(object, depth)
    case "NSURL":
      let base = object.object("NS.base")?.string("NS.relative").flatMap { URL(string: $0) }
      if let text = object.string("NS.relative"), let url = URL(string: text, relativeTo: base) { return url }
      throw ArchiveFlaw("a URL in its archive cannot be read")
    case "NSUUID":
      if let uuid = object.uuid { return uuid }
      throw ArchiveFlaw("a UUID in its archive does not have 16 bytes")
    default:
      throw ArchiveFlaw("its archive contains an object of the class '\(object.className)'")
    }
  }

  private mutating func elements(of object: ArchivedObject, _ depth: Int) throws(ArchiveFlaw) -> [Any] {
    try object.elements.map { element throws(ArchiveFlaw) in try value(element, depth: depth + 1) }
  }

  private mutating func dictionary(_ object: ArchivedObject, _ depth: Int) throws(ArchiveFlaw) -> Any {
    guard case .array(let keys) = object["NS.keys"], case .array(let values) = object["NS.objects"],
      keys.count == values.count
    else { throw ArchiveFlaw("a dictionary in its archive has no keys") }
    var entries: [AnyHashable: Any] = [:]
    for (key, value) in zip(keys, values) {
      let key = try hashable(try self.value(object.archive.value(ofNode: key), depth: depth + 1))
      entries[key] = try self.value(object.archive.value(ofNode: value), depth: depth + 1)
    }
    return entries
  }

  private func hashable(_ value: Any) throws(ArchiveFlaw) -> AnyHashable {
    if let value = value as? AnyHashable { return value }
    throw ArchiveFlaw("a key or an element in its archive cannot be compared")
  }
}
