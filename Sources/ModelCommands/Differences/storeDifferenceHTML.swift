import ManagedModel
import ReleaseChecks

/// One page without anything from elsewhere. All that comes from the stores is text.
func storeDifferenceHTML(_ difference: StoreDifference, _ old: String, _ new: String) -> String {
  let title = "\(old) → \(new)"
  var lines = [
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<title>\(shown(title))</title>", style, "</head>", "<body>", "<h1>\(shown(title))</h1>",
    "<p>\(shown(difference.summary))</p>",
  ]
  for entity in difference.entities where entity.differing > 0 {
    lines.append("<h2>\(shown(entity.title))</h2>")
    lines += ["<table>", "<tr><th></th><th>object</th><th>property</th><th>from</th><th>to</th></tr>"]
    lines += entity.objects.flatMap(rows)
    lines.append("</table>")
    let left = entity.differing - entity.objects.count
    if left > 0 { lines.append("<p>and \(grouped(left)) more</p>") }
  }
  return (lines + ["</body>", "</html>", ""]).joined(separator: "\n")
}

private let style = """
  <style>
  body { font: 15px system-ui, sans-serif; margin: 2em; }
  table { border-collapse: collapse; }
  td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left; vertical-align: top; }
  .added { background: #e6ffec; } .removed { background: #ffebe9; } .changed { background: #fff8c5; }
  </style>
  """

private func rows(_ object: StoreDifference.Object) -> [String] {
  let head = "<tr class=\"\(object.kind.rawValue)\"><td>\(object.sign)</td><td>\(shown(object.label))</td>"
  if object.properties.isEmpty { return ["\(head)<td></td><td></td><td></td></tr>"] }
  return object.properties.enumerated().map { place, property in
    let start = place == 0 ? head : "<tr class=\"\(object.kind.rawValue)\"><td></td><td></td>"
    let values = [property.before, property.after].map { shown($0.map(\.text) ?? "") }
    return "\(start)<td>\(shown(property.name))</td><td>\(values[0])</td><td>\(values[1])</td></tr>"
  }
}

private func shown(_ text: String) -> String { visibleXML(xmlText(text)) }
