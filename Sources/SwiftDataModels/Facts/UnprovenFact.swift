import ManagedModel

/// What SwiftData makes of a declaration by its documentation, and what no genuine store at hand shows.
enum UnprovenFact: String, Hashable, CaseIterable {
  case boolean = "Bool"
  case uuid = "UUID"
  case url = "URL"
  case smallInteger = "integers other than Int"
  case array = "arrays of values"
  case dictionary = "dictionaries"
  case rawValue = "enums with raw values"
  case composite = "Codable structs"
  case inheritance = "subclasses"
  case requiredToOne = "required to-one relationships"
  case impliedInverse = "inverses that nobody states"
  case relatedModel = "models that are listed by their relationships alone"
  case compoundUnique = "#Unique"
  case index = "#Index"
  case transformable = "transformable attributes"
  case storageOption = "options of attributes other than unique"
  case count = "minimum and maximum counts"
}

/// The unproven facts that a source uses, each with the place that is met first.
struct UnprovenFacts {
  private var places: [UnprovenFact: SourceRange] = [:]

  mutating func insert(_ fact: UnprovenFact, at place: SourceRange) {
    guard let known = places[fact] else {
      places[fact] = place
      return
    }
    if (place.file, place.start.line) < (known.file, known.start.line) { places[fact] = place }
  }

  /// One remark on all of them.
  ///
  /// - Parameter source: the path that a command would name.
  func finding(_ source: String) -> Diagnostic? {
    guard !places.isEmpty else { return nil }
    let found = UnprovenFact.allCases.filter { places[$0] != nil }
    return Diagnostic(
      .unproven, .information,
      "hashes rest on what SwiftData's documentation says of \(found.map(\.rawValue).joined(separator: ", "))",
      place: found.compactMap { places[$0] }.min { ($0.file, $0.start.line) < ($1.file, $1.start.line) },
      notes: found.count == 1
        ? []
        : found.map { Diagnostic.Note("\($0.rawValue): first here", place: places[$0]) },
      help: ["a store of the app proves them: `modelc inspect STORE --against \(shellWord(source))`"])
  }
}
