import ManagedModel

extension PhysicalSchema {
  /// Finds the real table of a many-to-many relationship: under either relationship's name, under stale entity
  /// numbers, and with either suffix on its columns (store-format.md 5.5 to 5.7).
  func joinTable(_ expected: JoinTableLayout, except claimed: Set<String>) -> JoinTableLayout? {
    let free = tables.filter { !claimed.contains($0.name) && $0.name.uppercased().hasPrefix("Z_") }
    let namings = expected.isOwnInverse ? [expected] : [expected, expected.turned]
    // Equal names first, then those that are equal but for the entity number: `Z_14USERS`, `Z_15USERS`.
    let matches: [(String, String) -> Bool] = [
      { $0.caseInsensitivelyEquals($1) }, { $0.withoutNumber == $1.withoutNumber },
    ]
    for isSameName in matches {
      for naming in namings {
        for table in free where isSameName(table.name, naming.name) {
          if let bound = bindJoinColumns(of: table, to: naming) { return bound }
        }
      }
    }
    return nil
  }
}

private func bindJoinColumns(of real: PhysicalSchema.Table, to expected: JoinTableLayout) -> JoinTableLayout?
{
  var keys = real.columns.map(\.name).filter { !$0.uppercased().hasPrefix("Z_FOK_") }
  guard keys.count == 2 else { return nil }
  func take(_ name: String) -> String? {
    let matches: [(String) -> Bool] = [
      { $0.caseInsensitivelyEquals(name) },
      { withoutSuffix($0) == withoutSuffix(name) },
      { withoutSuffix($0.withoutNumber) == withoutSuffix(name.withoutNumber) },
    ]
    for match in matches { if let index = keys.firstIndex(where: match) { return keys.remove(at: index) } }
    return nil
  }
  // The column that is harder to mistake goes first: `REFLEXIVE`, or the one that repeats the table's name.
  guard let far = take(expected.far.column), let near = take(expected.near.column) else { return nil }
  var bound = expected
  bound.name = real.name
  (bound.near.column, bound.far.column) = (near, far)
  let orders = real.columns.map(\.name).filter { $0.uppercased().hasPrefix("Z_FOK_") }
  func order(_ column: String, _ wanted: String?) -> String? {
    guard let wanted else { return nil }
    return orders.first { $0.dropFirst(6) == column.dropFirst(2) }
      ?? orders.first { withoutSuffix($0.withoutNumber) == withoutSuffix(wanted.withoutNumber) }
  }
  bound.near.order = order(near, expected.near.order)
  bound.far.order = order(far, expected.far.order)
  return bound
}

extension String {
  /// `Z_14USERS` → `Z_USERS`, `Z_FOK_20QUESTIONS` → `Z_FOK_QUESTIONS`, `Z10_MESSAGE` → `Z_MESSAGE`.
  var withoutNumber: String { uppercased().replacing(#/^(Z_FOK_|Z_|Z)\d+/#) { $0.1 } }
}

/// `Z_23USERS1` → `Z_23USERS`.
private func withoutSuffix(_ name: String) -> String {
  name.uppercased().replacing(#/\d+$/#, with: "")
}

extension JoinTableLayout {
  /// The same relationship, the table named after the other side.
  fileprivate var turned: JoinTableLayout {
    let number = far.column.prefixMatch(of: #/Z_\d+/#)?.output ?? ""
    return JoinTableLayout(name: number + destination.property.uppercased(), near: far, far: near)
  }
}
