package import ManagedModel

/// What a place in rows was written as, and what reads it now.
package struct CodedChange {
  /// The type that reads it.
  package var type: String
  package var old: ValueCoding
  package var new: ValueCoding
  /// Whether it lies in JSON; else its parts have columns, or it is a raw value.
  package var isJSON: Bool

  /// What rows have for the parts of the type that wrote them, or of the one that reads them; nil where it is not told.
  package func values(of coding: ValueCoding) -> [String: String]? {
    let values = coding.parts.compactMap { part in
      (isJSON || coding.form == .rawValues ? part.key : part.name).map { (part.name, $0) }
    }
    return coding.form == .rawValues && values.count < coding.parts.count ? nil : Dictionary(firstOf: values)
  }

  /// Members that rows have and nothing reads any more.
  package var lost: [ValueCoding.Part] {
    guard old.form == .members, new.form == .members, !new.readsItself else { return [] }
    guard isJSON else { return old.parts.filter { new[$0.name] == nil } }
    guard !old.writesItself, new.rawType == nil else { return [] }
    return old.parts.filter {
      $0.isRead && $0.key != nil && new[key: $0.key] == nil && new[$0.name]?.key == nil
    }
  }

  /// The lost member that one in JSON which is new looks like.
  package func former(of part: ValueCoding.Part) -> ValueCoding.Part? {
    func isNew(_ part: ValueCoding.Part) -> Bool { old[part.name] == nil && old[key: part.key] == nil }
    let alike = lost.filter { $0.type == part.type }
    let isOne = new.parts.count { isNew($0) && $0.type == part.type } == 1
    return isJSON && isOne && isNew(part) && alike.count == 1 ? alike[0] : nil
  }

  /// The line by which a new member gets the values that rows have for a lost one.
  package func keysLine(of part: ValueCoding.Part, keeping former: ValueCoding.Part) -> String {
    "keep the key that rows have: `\(new.keysLine(keeping: [part.name: former.key ?? former.name]))`"
  }
}

extension ManagedObjectModel {
  /// The attributes that another model still has, each with every type of its values, as far down as it goes, beside the
  /// one that reads them there.
  ///
  /// - Parameter former: the entity of this model whose objects one of the other takes over.
  package func codedAttributes(
    in other: ManagedObjectModel, former: (String) -> String?
  ) -> [(old: AttributeDescription, new: AttributeDescription, heir: String, changes: [CodedChange])] {
    other.entities.flatMap { heir in
      let name = former(heir.name) ?? ""
      let past = entities.first { $0.name == name }?.attributes ?? []
      return heir.attributes.compactMap { attribute in
        past.first { $0.canonicalName == attribute.canonicalName }.map {
          ($0, attribute, heir.name, changes(of: $0, name, to: attribute, heir.name, in: other))
        }
      }
    }
  }

  private func changes(
    of past: AttributeDescription, _ entity: String, to attribute: AttributeDescription, _ heir: String,
    in other: ManagedObjectModel
  ) -> [CodedChange] {
    let isJSON = attribute.type != .composite && attribute.enumTypeName == nil
    var open = [(past.typeNames(entity), attribute.typeNames(heir), isJSON)]
    var (met, found): (Set<[String]>, [CodedChange]) = ([], [])
    while past.type == attribute.type, !open.isEmpty {
      let (before, names, isJSON) = open.removeFirst()
      for (before, name) in zip(before, names) where met.insert([before, name]).inserted {
        guard let old = coding(before, of: past), let new = other.coding(name, of: attribute) else {
          continue
        }
        let own = attribute.enumTypeName ?? CompositeDescription.declaredName(of: attribute) ?? name
        found.append(CodedChange(type: isJSON ? name : own, old: old, new: new, isJSON: isJSON))
        for part in new.parts {
          guard let past = isJSON ? old[key: part.key] : old[part.name] else { continue }
          open.append((past.typeNames, part.typeNames, true))
          // A case that held nothing.
          if isJSON, new.form == .cases, past.type == nil, let type = part.type,
            let held = other.codings[type]
          {
            found.append(CodedChange(type: type, old: ValueCoding(.members, []), new: held, isJSON: true))
          }
        }
      }
    }
    return found
  }

  private func coding(_ name: String, of attribute: AttributeDescription) -> ValueCoding? {
    let listed = attribute.enumTypeName == nil ? nil : attribute.validation.listedValues
    return codings[name] ?? listed.map { ValueCoding(.rawValues, $0.map { .init($0, key: $0) }) }
      ?? composites.first { $0.name == name }.map(coding)
  }

  /// Whether the source tells what a type's bytes are: a frozen schema has `Data` for those of other modules.
  func knows(_ type: String?) -> Bool {
    type.map { $0 == "Data" || codings[$0] != nil || codableTypes.contains($0) } ?? false
  }

