/// Where the author edits a version. Messages use the words of that place.
package enum ModelNotation: Hashable, Sendable {
  /// A YAML file of ours.
  case language
  /// Xcode's model editor.
  case xcode
  /// Classes of an app's source, with SwiftData's macros.
  case swiftData

  /// How to state the name that stores know a part by.
  ///
  /// - Parameter part: nil if it is not known what the part is called now.
  package func renamingAdvice(
    _ part: String?, formerly name: String, isRelationship: Bool = false
  ) -> String {
    let part = part.map { "'\($0)'" } ?? "its new name"
    // An element of a composite, `home.street`, has the name that it has in the composite.
    let name = name.split(separator: ".").last ?? ""
    return switch self {
    case .language: "write `renamingIdentifier: \(name)` at \(part)"
    case .xcode: "set the Renaming ID of \(part) to \(name) in Xcode's Data Model inspector"
    case .swiftData:
      "write @\(isRelationship ? "Relationship" : "Attribute")(originalName: \"\(name)\") at \(part)"
    }
  }

  /// The file that says what a version in another notation than ours cannot.
  private var settingsName: String { "a modelc.yaml next to the \(self == .xcode ? "package" : "source")" }

  /// How to state that a part was removed on purpose.
  package func retiringAdvice(_ name: String, in version: String) -> String {
    "list '\(name)' under `retired:` in " + (self == .language ? "'\(version)'" : settingsName)
  }

  /// How to change the version hash of a part.
  package func hashModifierAdvice(_ part: String) -> String {
    switch self {
    case .language: "give '\(part)' another `versionHashModifier`"
    case .xcode: "give '\(part)' another Hash Modifier in Xcode's Data Model inspector"
    case .swiftData: "write another `hashModifier:` in the @Attribute or @Relationship of '\(part)'"
    }
  }

  /// How to state that a finding is meant.
  package func allowingAdvice(_ code: Diagnostic.Code, at part: String) -> String {
    self == .language
      ? "add at the end of its line, with a reason: `# modelc:allow \(code) reason=\"reviewed\"`"
      : "write into \(settingsName), with your reason: `allow: [{code: \(code), of: \(part), reason: reviewed}]`"
  }

  /// How to say which version is current.
  package func currentAdvice(_ version: String) -> String {
    switch self {
    case .language: "write `current: \(version)` in versions.yaml"
    case .xcode: "choose '\(version)' as the current version in Xcode's File inspector"
    case .swiftData: "let '\(version)' be the last schema of the plan"
    }
  }

  /// How to say that a version came before another one.
  package func orderAdvice(_ version: String, before other: String) -> String {
    let list = self == .swiftData ? versionListName : "`versions:` of \(versionListName)"
    return "list '\(version)' before '\(other)' in \(list): then check covers the step from one to the other"
  }

  /// The file that says in which order versions come.
  package var versionListName: String {
    switch self {
    case .language: "versions.yaml"
    case .xcode: settingsName
    case .swiftData: "the SchemaMigrationPlan"
    }
  }

  /// How a version is made from another one.
  package var newVersionAdvice: String {
    switch self {
    case .language: "`modelc version new`"
    case .xcode: "Editor > Add Model Version… in Xcode"
    case .swiftData: "a VersionedSchema with its own types, listed in the plan"
    }
  }
}
