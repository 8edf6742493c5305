/// Places the boxes of an entity diagram: few crossings, no overlaps, and the same answer every time.
/// Edges are meant to be drawn as straight lines between box centres, so that is what is optimised.
/// Connected groups are laid out one by one (`Group`) and packed on a sheet of about 16:10 (`pack`).
struct DiagramLayout {
  /// An entity as drawn. Of several boxes with one name the first counts.
  struct Box: Sendable {
    var name: String
    var width, height: Double
  }

  /// A relationship or, if `isParent`, an inheritance from the child (`from`) to its parent (`to`).
  /// Parents go above their children. Edges to unknown names and to oneself have no influence.
  struct Edge: Sendable {
    var from, to: String
    var isParent: Bool
  }

  /// A place on the sheet; y grows downwards.
  struct Point: Equatable, Sendable { var x, y: Double }

  /// What `quality` measures. Several edges between two boxes are one line from centre to centre.
  struct Quality: Equatable, Sendable {
    /// Pairs of lines that cross, lines through boxes at neither end, and pairs of boxes that overlap.
    var crossings = 0, passes = 0, overlaps = 0
    /// The extent of the boxes, and the length of all lines together.
    var width = 0.0, height = 0.0, length = 0.0
  }

  static let gapX = 60.0, gapY = 70.0

  /// Top-left corners by name; the same input gives the same output, whatever the order of boxes.
  ///
  /// - Parameter budget: steps of search for a sheet; these take about 0.1 seconds in an optimised build.
  static func positions(of boxes: [Box], edges: [Edge], budget: Double = 7e6) -> [String: Point] {
    let whole = Group(boxes, edges)
    var items = whole.parts(edges).map { part in
      (part, part.best(budget * Double(part.boxes.count) / Double(whole.boxes.count)))
    }
    // Loose boxes come last; else the tallest first, so that a shelf's first item sets its height.
    items.sort { ($0.0.links.isEmpty ? 1 : 0, -$0.1.height) < ($1.0.links.isEmpty ? 1 : 0, -$1.1.height) }
    var result: [String: Point] = [:]
    for ((part, drawing), corner) in zip(items, pack(items.map(\.1))) {
      for (node, box) in part.boxes.enumerated() {
        let (x, y) = (corner.x + drawing.x[node] - box.width / 2, corner.y + drawing.y[node] - box.height / 2)
        result[box.name] = Point(x: x.rounded(), y: y.rounded())
      }
    }
    return result
  }

  /// Measures a layout, ours or another program's. Boxes without a position are left out.
  static func quality(of positions: [String: Point], boxes: [Box], edges: [Edge]) -> Quality {
    let group = Group(boxes.filter { positions[$0.name] != nil }, edges)
    let x = group.boxes.map { (positions[$0.name]?.x ?? 0) + $0.width / 2 }
    let y = group.boxes.map { (positions[$0.name]?.y ?? 0) + $0.height / 2 }
    var result = group.layoutQuality(x, y)
    for (i, a) in group.boxes.enumerated() {
      result.overlaps +=
        group.boxes.enumerated().dropFirst(i + 1).filter { j, b in
          abs(x[i] - x[j]) * 2 < a.width + b.width && abs(y[i] - y[j]) * 2 < a.height + b.height
        }.count
    }
    return result
  }

  /// Packs groups in rows; of many sheet widths, the one whose content is largest when fitted into 16:10.
  static func pack(_ items: [Drawing]) -> [Point] {
    let (least, total) = items.reduce((0, 0)) { (max($0.0, $1.width), $0.1 + $1.width + gapX) }
    let limits = sequence(first: least) { $0 < total ? $0 * 1.04 + 10 : nil }
    return limits.map { rows(items, $0) }.min { $0.sheet < $1.sheet }?.corners ?? []
  }

  /// Rows from the top, no wider than `limit` if possible; within a row, low groups are stacked.
  static func rows(_ items: [Drawing], _ limit: Double) -> (corners: [Point], sheet: Double) {
    var (corners, sheet, top, shelf) = ([Point](), 0.0, 0.0, 0.0)
    var (left, column, filled) = (0.0, 0.0, 0.0)
    for item in items {
      if item.width > column || filled + item.height > shelf {
        left += column > 0 ? column + gapX : 0
        if left + item.width > limit && column > 0 { (left, top, shelf) = (0, top + shelf + gapY, 0) }
        (column, filled, shelf) = (item.width, 0, max(shelf, item.height))
      }
      corners.append(Point(x: left, y: top + filled))
      filled += item.height + gapY
      sheet = max(sheet, left + item.width, 1.6 * (top + shelf))
    }
    return (corners, sheet)
  }

