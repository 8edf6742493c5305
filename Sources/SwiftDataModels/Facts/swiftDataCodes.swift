package import ManagedModel

extension Diagnostic.Code {
  /// The source holds no model of SwiftData's, or more plans than one.
  package static let noSwiftDataModel = Self("MC2602", level: .hash, exit: .missingFile)
  /// A type, an attribute or a value that the source alone does not explain.
  package static let unknownInSource = Self("MC2603")
  /// A list of schemas, models or stages that is not written out.
  package static let notWrittenOut = Self("MC2604")
  /// A name that is declared twice, or that leads round.
  package static let ambiguousName = Self("MC2605")
  /// Rules of SwiftData's that no store has shown yet.
  package static let unproven = Self("MC2606", level: .hash)
  /// No migration plan has the name.
  package static let noSuchPlan = Self("MC2621", exit: .usage)
  /// Conditional compilation was decided for one platform: another one has other hashes.
  package static let decidedCondition = Self("MC2607", level: .hash)

  /// A part of the source is unknown.
  package static let ofUnreadSource: Set<Self> = [
    .withoutSwift, .notSwift, .noSwiftDataModel, .unknownInSource, .notWrittenOut, .ambiguousName,
  ]
}

extension Diagnostic {
  /// Whether it says that a part of the source is unknown: what follows from it is not told.
  package var isUnread: Bool { severity == .error && Code.ofUnreadSource.contains(code) }

  static func notWrittenOut(
    _ what: String, _ version: String? = nil, at place: SourceRange, write example: String
  ) -> Diagnostic {
    Diagnostic(
      .notWrittenOut, .error, "\(what.visible) cannot be read from the source",
      subject: version.map { ModelSubject(version: $0) }, place: place,
      notes: ["lists are found by name and joined; the source is never run"],
      help: ["write it out: \(example)"])
  }

  static func circularAlias(_ name: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .ambiguousName, .error, "the type alias '\(name.visible)' refers to itself", place: place,
      help: ["make it an alias of a type"])
  }

  static func twoTypes(_ name: String, _ place: SourceRange, _ twin: SourceRange) -> Diagnostic {
    Diagnostic(
      .ambiguousName, .error, "there are two types '\(name.visible)'",
      place: place, notes: [Note("the other one", place: twin)],
      help: [
        "if they are in two modules, name the folder of one: `--models \(place.file.parentPath.shellWord)`"
      ])
  }
}
