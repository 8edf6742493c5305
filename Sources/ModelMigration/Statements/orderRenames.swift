/// A sequence of single renames with the effect of all at once.
///
/// Names may follow one another (`a` → `b`, `b` → `c`) or form a circle. A temporary name opens a circle, and frees a name
/// that something else holds. Names compare without regard to case, as SQLite's do.
func orderRenames(
  _ renames: [String: String], existing: Set<String>
) -> [(name: String, newName: String)] {
  var open = renames.filter { $0.key != $0.value }
  var taken = Set(existing.map { $0.uppercased() })
  var ordered: [(name: String, newName: String)] = []
  var spare = 0
  while !open.isEmpty {
    let free = open.filter {
      !taken.contains($0.value.uppercased()) || $0.key.uppercased() == $0.value.uppercased()
    }
    if let next = free.min(by: { $0.key < $1.key }) {
      ordered.append((next.key, next.value))
      open[next.key] = nil
      taken.remove(next.key.uppercased())
      taken.insert(next.value.uppercased())
    } else if let blocked = open.min(by: { $0.key < $1.key }) {
      // Either a circle, or something that has no other name to go to: what stands in the way moves aside.
      let occupant =
        existing.union(open.keys).first { $0.uppercased() == blocked.value.uppercased() } ?? blocked.value
      let temporary = spareName(&spare, taken: taken)
      ordered.append((occupant, temporary))
      if let target = open.removeValue(forKey: occupant) { open[temporary] = target }
      taken.remove(occupant.uppercased())
      taken.insert(temporary)
    }
  }
  return ordered
}

/// A temporary name. No name of the store's own has this form.
func spareName(_ counter: inout Int, taken: Set<String>) -> String {
  repeat { counter += 1 } while taken.contains("ZMODELC_\(counter)")
  return "ZMODELC_\(counter)"
}
