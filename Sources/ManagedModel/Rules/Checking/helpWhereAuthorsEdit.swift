extension Diagnostic {
  /// With what to do in Xcode's Data Model inspector where the help is of our own language.
  var inXcode: Diagnostic {
    let help: String
    switch code {
    case .optionalScalar:
      help = "uncheck Use Scalar Type for an NSNumber that can be nil, or make it required"
    case .reservedName, .systemColumn:
      help = "rename it, with the Renaming ID '\(subject?.property ?? "")' if stores have it"
    case .badCounts: help = "raise the Maximum or lower the Minimum of its count"
    case .orderedToOne: help = "uncheck Ordered"
    case .asymmetricInverse: help = "choose each of the two as the Inverse of the other"
    case .searchesExternalStorage: help = "leave it out, or uncheck Allows External Storage of the attribute"
    case .parentCycle: help = "choose another Parent Entity for one entity of the cycle"
    case .abstractWithoutChildren: help = "uncheck Abstract Entity, or remove the entity"
    default: return self
    }
    return with { $0.help = $0.help.isEmpty ? [] : [help] }
  }

  /// With what to do in Swift where the help is of our own language.
  var inSwift: Diagnostic {
    let help: String
    switch code {
    case .reservedName, .systemColumn:
      help =
        "rename it, with `@Attribute(originalName: \"\(subject?.property ?? "")\")` before it if stores have it"
    case .badCounts: help = "raise `maximumModelCount` or lower `minimumModelCount`"
    case .asymmetricInverse: help = "name the inverse on one of the two only: `@Relationship(inverse:)`"
    case .parentCycle: help = "break the cycle at one class"
    case .duplicateIndex: help = "list it once in `#Index`"
    default: return self
    }
    return with { finding in
      finding.help = finding.help.isEmpty ? [] : [help]
      finding.edits = []
      // What Apple's engineers say of it, and those who met it, also in a struct or an enum that a class stores.
      guard code == .reservedName, (subject?.property ?? subject?.key ?? "").hasSuffix("description") else {
        return
      }
      (finding.severity, finding.isAccepted) = (.error, false)
      finding.message = "SwiftData cannot store \(message.prefix { $0 != " " }) under this name"
      finding.notes = ["the app stops as it starts: \"Unable to have an Attribute named description\""]
      finding.help = ["rename it: no store can have it"]
    }
  }
}
