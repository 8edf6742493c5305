import Expressions
import ManagedModel

/// The predicates of further validation rules parse (MC0101–MC0104).
@Sendable func checkValidationPredicates(_ checked: CheckedAttribute, _ index: ModelIndex) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  for (number, rule) in checked.attribute.validation.predicates.enumerated() {
    let subject = checked.subject.part("rules").element(number).part("predicate")
    do throws(DiagnosticsError) {
      _ = try parsePredicate(trimmedText(rule.predicate), at: index.sourceMap?.textRange(of: subject))
    } catch {
      findings += error.diagnostics.map { $0.about(subject) }
    }
  }
  return findings
}
