/// Where the author of a version edits it, and so the words in which a message says how.
package enum ModelNotation: Hashable, Sendable {
  /// A YAML file of ours.
  case language
  /// Xcode's model editor.
  case xcode
}

extension ModelNotation {
  /// How a part gets the name back that stores know it by.
  package func renamingAdvice(_ part: String, formerly name: String) -> String {
    switch self {
    case .language: "write `renamingIdentifier: \(name)` at '\(part)'"
    case .xcode: "set the Renaming ID of '\(part)' to \(name) in Xcode's Data Model inspector"
    }
  }

  /// How a part is said to have gone on purpose.
  package func retiringAdvice(_ name: String, in version: String) -> String {
    switch self {
    case .language: "list '\(name)' under `retired:` in '\(version)'"
    case .xcode: "list '\(name)' under `retired:` in a modelc.yaml beside the package"
    }
  }

  /// How the version hash of a part is changed.
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
