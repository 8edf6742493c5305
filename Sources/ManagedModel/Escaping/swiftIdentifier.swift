extension String {
  /// A name as Swift source has it, in backticks where it is a word of the language.
  ///
  /// - Parameter taken: see `plainSwiftName(taken:)`.
  package func swiftIdentifier(taken: Set<String> = []) -> String {
    let name = plainSwiftName(taken: taken)
    return swiftWords.contains(name) ? "`\(name)`" : name
  }

  /// A name as an identifier of Swift: what Swift does not allow in one becomes an underscore.
  ///
  /// - Parameter taken: names that mean something else even in backticks. An underscore follows them.
  package func plainSwiftName(taken: Set<String> = []) -> String {
    var identifier = ""
    for scalar in unicodeScalars {
      let isAllowed = scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      identifier.unicodeScalars.append(isAllowed ? scalar : "_")
    }
    if identifier.unicodeScalars.first.map({ ("0"..."9").contains($0) }) ?? true {
      identifier = "_" + identifier
    }
    return taken.contains(identifier) || identifier == "_" ? identifier + "_" : identifier
  }
}

private let swiftWords: Set<String> = [
  "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
  "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
  "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
  "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct",
  "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
]
