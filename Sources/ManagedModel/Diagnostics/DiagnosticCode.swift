extension Diagnostic {
  /// A stable code such as `MC1302`. Codes are never reused for something else.
  ///
  /// Each is declared once, beside what raises it, with everything that follows from it: its family gives the defaults
  /// for the declaration. Codes with the same text are equal.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code itself, such as `MC1302`.
    public let description: String
    package let family: Family
    /// The level from which a check counts it; nil if that depends on its severity.
    package let level: CheckLevel?
    package let exit: ExitClass
    /// What Core Data makes of it, where Apple's tools take what our language refuses.
    package let accepted: ToleratedDefect?
    /// What makes two findings of the code the same one, whatever lines they are at.
    package let identity: Identity

    package init(
      _ text: String, level: CheckLevel? = nil, exit: ExitClass? = nil, accepted: ToleratedDefect? = nil,
      identity: Identity = .words
    ) {
      description = text
      family = Family(text)
      self.level = level ?? family.level
      self.exit = exit ?? family.exit
      self.accepted = accepted
      self.identity = identity
    }

    /// A code as a person writes it: `MC` and four digits; nil for anything else.
    public init?(parsing text: String) {
      guard text.wholeMatch(of: #/MC[0-9]{4}/#) != nil else { return nil }
      self.init(text)
    }

    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
  }
}

extension Diagnostic.Code {
  /// What of a finding tells it from others of its code.
  package enum Identity: Sendable {
    /// Its words without numbers, which count.
    case words
    /// All of its words: stores of the tag 1.0 are not those of 1.1.
    case wordsAndNumbers
    /// All that was edited, not its first part alone.
    case edits
  }

  /// What a code is about, by its number; the first digit is that of the page that explains it.
  package enum Family: Sendable {
    /// Text, YAML, expressions, files.
    case text
    /// One version of a model.
    case model
    /// Versions side by side, and bundles.
    case versions
    /// What a step asks of a store's data, and what it loses.
    case data
    /// Names, indexes and paths from one version to the next.
    case steps
    case mappings
    /// What policies do in a run.
    case policies
    case stores
    /// Files, locks, disks.
    case environment
    /// The run of a migration, and rows that break the rules of their model.
    case runs
    /// The gate before a release.
    case release

    init(_ code: String) {
      self =
        switch Int(code.dropFirst(2)) ?? 0 {
        case ..<1000: .text
        case ..<2000: .model
        case ..<3000: .versions
        case ..<3200: .data
        case ..<4000: .steps
        case 4300..<4400: .policies
        case ..<5000: .mappings
        case 5300..<5400: .environment
        case ..<6000: .stores
        case ..<7000: .runs
        default: .release
        }
    }

    fileprivate var level: CheckLevel? {
      switch self {
      case .text, .model, .versions: nil
      case .data, .steps, .mappings, .policies: .path
      case .stores, .environment, .runs, .release: .store
      }
    }

    fileprivate var exit: ExitClass {
      switch self {
      case .text, .model, .versions, .data, .steps, .mappings, .release: .findings
      case .stores: .store
      case .policies, .runs: .migration
      case .environment: .environment
      }
    }
  }

  /// How a command ends because of a finding. Where several stand together, the one nearest to the world wins: the
  /// environment, then the run, then the store, then what was asked for, then what was found.
  package enum ExitClass: Sendable {
    case findings
    case usage
    /// Usage for a file that was named on the command line or belongs to the project; a finding where a line of a model
    /// names it.
    case missingFile
    /// Usage for a name on the command line; a finding where a line of a file has it.
    case unknownName
    case store
    case migration
    case interrupted
    case environment
  }
}

/// What Apple's tools take and our language refuses: an error there is a warning where the source is Xcode's.
///
/// Other errors stay errors: broken XML, an attribute without a type, a destination or parent that is not there, a name
/// declared twice, a circle of parents, a table that SQLite cannot make. `momc` refuses them too, or no store of them
/// can exist.
package struct ToleratedDefect: Hashable, Sendable {
  /// What is found, in the plural: a line that counts findings begins with it.
  package let what: String
  /// What Core Data makes of it, and we with it.
  package let meaning: String

  package init(_ what: String, _ meaning: String) { (self.what, self.meaning) = (what, meaning) }
}
