import ManagedModel

/// Where the boxes of a diagram are, and how large.
extension ModelDiagram {
  static let boxWidth = 240.0
  static let headerHeight = 40.0
  static let rowHeight = 20.0
  /// Of a larger entity the others are a line `… 12 more`.
  static let mostRows = 24

  /// One box by name for all versions of a model, as large as it ever was, so that none moves from version to version.
  init(ofAllVersions model: VersionedModel) {
    self.init(ManagedObjectModel(), title: model.name)
    var places: [String: Int] = [:]
    var known: Set<[String]> = []
    for version in model.versions.reversed() {
      let diagram = ModelDiagram(version.model, title: model.name)
      for box in diagram.boxes {
        guard let place = places[box.name] else {
          places[box.name] = boxes.count
          boxes.append(box)
          continue
        }
        if box.rows.count > boxes[place].rows.count { boxes[place].rows = box.rows }
      }
      lines += diagram.lines.filter {
        known.insert([$0.from, $0.to, $0.relationship?.name ?? ""]).inserted
      }
    }
    editorPlaces = model.currentVersion?.model.editorSettings.diagram ?? []
  }

  /// The top-left corner of each box: Xcode's own where it has all of them and none overlaps, else the layout's.
  var positions: [String: DiagramLayout.Point] {
    let sizes = boxes.map { DiagramLayout.Box(name: $0.name, width: Self.boxWidth, height: $0.height) }
    // Xcode's boxes are 128 wide, with rows of 15.
    let placed = Dictionary(
      firstOf: editorPlaces.map { place in
        (place.name, DiagramLayout.Point(x: place.x * Self.boxWidth / 128, y: place.y * Self.rowHeight / 15))
      })
    let isWhole = sizes.allSatisfy { placed[$0.name] != nil }
    if isWhole, DiagramLayout.quality(of: placed, boxes: sizes, edges: []).overlaps == 0 {
      return placed.filter { place in sizes.contains { $0.name == place.key } }
    }
    return DiagramLayout.positions(
      of: sizes,
      edges: lines.map { DiagramLayout.Edge(from: $0.from, to: $0.to, isParent: $0.isParent) })
  }
}

extension ModelDiagram.Box {
  /// Rows that are drawn: the last one says how many are not.
  var shownRows: [ModelDiagram.Row] {
    guard rows.count > ModelDiagram.mostRows else { return rows }
    let shown = rows.prefix(ModelDiagram.mostRows - 1)
    return shown + [ModelDiagram.Row(name: "… \(rows.count - shown.count) more")]
  }

  var height: Double { ModelDiagram.headerHeight + ModelDiagram.rowHeight * Double(shownRows.count) }
}
