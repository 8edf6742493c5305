import PersistentStore

/// Whether a custom step fills an empty file, or a clone in which some tables stay as they are.
///
/// - Parameter shares: of the store's bytes, by table.
func chooseCustomRoute(
  _ request: RouteRequest, keeping kept: [KeptTable], shares: [String: Double]
) -> RouteChoice {
  let anew = RouteChoice(route: .newFile, reason: "a custom mapping makes its objects anew")
  let whole = kept.filter(\.keepsRows)
  guard !whole.isEmpty, request != .newFile else { return anew }
  let (saved, rest) = kept.reduce(into: (0.0, 1.0)) { sums, table in
    let share = shares[table.name] ?? 0
    // Rows and indexes are not written, but for the number; or only the indexes are not.
    sums.0 += share * (!table.keepsRows ? 0.2 : table.isUntouched ? 0.9 : 0.5)
    if table.keepsRows { sums.1 -= share }
  }
  guard request == .clone || saved > cloneCost + 0.05 * max(0, rest) else { return anew }
  let names = whole.map { "'\($0.entityName)'" }.joined(separator: ", ")
  return RouteChoice(
    route: .stagedCopy,
    reason: "a custom mapping makes its objects anew, but the rows of \(names) go on as they are")
}
