import Foundation
import ManagedModel

extension FleetSummary {
  /// `12 stores: 10 migrated, 1 already current, 1 failed`
  var head: String {
    let counts = Dictionary(grouping: stores.values, by: \.status).mapValues(\.count)
    return "\(counted(stores.count, "store")): \(FleetStatus.text(counts))"
  }

  /// Nil if every line can be read.
  var flaw: String? {
    if unreadable == 0 { return nil }
    return "\(counted(unreadable, "line")) cannot be read, probably from a killed run"
  }

  var text: String {
    var lines = [head]
    if let work { lines.append("  " + work) }
    let rows = steps.map { ["\($0.from) → \($0.to)", counted($0.count, "store")] }
    lines += TextTable(.left, .right, rows: rows).lines(indent: 2)
    for (title, groups) in [("failed:", failures), ("warnings:", warnings)] where !groups.isEmpty {
      lines.append(title)
      for group in groups {
        lines.append("  \(group.code)  \(counted(group.count, "store")): \(group.message.printable)")
        lines += group.examples.map { "    " + $0.printable }
        if group.count > group.examples.count {
          lines.append("    and \(grouped(group.count - group.examples.count)) more")
        }
      }
    }
    if let flaw { lines.append(flaw) }
    return lines.joined(separator: "\n")
  }

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
