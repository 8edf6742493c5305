package import ManagedModel

/// How much a check looks at; each level holds those after it.
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
    Self.allCases.firstIndex(of: self) ?? 0 <= Self.allCases.firstIndex(of: Self.level(of: finding)) ?? 0
  }

  private static func level(of finding: Diagnostic) -> CheckLevel {
    let code = finding.code.description
    if sourceCodes.contains(code) || finding.severity == .information && !code.hasPrefix("MC7") {
      return .source
    }
    if hashCodes.contains(code) { return .hash }
    if code.hasPrefix("MC7") || storeCodes.contains(code) || code.hasPrefix("MC5") || code.hasPrefix("MC6") {
      return pathCodes.contains(code) ? .path : .store
    }
    if code.hasPrefix("MC3") || code.hasPrefix("MC4") { return .path }
    // What does not compile has no hashes.
    return finding.severity == .error ? .hash : .store
  }

  private static let sourceCodes: Set = ["MC1214", "MC7014", "MC7020", "MC7021"]
  private static let storeCodes: Set = ["MC3104", "MC3109", "MC3111", "MC3204"]
  private static let pathCodes: Set = ["MC7003", "MC7007", "MC7028"]
  private static let hashCodes: Set = [
    "MC2103", "MC2105", "MC7001", "MC7002", "MC7004", "MC7011", "MC7013", "MC7022", "MC7026", "MC7027",
    "MC7031",
  ]
}