  /// A laid-out group: layers of boxes and box centres, in a rectangle whose top left is the origin.
  struct Drawing {
    var layers: [[Int]] = []
    var x: [Double] = [], y: [Double] = [], width = 0.0, height = 0.0, cost = Double.infinity
  }

  /// A graph with numbered nodes and single undirected links, and its layout if it is connected.
  struct Group {
    var boxes: [Box] = [], links: [(Int, Int)] = []
    /// The neighbours and the parents of each node.
    var near: [[Int]] = [], above: [[Int]] = []

    /// Sorted, to be independent of the input's order. Absurd sizes must not spread to all places.
    init(_ given: [Box], _ edges: [Edge]) {
      var index: [String: Int] = [:]
      for box in given where index.updateValue(0, forKey: box.name) == nil {
        let size = [box.width, box.height].map { $0.isNaN ? 100 : min(max($0, 1), 20_000) }
        boxes.append(Box(name: box.name, width: size[0], height: size[1]))
      }
      boxes.sort { $0.name < $1.name }
      for (node, box) in boxes.enumerated() { index[box.name] = node }
      var linked = Array(repeating: Set<Int>(), count: boxes.count)
      var parents = linked
      for edge in edges {
        guard let a = index[edge.from], let b = index[edge.to], a != b else { continue }
        linked[a].insert(b)
        linked[b].insert(a)
        if edge.isParent { parents[a].insert(b) }
      }
      (near, above) = (linked.map { $0.sorted() }, parents.map { $0.sorted() })
      links = near.enumerated().flatMap { a, all in all.filter { $0 > a }.map { (a, $0) } }
    }

    /// The connected components.
    func parts(_ edges: [Edge]) -> [Group] {
      var first: [String: Int] = [:]
      for node in boxes.indices where first[boxes[node].name] == nil {
        for member in walk(from: node) { first[boxes[member].name] = node }
      }
      let inside = Dictionary(grouping: edges) { first[$0.from] ?? -1 }
      let members = Dictionary(grouping: boxes) { first[$0.name] ?? -1 }
      return members.sorted { $0.key < $1.key }.map { Group($0.value, inside[$0.key] ?? []) }
    }

    /// All nodes that can be reached, the nearest first.
    func walk(from start: Int) -> [Int] {
      var (seen, queue, next) = (Set([start]), [start], 0)
      while next < queue.count {
        queue += near[queue[next]].filter { seen.insert($0).inserted }
        next += 1
      }
      return queue
    }

    func span(_ centres: [Double], _ sizes: [Double]) -> (low: Double, size: Double) {
      let low = zip(centres, sizes).map { $0 - $1 / 2 }.min() ?? 0
      return (low, zip(centres, sizes).reduce(low) { max($0, $1.0 + $1.1 / 2) } - low)
    }

    /// Crossings, lines through boxes, length and extent for boxes centred at x and y.
    func layoutQuality(_ x: [Double], _ y: [Double]) -> Quality {
      var result = Quality()
      for (i, (a, b)) in links.enumerated() {
        let (left, right, top, bottom) = (min(x[a], x[b]), max(x[a], x[b]), min(y[a], y[b]), max(y[a], y[b]))
        let (dx, dy) = (x[b] - x[a], y[b] - y[a])
        result.length += (dx * dx + dy * dy).squareRoot()
        for (c, d) in links[(i + 1)...] where a != c && a != d && b != c && b != d {
          if max(x[c], x[d]) < left || min(x[c], x[d]) > right || max(y[c], y[d]) < top { continue }
          // Two lines cross if the ends of each lie on different sides of the other.
          let (ex, ey) = (x[d] - x[c], y[d] - y[c])
          let ends = (dx * (y[c] - y[a]) - dy * (x[c] - x[a])) * (dx * (y[d] - y[a]) - dy * (x[d] - x[a]))
          let others = (ex * (y[a] - y[c]) - ey * (x[a] - x[c])) * (ex * (y[b] - y[c]) - ey * (x[b] - x[c]))
          if ends < 0 && others < 0 { result.crossings += 1 }
        }
        for c in x.indices where c != a && c != b {
          let (w, h) = (boxes[c].width / 2 + 8, boxes[c].height / 2 + 8)
          if x[c] + w <= left || x[c] - w >= right || y[c] + h <= top || y[c] - h >= bottom { continue }
          // The line meets the box (or nearly) if the centre is nearer than the box reaches across it.
          if abs(dx * (y[c] - y[a]) - dy * (x[c] - x[a])) < w * abs(dy) + h * abs(dx) { result.passes += 1 }
        }
      }
      (result.width, result.height) = (span(x, boxes.map(\.width)).size, span(y, boxes.map(\.height)).size)
      return result
    }

