extension LaidOutCollection {
  /// The first block of comments is the file's, and not that of the key below it.
  func takeHead(into document: LaidOutItem) {
    guard let first = items.first else { return }
    let end = first.above.indices.dropFirst().first { first.above[$0].isApart } ?? first.above.endIndex
    document.above += first.above[..<end]
    first.above.removeSubrange(..<end)
  }

  /// Puts known keys into their order; unknown ones come last, as they stand.
  func order(by keys: [String]) {
    guard isMapping, !keys.isEmpty, items.count > 1 else { return }
    let first = items[0]
    let ranked = items.map { item in (item, item.name.flatMap { keys.firstIndex(of: $0) } ?? keys.count) }
    items = ranked.sorted { $0.1 < $1.1 }.map(\.0)
    // A blank line between two stays between two.
    if items[0] !== first {
      (items[0].beginsApart, first.beginsApart) = (first.beginsApart, items[0].beginsApart)
    }
  }
}

extension LaidOutItem {
  fileprivate var name: String? {
    switch key {
    case .value(let text, _), .plain(let text): text
    case .folded, .block, nil: nil
    }
  }
}
