import Foundation

extension String {
  /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`, `CONTAINS`, `UTI-EQUALS` of two texts. Without options they compare byte by
  /// byte, which for UTF-8 is character by character.
  package func satisfies(
    _ comparison: ComparisonPredicate.Operator, _ part: String, options: ComparisonPredicate.Options,
    patterns: PatternCache
  ) throws -> Bool {
    switch comparison {
    case .matches:
      // A pattern cannot be folded, its letters may be classes; so accents leave the text alone.
      let plain = options.contains(.diacriticInsensitive) ? folded(.diacriticInsensitive) : self
      return try patterns.matches(plain, part, options.contains(.caseInsensitive) ? [.caseInsensitive] : [])
    case .like: return folded(options).isLike(part.folded(options))
    case .beginsWith:
      return folded(options).utf8.starts(with: part.folded(options).utf8)
    case .endsWith:
      return folded(options).utf8.reversed().starts(with: part.folded(options).utf8.reversed())
    case .contains: return folded(options).containsText(part.folded(options))
    default: return lowercased().utf8.elementsEqual(part.lowercased().utf8)
    }
  }

  /// Whether the text contains the bytes of the part. Every text contains an empty part.
  func containsText(_ part: String) -> Bool {
    part.isEmpty || Array(utf8).firstRange(of: Array(part.utf8), from: 0) != nil
  }

  /// Text without what the options ignore, independent of any locale.
  package func folded(_ options: ComparisonPredicate.Options) -> String {
    var folding: String.CompareOptions = []
    if options.contains(.caseInsensitive) { folding.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
    return folding.isEmpty ? self : self.folding(options: folding, locale: nil)
  }

  /// `?` is one character and `*` any number of them, unless a backslash precedes. The time grows at most with the product
  /// of the two lengths.
  package func isLike(_ pattern: String) -> Bool {
    let characters = Array(unicodeScalars)
    let wildcards = wildcards(in: pattern)
    var (place, index) = (0, 0)
    /// The last `*`, and where the text after it was tried to go on.
    var retry: (index: Int, place: Int)?
    while place < characters.count {
      if index < wildcards.count, wildcards[index] == .any {
        retry = (index, place)
        index += 1
      } else if index < wildcards.count,
        wildcards[index] == .one || wildcards[index] == .character(characters[place])
      {
        index += 1
        place += 1
      } else if let last = retry {
        retry = (last.index, last.place + 1)
        (index, place) = (last.index + 1, last.place + 1)
      } else {
        return false
      }
    }
    return wildcards[index...].allSatisfy { $0 == .any }
  }
}

private enum Wildcard: Equatable {
  case character(Unicode.Scalar)
  case one, any
}

/// A backslash at the end stands for itself.
private func wildcards(in pattern: String) -> [Wildcard] {
  var result: [Wildcard] = []
  var isEscaped = false
  for scalar in pattern.unicodeScalars {
    switch scalar {
    case "\\" where !isEscaped:
      isEscaped = true
      continue
    case "?" where !isEscaped: result.append(.one)
    case "*" where !isEscaped: result.append(.any)
    default: result.append(.character(scalar))
    }
    isEscaped = false
  }
  return isEscaped ? result + [.character("\\")] : result
}
