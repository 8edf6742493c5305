import Foundation
import GRDB
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
      let data = try #require(PageData(page))
      let versions: [[String: Any]] = try #require(data["versions"])
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
      #expect(try place.modelc("report", "huts.sqlite", "--format", "json").code == 2)
      #expect(try place.modelc("report", "P/Models/Trails/V1.yaml", "-C", "P").code != 0)
      // What the project's models have is in the text and in the JSON.
      try place.write("entities: {Hut: {abstrct: true}}\n", to: "P/Models/Trails/V2.yaml")
      #expect(try place.modelc("report", "huts.sqlite", "-C", "P", "-o", "a.html").errors == ["MC0003"])
      let json = try place.modelc("report", "huts.sqlite", "-C", "P", "-o", "a.html", "--format", "json")
      #expect(try json.decoded(as: RefusalRecord.self).diagnostics.map(\.code).contains("MC0003"))
    }
  }

  @Test func `a store's page has the commands that repair it`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V3", "--rows", "40", "-o", "huts.sqlite", "-C", "P"))
      try DatabaseQueue(path: place.url("huts.sqlite").path).write { db in
        try db.execute(sql: "UPDATE ZVISIT SET ZPHOTOCOUNT = 99 WHERE Z_PK = 1")
      }
      let page = try place.modelc("report", "huts.sqlite", "-C", "P")
      expectSuccess(page)
      #expect(page.stdout.contains(" huts.sqlite` recomputes it"))
      #expect(!page.stdout.contains("repair STORE`"))
    }
  }

  @Test func `a migration's page has its plan, and its report afterwards`() throws {
    try Workplace.withSample { place in
      expectSuccess(try place.modelc("fixture", "V1", "--rows", "40", "-o", "huts.sqlite", "-C", "P"))
      let values = try Self.strings(in: try place.modelc("export", "huts.sqlite", "--as", "jsonl", "-C", "P"))
      let text = try place.modelc("plan", "huts.sqlite", "-C", "P", "--format", "html").stdout
      let plan = try #require(PageData(text))
      #expect(plan["migration", "steps", "0", "to"] == "V3" && plan["title"] == "huts.sqlite: V1 → V3")
      #expect(plan["migration", "losses", "0", "property"] == "warden")
      let paths = try place.modelc("plan", "--from", "V1", "-C", "P", "--format", "html").stdout
      let path = try #require(PageData(paths))
      #expect(path["migration", "path"] == ["V1", "V3"])
      expectSuccess(try place.modelc("migrate", "huts.sqlite", "-C", "P", "--report", "html=run.html"))
      let page = try String(contentsOf: place.url("run.html"), encoding: .utf8)
      let run = try #require(PageData(page))
      let phases: [[String: Any]] = try #require(run["migration", "phases"])
      #expect(phases.first?["phase"] as? String == "plan" && phases.last?["phase"] as? String == "swap")
      #expect(run["migration", "after", "Hut"] == 8 && run["migration", "objects"] == 40)
      #expect(run["migration", "to"] == "V3" && run["versions", "2", "step", "kind"] == "lightweight")
      #expect(values.count > 5)
      #expect(values.allSatisfy { !page.contains("\"\($0)\"") && !text.contains("\"\($0)\"") })
      let several = ["migrate", "a", "b", "--report", "html=c.html", "-C", "P"]
      #expect(try Modelc.run(several, in: place.folder).code == 2)
    }
  }

  /// A page says why a migration is refused, and the command ends as without one.
  @Test func `a refused plan is a page too`() throws {
    try CasePlace.with([
      "entities: {Hut: {attributes: {name: string, fax: string?}}}",
      "entities: {Hut: {attributes: {name: string}}}",
    ]) { place in
      try place.makeStore("V1", "Hut:\n  p1: {name: a, fax: \"1\"}")
      let run = try place.modelc("plan", "store.sqlite", "--format", "html")
      let data = try #require(PageData(run.stdout))
      #expect(run.code == 1 && data["migration", "diagnostics", "0", "code"] == "MC3111")
      let refused = try place.modelc("migrate", "store.sqlite", "--report", "html=run.html")
      let page = try String(contentsOf: place.url("run.html"), encoding: .utf8)
      #expect(refused.code == 1 && PageData(page)?["migration", "losses", "0", "count"] == 1)
      // What is no store has no plan.
      try place.write("notes", to: "notes.sqlite")
      let notes = try place.modelc("migrate", "notes.sqlite", "--report", "html=notes.html")
      let other = try String(contentsOf: place.url("notes.html"), encoding: .utf8)
      #expect(notes.code == 3 && PageData(other)?["migration", "diagnostics", "0", "code"] == "MC5001")
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
