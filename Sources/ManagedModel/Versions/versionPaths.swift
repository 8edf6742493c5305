/// Which version follows which.
extension VersionedModel {
  /// The versions that another one follows, the main one first: those that it names, else the one listed before it.
  package func predecessors(of version: ModelVersion) -> [ModelVersion] {
    if !version.predecessorNames.isEmpty {
      return version.predecessorNames.compactMap { self.version(named: $0) }
    }
    guard let index = versions.firstIndex(where: { $0.name == version.name }), index > 0 else { return [] }
    return [versions[index - 1]]
  }

  /// The first of ``predecessors(of:)``.
  package func predecessor(of version: ModelVersion) -> ModelVersion? { predecessors(of: version).first }

  /// The version and its predecessors on the main line, newest first. A cycle ends the list.
  package func lineage(of version: ModelVersion) -> [ModelVersion] {
    var lineage = [version]
    var seen: Set = [version.name]
    while let last = lineage.last, let next = predecessor(of: last), seen.insert(next.name).inserted {
      lineage.append(next)
    }
    return lineage
  }

  /// The version and all versions that lead to it, the main line before others, of each line the nearest first.
  package func origins(of version: ModelVersion) -> [ModelVersion] { steps(backFrom: version).map(\.version) }

  /// The migration path from one of some versions to another version, both included: along the main line, if it has one
  /// of them.
  ///
  /// - Returns: nil if none leads there.
  package func path(fromAnyOf names: [String], to target: ModelVersion) -> [ModelVersion]? {
    let steps = steps(backFrom: target)
    guard let start = steps.firstIndex(where: { names.contains($0.version.name) }) else { return nil }
    return sequence(first: start) { steps[$0].next }.map { steps[$0].version }
  }

  /// The same from a later version to one before it, newest first.
  package func downgrade(fromAnyOf names: [String], to target: ModelVersion) -> [ModelVersion]? {
    let ways = names.compactMap(version).compactMap { path(fromAnyOf: [target.name], to: $0) }
    return ways.min { $0.count < $1.count }?.reversed()
  }

  /// The version that somebody names; with its model before it where several have one of that name: `Trails/V2`.
  package func askedVersion(_ name: String) -> ModelVersion? {
    version(named: name)
      ?? (name.hasPrefix("\(self.name)/") ? version(named: String(name.dropFirst(self.name.count + 1))) : nil)
  }

  /// Whether a way leads from a later version to one before it.
  package func isDowngradePath(_ path: [ModelVersion]) -> Bool {
    guard let source = path.first, let target = path.last, source.name != target.name else { return false }
    return origins(of: source).contains { $0.name == target.name }
  }

  /// The main line, then what else leads to it, each version once with the place of the one that it leads to. So a hotfix
  /// that is joined later does not lead older stores past the steps that they took before.
  private func steps(backFrom target: ModelVersion) -> [(version: ModelVersion, next: Int?)] {
    var steps: [(version: ModelVersion, next: Int?)] = [(target, nil)]
    var seen: Set = [target.name]
    var place = 0
    while place < steps.count {
      for branch in predecessors(of: steps[place].version) {
        var (version, next) = (Optional(branch), place)
        while let step = version, seen.insert(step.name).inserted {
          steps.append((step, next))
          (version, next) = (predecessor(of: step), steps.count - 1)
        }
      }
      place += 1
    }
    return steps
  }
}
