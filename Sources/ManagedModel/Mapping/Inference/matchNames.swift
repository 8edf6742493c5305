/// Pairs of a destination's item with the source's item it stands for, by name.
struct NameMatching {
  /// Destination name → source name.
  var sourceNames: [String: String] = [:]
  /// Destination items that share a canonical name: (name, the other, the canonical name).
  var ambiguous: [(name: String, other: String, canonicalName: String)] = []
  /// Destination items that break a chain of renames: (name, source item, its canonical name).
  var broken: [(name: String, sourceName: String, canonicalName: String)] = []
  /// Destination items that are read by their names, because a renaming identifier leads nowhere, or is no longer there.
  var byName: [(name: String, identifier: String, isLost: Bool)] = []
}

/// Matches by canonical name, as Core Data does: the renaming identifier, else the name.
///
/// Two mistakes would make Core Data remove an item and add another, and drop the values without a word: a renaming
/// identifier that names a source item with another canonical name, and a name that has lost its identifier. Both are
/// reported.
///
/// - Parameter fits: versions that Apple's tools accepted may have identifiers by accident. Where one leads nowhere, and
///   an item of the same name is free and fits, the two match, so that nothing is lost. Nil if the author can fix it.
func matchNames<Old: Renamable, New: Renamable>(
  from source: [Old], to destination: [New], byName fits: ((Old, New) -> Bool)? = nil
) -> NameMatching {
  var matching = NameMatching()
  var sourceByCanonicalName: [String: String] = [:]
  let canonicalNameBySource = Dictionary(source.map { ($0.name, $0.canonicalName) }) { _, last in last }
  // Of several that stand for one name, those that both versions have with the same identifier are themselves.
  let kept = Set(destination.filter { canonicalNameBySource[$0.name] == $0.canonicalName }.map(\.name))
  for item in source {
    if let other = sourceByCanonicalName[item.canonicalName] {
      if kept.contains(item.name), kept.contains(other) { continue }
      matching.ambiguous.append((item.name, other, item.canonicalName))
    } else {
      sourceByCanonicalName[item.canonicalName] = item.name
    }
  }
  var claimedBy: [String: String] = [:]
  for item in destination {
    let namesake = kept.contains(item.name) ? item.name : nil
    if let sourceName = namesake ?? sourceByCanonicalName[item.canonicalName] {
      if let other = claimedBy[item.canonicalName], namesake == nil || !kept.contains(other) {
        matching.ambiguous.append((item.name, other, item.canonicalName))
      } else {
        claimedBy[item.canonicalName] = item.name
        matching.sourceNames[item.name] = sourceName
      }
    }
  }
  if let fits {
    let namesakes = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
    var free = Set(namesakes.keys).subtracting(matching.sourceNames.values)
    for item in destination
    where matching.sourceNames[item.name] == nil && claimedBy[item.canonicalName] == nil {
      guard let old = namesakes[item.name], free.remove(item.name) != nil, fits(old, item) else { continue }
      matching.sourceNames[item.name] = item.name
      let identifier = item.renamingIdentifier
      matching.byName.append((item.name, identifier ?? old.canonicalName, identifier == nil))
    }
  }
  for item in destination where matching.sourceNames[item.name] == nil {
    guard let canonicalName = canonicalNameBySource[item.canonicalName], canonicalName != item.canonicalName,
      claimedBy[canonicalName] == nil
    else { continue }
    matching.broken.append((item.name, item.canonicalName, canonicalName))
  }
  return matching
}