    /// Starts from two orders and three widths and refines the most promising; the larger a group is,
    /// the fewer `trials` it gets, since a measurement takes longer.
    func best(_ budget: Double) -> Drawing {
      let (n, m) = (Double(boxes.count), Double(links.count))
      let trials = budget / (m * (m + n) / 2 + 30 * (n + m))
      let (wide, high) = boxes.reduce((0, 0)) { ($0.0 + $1.width + gapX, $0.1 + $1.height + gapY) }
      let ideal = max(2, Int((n * 1.6 * high / wide).squareRoot().rounded()))
      let widths = trials < 300 || n < 3 ? [ideal] : [ideal, ideal - 1, ideal + 1, ideal + 2]
      let starts = orders().flatMap { order in widths.map { sweep(layers(order, $0), trials > 30) } }
      let chosen = starts.sorted { $0.cost < $1.cost }.prefix(5), share = trials / Double(chosen.count) - 30
      return chosen.map { refine($0, share) }.min { $0.cost < $1.cost } ?? Drawing()
    }

    /// Two orders; lines lead from earlier to later nodes, which breaks all cycles. By distance from the
    /// busiest node, first with every other branch turned upwards, so that this node is amid its star.
    func orders() -> [[Int]] {
      let hub = near.indices.max { near[$0].count < near[$1].count } ?? 0
      let nearest = walk(from: hub)
      var level = Array(repeating: 0, count: near.count)
      for node in nearest {
        for (at, next) in near[node].enumerated() where level[next] == 0 && next != hub {
          level[next] = level[node] + (node == hub ? 1 - at % 2 * 2 : level[node].signum())
        }
      }
      return [nearest.sorted { level[$0] < level[$1] }, nearest]
    }

    /// Each node below its predecessors, but at most `width` nodes in a layer: if it is full, further
    /// down. Children wait for their parents, unless those form a circle.
    func layers(_ order: [Int], _ width: Int) -> [[Int]] {
      var (level, rest, result) = (Array(repeating: -1, count: order.count), order, [[Int]]())
      while !rest.isEmpty {
        let node = rest.remove(at: rest.firstIndex { above[$0].allSatisfy { level[$0] >= 0 } } ?? 0)
        var place = (near[node].map { level[$0] }.max() ?? -1) + 1
        while place < result.count && result[place].count >= width { place += 1 }
        while place >= result.count { result.append([]) }
        result[place].append(node)
        level[node] = place
      }
      return result
    }

    /// Sorts each layer by the mean place of the neighbours above (going down) and below (going up).
    func sweep(_ start: [[Int]], _ measured: Bool) -> Drawing {
      var drawing = place(start, measured)
      var best = drawing
      for round in 0..<12 {
        let side = round % 2 == 0 ? 1.0 : -1.0
        var layers = drawing.layers
        for at in round % 2 == 0 ? Array(layers.indices) : layers.indices.reversed() {
          let (x, y) = (drawing.x, drawing.y)
          let wanted = layers[at].map { node in mean(node, x) { (y[node] - y[$0]) * side > 0 } }
          let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
          layers[at] = order.map { layers[at][$0] }
          align(layers[at], order.map { wanted[$0] }, &drawing.x)
        }
        drawing = place(layers, measured)
        if !measured || drawing.cost < best.cost { best = drawing }
      }
      return best
    }

    func mean(_ node: Int, _ x: [Double], of wanted: (Int) -> Bool) -> Double {
      var (sum, count) = (0.0, 0.0)
      for other in near[node] where wanted(other) { (sum, count) = (sum + x[other], count + 1) }
      return count == 0 ? x[node] : sum / count
    }

