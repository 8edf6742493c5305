/// The findings of a check that parses a text and names places in it. The place of the text is looked up only for findings.
///
/// - Parameter subject: what says the text.
func findings(
  inTextOf subject: ModelSubject, at place: @autoclosure () -> SourceRange?,
  _ check: (SourceRange?) throws(DiagnosticsError) -> [Diagnostic]
) -> [Diagnostic] {
  func found(_ place: SourceRange?) -> [Diagnostic] {
    do throws(DiagnosticsError) {
      return try check(place)
    } catch {
      return error.diagnostics.map { finding in finding.with { $0.subject = subject } }
    }
  }
  return found(nil).isEmpty ? [] : found(place())
}
