extension AttributeDescription {
  /// Why an attribute's values cannot be carried over, judged by the two descriptions alone.
  ///
  /// Numeric types convert into one another, and Booleans into integers and back. Binary and transformable share their
  /// bytes. Every other change of type needs a mapping. As in Core Data's inference, a date is not a number.
  func checkChange(to new: AttributeDescription, entity: String, version: String) -> [Diagnostic] {
    guard !new.isDerived else { return [] }
    // To Core Data an enum of SwiftData's is a composite.
    if (enumTypeName == nil) != (new.enumTypeName == nil) {
      return [.incompatibleTypes(self, new, entity: entity, version: version)]
    }
    guard type != new.type else { return [] }
    if type.converts(to: new.type) { return [] }
    let opaque: Set<AttributeType> = [.binary, .transformable]
    if opaque.contains(type), opaque.contains(new.type) {
      return [
        Diagnostic(
          .reinterpretedBytes, .warning,
          "'\(entity).\(new.name)' changes from \(type.name) to \(new.type.name): its bytes stay as they are",
          subject: ModelSubject(version: version, entity: entity, property: new.name, key: "type"),
          notes: ["code that reads them must understand what the old version wrote"])
      ]
    }
    return [.incompatibleTypes(self, new, entity: entity, version: version)]
  }

  fileprivate var typeInWords: String {
    enumTypeName.map { "the enum \($0.visible) of \(type.name)" } ?? type.name
  }
}

extension Diagnostic.Code {
  package static let incompatibleAttributeTypes = Self("MC3103")
  package static let reinterpretedBytes = Self("MC3114")
}

extension Diagnostic {
  fileprivate static func incompatibleTypes(
    _ old: AttributeDescription, _ new: AttributeDescription, entity: String, version: String
  ) -> Self {
    let (before, after) = (old.typeInWords, new.typeInWords)
    return Self(
      .incompatibleAttributeTypes, .error,
      "'\(entity).\(new.name)' changes from \(before) to \(after), for which no mapping can be inferred",
      subject: ModelSubject(version: version, entity: entity, property: new.name, key: "type"),
      notes: [
        "lightweight migration converts numbers to numbers, and Booleans to integers and back; map all other values"
      ],
      help: [
        "keep '\(old.name)' as \(before) and add an attribute of another name, or map the value yourself"
      ],
      cocoaCode: 134190)
  }
}
