extension ModelIndex {
  /// Names that Swift, SQL and key paths can hold: a letter or underscore, then letters, digits, underscores
  /// (MC1101); and no name whose column is one of Core Data's own (MC1108).
  func checkNames(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    if !entity.name.isLegalName {
      findings.append(.invalidName(entity.name, "an entity's name", ModelSubject(entity: entity.name)))
    }
    let stored = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    for name in stored + entity.fetchedProperties.map(\.name) where !name.isLegalName {
      let subject = ModelSubject(entity: entity.name, property: name)
      findings.append(.invalidName(name, "a property's name", subject))
    }
    for name in stored where isSystemColumn(name) { findings.append(.systemColumn(name, of: entity.name)) }
    return findings
  }
}

extension String {
  var isLegalName: Bool {
    var isFirst = true
    for scalar in unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_": break
      case "0"..."9": if isFirst { return false }
      default:
        guard scalar.value > 0x7F,
          scalar.properties.isAlphabetic || (!isFirst && scalar.properties.isXIDContinue)
        else { return false }
      }
      isFirst = false
    }
    return !isFirst
  }

  /// The nearest legal name: other characters become underscores.
  var legalName: String {
    var legal = ""
    for scalar in unicodeScalars {
      let character = String(scalar)
      legal += ("_" + character).isLegalName ? character : "_"
    }
    return legal.isLegalName ? legal : "_" + legal
  }
}

/// A property `x` has the column `ZX`; Core Data's own are `Z_PK`, `Z_ENT`, `Z_OPT` and `Z_FOK_…`.
private func isSystemColumn(_ name: String) -> Bool {
  guard name.utf8.first == UInt8(ascii: "_") else { return false }
  let column = name.uppercased()
  return ["_PK", "_ENT", "_OPT"].contains(column) || column.hasPrefix("_FOK_")
}

extension Diagnostic.Code {
  package static let invalidName = Self(
    "MC1101", accepted: .init("names that are not identifiers", "the names stay; tables and hashes use them"))
  package static let systemColumn = Self(
    "MC1108", accepted: .init("properties named like Core Data's columns", "the column's name gets a number"))
}

extension Diagnostic {
  static func invalidName(_ name: String, _ what: String, _ subject: ModelSubject) -> Diagnostic {
    let help: [String]
    if let gap = missingBlank(in: name) {
      help = ["write a space after the colon: '\("\(name.prefix(gap)) \(name.dropFirst(gap))".abridged)'"]
    } else {
      help = name.isEmpty ? [] : ["call it '\(name.legalName.abridged)'"]
    }
    return Diagnostic(
      .invalidName, .error, "'\(name.abridged)' cannot be \(what)", subject: subject,
      notes: ["a name is a letter or underscore, then letters, digits and underscores"], help: help)
  }

  fileprivate static func systemColumn(_ name: String, of entity: String) -> Diagnostic {
    Diagnostic(
      .systemColumn, .error,
      "'\(entity).\(name)' would share the column 'Z\(name.uppercased())' with Core Data",
      subject: ModelSubject(entity: entity, property: name),
      help: ["rename it, with 'renamingIdentifier: \(name)' if stores have it"])
  }
}