    /// Puts a layer's boxes as near as possible (least squares) to the wanted places, in their order and
    /// without overlaps. With the offsets of a packed layer subtracted, "without overlaps" is "not falling",
    /// so runs that fall are replaced by their mean. Boxes 1 apart that want to be at 0, 10 and 5: less the
    /// offsets 0, 1, 2 that is 0, 9, 3; 9 and 3 become 6 and 6; the places are 0, 7, 8.
    func align(_ layer: [Int], _ wanted: [Double], _ x: inout [Double]) {
      var offset: [Double] = []
      var runs: [(sum: Double, weight: Double, count: Int)] = []
      for (i, node) in layer.enumerated() {
        offset.append(i == 0 ? 0 : offset[i - 1] + (boxes[layer[i - 1]].width + boxes[node].width) / 2 + gapX)
        let weight = Double(near[node].count) * Double(near[node].count) + 1
        var run = (sum: (wanted[i] - offset[i]) * weight, weight: weight, count: 1)
        while let last = runs.last, last.sum / last.weight > run.sum / run.weight {
          run = (run.sum + last.sum, run.weight + last.weight, run.count + runs.removeLast().count)
        }
        runs.append(run)
      }
      let places = runs.flatMap { Array(repeating: $0.sum / $0.weight, count: $0.count) }
      for (i, node) in layer.enumerated() { x[node] = places[i] + offset[i] }
    }

    /// Coordinates for given layers: packed, then drawn to the neighbours in other layers.
    func place(_ layers: [[Int]], _ measured: Bool) -> Drawing {
      let zero = Array(repeating: 0.0, count: boxes.count)
      var drawing = Drawing(layers: layers.filter { !$0.isEmpty }, x: zero, y: zero, height: -gapY)
      for layer in drawing.layers {
        let high = layer.reduce(0) { max($0, boxes[$1].height) }
        for node in layer { drawing.y[node] = drawing.height + gapY + high / 2 }
        drawing.height += gapY + high
        align(layer, layer.map { _ in 0 }, &drawing.x)
      }
      let y = drawing.y
      for round in 0..<4 {
        for layer in round % 2 == 0 ? drawing.layers : drawing.layers.reversed() {
          align(layer, layer.map { node in mean(node, drawing.x) { y[$0] != y[node] } }, &drawing.x)
        }
      }
      let (low, size) = span(drawing.x, boxes.map(\.width))
      (drawing.x, drawing.width) = (drawing.x.map { $0 - low }, size)
      if measured { drawing.cost = cost(drawing) }
      return drawing
    }

    /// Crossings count most, then lines through boxes, the sheet of 16:10 around the group, and length,
    /// both in units of 300, about the distance of two boxes. Larger groups must not become strips.
    func cost(_ drawing: Drawing) -> Double {
      let layoutQuality = layoutQuality(drawing.x, drawing.y)
      let upside = boxes.indices.flatMap { node in above[node].filter { drawing.y[$0] >= drawing.y[node] } }
        .count
      let (wide, high) = (drawing.width, 1.6 * drawing.height)
      let (sheet, shape) = (max(wide, high), max(wide, high) / min(wide, high) - 1)
      return 1000 * Double(upside) + 100 * Double(layoutQuality.crossings) + 90 * Double(layoutQuality.passes)
        + (4 * sheet + layoutQuality.length) / 300 + (boxes.count < 6 ? 0 : 25 * shape * shape)
    }

    /// Moves or exchanges boxes as long as that helps: sorting alone never changes a box's layer.
    func refine(_ start: Drawing, _ trials: Double) -> Drawing {
      var (best, left, idle, node) = (start, trials, 0, 0)
      while idle < boxes.count && left > 0 {
        idle += 1
        for layers in variants(of: best.layers, node) where left > 0 {
          let drawing = place(layers, true)
          if drawing.cost < best.cost - 0.001 { (best, idle) = (drawing, 0) }
          left -= 1
        }
        node = (node + 1) % boxes.count
      }
      return best
    }

    /// The layers with `node` in every other place (also in layers of its own), or exchanged.
    func variants(of layers: [[Int]], _ node: Int) -> [[[Int]]] {
      let rest = [[]] + layers.map { $0.filter { $0 != node } } + [[]]
      return rest.indices.flatMap { at in
        (0...rest[at].count).map { index in
          var copy = rest
          copy[at].insert(node, at: index)
          return copy
        } + rest[at].map { other in layers.map { $0.map { $0 == node ? other : $0 == other ? node : $0 } } }
      }
    }
  }
}
