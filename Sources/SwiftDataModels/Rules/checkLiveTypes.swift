package import ManagedModel

/// A type that an old schema shares with a later one changes whenever the app does (MC2611).
func checkLiveTypes(_ program: SwiftDataProgram) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  var told: Set<String> = []
  for (index, version) in program.versions.enumerated() {
    for type in version.schema.models {
      let identity = type.identity
      let later = program.versions[(index + 1)...].filter { other in
        other.schema.models.contains { $0.identity == identity }
      }
      guard let last = later.last, told.insert(identity).inserted else { continue }
      findings.append(.liveType(type, version.name, last.name, later.map(\.name)))
    }
  }
  return findings
}

extension ListedType {
  /// One declaration, whatever it is called where it is listed.
  var identity: String { entry?.path.joined(separator: ".") ?? name }
}

extension Diagnostic.Code {
  package static let liveType = Self("MC2611", level: .hash)
}

extension Diagnostic {
  fileprivate static func liveType(
    _ type: ListedType, _ version: String, _ last: String, _ all: [String]
  ) -> Diagnostic {
    Diagnostic(
      .liveType, .error,
      "'\(visible(type.name))' of '\(visible(version))' is the live type, which '\(visible(last))' lists too",
      subject: ModelSubject(version: version, entity: type.entry?.name ?? type.name), place: type.place,
      notes: [
        Note("it is listed by \(all.count + 1) schemas; whoever edits it for the newest edits them all"),
        "stores of the old version then carry hashes that no schema has, and the app does not open them",
      ]
        + (type.entry.map { [Note("declared here", place: $0.place)] } ?? []),
      help: [
        "give '\(visible(version))' a copy of its own, nested in the schema: `modelc release \(shellWord(version)) --freeze`"
      ], cocoaCode: 134504)
  }
}
