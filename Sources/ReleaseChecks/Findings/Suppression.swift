import Foundation
public import ManagedModel

/// A word in a model's file that a finding may stay: `# modelc:allow MC7008 reason="the field was never filled"
/// until=2027-01-01`.
///
/// At the end of a line it is about that line; on a line of its own about the next; among the comments at the file's
/// beginning about the whole file.
struct Suppression: Hashable {
  var code: String
  var reason: String?
  /// The last day on which it holds.
  var until: String?
  var place: SourceRange
  /// The line that it is about; nil for the whole file.
  var line: Int?

  func isExpired(on today: String) -> Bool { until.map { $0 < today } ?? false }

  /// - Parameter location: the place of the finding.
  func covers(_ code: String, at location: SourceRange?) -> Bool {
    guard let location, code == self.code, location.file == place.file else { return false }
    return line == nil || line == location.start.line
  }
}

/// The suppressions of a file, in its order.
func suppressions(in text: String, file: String) -> [Suppression] {
  var found: [Suppression] = []
  var waiting: [Int] = []
  var isHeader = true
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let content = line.drop { $0 == " " }
    let isComment = content.hasPrefix("#") || content.hasPrefix("<!--")
    if let match = line.firstMatch(of: #/(?:#|<!--)\s*modelc:allow\s+(MC\d{4})(.*)$/#) {
      let column = line[..<match.range.lowerBound].unicodeScalars.count + 1
      let place = SourceRange(
        file: file, start: SourceLocation(line: index + 1, column: column),
        end: SourceLocation(line: index + 1, column: line.unicodeScalars.count + 1))
      found.append(
        Suppression(
          code: String(match.1), reason: match.2.firstMatch(of: #/reason="([^"]+)"/#).map { String($0.1) },
          until: match.2.firstMatch(of: #/until=(\d{4}-\d\d-\d\d)/#).map { String($0.1) }, place: place,
          line: isComment ? nil : index + 1))
      if isComment, !isHeader { waiting.append(found.count - 1) }
      if isComment { continue }
    }
    if isComment || content.isEmpty { continue }
    isHeader = false
    for place in waiting { found[place].line = index + 1 }
    waiting = []
  }
  return found
}

extension Diagnostic.Code {
  public static let suppressionUnused = Self("MC7016")
}

extension Diagnostic {
  static func unusedSuppression(_ suppression: Suppression) -> Self {
    Self(
      .suppressionUnused, .warning, "nothing is found here that '\(suppression.code)' stands for",
      place: suppression.place, help: ["take the comment out"])
  }

  static func expiredSuppression(_ suppression: Suppression) -> Self {
    Self(
      .suppressionUnused, .warning,
      "'\(suppression.code)' was allowed here until \(suppression.until ?? "")", place: suppression.place,
      help: ["mend what it stands for, or give it a later day"])
  }

  static func suppressionWithoutReason(_ suppression: Suppression) -> Self {
    Self(
      .suppressionUnused, .warning,
      "'\(suppression.code)' is allowed here without a reason, and counts all the same",
      place: suppression.place, help: ["write `reason=\"…\"` behind it"])
  }

  static func unusedBaselineLine(_ line: String, _ place: SourceRange) -> Self {
    Self(
      .suppressionUnused, .warning, "the baseline lists a finding that is not there any more: \(line)",
      place: place, help: ["`modelc check --write-baseline` writes the file anew"])
  }
}
