/// Findings as they come in: errors up to the limit of all that is looked at, others up to one of their own.
struct FindingList {
  let minimum: Diagnostic.Severity
  let origin: ModelOrigin
  private(set) var all: [Diagnostic] = []
  private var errorCount = 0

  init(minimum: Diagnostic.Severity, origin: ModelOrigin = .language) {
    self.minimum = minimum
    self.origin = origin
  }

  /// Whether so much is wrong that looking further is of no use.
  var isFull: Bool { errorCount > FindingLimits.errors }

  static func += (list: inout Self, findings: [Diagnostic]) {
    if !findings.isEmpty { list.add(findings) }
  }

  private mutating func add(_ findings: [Diagnostic]) {
    for finding in findings.map({ $0.leveled(for: origin) }) where finding.severity >= minimum {
      if finding.severity == .error {
        errorCount += 1
      } else if all.count - errorCount >= FindingLimits.remarks {
        continue
      }
      all.append(finding)
    }
  }
}
