import ManagedModel

/// Which entities of a large model need no look in order, because a look by one of several processors found nothing.
///
/// A processor stops at its first finding: what follows it in its part is looked at in order, up to the limits of
/// findings.
func soundEntities(_ index: ModelIndex, _ minimum: Diagnostic.Severity) -> [Bool] {
  let count = index.model.entities.count
  var isSound: [Bool] = Array(repeating: false, count: count)
  let parts = processorParts(of: count, minimum: 50)
  guard parts.count > 1 else { return isSound }
  let borders = concurrentMap(parts) { part in
    var findings = FindingList(minimum: minimum)
    return part.first { place in
      checkEntity(at: place, index, &findings)
      return !findings.all.isEmpty
    } ?? part.upperBound
  }
  for (part, border) in zip(parts, borders) {
    for place in part.lowerBound..<border { isSound[place] = true }
  }
  return isSound
}
