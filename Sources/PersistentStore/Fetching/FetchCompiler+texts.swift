import ManagedModel

extension FetchCompiler {
  /// Comparisons of texts. Without options they are plain SQL, so that an index can serve `BEGINSWITH` and `LIKE`.
  func textual(
    _ comparison: ComparisonPredicate, _ left: String, _ right: String
  ) throws(NotExpressibleInSQL) -> String {
    let options = comparison.options
    if comparison.operator == .matches { return "modelc_matches(\(left), \(right), '\(options.foldName)')" }
    let constant: String? =
      if case .constant(.string(let text)) = comparison.right, !options.isFolding { text } else { nil }
    let (l, r) = (options.folded(left), options.folded(right))
    switch comparison.operator {
    case .beginsWith:
      if let constant, let range = prefixRange(left, constant) { return range }
      return "substr(\(l), 1, length(\(r))) = \(r)"
    case .endsWith: return "(length(\(r)) = 0 AND \(l) IS NOT NULL OR substr(\(l), -length(\(r))) = \(r))"
    case .contains: return "instr(\(l), \(r)) > 0"
    case .like:
      if let pattern = constant.map(globPattern), pattern.utf8.count <= longestGlobPattern {
        return "\(left) GLOB \(SQLLiteral.text(pattern).sql)"
      }
      return "modelc_like(\(l), \(r))"
    case .utiConformsTo, .utiEquals: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)'")
    default: throw NotExpressibleInSQL("'\(comparison.operator.rawValue)' of texts")
    }
  }
}

/// `name >= 'ab' AND name < 'ac'`; nil if there is no text that follows all with the prefix.
func prefixRange(_ value: String, _ prefix: String) -> String? {
  if prefix.isEmpty { return "\(value) IS NOT NULL" }
  guard !prefix.utf8.contains(0), let next = successor(of: prefix) else { return nil }
  return "(\(value) >= \(SQLLiteral.text(prefix).sql) AND \(value) < \(SQLLiteral.text(next).sql))"
}

/// The first text after all that begin with this one, in the order of bytes.
private func successor(of prefix: String) -> String? {
  var scalars = Array(prefix.unicodeScalars)
  while let last = scalars.popLast() {
    // The values between are not scalars.
    let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
    if let scalar = Unicode.Scalar(next) {
      return String(String.UnicodeScalarView(scalars + [scalar]))
    }
  }
  return nil
}

/// `?` and `*` mean the same in both; a backslash makes them plain, which GLOB says with brackets.
func globPattern(_ like: String) -> String {
  var glob = ""
  var isEscaped = false
  for character in like {
    switch character {
    case "\\" where !isEscaped:
      isEscaped = true
      continue
    case "[": glob += "[[]"
    case "*" where isEscaped, "?" where isEscaped: glob += "[\(character)]"
    default: glob.append(character)
    }
    isEscaped = false
  }
  return isEscaped ? glob + "\\" : glob
}
