import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

/// What the elements of one of SwiftData's composites have in common, object by object: all of them are there or none,
/// and of an enum's cases exactly one.
///
/// An app could not read anything else. Elements that hold what is made of parts are JSON.
struct CompositeSource {
  private let attribute: AttributeDescription
  private let composite: CompositeDescription
  private let model: ManagedObjectModel
  private let salt: UInt64

  /// Nil for composites that are not SwiftData's.
  init?(_ leaf: StoredLeaf, _ entity: EntityDescription, _ model: ManagedObjectModel, seed: UInt64) {
    guard model.editorSettings.usedWithSwiftData, leaf.path.count > 1,
      let attribute = entity.attributes.first(where: { $0.name == leaf.path[0] }),
      let composite = model.composites.first(where: { $0.name == attribute.compositeName })
    else { return nil }
    (self.attribute, self.composite, self.model) = (attribute, composite, model)
    salt = mixed(seed, stableHash("\(entity.name).\(attribute.name)"))
  }

  /// The leaf as far as values are made for it alone: where the composite is there, so is each element.
  func plain(_ leaf: StoredLeaf) -> StoredLeaf {
    var leaf = leaf
    if attribute.isOptional { leaf.attribute.isOptional = false }
    leaf.attribute.bound(to: model.coding(of: composite)[leaf.attribute.name]?.type)
    return leaf
  }

  /// The value of an element in an object.
  /// - Parameter value: one that was made for it alone.
  func value(_ value: AttributeValue?, of leaf: StoredLeaf, _ number: Int) -> AttributeValue? {
    let draw = mixed(salt, UInt64(number))
    if attribute.isOptional, draw.isMultiple(of: 5) { return nil }
    let name = leaf.attribute.name
    if model.coding(of: composite).form == .cases {
      let chosen = composite.elements[Int((draw >> 8) % UInt64(composite.elements.count))]
      guard chosen.name == name else { return nil }
      return json(of: leaf, draw) ?? .string(name)
    }
    return value == nil ? nil : json(of: leaf, draw) ?? value
  }

  /// The text of an element that holds what is made of parts; nil of all others.
  /// - Parameter draw: of one number one text is made.
  func json(of leaf: StoredLeaf, _ draw: UInt64) -> AttributeValue? {
    guard leaf.attribute.type == .binary, let type = leaf.attribute.attributeValueClassName else {
      return nil
    }
    var random = SeededRandom(mixed(draw, stableHash(leaf.attribute.name)))
    let json = json(type, &random, depth: 0)
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
    return (try? JSONSerialization.data(withJSONObject: json, options: options)).map { .binary($0) }
  }

  /// A value of a Swift type as `JSONEncoder` writes it.
  private func json(_ type: String, _ random: inout SeededRandom, depth: Int) -> Any {
    if let scalar = AttributeType(swiftName: type) {
      return plain(AttributeDescription(name: "", type: scalar).everydayValue(&random))
    }
    if let inner = argument(of: type, "Optional") {
      return random.chance(60) ? json(inner, &random, depth: depth) : NSNull()
    }
    if let inner = argument(of: type, "Array") ?? argument(of: type, "Set") {
      let count = depth > 2 || isUnknown(inner) ? 0 : random.number(below: type.hasPrefix("Set") ? 2 : 3)
      return (0..<count).map { _ in json(inner, &random, depth: depth + 1) }
    }
    if let inner = argument(of: type, "Dictionary") {
      return inner.hasPrefix("String, ") ? [:] as [String: Any] : [] as [Any]
    }
    guard let composite = model.composites.first(where: { $0.name == type }), depth < 8 else {
      return NSNull()
    }
    let coding = model.coding(of: composite)
    if let raw = coding.rawType { return json(raw, &random, depth: depth + 1) }
    if coding.form == .rawValues, let raw = composite.elements.first {
      let rules = ValidationRules(raw)
      return plain(random.pick(rules.namedValues.filter { rules.brokenRule(by: $0) == nil }))
    }
    let isEnum = coding.form == .cases
    let chosen = isEnum ? random.pick(composite.elements)?.name : nil
    var object: [String: Any] = [:]
    for var element in composite.elements where !isEnum || element.name == chosen {
      guard let part = coding[element.name], let key = part.key else { continue }
      if !isEnum, element.isOptional, !random.chance(60) {
        if part.writesNil { object[key] = NSNull() }
        continue
      }
      element.bound(to: part.type)
      object[key] =
        element.attributeValueClassName.map { json($0, &random, depth: depth + 1) }
        ?? (isEnum ? [:] as [String: Any] : plain(element.everydayValue(&random)))
    }
    return object
  }

  /// Whether nobody here knows what a value of the type looks like.
  private func isUnknown(_ type: String) -> Bool {
    AttributeType(swiftName: type) == nil && !type.hasSuffix(">")
      && !model.composites.contains { $0.name == type }
  }

  private func argument(of type: String, _ name: String) -> String? {
    type.hasPrefix("\(name)<") && type.hasSuffix(">")
      ? String(type.dropFirst(name.count + 1).dropLast()) : nil
  }

  private func plain(_ value: AttributeValue?) -> Any {
    switch value {
    case .integer(let number)?: number
    case .double(let number)?, .date(let number)?: number
    case .decimal(let number)?: NSDecimalNumber(decimal: number)
    case .boolean(let flag)?: flag
    case let value?: value.text
    case nil: NSNull()
    }
  }
}

extension AttributeDescription {
  /// Holds its values to those of a Swift type: no attribute type has the size and the sign of each.
  mutating func bound(to swiftType: String? = nil) {
    let range: (Int64, Int64)? =
      switch swiftType ?? swiftTypeName {
      case "Int8": (-128, 127)
      case "UInt8": (0, 255)
      case "UInt16": (0, 65_535)
      case "UInt32": (0, 4_294_967_295)
      case "UInt", "UInt64": (0, .max)
      default: nil
      }
    // An enum has its cases.
    guard enumTypeName == nil, let (least, most) = range else { return }
    (validation.minimum, validation.maximum) = ("\(least)", "\(most)")
  }
}
