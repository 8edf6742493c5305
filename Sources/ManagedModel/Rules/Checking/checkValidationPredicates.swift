extension ModelIndex {
  /// The predicates of further validation rules parse (MC0101–MC0104).
  func checkValidationPredicates(_ checked: CheckedAttribute) -> [Diagnostic] {
    checked.attribute.validation.predicates.enumerated().flatMap { number, rule in
      let subject = checked.subject.part("rules").element(number).part("predicate")
      return syntaxFindings(ofPredicate: rule.predicate, subject, self)
    }
  }
}

/// Why a text is not a predicate.
func syntaxFindings(ofPredicate text: String, _ subject: ModelSubject, _ index: ModelIndex) -> [Diagnostic] {
  findings(inTextOf: subject, at: index.sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
    _ = try parsePredicate(trimmedText(text), at: place)
    return []
  }
}
