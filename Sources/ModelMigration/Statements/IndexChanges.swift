import PersistentStore

/// What happens to the indexes of a table that is kept.
///
/// An index of Core Data's that the destination does not have is dropped, whatever version it came from: a unique one
/// would still refuse values. An index of somebody else's over columns that stay is kept, and so is one that the
/// destination's model explains and no statement of ours makes.
struct IndexChanges {
  /// Stay as they are, by name.
  var kept: Set<String> = []
  /// Stay under the name that the destination gives them.
  var renamed: [StoreStatement.IndexRename] = []
  var dropped: [String] = []
  /// Not the destination's by their text, and kept.
  var foreign: [IndexLayout] = []

  /// Names of the destination's indexes that need not be built.
  var present: Set<String> { kept.union(renamed.map(\.index.name)) }

  /// - Parameters:
  ///   - columns: source column → the destination's column that it goes on as.
  ///   - allColumns: the source's.
  ///   - explained: names of indexes that the destination's model has and no statement makes.
  init(
    _ source: [IndexLayout], to destination: [IndexLayout], columns: [String: String], allColumns: [String],
    explained: [UnmadeIndex] = []
  ) {
    /// Whether everything that a text names is called the same afterwards.
    func keepsNames(_ index: IndexLayout) -> Bool {
      allColumns.allSatisfy { columns[$0] == $0 || !index.mentions($0) }
    }
    func isSame(_ old: IndexLayout, _ new: IndexLayout) -> Bool {
      guard !old.isComputed, !new.isComputed else {
        return old.isComputed && new.isComputed && old.body == new.body && keepsNames(old)
      }
      return old.columnNames.map { columns[$0] } == new.columnNames && old.form == new.form
    }
    var open = source
    var wanted = destination
    wanted.removeAll { new in
      guard let index = open.firstIndex(where: { $0.name == new.name && isSame($0, new) }) else {
        return false
      }
      kept.insert(open.remove(at: index).name)
      return true
    }
    for new in wanted {
      guard let index = open.firstIndex(where: { $0.isOfCoreData && isSame($0, new) }) else { continue }
      renamed.append(.init(open.remove(at: index).name, to: new))
    }
    let explained = Set(explained.map { $0.name.uppercased() })
    for index in open {
      let goesOn =
        index.isComputed ? keepsNames(index) : index.columnNames.allSatisfy { columns[$0] != nil }
      let isWanted = !index.isOfCoreData || explained.contains(index.name.uppercased())
      if isWanted, goesOn, !destination.contains(where: { $0.name == index.name }) {
        kept.insert(index.name)
        foreign.append(index)
      } else {
        dropped.append(index.name)
      }
    }
  }
}

extension IndexLayout {
  /// Every name that Core Data gives begins so.
  fileprivate var isOfCoreData: Bool { name.hasPrefix("Z") }

  /// What an index says beside its name, its table and its columns: uniqueness, collations, directions.
  var form: [Substring] {
    let isUnique = sql.uppercased().hasPrefix("CREATE UNIQUE") ? "UNIQUE" : ""
    if isComputed { return [isUnique[...], body] }
    let elements = sql[(sql.lastIndex(of: "(") ?? sql.startIndex)...].dropFirst().dropLast().split(
      separator: ",")
    return [isUnique[...]]
      + elements.map { element in
        let words = element.split(separator: " ")
        return element[(words.first?.endIndex ?? element.startIndex)...]
      }
  }
}
