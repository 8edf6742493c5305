package import ManagedModel

/// What a place in rows was written as, and what reads it now.
package struct CodedChange {
  /// The type that reads it; nil of a property's own enum.
  package var type: String?
  package var old: ValueCoding
  package var new: ValueCoding
  /// Whether it lies in JSON; else its parts have columns, or it is a raw value.
  package var isJSON: Bool

  /// What rows have for the parts of the type that wrote them, or of the one that reads them; nil where it is not told.
  package func values(of coding: ValueCoding) -> [String: String]? {
    let isByKey = isJSON || coding.form == .rawValues
    let values = coding.parts.compactMap { part in (isByKey ? part.key : part.name).map { (part.name, $0) } }
    if coding.form == .rawValues, values.count < coding.parts.count { return nil }
    return Dictionary(firstOf: values)
  }
}

extension ManagedObjectModel {
  /// Every type of an attribute's values, as far down as it goes, beside the one that reads them in another model.
  package func codedChanges(
    of past: AttributeDescription, _ entity: String, to attribute: AttributeDescription, _ heir: String,
    in other: ManagedObjectModel
  ) -> [CodedChange] {
    guard past.type == attribute.type else { return [] }
    let isJSON = attribute.type != .composite && attribute.enumTypeName == nil
    var open = zip(past.typeNames(entity), attribute.typeNames(heir)).map { ($0, $1, isJSON) }
    var (met, place): (Set<[String]>, Int) = ([], 0)
    var found: [CodedChange] = []
    while place < open.count {
      let (before, name, isJSON) = open[place]
      place += 1
      guard met.insert([before, name]).inserted, let old = coding(before, of: past),
        let new = other.coding(name, of: attribute)
      else { continue }
      let isOwn = attribute.enumTypeName != nil
      let type = isJSON ? name : CompositeDescription.declaredName(of: attribute) ?? name
      found.append(CodedChange(type: isOwn ? nil : type, old: old, new: new, isJSON: isJSON))
      for part in new.parts {
        guard let past = isJSON ? old.parts.first(where: { $0.key == part.key }) : old[part.name] else {
          continue
        }
        open += zip(past.typeNames, part.typeNames).map { ($0, $1, true) }
        // A case that held nothing.
        if isJSON, new.form == .cases, past.type == nil, let held = part.type.flatMap({ other.codings[$0] }) {
          found.append(
            CodedChange(type: part.type, old: ValueCoding(.members, []), new: held, isJSON: true))
        }
      }
    }
    return found
  }

  private func coding(_ name: String, of attribute: AttributeDescription) -> ValueCoding? {
    if let known = codings[name] { return known }
    if attribute.enumTypeName != nil {
      return attribute.validation.listedValues.map {
        ValueCoding(.rawValues, $0.map { .init($0, key: $0) })
      }
    }
    return composites.first { $0.name == name }.map(coding)
  }

  /// How values of one type are read as another's; a type is named by its class, such as `Array<Step>`.
  ///
  /// - Parameter inJSON: in archives a number stays of its type.
  func reading(
    _ old: [String], as new: [String], in other: ManagedObjectModel, inJSON: Bool = true
  ) -> CodedReading {
    guard !old.isEmpty, !new.isEmpty else { return .whole }
    guard old.count == new.count else { return .none }
    return zip(old, new).map { past, name -> CodedReading in
      let (before, after) = (codings[past], other.codings[name])
      if after?.readsItself == true { return .whole }
      if let before, let after, before.form != .rawValues || after.form != .rawValues {
        return before.form == after.form ? .whole : .none
      }
      let raw = [before, after].map { $0?.form == .rawValues ? $0?.parts.first?.type : nil }
      let (from, to) = (raw[0] ?? past, raw[1] ?? name)
      if from == to { return before == nil && after?.form == .rawValues ? .some : .whole }
      return inJSON ? CodedReading(of: from, as: to) : .none
    }.max() ?? .whole
  }
}

/// What a decoder makes of numbers and texts that were written as another type.
enum CodedReading: Int, Comparable {
  case whole, rounded, some, none

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// As Foundation's decoders have it: a whole number has to fit, a fraction is rounded.
  init(of old: String, as new: String) {
    // Odd where the type has a sign.
    let bits = [
      "Int8": 7, "UInt8": 8, "Int16": 15, "UInt16": 16, "Int32": 31, "UInt32": 32, "Int": 63, "Int64": 63,
      "UInt": 64, "UInt64": 64,
    ]
    let floating = ["Float": 24, "Double": 53, "CGFloat": 53, "Decimal": 127]
    switch (bits[old], bits[new]) {
    case (let from?, let to?): self = from <= to && (to % 2 == 1 || from % 2 == 0) ? .whole : .some
    case (nil, _?): self = floating[old] == nil ? .none : .some
    case (let from, nil):
      if let to = floating[new], from != nil || floating[old] != nil {
        self = to == 24 && (floating[old] ?? 0) > to ? .rounded : .whole
      } else {
        let isText = new == "String" && ["URL", "UUID"].contains(old)
        self = isText || [old, new].allSatisfy { ["Array", "Set"].contains($0) } ? .whole : .none
      }
    }
  }
}

extension AttributeDescription {
  /// By what the codings of its values are called, outermost first.
  fileprivate func typeNames(_ entity: String) -> [String] {
    enumTypeName != nil ? ["\(entity).\(name)"] : compositeName.map { [$0] } ?? valueTypeNames
  }

  /// The names in the class of its values: `Array` and `Step` of `Array<Step>`.
  var valueTypeNames: [String] { attributeValueClassName?.typeNames ?? [] }
}

extension ValueCoding.Part {
  var typeNames: [String] { type?.typeNames ?? [] }
}

extension String {
  fileprivate var typeNames: [String] { split { "<>, ".contains($0) }.map(String.init) }
}

extension ValueCoding {
  /// Whether not all keys are the names.
  var hasOwnKeys: Bool { form != .rawValues && parts.contains { $0.key != $0.name } }

  /// The line of a type that says its keys.
  ///
  /// - Parameter kept: keys that take the place of others, by the names of parts.
  package func keysLine(_ name: String = "CodingKeys", keeping kept: [String: String] = [:]) -> String {
    let cases = parts.compactMap { part in
      (kept[part.name] ?? part.key).map { key in
        part.name.swiftIdentifier() + (key == part.name ? "" : " = \(swiftLiteral(key))")
      }
    }
    guard !cases.isEmpty else { return "enum \(name): CodingKey {}" }
    return "enum \(name): String, CodingKey { case \(cases.joined(separator: ", ")) }"
  }
}
