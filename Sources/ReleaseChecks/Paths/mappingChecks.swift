package import ManagedModel

/// What mapping models bring to a check: which steps they cover, and what is wrong with them.
///
/// This is the place where mapping files come in: their resolution against today's versions (bound hashes, registered
/// policies, types of expressions) is done by whoever makes this value.
package struct MappingChecks: Sendable {
  /// Steps that a mapping model covers, so that inference's refusals do not count there.
  package var steps: Set<Step>
  /// At their places in the mapping files.
  package var diagnostics: [Diagnostic]

  package struct Step: Hashable, Sendable {
    package var from: String
    package var to: String

    package init(from: String, to: String) {
      self.from = from
      self.to = to
    }
  }

  package init(steps: Set<Step> = [], diagnostics: [Diagnostic] = []) {
    self.steps = steps
    self.diagnostics = diagnostics
  }

  func covers(_ from: String, _ to: String) -> Bool { steps.contains(Step(from: from, to: to)) }
}
