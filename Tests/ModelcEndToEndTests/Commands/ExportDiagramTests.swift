import Foundation
import TestSupport
import Testing

@Suite("modelc export of pictures") struct ExportDiagramTests {
  @Test(arguments: [
    ("mermaid", "classDiagram"), ("dot", "digraph"), ("svg", "<svg"), ("dbml", "Table \"Companion\""),
    ("html", "<!DOCTYPE html>"),
  ])
  func `the project's model, to standard output and to a file`(_ form: String, _ start: String) throws {
    try Workplace.withSample { place in
      let run = try place.modelc("export", "--as", form, "-C", "P")
      expectSuccess(run)
      #expect(run.stdout.hasPrefix(start))
      expectSuccess(try place.modelc("export", "--as", form, "-C", "P", "-o", "out/model.\(form)"))
      #expect(try String(contentsOf: place.url("out/model.\(form)"), encoding: .utf8) == run.stdout)
    }
  }

  @Test func `a step shows what it changes`() throws {
    try Workplace.withSample { place in
      let run = try place.modelc("export", "--as", "mermaid", "V2-V3", "-C", "P")
      expectSuccess(run)
      #expect(run.stdout.contains("- warden removed"))
      expectSuccess(try place.modelc("export", "--as", "svg", "V2-V3", "-C", "P"))
      let refused = try place.modelc("export", "--as", "dbml", "V2-V3", "-C", "P")
      #expect(refused.code == 2 && refused.stderr.contains("one version"))
      #expect(try place.modelc("export", "--as", "svg", "V9", "-C", "P").code == 2)
    }
  }

  /// What the browser is given: steps with their kinds, and the path of every version.
  @Test func `the page knows how each version is reached`() throws {
    try Workplace.withSample { place in
      let page = try place.modelc("export", "--as", "html", "-C", "P").stdout
      let start = try #require(page.range(of: "id=\"data\">")).upperBound
      let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
      let data = try #require(
        JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? [String: Any])
      let versions = try #require(data["versions"] as? [[String: Any]])
      #expect(versions.map { $0["name"] as? String } == ["V1", "V2", "V3"])
      let kinds = versions.map { ($0["step"] as? [String: Any])?["kind"] as? String }
      #expect(kinds == [nil, "lightweight", "lightweight"])
      #expect(versions.map { ($0["path"] as? [String])?.count } == [3, 2, 1])
      #expect(versions.last?["current"] as? Bool == true)
    }
  }

  @Test func `a store's page masks values, unless they are asked for`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V3", "--rows", "40", "-o", "huts.sqlite", "-C", "P"))
      let values = try Self.strings(in: try place.modelc("export", "huts.sqlite", "--as", "jsonl", "-C", "P"))
      #expect(values.count > 5)
      let masked = try place.modelc("report", "huts.sqlite", "-C", "P")
      expectSuccess(masked)
      #expect(values.allSatisfy { !masked.stdout.contains("\"\($0)\"") })
      #expect(masked.stdout.contains("•••"))
      expectSuccess(try place.modelc("report", "huts.sqlite", "-C", "P", "--show-values", "-o", "huts.html"))
      let shown = try String(contentsOf: place.url("huts.html"), encoding: .utf8)
      #expect(values.contains { shown.contains("\"\($0)\"") })
      // Without the project too: a store carries its model.
      expectSuccess(try place.modelc("report", "huts.sqlite", "-o", "own.html"))
      #expect(try place.modelc("report", "P/Models/Trails/V1.yaml", "-C", "P").code != 0)
    }
  }

  /// Texts of a store's objects that nothing else on a page is likely to be.
  private static func strings(in export: Modelc.Run) throws -> Set<String> {
    var found: Set<String> = []
    for line in export.stdout.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let texts = (object?["attributes"] as? [String: Any] ?? [:]).values.compactMap { $0 as? String }
      found.formUnion(texts.filter { $0.count > 12 && $0.allSatisfy { $0.isLetter || $0 == " " } })
    }
    return found
  }

  @Test func `a pull request begins with what it does`() throws {
    try Workplace.withSample { place in
      let base = place.url("base")
      try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: place.url("P/Models/Trails"), to: base.appending(path: "Trails"))
      let file = place.url("base/Trails/versions.yaml")
      let text = try String(contentsOf: file, encoding: .utf8)
      try Data(text.replacing("current: V3", with: "current: V2").utf8).write(to: file)
      let run = try place.modelc("check", "-C", "P", "--against", base.path, "--format", "markdown")
      let lines = run.stdout.split(separator: "\n")
      #expect(lines.first?.hasPrefix("**Trails**: `V2` → `V3`. Lightweight; 2 of 2 older versions") == true)
      #expect(lines.contains("```mermaid"))
    }
  }
}
