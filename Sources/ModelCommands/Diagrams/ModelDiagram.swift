import ManagedModel

/// The entities of a version, or of what a step changes, as boxes with rows and lines between them.
///
/// What a picture is written in (Mermaid, DOT, SVG) is a property of it.
struct ModelDiagram {
  /// What a step did: added, removed, changed.
  enum Sign: String {
    case added = "+"
    case removed = "-"
    case changed = "~"
  }

  /// A property, or a change of one.
  struct Row {
    var name: String
    var type = ""
    var sign: Sign?
  }

  struct Box {
    var name: String
    var isAbstract = false
    var rows: [Row]
    var sign: Sign?
  }

  /// A relationship with its inverse, or the step from an entity to its parent.
  struct Line {
    var from: String
    var to: String
    /// Nil for a parent.
    var relationship: RelationshipDescription?
    var inverse: RelationshipDescription?

    var isParent: Bool { relationship == nil }
    /// `visits / hut`
    var label: String { [relationship?.name, inverse?.name].compactMap(\.self).joined(separator: " / ") }
    /// `children * / parent 0..1`
    var labelWithCardinality: String {
      [relationship, inverse].compactMap(\.self).map { "\($0.name) \($0.cardinality)" }.joined(
        separator: " / ")
    }
  }

  var title: String
  var boxes: [Box]
  var lines: [Line]
  /// Where Xcode's editor shows the boxes, if it does.
  var editorPlaces: [DiagramElement] = []

  /// All entities of a model.
  init(_ model: ManagedObjectModel, title: String) {
    self.title = title
    boxes = model.entities.map { entity in
      Box(
        name: entity.name, isAbstract: entity.isAbstract,
        rows: entity.attributes.map { Row(name: $0.name, type: $0.shortType) }
          + entity.relationships.map { Row(name: $0.name, type: $0.shortType) })
    }
    lines = Self.lines(of: model)
    editorPlaces = model.editorSettings.diagram ?? []
  }

  /// The entities that a step changes, each with its changes, and how they hang together afterwards.
  init(_ difference: VersionDifference, later: ManagedObjectModel) {
    title = "\(difference.from) → \(difference.to)"
    boxes = []
    for change in difference.changes {
      // What belongs to no entity is a box of its own.
      let name = change.entity ?? "model"
      if boxes.last?.name != name { boxes.append(Box(name: name, rows: [])) }
      boxes[boxes.count - 1].add(change)
    }
    let names = Set(boxes.map(\.name))
    lines = Self.lines(of: later).filter { names.contains($0.from) && names.contains($0.to) }
  }

  private static func lines(of model: ManagedObjectModel) -> [Line] {
    let hierarchy = EntityHierarchy(model)
    var seen: Set<PropertyReference> = []
    return model.entities.flatMap { entity -> [Line] in
      let parent = hierarchy.superentityName(of: entity.name).map { Line(from: entity.name, to: $0) }
      return [parent].compactMap(\.self)
        + entity.relationships.compactMap { relationship in
          // A pair is one line, from the side that comes first.
          if seen.contains(PropertyReference(entity: entity.name, property: relationship.name)) { return nil }
          let to = relationship.destinationEntityName
          let owner = hierarchy.lineage(of: to).last { owner in
            owner.relationships.contains { $0.name == relationship.inverseName }
          }
          let inverse = owner?.relationships.first { $0.name == relationship.inverseName }
          if let owner, let inverse {
            seen.insert(PropertyReference(entity: owner.name, property: inverse.name))
          }
          return Line(from: entity.name, to: to, relationship: relationship, inverse: inverse)
        }
    }.filter { line in hierarchy.entity(named: line.to) != nil }
  }

  // MARK: - Text formats

  /// A class diagram of Mermaid, as GitHub and GitLab draw it in Markdown.
  var mermaid: String {
    let ids = Dictionary(firstOf: boxes.enumerated().map { ($1.name, "E\($0)") })
    let isStep = boxes.contains { box in box.rows.contains { $0.sign != nil } }
    var text = [
      "classDiagram", "  %% \(title.inMermaid)" + (isStep ? ": + added, - removed, # changed" : ""),
    ]
    for (index, box) in boxes.enumerated() {
      text.append("  class E\(index)[\"\(box.name.inMermaid)\"] {")
      if box.isAbstract { text.append("    <<abstract>>") }
      // A changed fact is `#` there: `~` begins a generic type.
      text += box.rows.filter { !$0.type.hasPrefix("→") }.map { row in
        let sign = row.sign.map { $0 == .changed ? "# " : "\($0.rawValue) " } ?? ""
        return "    " + sign
          + [row.name, row.type].filter { !$0.isEmpty }.joined(separator: " ").inMermaid
      }
      text.append("  }")
    }
    // Without a class there is no diagram to Mermaid.
    if boxes.isEmpty { text.append("  note \"no entities\"") }
    // Of several lines from a class to itself Mermaid draws the last alone: they are one, with what each says.
    let loops = Dictionary(grouping: lines.filter { $0.from == $0.to && !$0.isParent }, by: \.from)
      .filter { $1.count > 1 }
    for box in boxes {
      guard let id = ids[box.name], let labels = loops[box.name]?.map(\.labelWithCardinality) else {
        continue
      }
      text.append("  \(id) -- \(id) : \(labels.joined(separator: ", ").inMermaid)")
    }
    for line in lines where line.isParent || line.from != line.to || loops[line.from] == nil {
      guard let from = ids[line.from], let to = ids[line.to] else { continue }
      guard let relationship = line.relationship else {
        text.append("  \(to) <|-- \(from)")
        continue
      }
      let near = line.inverse.map { " \"\($0.cardinality)\" --" } ?? " --"
      let arrow = line.inverse == nil ? ">" : ""
      text.append("  \(from)\(near)\(arrow) \"\(relationship.cardinality)\" \(to) : \(line.label.inMermaid)")
    }
    for (sign, style, colors) in [
      (Sign.added, "added", "fill:#dafbe1,stroke:#1a7f37"),
      (.removed, "removed", "fill:#ffebe9,stroke:#cf222e"),
    ] {
      let members = boxes.indices.filter { boxes[$0].sign == sign }.map { "E\($0)" }
      if members.isEmpty { continue }
      text.append("  classDef \(style) \(colors)")
      text.append("  cssClass \"\(members.joined(separator: ","))\" \(style)")
    }
    return text.shownLines
  }

