extension ModelIndex {
  /// Only a transient attribute may have no type (MC1202).
  func checkAttributeType(_ checked: CheckedAttribute) -> [Diagnostic] {
    guard checked.attribute.type == .undefined, !checked.attribute.isTransient else { return [] }
    return [Diagnostic](
      .undefinedType, .error, "\(checked.quotedName) is stored but has no type", subject: checked.subject,
      edits: [ModelEdit("make it transient", at: checked.subject, .add(key: "transient", .word("true")))],
      help: ["give it a type, or make it transient"])
  }

  /// Flags fit the type (MC1209).
  func checkAttributeFlags(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    var findings: [Diagnostic] = []
    if attribute.allowsExternalBinaryDataStorage, attribute.type != .binary, attribute.type != .transformable
    {
      findings.append(.flag("externalStorage", "is for binary attributes", checked))
    }
    if attribute.usesScalarValueType == true, !attribute.type.traits.hasScalar {
      findings.append(.flag("scalar", "is not for type \(attribute.type.name), which has no scalar", checked))
    }
    if attribute.preservesValueInHistoryOnDeletion, attribute.isTransient {
      findings.append(.flag("preserveAfterDeletion", "is not for transient attributes", checked))
    }
    return findings
  }

  /// A derived attribute is stored, and computed at every save (MC1213).
  func checkDerivedAttribute(_ checked: CheckedAttribute) -> [Diagnostic] {
    guard checked.attribute.isDerived else { return [] }
    var findings: [Diagnostic] = []
    if checked.attribute.isTransient {
      findings.append(.derived(checked, "cannot be transient", key: "transient"))
    }
    // Xcode writes the first ones by itself.
    if let value = checked.attribute.defaultValue,
      !isXcodeSource || !["0", "0.0", "NO"].contains(value.text ?? "")
    {
      findings.append(.derived(checked, "cannot have a default", key: "default"))
    }
    return findings
  }

  /// A scalar cannot be nil: an absent value reads as 0 (MC1214).
  func checkScalar(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard attribute.usesScalarValueType == true, attribute.isOptional, attribute.type.traits.hasScalar else {
      return []
    }
    return [Diagnostic](
      .optionalScalar, .warning, "\(checked.quotedName) is optional and a scalar: nil reads as 0",
      subject: checked.subject.part("scalar"), edits: [.removing("scalar", of: checked.subject)],
      help: ["remove 'scalar' for an NSNumber that can be nil, or make it required"])
  }

  /// A value that may lie beside the store's file can be neither indexed nor compared (MC1606).
  func checkExternalStorageUse(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func check(_ name: String, _ what: String, _ subject: ModelSubject) {
      guard let attribute = self.attribute(named: name, of: entity.name),
        attribute.allowsExternalBinaryDataStorage
      else { return }
      findings.append(
        .searchesExternalStorage, .error,
        "\(what) of '\(entity.name)' contains '\(name)', which may be stored outside the store's file",
        subject: subject, notes: ["the column then holds the name of a file, not the value"],
        help: ["leave it out, or remove 'externalStorage' from '\(name)'"])
    }
    let whole = ModelSubject(entity: entity.name)
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      for (position, name) in constraint.enumerated() {
        let subject = whole.part("uniquenessConstraints").element(number).element(position)
        check(name, "a uniqueness constraint", subject)
      }
    }
    for fetchIndex in entity.fetchIndexes {
      let subject = whole.part("fetchIndexes").part(fetchIndex.name)
      for (position, element) in fetchIndex.elements.enumerated() where !element.isExpression {
        check(element.property, "index '\(fetchIndex.name)'", subject.element(position))
      }
    }
    for (number, names) in entity.compoundIndexes.enumerated() {
      for (position, name) in names.enumerated() {
        check(name, "a compound index", whole.part("compoundIndexes").element(number).element(position))
      }
    }
    return findings
  }
}

extension Diagnostic.Code {
  package static let undefinedType = Self("MC1202")
  package static let misplacedFlag = Self(
    "MC1209", accepted: .init("flags that the attribute type does not support", "ignored"))
  package static let derivedConflict = Self(
    "MC1213", accepted: .init("derived attributes that are transient or defaulted", "the derivation is used"))
  package static let optionalScalar = Self("MC1214", level: .source)
}

extension Diagnostic {
  fileprivate static func flag(_ key: String, _ rule: String, _ checked: CheckedAttribute) -> Diagnostic {
    Diagnostic(
      .misplacedFlag, .error, "'\(key)' of \(checked.quotedName) \(rule)", subject: checked.subject.part(key),
      help: ["remove '\(key)'"]
    ).fixed(by: .removing(key, of: checked.subject, isSafe: key == "scalar"))
  }

  fileprivate static func derived(_ checked: CheckedAttribute, _ what: String, key: String) -> Diagnostic {
    Diagnostic(
      .derivedConflict, .error, "derived attribute \(checked.quotedName) \(what)",
      subject: checked.subject.part(key), help: ["remove '\(key)' or 'derivation'"]
    ).fixed(by: .removing(key, of: checked.subject, isSafe: key == "default"))
  }
}
