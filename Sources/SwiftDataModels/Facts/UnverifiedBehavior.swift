package import ManagedModel

/// What SwiftData makes of a declaration by its documentation, and what no genuine store at hand shows.
package enum UnverifiedBehavior: String, Hashable, CaseIterable {
  case url = "URL"
  case smallInteger = "integers other than Int"
  case array = "arrays of values other than String and Data"
  case dictionary = "dictionaries and sets"
  case payload = "enums whose cases hold values"
  case codingKeys = "types with coding keys of their own"
  case ownCoding = "types that encode themselves, or have raw values of their own"
  case codable = ".codable"
  case foreignType = "types of other modules"
  case inheritance = "subclasses"
  case compoundUnique = "#Unique"
  case transformable = "transformable attributes"
  case storageOption = "options of attributes other than unique"
  case count = "minimum and maximum counts"
  /// `@Model` sees the class as it is written, and nothing that other macros add; a wrapper of a property that it stores does
  /// not compile.
  case macro = "macros of other packages"

  /// Those that rest on the very type that is written: another one may be stored otherwise, whatever its hash is here.
  package static let ofTypes = [smallInteger, foreignType, codable].map(\.rawValue)
}

/// The unproven facts that the hashes of a source rest on, by entity, each with the place that is met first.
struct UnverifiedBehaviors {
  private var places: [String: [UnverifiedBehavior: SourceRange]] = [:]

  mutating func insert(_ fact: UnverifiedBehavior, of entity: String, at place: SourceRange) {
    let known = places[entity]?[fact]
    if let known, (known.file, known.start.line) <= (place.file, place.start.line) { return }
    places[entity, default: [:]][fact] = place
  }

  /// What the hash of each entity rests on, that of its ancestors included.
  func reasons(in model: ManagedObjectModel) -> [String: [String]] {
    let hierarchy = EntityHierarchy(model)
    var reasons: [String: [String]] = [:]
    for entity in model.entities {
      let lineage = hierarchy.lineage(of: entity.name).map(\.name)
      let found = UnverifiedBehavior.allCases.filter { fact in lineage.contains { places[$0]?[fact] != nil } }
      if !found.isEmpty { reasons[entity.name] = found.map(\.rawValue) }
    }
    return reasons
  }

  /// One remark on all of them.
  /// - Parameter source: the path that a command would name.
  func finding(_ source: String) -> Diagnostic? {
    guard !places.isEmpty else { return nil }
    let entities = places.sorted { $0.key.precedesInCodePointOrder($1.key) }.map {
      name, facts -> UnprovenEntity in
      let found = UnverifiedBehavior.allCases.filter { facts[$0] != nil }
      return (name, found.map(\.rawValue), found.first.flatMap { facts[$0] })
    }
    let place = entities.compactMap(\.place).min { ($0.file, $0.start.line) < ($1.file, $1.start.line) }
    return .unproven(entities, at: place, source: source)
  }
}

extension ModelVersion {
  /// The same for a version that is taken alone.
  ///
  /// - Parameter source: where its classes are, which may be in other files than its schema.
  package func unprovenRemark(of source: String?) -> Diagnostic? {
    guard !unprovenHashes.isEmpty, let map = sourceMap else { return nil }
    let entities = unprovenHashes.sorted { $0.key.precedesInCodePointOrder($1.key) }.map {
      name, reasons -> UnprovenEntity in
      (name, reasons, map.nearestRange(to: ModelSubject(entity: name)))
    }
    return .unproven(entities, at: entities.first?.place, source: source ?? map.file)
  }
}

private typealias UnprovenEntity = (name: String, reasons: [String], place: SourceRange?)

extension Diagnostic {
  fileprivate static func unproven(
    _ entities: [UnprovenEntity], at place: SourceRange?, source: String
  ) -> Diagnostic {
    let names = (entities.map { "'\($0.name.visible)'" }).listed
    let notes = entities.map {
      Note("\($0.name.visible): \($0.reasons.joined(separator: ", "))", place: $0.place)
    }
    let reasons = entities.flatMap(\.reasons).joined(separator: ", ")
    let isOne = entities.count == 1
    let unseen =
      "edits of types in other modules are not seen: if the repository has their source, name a folder that holds it too, with `--models`"
    return Diagnostic(
      .unproven, .information,
      isOne
        ? "the hash of \(names) is not proved: no store has shown \(reasons)"
        : "the hashes of \(names) are not proved: no store has shown them yet",
      place: place, notes: isOne ? [] : notes,
      help: ["a store of the app proves them: `modelc inspect STORE --against \(source.shellWord)`"]
        + (reasons.contains(UnverifiedBehavior.foreignType.rawValue) ? [unseen] : []))
  }
}
