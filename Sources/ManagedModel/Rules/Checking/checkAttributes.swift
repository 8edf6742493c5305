extension ModelIndex {
  /// Only a transient attribute may have no type (MC1202).
  func checkAttributeType(_ checked: CheckedAttribute) -> [Diagnostic] {
    guard checked.attribute.type == .undefined, !checked.attribute.isTransient else { return [] }
    return [.undefinedType(checked)]
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
}

extension Diagnostic.Code {
  package static let undefinedType = Self("MC1202")
  package static let misplacedFlag = Self(
    "MC1209", accepted: .init("flags that the attribute type does not support", "ignored"))
  package static let derivedConflict = Self(
    "MC1213", accepted: .init("derived attributes that are transient or defaulted", "the derivation is used"))
}

extension Diagnostic {
  fileprivate static func undefinedType(_ checked: CheckedAttribute) -> Diagnostic {
    Diagnostic(
      .undefinedType, .error, "\(checked.quotedName) is stored but has no type", subject: checked.subject,
      help: ["give it a type, or make it transient"]
    ).fixed(by: ModelEdit("make it transient", at: checked.subject, .add(key: "transient", .word("true"))))
  }

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
