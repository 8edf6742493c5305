/// One finding: a refusal, a warning or a remark, with all a reader needs to act on it.
public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
    case information, warning, error

    public static func < (left: Self, right: Self) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int {
      switch self {
      case .information: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  public var code: Code
  public var severity: Severity
  /// One line, lower case, no full stop, names in single quotes.
  public var message: String
  /// What in a model it is about; ``located(by:)`` finds its place from it.
  public var subject: ModelSubject?
  /// What else it is about: what goes, what was called otherwise, what shares its fate.
  public var related: [ModelSubject]
  /// Where in a file, where there is one.
  public var place: SourceRange?
  public var notes: [Note]
  /// Edits that mend the finding; where there are several, they are made together.
  public var fixIts: [FixIt]
  /// Mends in the model's own terms, which become fix-its where the source is known.
  public var edits: [ModelEdit]
  /// What to do, each a line that can stand after `help:`.
  public var help: [String]
  /// The code that Core Data itself reports in this case.
  public var cocoaCode: Int?
  /// A whole file that mends the finding, for a person to paste.
  public var proposal: Proposal?
  /// Whether it would be an error in our language, and Apple's tools take it; see ``Code/accepted``.
  package var isAccepted = false

  public init(
    _ code: Code, _ severity: Severity, _ message: String, subject: ModelSubject? = nil,
    related: [ModelSubject] = [], place: SourceRange? = nil, notes: [Note] = [], fixIts: [FixIt] = [],
    edits: [ModelEdit] = [], help: [String] = [], cocoaCode: Int? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.subject = subject
    self.related = related
    self.place = place
    self.notes = notes
    self.fixIts = fixIts
    self.edits = edits
    self.help = help
    self.cocoaCode = cocoaCode
  }

  /// A further line of evidence, with a place of its own where it has one.
  public struct Note: Hashable, Sendable, ExpressibleByStringInterpolation {
    public var message: String
    public var place: SourceRange?

    public init(_ message: String, place: SourceRange? = nil) {
      self.message = message
      self.place = place
    }

    public init(stringLiteral message: String) { self.init(message) }
  }

  /// A file that a person may paste as it is.
  public struct Proposal: Hashable, Sendable {
    /// Where it belongs, as a sentence that can stand after `help:`.
    public var message: String
    /// The file's text, of several lines.
    public var text: String

    public init(_ message: String, text: String) {
      self.message = message
      self.text = text
    }
  }

  /// An edit that mends the finding: what stands in `range` becomes `replacement`.
  public struct FixIt: Hashable, Sendable {
    public var message: String
    public var range: SourceRange
    public var replacement: String
    /// Whether it changes no meaning beyond what the finding is about, so that it may be made unasked.
    public var isSafe: Bool

    public init(_ message: String, range: SourceRange, replacement: String, isSafe: Bool = false) {
      self.message = message
      self.range = range
      self.replacement = replacement
      self.isSafe = isSafe
    }
  }
}

extension Diagnostic {
  /// What is found where, whatever version it was found in.
  package struct Key: Hashable, Sendable {
    let code: Code
    let subject: ModelSubject
  }

  package var key: Key {
    var part = subject ?? ModelSubject()
    part.version = nil
    return Key(code: code, subject: part)
  }
}

/// What a stage throws when it says no: everything it found, never only the first.
public struct DiagnosticsError: Error, Hashable, Sendable {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
  public init(_ diagnostic: Diagnostic) { self.diagnostics = [diagnostic] }
}

extension [Diagnostic] {
  public var hasErrors: Bool { contains { $0.severity == .error } }

  /// By file, place, code and message, each once.
  public var ordered: [Diagnostic] {
    var seen: Set<Diagnostic> = []
    return filter { seen.insert($0).inserted }.sorted { $0.sortKey < $1.sortKey }
  }
}

extension Diagnostic {
  fileprivate var sortKey: (String, Int, Int, String, String) {
    (place?.file ?? "", place?.start.line ?? 0, place?.start.column ?? 0, code.description, message)
  }
}
