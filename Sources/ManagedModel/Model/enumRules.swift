extension AttributeValidation {
  /// That a value is one of those of an enum's cases.
  package static func among(_ values: [String], of enumName: String) -> AttributeValidation {
    let list = values.joined(separator: ", ")
    return AttributeValidation(
      predicates: [ValidationPredicate(predicate: "SELF IN {\(list)}", warning: "no case of \(enumName)")])
  }

  /// The values of ``among(_:of:)``, texts without their quotation marks; nil if it says anything else.
  package var listedValues: [String]? {
    guard let rule = predicates.first, self == AttributeValidation(predicates: [rule]),
      rule.predicate.hasPrefix("SELF IN {"), rule.predicate.hasSuffix("}")
    else { return nil }
    var values: [String] = []
    var current = ""
    var (isQuoted, isEscaped, isOpen) = (false, false, false)
    for character in rule.predicate.dropFirst("SELF IN {".count).dropLast() {
      switch character {
      case _ where isEscaped:
        // Of the escapes of an expression's texts, those that people write in Swift too.
        guard let meant = escapes[character] else { return nil }
        (current, isEscaped) = (current + meant, false)
      case "\\" where isQuoted: isEscaped = true
      case "\"": (isQuoted, isOpen) = (!isQuoted, true)
      case "," where !isQuoted:
        values.append(current)
        (current, isOpen) = ("", false)
      case " " where !isQuoted: break
      default: (current, isOpen) = (current + "\(character)", true)
      }
    }
    return isOpen ? values + [current] : values
  }
}

private let escapes: [Character: String] = ["\"": "\"", "\\": "\\", "n": "\n", "r": "\r", "t": "\t"]
