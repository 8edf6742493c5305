import ManagedModel

/// The order of a package's versions, of which Xcode keeps none.
///
/// - Names of one series with numbers (`Model`, `Model 2`, `Model 10`) say it.
/// - Else the history in git: when each version first appeared.
/// - Else the version identifiers, where every version has one of its own.
/// - Else the names as people order them, which is a guess.
/// - Where names do not say it, renaming identifiers put right what they can: a version that says that a part was called
///   otherwise came after those in which it was.
struct VersionOrder {
  private(set) var versions: [ModelVersion]
  /// Whether names alone say it, and not as numbers do, or a history that a shallow clone has in part.
  private(set) var isGuess = false

  /// - Parameters:
  ///   - versions: in any order.
  ///   - path: of the package; its history is asked only where names do not say it.
  init(of versions: [ModelVersion], at path: String) {
    let names = versions.map(\.name).sortedNaturally
    let natural = names.compactMap { name in versions.first { $0.name == name } }
    self.versions = natural
    if names.isNumberedSeries { return }
    let history = VersionHistory(ofModelAt: path)
    let appeared = history?.order(of: names).flatMap { Set($0.values).count > 1 ? $0 : nil }
    let known = appeared ?? Self.identifierPlaces(natural)
    isGuess = known == nil || appeared != nil && history?.isCutShort == true
    let places = known ?? [:]
    self.versions = Self.followingFormerNames(
      natural.sorted { places[$0.name, default: .max] < places[$1.name, default: .max] })
  }

  /// The places of identifiers that are all there and all different.
  private static func identifierPlaces(_ versions: [ModelVersion]) -> [String: Int]? {
    let identifiers = versions.map { $0.model.versionIdentifiers.joined(separator: ",") }
    guard !identifiers.contains(""), Set(identifiers).count == identifiers.count else { return nil }
    let order = identifiers.sortedNaturally
    return Dictionary(
      uniqueKeysWithValues: zip(versions.map(\.name), identifiers.map { order.firstIndex(of: $0) ?? 0 }))
  }

  /// Each version behind those whose names it remembers, else where it was.
  private static func followingFormerNames(_ versions: [ModelVersion]) -> [ModelVersion] {
    let parts = versions.map(NamedParts.init)
    var earlier = versions.indices.map { index in
      Set(versions.indices.filter { $0 != index && parts[index].comesAfter(parts[$0]) })
    }
    // Two that remember each other say nothing.
    for index in versions.indices {
      for other in earlier[index] where earlier[other].contains(index) {
        earlier[index].remove(other)
        earlier[other].remove(index)
      }
    }
    var order: [Int] = []
    while order.count < versions.count {
      let placed = Set(order)
      // A circle says nothing either.
      guard
        let next = versions.indices.first(where: { !placed.contains($0) && earlier[$0].isSubset(of: placed) })
      else { return versions }
      order.append(next)
    }
    return order.map { versions[$0] }
  }
}

/// The entities and properties of a version, and what they were called before.
private struct NamedParts {
  private var present: Set<ModelSubject> = []
  private var former: [(part: ModelSubject, former: ModelSubject)] = []

  init(_ version: ModelVersion) {
    for entity in version.model.entities {
      add(entity.name, entity.renamingIdentifier, to: nil)
      let properties =
        entity.attributes.map { ($0.name, $0.renamingIdentifier) }
        + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
      for (name, former) in properties { add(name, former, to: entity.name) }
    }
  }

  /// - Parameter entity: nil for an entity itself.
  private mutating func add(_ name: String, _ former: String?, to entity: String?) {
    let part = ModelSubject(entity: entity, property: name)
    present.insert(part)
    guard let former, former != name else { return }
    self.former.append((part, ModelSubject(entity: entity, property: former)))
  }

  /// Whether a part of this version was in the other one under its former name, and only so.
  func comesAfter(_ other: NamedParts) -> Bool {
    former.contains { part, former in
      other.present.contains(former) && !other.present.contains(part) && !present.contains(former)
    }
  }
}
