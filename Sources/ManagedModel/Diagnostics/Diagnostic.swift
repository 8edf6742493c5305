/// One finding: a refusal, a warning or a remark, with all a reader needs to act on it.
public struct Diagnostic: Error, Hashable, Sendable {
  /// How grave a finding is: an error stops the work, a warning and a remark do not.
  public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
    /// A remark: nothing has to be done.
    case information
    /// Worth a look; the work goes on.
    case warning
    /// The work is refused.
    case error

    /// By gravity: information, warning, error.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The word that output of every kind uses.
    package var label: String { self == .information ? "info" : rawValue }
  }

  /// The stable code, by which programs distinguish findings.
  public var code: Code
  /// Only an error stops the work.
  public var severity: Severity
  /// One line, lower case, no full stop, names in single quotes.
  public var message: String
  /// What in a model it is about; ``located(by:)`` finds its place from it.
  package var subject: ModelSubject?
  /// Other parts that it is about: what is removed, what had another name, what is affected too.
  package var related: [ModelSubject]
  /// The place in a file, if there is one.
  public var place: SourceRange?
  /// Evidence, and what the finding means for the data.
  public var notes: [Note]
  /// Edits that fix the finding; where there are several, they are made together.
  package var fixIts: [FixIt]
  /// Mends in the model's own terms, which become fix-its where the source is known.
  package var edits: [ModelEdit]
  /// What to do: lines that can follow `help:`.
  public var help: [String]
  /// The code that Core Data itself reports in this case.
  public var cocoaCode: Int?
  /// A whole file that fixes the finding, for a person to paste.
  package var proposal: Proposal?
  /// Of an edit, its digest: what a baseline says of it is said of no other edit that reads the same.
  package var editDigest: String?
  /// What becomes of stores that do not migrate.
  package var outcome: String?
  /// Why they do not: of the same stores one finding has all reasons.
  package var reason: String?
  /// Whether Apple's tools accept what would be an error in the model language; see ``Code/accepted``.
  package var isAccepted = false

  package init(
    _ code: Code, _ severity: Severity, _ message: String, subject: ModelSubject? = nil,
    related: [ModelSubject] = [], place: SourceRange? = nil, notes: [Note] = [], fixIts: [FixIt] = [],
    edits: [ModelEdit] = [], help: [String] = [], cocoaCode: Int? = nil
  ) {
    (self.code, self.severity, self.message) = (code, severity, message)
    (self.subject, self.related, self.place) = (subject, related, place)
    (self.notes, self.fixIts, self.edits) = (notes, fixIts, edits)
    (self.help, self.cocoaCode) = (help, cocoaCode)
  }

  /// A further line of evidence, with its own place if it has one.
  public struct Note: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// One line, as ``Diagnostic/message``.
    public var message: String
    /// Where in a file; nil if the note is about no line.
    public var place: SourceRange?

    package init(_ message: String, place: SourceRange? = nil) {
      (self.message, self.place) = (message, place)
    }

    /// A note without a place.
    public init(stringLiteral message: String) { self.init(message) }
  }

  /// A file that a person may paste as it is.
  package struct Proposal: Hashable, Sendable {
    /// Where it belongs, as a sentence that can stand after `help:`.
    package var message: String
    /// The file's text, of several lines.
    package var text: String

    package init(_ message: String, text: String) { (self.message, self.text) = (message, text) }
  }

  /// An edit that fixes the finding: what stands in `range` becomes `replacement`.
  package struct FixIt: Hashable, Sendable {
    package var message: String
    package var range: SourceRange
    package var replacement: String
    /// Whether it changes no meaning beyond what the finding is about, so that it may be made unasked.
    package var isSafe: Bool

    package init(_ message: String, range: SourceRange, replacement: String, isSafe: Bool = false) {
      self.message = message
      self.range = range
      self.replacement = replacement
      self.isSafe = isSafe
    }
  }

  /// What is found where, whatever version it was found in.
  package struct Key: Hashable, Sendable {
    let code: Code
    let subject: ModelSubject
  }

  /// The same finding, changed.
  package func with(_ change: (inout Diagnostic) -> Void) -> Diagnostic {
    var changed = self
    change(&changed)
    return changed
  }

  package var key: Key { Key(code: code, subject: subject?.inAnyVersion ?? ModelSubject()) }

  package var sortKey: (String, Int, Int, String, String) {
    (place?.file ?? "", place?.start.line ?? 0, place?.start.column ?? 0, code.description, message)
  }
}

/// The error that every step throws. It has all findings, not only the first.
public struct DiagnosticsError: Error, Hashable, Sendable {
  /// In the order of their places; at least one is an error.
  public let diagnostics: [Diagnostic]
  /// What code of the program threw, such as a policy; a `CancellationError` if it cancelled the run; nil otherwise.
  public let underlyingError: (any Error)?

  package init(_ diagnostics: [Diagnostic], underlying: (any Error)? = nil) {
    self.diagnostics = diagnostics
    underlyingError = underlying
  }

  package init(_ diagnostic: Diagnostic) { self.init([diagnostic]) }

  /// A refusal whose text stands where it is raised.
  package init(
    _ code: Diagnostic.Code, _ message: String, subject: ModelSubject? = nil, place: SourceRange? = nil,
    notes: [Diagnostic.Note] = [], help: [String] = [], cocoaCode: Int? = nil
  ) {
    self.init(
      Diagnostic(
        code, .error, message, subject: subject, place: place, notes: notes, help: help, cocoaCode: cocoaCode)
    )
  }

  /// Whether they have the same findings.
  public static func == (left: Self, right: Self) -> Bool { left.diagnostics == right.diagnostics }

  /// Agrees with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(diagnostics) }
}

extension [Diagnostic] {
  /// Whether one of them is an error.
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// Throws them, if there are any.
  package func refuse() throws(DiagnosticsError) { if !isEmpty { throw DiagnosticsError(self) } }

  /// One finding, whose text stands where it is found.
  package init(
    _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String,
    subject: ModelSubject? = nil, related: [ModelSubject] = [], place: SourceRange? = nil,
    notes: [Diagnostic.Note] = [], edits: [ModelEdit] = [], help: [String] = [], cocoaCode: Int? = nil
  ) {
    self = []
    append(
      code, severity, message, subject: subject, related: related, place: place, notes: notes, edits: edits,
      help: help, cocoaCode: cocoaCode)
  }

  /// Adds a finding whose text stands where it is found.
  package mutating func append(
    _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String,
    subject: ModelSubject? = nil, related: [ModelSubject] = [], place: SourceRange? = nil,
    notes: [Diagnostic.Note] = [], fixIts: [Diagnostic.FixIt] = [], edits: [ModelEdit] = [],
    help: [String] = [], cocoaCode: Int? = nil
  ) {
    append(
      Diagnostic(
        code, severity, message, subject: subject, related: related, place: place, notes: notes,
        fixIts: fixIts, edits: edits, help: help, cocoaCode: cocoaCode))
  }

  /// By file, place, code and message, each once.
  package var ordered: [Diagnostic] { unique.sorted { $0.sortKey < $1.sortKey } }
}
