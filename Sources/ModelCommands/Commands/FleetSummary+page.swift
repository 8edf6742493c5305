import Foundation
import ManagedModel

extension FleetSummary {
  /// How work on many stores went, as one file for a browser.
  var page: String {
    var parts = [head, work, flaw].compactMap(\.self).map { "<p>\($0.markup)</p>" }
    parts += section("Versions", ["from", "to", "stores", ""], steps) { step in
      [step.from.markup, step.to.markup, grouped(step.count), meter(step.count, of: stores.count)]
    }
    for (title, groups) in [("Failed", failures), ("Warnings", warnings)] {
      parts += section(title, ["code", "stores", "", "first message", "some of them"], groups) { group in
        [
          "<code>\(group.code.markup)</code>", grouped(group.count), meter(group.count, of: stores.count),
          group.message.markup, group.examples.map(\.markup).joined(separator: "<br>"),
        ]
      }
    }
    parts += section("Longest", ["store", "seconds", "bytes", ""], slowest) { store in
      [
        store.store.markup, String(format: "%.2f", store.seconds ?? 0), store.bytes.map(\.humanSize) ?? "",
        meter(Int((store.seconds ?? 0) * 1000), of: Int((slowest.first?.seconds ?? 0) * 1000)),
      ]
    }
    return PageTemplate(name: "site").page(
      titled: "Work on \(counted(stores.count, "store"))", body: parts.joined(separator: "\n"))
  }

  /// A table with a row for each; nothing where there are none.
  private func section<Element>(
    _ title: String, _ heads: [String], _ elements: [Element], _ cells: (Element) -> [String]
  ) -> [String] {
    if elements.isEmpty { return [] }
    let rows = elements.map { cells($0).map { "<td><bdi>\($0)</bdi></td>" } }
    return ["<h2>\(title)</h2>", PageTemplate.table(heads, rows)]
  }

  private func meter(_ part: Int, of whole: Int) -> String {
    "<meter max=\"\(max(whole, 1))\" value=\"\(part)\">\(part) of \(whole)</meter>"
  }
}
