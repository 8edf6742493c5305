package import ManagedModel

/// The `versions.yaml` of a model: its current version and all versions, oldest first.
///
/// A version that does not follow the one before it on the main line says where it leaves.
package func writeVersions(_ model: VersionedModel) -> String {
  // What each version follows: what it says, else the one before it in the list.
  let followed = model.versions.map { ($0.name, model.predecessors(of: $0).map(\.name)) }
  let predecessors = Dictionary(followed) { $1 }
  let mainLine = mainLine(to: model.currentVersionName, predecessors)
  // Where the main line goes on from a version; other versions that follow it are branches.
  let continuations = Set(mainLine.compactMap { predecessors[$0]?.first })
  var list = VersionList(current: model.currentVersionName)
  list.isDisposable = model.isDisposable
  list.isStepwise = model.isStepwise
  var last: String?
  for version in model.versions {
    let before = predecessors[version.name] ?? []
    let isElsewhere =
      before.first.map { continuations.contains($0) && !mainLine.contains(version.name) } ?? false
    let isMentioned = before.count > 1 || !before.isEmpty && (before.first != last || isElsewhere)
    // What only Apple's tools take: the list has to say where it is from.
    let isLenient = version.origin == .xcode && checkModel(version.model, minimum: .error).hasErrors
    let entry = VersionEntry(
      name: version.name, origins: isMentioned ? before : [], allowsInference: version.allowsInference,
      author: isLenient ? .xcode : .language)
    list.versions.append(entry)
    if !entry.isBranch { last = version.name }
  }
  // Each of SwiftData's stages names both its versions; here a version stands once, and a custom stage's in that one.
  var named = Set(model.stages.flatMap { $0.isCustom ? $0.versionNames : [] })
  list.stages = model.stages.compactMap { stage in
    guard case .lightweight(let names, let label) = stage else { return StageEntry(stage: stage) }
    let own = names.filter { named.insert($0).inserted }
    return own.isEmpty ? nil : StageEntry(stage: .lightweight(own, label: label))
  }
  var pairs = versionListSchema.write(list)
  for index in pairs.indices {
    if case .sequence(let elements, _) = pairs[index].value {
      pairs[index].value = .sequence(elements, .block)
    }
  }
  return renderYAML(pairs)
}

/// The version and all before it.
private func mainLine(to current: String, _ predecessors: [String: [String]]) -> Set<String> {
  var line: Set<String> = []
  var next: String? = current
  while let name = next, line.insert(name).inserted { next = predecessors[name]?.first }
  return line
}
