extension ModelIndex {
  /// The predicates of further validation rules parse (MC0101–MC0104).
  func checkValidationPredicates(_ checked: CheckedAttribute) -> [Diagnostic] {
    checked.attribute.validation.predicates.enumerated().flatMap { number, rule in
      let subject = checked.subject.part("rules").element(number).part("predicate")
      return isAskedFor(subject) ? [] : syntaxFindings(ofPredicate: rule.predicate, subject)
    }
  }

  /// Whether a required key is absent in YAML, whose reader has said so.
  func isAskedFor(_ subject: ModelSubject) -> Bool {
    sourceMap.map { $0.file.hasSuffix(".yaml") && $0[subject] == nil } == true
  }

  /// Why a text is not a predicate.
  func syntaxFindings(ofPredicate text: String, _ subject: ModelSubject) -> [Diagnostic] {
    findings(inTextOf: subject, at: sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
      _ = try parsePredicate(text.trimmedText, at: place)
      return []
    }
  }
}
