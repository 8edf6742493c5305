/// Findings as they come in: errors up to the limit of all that is looked at, others up to one of their own.
struct FindingList {
  let minimum: Diagnostic.Severity
  let origin: ModelOrigin
  private(set) var all: [Diagnostic] = []
  private(set) var errorCount = 0

  /// Whether so much is wrong that looking further is of no use.
  var isFull: Bool { errorCount > FindingLimits.errors }

  static func += (list: inout Self, findings: [Diagnostic]) {
    if findings.isEmpty { return }
    for finding in findings.map({ $0.leveled(for: list.origin) }) where finding.severity >= list.minimum {
      if finding.severity == .error {
        list.errorCount += 1
      } else if list.all.count - list.errorCount >= FindingLimits.remarks {
        continue
      }
      list.all.append(finding)
    }
  }
}
