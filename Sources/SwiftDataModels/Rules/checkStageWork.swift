package import ManagedModel

extension SwiftDataProgram {
  /// Work of stages that fetches or inserts a class of a schema that is not the one open then (MC2644).
  ///
  /// - Parameter reached: by version, the classes that are in it.
  func checkStageWork(_ reached: [String: [[String]]]) -> [Diagnostic] {
    let work = (plan?.stages ?? []).flatMap {
      [("willMigrate", $0.from, $0.fetchedBefore), ("didMigrate", $0.to, $0.fetchedAfter)]
    }
    return work.flatMap { handler, schema, fetched -> [Diagnostic] in
      guard let version = name(of: schema), let own = reached[version] else { return [] }
      let others = Set(reached.values.joined()).subtracting(own)
      return fetched.filter { others.contains($0.entry?.path ?? []) }.map { listed -> Diagnostic in
        let (shown, twin) = (schema.name.visible, own.first { $0.last == listed.entry?.path.last })
        return Diagnostic(
          .foreignFetch, .error,
          "'\(handler)' uses '\(listed.identity.visible)', which '\(shown)' does not have",
          subject: ModelSubject(version: version, entity: listed.entry?.name), place: listed.place,
          notes: ["its context has the classes of '\(shown)' alone: the app crashes in its migration"],
          help: [twin.map { "use `\($0.fullName.visible)`" } ?? "use classes of '\(shown)' only"])
      }
    }
  }
}

extension Diagnostic.Code { package static let foreignFetch = Self("MC2644", level: .path) }
