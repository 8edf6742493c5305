import ManagedModel

extension ModelDiagram {
  /// A drawing that any browser, Markdown page or editor shows; light, for paper too.
  var svg: String {
    let places = positions
    let frames = Dictionary(
      firstOf: boxes.compactMap { box in
        places[box.name].map { (box.name, Frame(x: $0.x, y: $0.y, width: Self.boxWidth, height: box.height)) }
      })
    let (left, top) = ((frames.values.map(\.x).min() ?? 0) - 40, (frames.values.map(\.y).min() ?? 0) - 40)
    let width = (frames.values.map { $0.x + $0.width }.max() ?? 0) - left + 40
    let height = (frames.values.map { $0.y + $0.height }.max() ?? 0) - top + 40
    var text = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="\(left) \(top) \(width) \(height)" width="\(width)" \
      height="\(height)" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="12">
      """,
      "<title>\(svgText(title))</title>", Self.style,
      "<rect class=\"sheet\" x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(height)\"/>",
    ]
    text += lines.compactMap { line in
      guard let from = frames[line.from], let to = frames[line.to] else { return nil }
      return svg(of: line, from, to)
    }
    text += boxes.compactMap { box in frames[box.name].map { svg(of: box, $0) } }
    // Above the boxes: lines that come from the side have little room.
    text += lines.flatMap { line -> [String] in
      guard let from = frames[line.from], let to = frames[line.to] else { return [] }
      return ends(of: line, from, to)
    }
    return (text + ["</svg>", ""]).joined(separator: "\n")
  }

  private static let style = """
    <style>
    .sheet { fill: #fff } .box { fill: #fff; stroke: #57606a } .head { fill: #eaeef2 } .name { font-weight: 600 }
    .abstract { font-style: italic } .type { fill: #57606a } .line { fill: none; stroke: #57606a } .parent { fill: #fff }
    .added { fill: #1a7f37 } .removed { fill: #cf222e } .changed { fill: #9a6700 } .end { fill: #24292f; font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 3px }
    </style>
    """

  private func svg(of box: Box, _ frame: Frame) -> String {
    let (x, y) = (frame.x, frame.y)
    let style = ["name", box.isAbstract ? "abstract" : nil, box.sign.map { "\($0)" }].compactMap(\.self)
    let name = (box.sign.map { "\($0.rawValue) " } ?? "") + box.name
    var text = [
      "<g><title>\(svgText(box.name))</title>",
      "<rect class=\"box\" x=\"\(x)\" y=\"\(y)\" width=\"\(frame.width)\" height=\"\(frame.height)\"/>",
      "<rect class=\"head\" x=\"\(x + 1)\" y=\"\(y + 1)\" width=\"\(frame.width - 2)\" height=\"28\"/>",
      "<text class=\"\(style.joined(separator: " "))\" x=\"\(x + 10)\" y=\"\(y + 20)\">\(svgText(shortened(name, 32)))</text>",
    ]
    for (place, row) in box.shownRows.enumerated() {
      let line = y + Self.headerHeight + Self.rowHeight * Double(place) + 8
      // A row of 36 characters fits; the type has what the name leaves.
      let name = shortened((row.sign.map { "\($0.rawValue) " } ?? "") + row.name, row.type.isEmpty ? 36 : 24)
      let type = shortened(row.type, max(4, 31 - name.count))
      text.append(
        "<text class=\"\(row.sign.map { "\($0)" } ?? "")\" x=\"\(x + 10)\" y=\"\(line)\">\(svgText(name))</text>"
      )
      if !type.isEmpty {
        text.append(
          "<text class=\"type\" text-anchor=\"end\" x=\"\(x + frame.width - 10)\" y=\"\(line)\">\(svgText(type))</text>"
        )
      }
    }
    return (text + ["</g>"]).joined(separator: "\n")
  }

  /// Where a line begins and ends, and the direction between.
  private func course(
    of line: Line, _ from: Frame, _ to: Frame
  ) -> (start: DiagramLayout.Point, end: DiagramLayout.Point, direction: DiagramLayout.Point) {
    if line.from == line.to {
      let x = from.x + from.width
      return (.init(x: x, y: from.y + 12), .init(x: x, y: from.y + 34), .init(x: 0, y: 1))
    }
    let (start, end) = (from.edge(towards: to), to.edge(towards: from))
    let (x, y) = (end.x - start.x, end.y - start.y)
    let length = max(1, (x * x + y * y).squareRoot())
    return (start, end, .init(x: x / length, y: y / length))
  }

  private func svg(of line: Line, _ from: Frame, _ to: Frame) -> String {
    let (start, end, direction) = course(of: line, from, to)
    let way = line.from == line.to ? "h 24 v 22 h -24" : "L \(end.x) \(end.y)"
    var text = [
      "<g><title>\(svgText(line.label))</title><path class=\"line\" d=\"M \(start.x) \(start.y) \(way)\"/>"
    ]
    if line.isParent {
      let (x, y) = (end.x - direction.x * 14, end.y - direction.y * 14)
      let (sideX, sideY) = (-direction.y * 7, direction.x * 7)
      text.append(
        "<path class=\"line parent\" d=\"M \(end.x) \(end.y) L \(x + sideX) \(y + sideY) "
          + "L \(x - sideX) \(y - sideY) Z\"/>")
    }
    return (text + ["</g>"]).joined()
  }

  /// How many objects there are at both ends, beside the line.
  private func ends(of line: Line, _ from: Frame, _ to: Frame) -> [String] {
    let (start, end, direction) = course(of: line, from, to)
    let isLoop = line.from == line.to
    return [(line.inverse, start, 16.0), (line.relationship, end, -16.0)].compactMap {
      relationship, point, way in
      guard let relationship else { return nil }
      let x = isLoop ? point.x + 40 : point.x + direction.x * way - direction.y * 12
      let y = isLoop ? point.y + 4 : point.y + direction.y * way + direction.x * 10 + 4
      return
        "<text class=\"end\" text-anchor=\"middle\" x=\"\(x)\" y=\"\(y)\">\(relationship.cardinality)</text>"
    }
  }

  private func shortened(_ text: String, _ limit: Int) -> String {
    text.count > limit ? text.prefix(limit - 1) + "…" : text
  }

  private func svgText(_ text: String) -> String { text.visible.xmlText }

  // Where the boxes of a diagram are, and how large.
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

/// A box on the sheet.
private struct Frame {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  private var middle: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

  /// Where the line between the middles of two boxes leaves this one.
  func edge(towards other: Frame) -> DiagramLayout.Point {
    let (dx, dy) = (other.middle.x - middle.x, other.middle.y - middle.y)
    let share = min(dx == 0 ? .infinity : width / 2 / abs(dx), dy == 0 ? .infinity : height / 2 / abs(dy))
    guard share.isFinite else { return DiagramLayout.Point(x: middle.x, y: middle.y) }
    return DiagramLayout.Point(x: middle.x + dx * share, y: middle.y + dy * share)
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