  /// How values of one type are read as another's; a type is named by its class, such as `Array<Step>`.
  ///
  /// - Parameter inJSON: in archives a number stays of its type.
  func reading(
    _ old: String?, as new: String?, in other: ManagedObjectModel, inJSON: Bool = true
  ) -> DecodingOutcome {
    guard let old = old?.typeParts, let new = new?.typeParts else { return .whole }
    guard old.count == new.count else { return .none }
    return zip(old, new).map { past, part in
      // Keys of other types than these stand in a list, each before its value.
      let arePlain = [past, part].filter { ["Int", "String"].contains($0.name) }.count
      if past.isKey, arePlain == 1 { return .none }
      let isWhole = !past.isOptional || part.isOptional
      return max(isWhole ? .whole : .some, reading(past.name, as: part.name, in: other, inJSON))
    }.max() ?? .whole
  }

  private func reading(
    _ past: String, as name: String, in other: ManagedObjectModel, _ inJSON: Bool
  ) -> DecodingOutcome {
    let (before, after) = (codings[past], other.codings[name])
    if after?.readsItself == true { return .whole }
    if let before, let after, before.singleType == nil || after.singleType == nil {
      return before.form == after.form && before.singleType == after.singleType ? .whole : .none
    }
    let (from, to) = (before?.singleType ?? past, after?.singleType ?? name)
    if from == to { return before == nil && (after ?? .init(.members, [])).form != .members ? .some : .whole }
    return inJSON ? DecodingOutcome(of: from, as: to) : .none
  }
}

/// What a decoder makes of numbers and texts that were written as another type.
enum DecodingOutcome: Comparable {
  case whole, rounded, some, none

  /// As Foundation's decoders have it: a whole number has to fit, a fraction is rounded.
  init(of old: String, as new: String) {
    let digits = ["Float": 24, "Double": 53, "CGFloat": 53, "Decimal": 127]
    switch (old.wholeNumbers, new.wholeNumbers, digits[old], digits[new]) {
    case (let from?, let to?, _, _):
      self = from.bits <= to.bits && (to.isSigned || !from.isSigned) ? .whole : .some
    case (_, _?, _?, _): self = .some
    case (_?, _, _, _?): self = .whole
    case (_, _, let from?, let to?): self = to == 24 && from > to ? .rounded : .whole
    default:
      let isText = new == "String" && ["URL", "UUID"].contains(old)
      self = isText || [old, new].allSatisfy { ["Array", "Set"].contains($0) } ? .whole : .none
    }
  }

  /// Whether whole numbers in a column may not fit a type of the same column; one of 64 bits holds what `Int` does.
  static func narrows(_ old: String?, to new: String?) -> Bool {
    guard let old, let new, !["Int", "Int64"].contains(new) else { return false }
    return attributeTypesBySwiftName[old] == attributeTypesBySwiftName[new]
      && Self(of: old, as: new) == .some
  }
}

extension String {
  /// Of an integer type the bits beside the sign, and whether it has one.
  fileprivate var wholeNumbers: (bits: Int, isSigned: Bool)? {
    wholeMatch(of: #/(U?)Int(\d*)/#).map { match in
      let isSigned = match.1.isEmpty
      return ((Int(match.2) ?? 64) - (isSigned ? 1 : 0), isSigned)
    }
  }
}

extension AttributeDescription {
  /// What Swift calls the type of its values; nil for an app's own structs with columns.
  var valueTypeName: String? { swiftTypeName ?? attributeValueClassName ?? type.swiftDataType }

  /// By what the codings of its values are called, outermost first.
  fileprivate func typeNames(_ entity: String) -> [String] {
    enumTypeName != nil ? ["\(entity).\(name)"] : compositeName.map { [$0] } ?? valueTypeNames
  }
}

extension ValueCoding.Part { var typeNames: [String] { type?.typeNames ?? [] } }

extension ValueCoding {
  /// The one value that stands in JSON for it, where there is one.
  var singleType: String? { rawType ?? (form == .rawValues ? parts.first?.type : nil) }

  /// The line of a type that says its keys.
  ///
  /// - Parameter kept: keys that take the place of others, by the names of parts.
  package func keysLine(keeping kept: [String: String] = [:]) -> String {
    let cases = parts.compactMap { part in
      (kept[part.name] ?? part.key).map { key in
        part.name.swiftIdentifier() + (key == part.name ? "" : " = \(swiftLiteral(key))")
      }
    }
    return cases.isEmpty
      ? "enum \(keysName): CodingKey {}"
      : "enum \(keysName): String, CodingKey { case \(cases.joined(separator: ", ")) }"
  }
}
