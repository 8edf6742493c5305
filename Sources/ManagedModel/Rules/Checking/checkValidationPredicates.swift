extension ModelIndex {
  /// The predicates of further validation rules parse (MC0101–MC0104).
  func checkValidationPredicates(_ checked: CheckedAttribute) -> [Diagnostic] {
    checked.attribute.validation.predicates.enumerated().flatMap { number, rule in
      let subject = checked.subject.part("rules").element(number).part("predicate")
      return syntaxFindings(ofPredicate: rule.predicate, subject)
    }
  }

  /// Why a text is not a predicate.
  func syntaxFindings(ofPredicate text: String, _ subject: ModelSubject) -> [Diagnostic] {
    findings(inTextOf: subject, at: sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
      _ = try parsePredicate(text.trimmedText, at: place)
      return []
    }
  }
}
