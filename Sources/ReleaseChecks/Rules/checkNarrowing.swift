import ManagedModel

extension VersionStep {
  /// Numbers of the earlier version that the later one's type may have no room for (MC7055). What rows of a store show is
  /// MC3109.
  func checkNarrowing() -> [Diagnostic] {
    keptAttributes.filter { $0.old.type.narrows(to: $0.new.type) }.map { pair in
      let name = "\(pair.entity).\(pair.new.name)"
      return Diagnostic(
        .numbersMayNotFit, .warning,
        "numbers of '\(name)' may not fit: \(pair.old.type.name) becomes \(pair.new.type.name)",
        subject: subject(pair.entity, pair.new.name, "type"),
        notes: ["Core Data silently truncates, rounds or wraps them; `modelc migrate` refuses such a store"],
        help: [
          "keep \(pair.old.type.name), or try stores that users have: `modelc check --store STORE` counts what does not fit",
          "if no value can be that large, \(new.notation.allowingAdvice(.numbersMayNotFit, at: name))",
        ])
    }
  }
}
