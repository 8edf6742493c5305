/// Where the author edits a version. Messages use the words of that place.
package enum ModelNotation: Hashable, Sendable {
  /// A YAML file of ours.
  case language
  /// Xcode's model editor.
  case xcode
}

extension ModelNotation {
  /// How to state the name that stores know a part by.
  package func renamingAdvice(_ part: String, formerly name: String) -> String {
    switch self {
    case .language: "write `renamingIdentifier: \(name)` at '\(part)'"
    case .xcode: "set the Renaming ID of '\(part)' to \(name) in Xcode's Data Model inspector"
    }
  }

  /// How to state that a part was removed on purpose.
  package func retiringAdvice(_ name: String, in version: String) -> String {
    switch self {
    case .language: "list '\(name)' under `retired:` in '\(version)'"
    case .xcode: "list '\(name)' under `retired:` in a modelc.yaml beside the package"
    }
  }

  /// How to change the version hash of a part.
  package func hashModifierAdvice(_ part: String) -> String {
    switch self {
    case .language: "give '\(part)' another `versionHashModifier`"
    case .xcode: "give '\(part)' another Hash Modifier in Xcode's Data Model inspector"
    }
  }

  /// The file that says in which order versions come.
  package var versionListName: String {
    switch self {
    case .language: "versions.yaml"
    case .xcode: "a modelc.yaml beside the package"
    }
  }

  /// How a version is made from another one.
  package var newVersionAdvice: String {
    switch self {
    case .language: "`modelc version new`"
    case .xcode: "Editor > Add Model Version… in Xcode"
    }
  }
}
