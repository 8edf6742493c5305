import ManagedModel

/// The types of values: what they decode is what the types that they are made of encoded.
extension SchemaWriter {
  func typeLines(_ composite: CompositeDescription) -> [String] {
    let (name, coding) = (types.own(composite.name), model.coding(of: composite))
    if coding.form == .rawValues { return enumLines(composite.name, of: composite.elements[0]) }
    // Elements of sets, and keys, are told apart by their hashes. Of an option set the raw value is all that is coded.
    let isRaw = coding.rawType != nil && composite.elements.map(\.name) == ["rawValue"]
    let protocols = (["Codable", "Hashable"] + (isRaw ? ["RawRepresentable"] : [])).map(types.foreign)
      .joined(separator: ", ")
    let holds = coding.parts.contains { $0.type != nil }
    var head = "struct \(name): \(protocols) {"
    var lines: [String] = []
    if !isRaw, coding.readsItself || coding.writesItself {
      lines.append("// It is read or written by code that is not here: copy its init(from:) and encode(to:).")
    }
    if coding.form == .cases, let cases = caseLines(coding) {
      head = holds ? "indirect enum \(name): \(protocols) {" : "enum \(name): \(types.foreign("Codable")) {"
      lines += cases
    } else {
      lines += composite.elements.map { member($0, coding[$0.name]) }
    }
    if coding.hasOwnKeys { lines.append(coding.keysLine()) }
    if coding.parts.contains(where: \.writesNil) { lines += encodeLines(coding) }
    return [head] + indented(lines) + ["}"]
  }

  /// A generic type writes nil of its parameter, which the compiler would leave out here.
  private func encodeLines(_ coding: ValueCoding) -> [String] {
    let body = coding.parts.filter { $0.key != nil }.map { part in
      let (name, leavesOut) = (part.name.swiftIdentifier(), part.isOptional && !part.writesNil)
      return "try container.encode\(leavesOut ? "IfPresent" : "")(\(name), forKey: .\(name))"
    }
    let container = "var container = encoder.container(keyedBy: \(coding.keysName).self)"
    return ["", "func encode(to encoder: any Encoder) throws {"] + indented([container] + body) + ["}"]
  }

  /// Whether it is what a case holds, which the case says.
  func isHeld(_ composite: CompositeDescription) -> Bool {
    model.composites.contains { other in
      let coding = model.coding(of: other)
      return coding.form == .cases && caseLines(coding) != nil
        && coding.parts.contains { $0.type == composite.name }
    }
  }

  /// Nil where the source does not tell what a case holds.
  private func caseLines(_ coding: ValueCoding) -> [String]? {
    var lines: [String] = []
    for part in coding.parts {
      let line = "case \(part.name.swiftIdentifier())"
      guard part.type != nil else {
        lines.append(line)
        continue
      }
      guard let held = held(by: part) else { return nil }
      let keys = model.coding(of: held)
      let values = held.elements.enumerated().map { index, element in
        label(element, index) + type(of: element, keys[element.name])
      }
      lines.append("\(line)(\(values.joined(separator: ", ")))")
      if keys.hasOwnKeys { lines.append(keys.keysLine()) }
    }
    return lines
  }

  private func held(by part: ValueCoding.Part) -> CompositeDescription? {
    model.composites.first { $0.name == part.type }
  }

  private func type(of element: AttributeDescription, _ part: ValueCoding.Part?) -> String {
    let written = type(of: element)
    // An attribute has no sign, and the bytes of a type of another module are not its name.
    let isOther = written == types.foreign("Data") && part?.typeNames.allSatisfy(types.knows) == false
    let stated = part?.type.flatMap { name in
      isOther || name.wholeMatch(of: #/U?Int\d*|CGFloat/#) != nil ? name : nil
    }
    return (stated.map(types.foreign) ?? written) + (element.isOptional ? "?" : "")
  }

  /// A member; one that is not decoded has a value.
  private func member(_ element: AttributeDescription, _ part: ValueCoding.Part?) -> String {
    let value = value(of: element, part)
    let isConstant = part?.isRead == false && value != nil
    return "\(isConstant ? "let" : "var") \(element.name.swiftIdentifier()): "
      + type(of: element, part) + (value.map { " = \($0)" } ?? "")
  }

  private func value(of element: AttributeDescription, _ part: ValueCoding.Part?) -> String? {
    var element = element
    if let part, part.key == nil || !part.isRead {
      element.defaultValue = part.value ?? (part.key == nil ? .evaluated(.plain) : nil)
    }
    return initialValue(of: element)
  }

  func firstCase(of attribute: AttributeDescription, _ type: String) -> String? {
    attribute.enumCases().first.map { "\(type).\($0.name.swiftIdentifier())" }
  }

  /// The plainest value of a composite.
  func plainValue(of composite: CompositeDescription) -> String? {
    let (name, coding) = (types.own(composite.name), model.coding(of: composite))
    if coding.form == .rawValues { return firstCase(of: composite.elements[0], name) }
    if coding.form == .cases, caseLines(coding) != nil {
      let first = coding.parts.first { $0.type == nil } ?? coding.parts.first
      return first.flatMap { part in
        let call = "\(name).\(part.name.swiftIdentifier())"
        guard let held = held(by: part) else { return call }
        return arguments(held.elements).map { call + $0 }
      }
    }
    let members = composite.elements.filter { !$0.isOptional && value(of: $0, coding[$0.name]) == nil }
    return arguments(members).map { name + $0 }
  }

  private func arguments(_ elements: [AttributeDescription]) -> String? {
    let values = elements.enumerated().compactMap { index, element in
      plainValue(of: element).map { label(element, index) + $0 }
    }
    return values.count == elements.count ? "(\(values.joined(separator: ", ")))" : nil
  }

  private func label(_ element: AttributeDescription, _ index: Int) -> String {
    element.name == "_\(index)" ? "" : "\(element.name.swiftIdentifier()): "
  }
}
