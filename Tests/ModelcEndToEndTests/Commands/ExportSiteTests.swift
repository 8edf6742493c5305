import Foundation
import TestSupport
import Testing

@Suite("modelc export --as site") struct ExportSiteTests {
  @Test func `an index, and pages for each model`() throws {
    try Workplace.withSample { place in
      try place.write("current: V1\nversions: [V1]\n", to: "P/Models/index/versions.yaml")
      try place.write(
        """
        entities:
          One:
            attributes: {text: {type: string?, userInfo: {note: '<script>x()</script>'}}}
            relationships: {all: {toMany: Other, inverse: one}}
          Other:
            attributes: {when: date?}
            relationships: {one: {to: One, inverse: all}}
        """, to: "P/Models/index/V1.yaml")
      let run = try place.modelc("export", "--as", "site", "-C", "P", "-o", "site")
      expectSuccess(run)
      let names = try FileManager.default.contentsOfDirectory(atPath: place.url("site").path).sorted()
      #expect(
        names == [
          "Trails-tables.html", "Trails.html", "Trails.svg", "index-2-tables.html", "index-2.html",
          "index-2.svg",
          "index.html",
        ])
      func text(_ name: String) throws -> String {
        try String(contentsOf: place.url("site/\(name)"), encoding: .utf8)
      }
      let index = try text("index.html")
      for name in names.dropLast() { #expect(index.contains("\"\(name)\""), "\(name)") }
      let tables = try text("index-2-tables.html")
      #expect(!tables.contains("<script"))
      #expect(try !text("index-2.html").contains("<script>x()"))
      #expect(tables.contains("<code>ZOTHER.ZONE</code>"))
      #expect(try text("Trails-tables.html").contains("<code>ZNAME</code>"))
      // Once more over what it wrote, and not over what it did not.
      expectSuccess(try place.modelc("export", "--as", "site", "-C", "P", "-o", "site"))
      try place.write("<h1>Ours</h1>", to: "own/index.html")
      let refused = try place.modelc("export", "--as", "site", "-C", "P", "-o", "own")
      #expect(refused.errors == ["MC0012"] && refused.stderr.contains("index.html' may not be modelc's"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.url("own").path) == ["index.html"])
      try place.write("<h1>Ours</h1>", to: "pages/Trails.html")
      let page = try place.modelc("export", "--as", "site", "-C", "P", "-o", "pages")
      #expect(page.errors == ["MC0012"] && page.stderr.contains("Trails.html' may not be modelc's"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.url("pages").path) == ["Trails.html"])
      #expect(try place.modelc("export", "--as", "site", "-C", "P").code == 2)
    }
  }
}
