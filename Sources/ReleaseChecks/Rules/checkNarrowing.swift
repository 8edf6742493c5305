import ManagedModel

extension VersionStep {
  /// Numbers of the earlier version that the later one's type may have no room for (MC7055). What rows of a store show is
  /// MC3109.
  func checkNarrowing() -> [Diagnostic] {
    keptAttributes.filter { $0.old.type.narrows(to: $0.new.type) }
      .map { .numbersMayNotFit($0.old, $0.new, $0.entity, self) }
  }
}

extension Diagnostic {
  fileprivate static func numbersMayNotFit(
    _ old: AttributeDescription, _ new: AttributeDescription, _ entity: String, _ step: VersionStep
  ) -> Self {
    let name = "\(entity).\(new.name)"
    return Self(
      .numbersMayNotFit, .warning,
      "numbers of '\(name)' may not fit: \(old.type.name) becomes \(new.type.name)",
      subject: step.subject(entity, new.name, "type"),
      notes: ["Core Data silently truncates, rounds or wraps them; `modelc migrate` refuses such a store"],
      help: [
        "keep \(old.type.name), or try stores that users have: `modelc check --store STORE` counts what does not fit",
        "if no value can be that large, \(step.new.notation.allowingAdvice(.numbersMayNotFit, at: name))",
      ])
  }
}
