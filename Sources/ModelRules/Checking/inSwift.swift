import ManagedModel

extension Diagnostic {
  /// With what to do in Swift where the help is of our own language.
  var inSwift: Diagnostic {
    let help: String
    switch code {
    case .reservedName, .systemColumn:
      help =
        "rename it, with `@Attribute(originalName: \"\(subject?.property ?? "")\")` before it if stores have it"
    case .badCounts: help = "raise `maximumModelCount` or lower `minimumModelCount`"
    case .asymmetricInverse: help = "name the inverse at one of the two alone: `@Relationship(inverse:)`"
    case .parentCycle: help = "take one class of the circle out of it"
    case .duplicateIndex: help = "list it once in `#Index`"
    default: return self
    }
    return with { finding in
      finding.help = finding.help.isEmpty ? [] : [help]
      finding.edits = []
    }
  }
}