  /// A graph for Graphviz: `dot -Tsvg`.
  var dot: String {
    var text = [
      "digraph \(title.inDOT) {",
      "  graph [rankdir=BT, nodesep=0.5, ranksep=0.8, fontname=\"Helvetica\"]",
      "  node [shape=plain, fontname=\"Helvetica\", fontsize=11]",
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#57606a\"]",
    ]
    let ids = Dictionary(firstOf: boxes.enumerated().map { ($1.name, "e\($0)") })
    let colors: [Sign: String] = [.added: "#1a7f37", .removed: "#cf222e", .changed: "#9a6700"]
    for (index, box) in boxes.enumerated() {
      let name = box.name.visible.xmlText
      let color = box.sign.flatMap { colors[$0] }.map { " color=\"\($0)\"" } ?? ""
      let head =
        "<tr><td colspan=\"2\" bgcolor=\"#eaeef2\">\(box.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>")</td></tr>"
      let rows = box.rows.map { row in
        let cells = [(row.sign.map { "\($0.rawValue) " } ?? "") + row.name, row.type].map {
          "<td align=\"left\">\($0.visible.xmlText)</td>"
        }
        return "<tr>\(cells.joined())</tr>"
      }
      text.append(
        "  e\(index) [label=<<table\(color) border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"3\">"
          + head + rows.joined() + "</table>>]")
    }
    for line in lines {
      guard let from = ids[line.from], let to = ids[line.to] else { continue }
      guard let relationship = line.relationship else {
        text.append("  \(from) -> \(to) [arrowhead=empty]")
        continue
      }
      let tail = line.inverse.map { ", dir=both, taillabel=\($0.cardinality.inDOT), arrowtail=\($0.dotHead)" }
      text.append(
        "  \(from) -> \(to) [label=\(line.label.inDOT), headlabel=\(relationship.cardinality.inDOT), "
          + "arrowhead=\(relationship.dotHead)\(tail ?? "")]")
    }
    return (text + ["}"]).shownLines
  }
}

extension ModelDiagram.Box {
  fileprivate mutating func add(_ change: ModelChange) {
    let sign: ModelDiagram.Sign =
      switch change.kind {
      case .added: .added
      case .removed: .removed
      case .renamed, .moved, .changed: .changed
      }
    if change.property == nil, change.fact == nil { self.sign = sign }
    // The box says which entity it is.
    let prefix = [name + ".", name + ": "].first { change.line.hasPrefix($0) } ?? ""
    let text = String(change.line.dropFirst(prefix.count)) + (change.isHashed ? ", moves hash" : "")
    rows.append(ModelDiagram.Row(name: text, sign: sign))
  }
}

extension AttributeDescription {
  /// `string?`; that of a composite is its name.
  var shortType: String {
    (type == .composite ? compositeName ?? type.name : type.name) + (isOptional ? "?" : "")
  }
}

extension RelationshipDescription {
  /// How many objects it leads to: `1`, `0..1`, `*`, `2..5`.
  var cardinality: String {
    if !isToMany { return isOptional ? "0..1" : "1" }
    let least = isOptional ? 0 : minCount
    return maxCount == 0 ? (least == 0 ? "*" : "\(least)..*") : "\(least)..\(maxCount)"
  }

  /// `→ Visit *`
  var shortType: String { "→ \(destinationEntityName) \(cardinality)" }

  fileprivate var dotHead: String { isToMany ? "crow" : isOptional ? "teeodot" : "tee" }
}

extension String {
  /// As Mermaid shows it: what may mean something there, anywhere in a line, is written by its number, as `#58;` for a colon;
  /// brackets of methods become others. Underscores around a word are Markdown, and `direction TB` is a statement even
  /// within quotation marks.
  fileprivate var inMermaid: String {
    let brackets: [Unicode.Scalar: String] = ["(": "[", ")": "]", "{": "[", "}": "]"]
    let text = visible
    let numbered = "<>~\";*$%`:_&#" + (text.split(separator: " ").contains("direction") ? " " : "")
    return text.escaped { scalar in
      brackets[scalar] ?? (numbered.unicodeScalars.contains(scalar) ? "#\(scalar.value);" : nil)
    }
  }

  /// Within quotation marks.
  fileprivate var inDOT: String {
    "\"" + visible.escaped { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
  }
}
