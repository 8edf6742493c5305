package import ManagedModel

/// A type that an old schema shares with a later one changes whenever the app does (MC2611).
func checkLiveTypes(_ program: SwiftDataProgram) -> [Diagnostic] {
  var reported: Set<String> = []
  return program.versions.enumerated().compactMap { index, version in
    let later = program.versions[(index + 1)...]
    let live = version.schema.models.filter { type in
      !reported.contains(type.identity) && later.contains { $0.schema.lists(type) }
    }
    guard let first = live.first else { return nil }
    reported.formUnion(live.map(\.identity))
    let sharing = later.filter { other in live.contains { other.schema.lists($0) } }
    return .liveTypes(live, first, version, sharing.map(\.name))
  }
}

extension SchemaDeclaration {
  fileprivate func lists(_ type: ListedType) -> Bool { models.contains { $0.identity == type.identity } }
}

extension Diagnostic.Code {
  package static let liveType = Self("MC2611", level: .hash)
}

extension Diagnostic {
  fileprivate static func liveTypes(
    _ types: [ListedType], _ first: ListedType, _ listing: (name: String, schema: SchemaDeclaration),
    _ later: [String]
  ) -> Diagnostic {
    let names = types.map { "'\(visible($0.name))'" }.joined(separator: ", ")
    let version = listing.name
    let (isOne, last) = (types.count == 1, later.last ?? version)
    return Diagnostic(
      .liveType, .error,
      "'\(visible(version))' lists \(isOne ? "the live type" : "live types"), which '\(visible(last))' lists too: \(names)",
      subject: ModelSubject(version: version), place: first.place,
      notes: [
        Note(
          "whoever edits \(isOne ? "it" : "one") for the newest of \(later.count + 1) schemas edits them all"),
        "stores of the old version then carry hashes that no schema has, and the app does not open them",
      ]
        + types.compactMap { type in
          type.entry.map { Note("'\(visible(type.name))' is declared here", place: $0.place) }
        },
      help: [
        "give '\(visible(version))' copies of its own, nested in the schema: `modelc release \(shellWord(version)) --freeze \(listing.schema.entry.name).swift`"
      ], cocoaCode: 134504)
  }
}
