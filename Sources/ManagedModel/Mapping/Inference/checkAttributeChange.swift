extension AttributeDescription {
  /// Why an attribute's values cannot be carried over, judged by the two descriptions alone.
  ///
  /// Numeric types convert into one another, and Booleans into integers and back. Binary and transformable share their
  /// bytes. Every other change of type needs a mapping. As in Core Data's inference, a date is not a number.
  func checkChange(to new: AttributeDescription, entity: String, version: String) -> [Diagnostic] {
    guard !new.isDerived else { return [] }
    // To Core Data an enum of SwiftData's is a composite.
    let isEnumKept = (enumTypeName == nil) == (new.enumTypeName == nil)
    if isEnumKept, type == new.type || type.converts(to: new.type) { return [] }
    let subject = ModelSubject(version: version, entity: entity, property: new.name, key: "type")
    let opaque: Set<AttributeType> = [.binary, .transformable]
    if isEnumKept, opaque.contains(type), opaque.contains(new.type) {
      return [Diagnostic](
        .reinterpretedBytes, .warning,
        "'\(entity).\(new.name)' changes from \(type.name) to \(new.type.name): its bytes stay as they are",
        subject: subject, notes: ["code that reads them must understand what the old version wrote"])
    }
    let (before, after) = (typeInWords, new.typeInWords)
    return [Diagnostic](
      .incompatibleAttributeTypes, .error,
      "'\(entity).\(new.name)' changes from \(before) to \(after), for which no mapping can be inferred",
      subject: subject,
      notes: [
        "lightweight migration converts numbers to numbers, and Booleans to integers and back; map all other values"
      ],
      help: ["keep '\(name)' as \(before) and add an attribute with another name, or map the value yourself"],
      cocoaCode: 134190)
  }

  fileprivate var typeInWords: String {
    enumTypeName.map { "the enum \($0.visible) of \(type.name)" } ?? type.name
  }
}

extension Diagnostic.Code {
  package static let incompatibleAttributeTypes = Self("MC3103")
  package static let reinterpretedBytes = Self("MC3114")
}
