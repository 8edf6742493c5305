extension ModelIndex {
  /// A family of entities shares one table. A wide table that is mostly empty in every row costs space and time (MC1109);
  /// one with more columns than SQLite takes can have no store (MC1111).
  func checkSharedTables() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for root in hierarchy.rootNames {
      let family = hierarchy.descendantNames(includingSelf: root)
      let own = family.map { columnCount(of: $0) }
      let columns = own.reduce(0, +)
      if columns + systemColumns > mostColumns {
        let (others, count) = (family.count - 1, columns + systemColumns)
        let words = others == 0 ? "'\(root)' needs" : "'\(root)' and its \(others) descendants need"
        findings.append(
          .tooManyColumns, .error,
          "\(words) a table with \(count) columns, and SQLite allows \(mostColumns)",
          subject: ModelSubject(entity: root), notes: ["no store of this model can be created"],
          help: ["move attributes to another entity, and refer to it by a to-one relationship"])
        continue
      }
      guard family.count > 1, columns > wideTable else { continue }
      // How many columns an object of an entity uses, inherited ones included.
      let widths = family.map { hierarchy.lineage(of: $0).reduce(0) { $0 + columnCount(of: $1.name) } }
      let widest = widths.max() ?? 0
      guard widest * 2 < columns else { continue }
      findings.append(
        .wideTable, .warning,
        "'\(root)' and its \(family.count - 1) descendants share one table with \(columns) columns",
        subject: ModelSubject(entity: root),
        notes: ["no object uses more than \(widest) of them; every fetch of '\(root)' reads the whole table"],
        help: ["split the family, or replace sub-entities with an attribute for the kind"])
    }
    return findings
  }

  /// How many columns an entity's own properties need, more or less.
  fileprivate func columnCount(of name: String) -> Int {
    guard let place = hierarchy.index(of: name) else { return 0 }
    // By their places: a copy of a description costs more than looking at it.
    let (attributes, links) = (model.entities[place].attributes, model.entities[place].relationships)
    let columns = attributes.indices.reduce(0) { count, place in
      attributes[place].type == .composite
        ? count + self.columns(of: attributes[place], enclosing: [])
        : count + (attributes[place].isTransient ? 0 : 1)
    }
    return columns + links.indices.count { !links[$0].isTransient && !links[$0].isToMany }
  }

  private func columns(of attribute: AttributeDescription, enclosing: [String]) -> Int {
    if attribute.isTransient { return 0 }
    guard attribute.type == .composite, let name = attribute.compositeName, !enclosing.contains(name),
      let composite = compositesByName[name], enclosing.count < 10
    else { return 1 }
    return composite.elements.reduce(0) { $0 + columns(of: $1, enclosing: enclosing + [name]) }
  }
}

/// Columns from which on a table is called wide: our choice.
private let wideTable = 100
/// SQLite's own limit (https://sqlite.org/limits.html, SQLITE_MAX_COLUMN).
private let mostColumns = 2_000
/// `Z_PK`, `Z_ENT` and `Z_OPT`.
private let systemColumns = 3

extension Diagnostic.Code {
  package static let wideTable = Self("MC1109")
  package static let tooManyColumns = Self("MC1111")
}
