package import ManagedModel
import ModelFormats

/// A comment in a model's file that allows a finding: `# modelc:allow MC7008 reason="the field was never filled"
/// until=2027-01-01`; in Swift source with `//`, and for MC7008 with the name of what is removed.
///
/// At the end of a line it holds for that line, on a line of its own for the next, among the comments at the file's
/// beginning for the whole file.
struct Suppression: Hashable {
  var code: Diagnostic.Code
  var reason: String?
  /// The last day on which it holds.
  var until: String?
  var place: SourceRange
  /// The line that it is about; nil for the whole file.
  var line: Int?
  /// What it is about instead, where it stands apart from the model.
  var subject: Part?
  /// The words after the code, without the reason; nil if it is not in Swift source.
  var words: Set<String>?

  struct Part: Hashable {
    /// `Entity` or `Entity.property`; nil for any.
    var name: String?
    var version: String?

    fileprivate func covers(_ finding: Diagnostic) -> Bool {
      if let version, finding.subject?.version != version { return false }
      guard let name else { return true }
      // The finding about a removal is at the part around it, and is about the removed part.
      return finding.subject?.entity == name || finding.subject?.fullName == name
        || finding.related.contains { $0.fullName == name }
    }
  }

  /// Whether it allows all that a version removes, in a `modelc.yaml`: such entries were enough once.
  var isOfVersion: Bool { code == .undeclaredRemoval && subject?.name == nil && subject?.version != nil }

  /// - Parameter isExact: whether it has to name what is removed: classes and lines have what is removed later too.
  func covers(_ finding: Diagnostic, isExact: Bool = true) -> Bool {
    // Who has said of a removal that it is meant has said that nothing was renamed.
    let isRemoval = code == .undeclaredRemoval && finding.code == .likelyRename && subject?.name != nil
    // Of numbers that a store shows, that no store does.
    let isNarrowing = code == .numericNarrowing && finding.code == .numbersMayNotFit
    guard finding.code == code || isRemoval || isNarrowing else { return false }
    let names = isOfVersion ? nil : subject.map { Set([$0.name].compactMap(\.self)) } ?? words
    let removed = finding.related.map(\.fullName)
    if isExact, code == .undeclaredRemoval, names?.isDisjoint(with: removed) == true { return false }
    if let subject { return subject.covers(finding) }
    // A comment on what a released version removed is none on what one removes that extends it.
    return finding.place?.file == place.file && (code != .undeclaredRemoval || !finding.isInherited)
      && (line == nil || line == finding.place?.start.line)
  }
}

extension Suppression {
  /// One of a `modelc.yaml`.
  init?(_ allowed: AllowedFinding, file: String) {
    guard let code = Diagnostic.Code(parsing: allowed.code) else { return nil }
    self.init(
      code: code, reason: allowed.reason, until: allowed.until,
      place: allowed.place ?? file.linePlace(1), subject: Part(name: allowed.part, version: allowed.version))
  }
}

extension String {
  /// The suppressions of a file, in its order.
  func suppressions(file: String) -> [Suppression] {
    var found: [Suppression] = []
    var waiting: [Int] = []
    var isHeader = true
    let isSwift = file.hasSuffix(".swift")
    let marks = isSwift ? ["//"] : ["#", "<!--"]
    for (index, line) in lines.enumerated() {
      let content = line.drop(while: \.isWhitespace)
      // A property's line is that of its name, which attributes stand above.
      let isComment =
        marks.contains { content.hasPrefix($0) }
        || isSwift && content.wholeMatch(of: #/@\w+(\([^)]*\)+)?\s*/#) != nil
      if let match = line.firstMatch(of: #/(?:#|<!--|\/\/)\s*modelc:allow\s+(MC[0-9]{4})(.*)$/#),
        let code = Diagnostic.Code(parsing: String(match.1))
      {
        let column = line[..<match.range.lowerBound].unicodeScalars.count + 1
        let place = SourceRange(
          file: file, start: SourceLocation(line: index + 1, column: column),
          end: SourceLocation(line: index + 1, column: line.unicodeScalars.count + 1))
        found.append(
          Suppression(
            code: code, reason: match.2.firstMatch(of: #/reason="([^"]+)"/#).map { String($0.1) },
            until: match.2.lastDay, place: place,
            line: isComment ? nil : index + 1, words: isSwift ? match.2.names : nil))
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
}

extension Substring {
  private var withoutReason: Substring { replacing(#/reason="[^"]*"/#, with: "") }

  /// `Entity` and `Entity.property`, as far as they stand there.
  fileprivate var names: Set<String> { Set(withoutReason.matches(of: #/[\w.]+/#).map { String($0.output) }) }

  /// What `until` says, whatever stands between it and the day. What is not a day is long past: it allows nothing.
  fileprivate var lastDay: String? {
    guard let until = withoutReason.firstMatch(of: #/\buntil\b[\s=:"]*([^\s">]*)/#) else { return nil }
    let isDay = until.1.wholeMatch(of: #/\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/#) != nil
    return isDay ? String(until.1) : "0000-00-00"
  }
}

extension Diagnostic.Code { package static let suppressionUnused = Self("MC7016") }

extension Diagnostic {
  static func unusedSuppression(_ message: String, _ place: SourceRange, help: String) -> Self {
    Self(.suppressionUnused, .warning, message, place: place, help: [help])
  }
}
