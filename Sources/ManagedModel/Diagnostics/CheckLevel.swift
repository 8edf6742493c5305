/// How much a check examines; each level includes those after it.
public enum CheckLevel: String, CaseIterable, Sendable {
  /// Also what only people read: names, remarks, versions that need not be.
  case source
  /// Also what becomes of users' data: losses, defaults, delete rules, kept stores.
  case store
  /// Also the way from every released version to the current one.
  case path
  /// What decides whether a store is recognised at all.
  case hash

  /// Whether a check at this level counts a finding.
  package func includes(_ finding: Diagnostic) -> Bool {
    Self.allCases.firstIndex(of: self) ?? 0 <= Self.allCases.firstIndex(of: finding.level) ?? 0
  }
}

extension Diagnostic {
  fileprivate var level: CheckLevel {
    if code.level == .source { return .source }
    if severity == .information, code.family != .release, code.level != .hash { return .source }
    // What does not compile has no hashes.
    return code.level ?? (severity == .error ? .hash : .store)
  }
}
