import ManagedModel

/// The findings of a check that names places in a text. Where the text stands is looked up only where there are any.
func findings(
  at place: @autoclosure () -> SourceRange?, _ check: (SourceRange?) -> [Diagnostic]
) -> [Diagnostic] {
  check(nil).isEmpty ? [] : check(place())
}
