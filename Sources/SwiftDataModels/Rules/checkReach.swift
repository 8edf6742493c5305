package import ManagedModel

extension SwiftDataProgram {
  /// Classes that a schema reaches by its relationships and that are not its own: MC2638 and MC2639.
  ///
  /// A frozen schema needs every class that its relationships reach. SwiftData binds an entity's name to the first class of
  /// that name that a process meets.
  ///
  /// - Parameter reached: by version, the full names of the classes that are in it, listed or not.
  func checkReach(_ model: VersionedModel, _ reached: [String: [[String]]]) -> [Diagnostic] {
    versions.enumerated().flatMap { index, version -> [Diagnostic] in
      let own = Set(version.schema.models.compactMap { $0.entry?.path })
      let paths = reached[version.name] ?? []
      let later = versions[(index + 1)...]
      let foreign = paths.filter { path in
        !own.contains(path)
          && later.contains { other in other.schema.models.contains { $0.entry?.path == path } }
      }
      if let first = foreign.first {
        let (target, own) = (first.last ?? "", model.version(named: version.name))
        let holder = own?.model.entities.lazy.compactMap { entity in
          entity.relationships.first { $0.destinationEntityName == target }.map { (entity.name, $0.name) }
        }.first
        let subject = ModelSubject(version: version.name, entity: holder?.0, property: holder?.1)
        let shown = foreign.prefix(6).map(\.fullName).quoted()
        let (name, last) = (version.name.visible, (later.last?.name ?? version.name).visible)
        return [Diagnostic](
          .reachesNewer, .error,
          "'\(name)' reaches \(shown), which it does not list and a later schema does"
            + (holder.map { ": by '\($0.0.visible).\($0.1.visible)'" } ?? ""),
          subject: subject, place: own?.sourceMap?.nearestRange(to: subject),
          notes: [
            "the class is edited for '\(last)', and with it the hashes of '\(name)' change",
            "stores of the old version then match no schema, and the app does not open them",
          ],
          help: [
            "nest a copy of '\(target.visible)' in the old schema, list it, and name it in the relationship"
          ], cocoaCode: 134504)
      }
      let twins = Dictionary(grouping: paths) { $0.last ?? "" }.filter { $0.value.count > 1 }
      return twins.sorted { $0.key < $1.key }.map { name, paths in
        let alike = types.filter { paths.contains($0.path) }
        let shown = paths.prefix(4).map { "'\($0.joined(separator: ".").visible)'" }.joined(separator: ", ")
        return Diagnostic(
          .sameClassName, .error,
          "'\(version.name.visible)' has \(paths.count) classes named '\(name.visible)': \(shown)",
          subject: ModelSubject(version: version.name, entity: name), place: alike.first?.place,
          notes: alike.dropFirst().prefix(3).map { Diagnostic.Note("the other one", place: $0.place) } + [
            "an entity has the name of its class, and SwiftData uses the first class that it finds with a name"
          ],
          help: ["let every relationship of the schema lead to classes that are nested in it"])
      }
    } + checkUnlistedTwins(self, reached)
  }
}

/// A class of no schema with the name of one that a schema has.
private func checkUnlistedTwins(_ program: SwiftDataProgram, _ reached: [String: [[String]]]) -> [Diagnostic]
{
  // Without a plan nothing says which of the two an app opens its stores with: edits of this one go unseen.
  let hasPlan = program.plan != nil
  let all = Set(reached.values.flatMap(\.self))
  // A schema that the plan does not list has a finding of its own.
  let schemas = program.schemas.map(\.entry.path)
  return program.types.filter { type in
    type.isModel && !all.contains(type.path) && all.contains { $0.last == type.path.last }
      && !schemas.contains { type.path.starts(with: $0) }
  }.map { type in
    let twin = program.types.first { all.contains($0.path) && $0.name == type.name }
    return Diagnostic(
      .sameClassName, hasPlan ? .warning : .error,
      "'\(type.fullName.visible)' is in no schema\(hasPlan ? " of the plan" : "") and has the name of a class that is",
      subject: ModelSubject(entity: type.name), place: type.place,
      notes: [
        Diagnostic.Note(hasPlan ? "the one in the plan" : "the one in a schema", place: twin?.place),
        "SwiftData uses the first class that a process finds with a name, for every container of that process",
      ],
      help: hasPlan
        ? ["give it another name, or delete it"]
        : ["list it in a newer VersionedSchema, and both schemas in a SchemaMigrationPlan"])
  }
}

extension Diagnostic.Code {
  package static let reachesNewer = Self("MC2638", level: .hash)
  package static let sameClassName = Self("MC2639", level: .hash)
}
