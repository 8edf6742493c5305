import Foundation
import ManagedModel
import Testing

@testable import ModelCommands

@Suite("The catalogue of codes") struct CatalogueTests {
  /// The names of each code's constants, found in the sources.
  private func raisedCodes() throws -> [String: [String]] {
    var names: [String: [String]] = [:]
    for text in try Package.sources() {
      for match in text.matches(of: #/static let (\w+) = Self\(\s*"(MC\d{4})"/#) {
        names[String(match.2), default: []].append(String(match.1))
      }
    }
    return names
  }

  @Test func `every code is declared once, under a name of its own`() throws {
    let raised = try raisedCodes()
    #expect(raised.filter { $0.value.count > 1 } == [:])
    #expect(Set(raised.values.flatMap(\.self)).count == raised.count)
  }

  @Test func `every code of the sources is explained, and every explained one is in the sources`() throws {
    let raised = Set(try raisedCodes().keys)
    let explained = Set(catalogue.map(\.code))
    #expect(raised.count > 100)
    #expect(raised.subtracting(explained).sorted() == [])
    #expect(explained.subtracting(raised).sorted() == [])
    #expect(explained.count == catalogue.count)
  }

  @Test func `every section of the pages is whole`() throws {
    var headings: [String] = []
    let pages = Package.folder.appending(path: "Sources/EmbeddedFiles")
    for name in try FileManager.default.contentsOfDirectory(atPath: pages.path).sorted()
    where name.hasSuffix(".md") {
      let text = try String(contentsOf: pages.appending(path: name), encoding: .utf8)
      let codes = text.matches(of: #/(?m)^## (MC\d{4}): /#).map { String($0.1) }
      #expect(codes == codes.sorted())
      #expect(codes.allSatisfy { $0.hasPrefix(name.prefix(3)) })
      headings += codes
    }
    // What lacks a heading is not parsed.
    #expect(headings == catalogue.map(\.code))
  }

  @Test(arguments: catalogue)
  func `an explanation says something under every heading`(_ explanation: Explanation) {
    #expect(!explanation.severities.isEmpty)
    #expect(!explanation.title.isEmpty && !explanation.title.hasSuffix("."))
    for text in [explanation.meaning, explanation.importance, explanation.advice] {
      #expect(text.hasSuffix(".") && text.count >= 10)
      #expect(!text.contains("```"))
    }
    #expect(explanation.example.matches(of: #/(?m)^```/#).count.isMultiple(of: 2))
    #expect(explanation.example.contains("```"))
  }

  /// What the factories say beside the code: `.noInverse, .warning, …, cocoaCode: 134060`.
  @Test func `severities and Cocoa codes are those of the sources`() throws {
    var explanations: [String: Explanation] = [:]
    for (code, names) in try raisedCodes() {
      for name in names { explanations[name] = catalogue.first { $0.code == code } }
    }
    var checked = 0
    for factory in try Package.sources().flatMap(factories) {
      guard let explanation = explanations[factory.name] else { continue }
      for severity in factory.severities {
        #expect(explanation.severities.contains(severity), "\(explanation.code) is \(severity)")
      }
      if let cocoaCode = factory.cocoaCode {
        #expect(explanation.cocoaCodes.contains(cocoaCode), "\(explanation.code)")
      }
      checked += 1
    }
    #expect(checked > 150)
  }

  private struct Factory {
    var name: String
    var severities: [Diagnostic.Severity]
    var cocoaCode: Int?
  }

  /// The calls `Diagnostic(.name, .severity, …)` of a source file.
  private func factories(in text: String) -> [Factory] {
    text.matches(of: #/[(\s]\.(\w+),\s+([^"\]{]*?\.(?:error|warning|information)\b[^"{]*?),\s/#).map {
      match in
      let rest = text[match.range.upperBound...]
      let end =
        rest.firstMatch(of: #/\n {0,2}\}|(?:Diagnostic(?:sError)?\]?|Self|append)\(/#)?.range.lowerBound
        ?? text.endIndex
      return Factory(
        name: String(match.1),
        severities: Diagnostic.Severity.allCases.filter { match.2.contains(".\($0)") },
        cocoaCode: rest[..<end].firstMatch(of: #/cocoaCode: (\d+)/#).flatMap { Int($0.1) })
    }
  }

  @Test(arguments: ["MC1301", "mc1301", "1301", " MC1301 "])
  func `a code is found however it is written`(_ text: String) {
    #expect(explanation(of: text)?.code == "MC1301")
  }

  @Test(arguments: [
    ("MC0199", ["MC0102", "MC0103", "MC0104"]), ("0003", ["MC0002", "MC0003", "MC0004"]), ("XY", []),
    ("", []), ("Inverses", ["MC1302"]),
  ])
  func `the nearest codes are offered`(_ text: String, _ codes: [String]) {
    #expect(nearestCodes(to: text).map(\.code) == codes)
  }

  @Test func `severities are listed with one or, none twice`() throws {
    let text = try #require(explanation(of: "MC3102")).text()
    #expect(text.contains("\nerror, warning or info; Core Data reports 134110 or 1570\n"))
    for explanation in catalogue {
      #expect(Set(explanation.severities).count == explanation.severities.count, "\(explanation.code)")
    }
  }

  @Test func `an explanation as a person reads it`() throws {
    let text = try #require(explanation(of: "MC1311")).text()
    #expect(
      text == """
        MC1311: an ordered to-one
        error or warning

        What it means
          A to-one relationship has `ordered: true`. In a model that Apple's tools accepted it is a warning,
          with Core Data's meaning: the order is ignored.

        Why it matters
          There is nothing to order, but the flag is still part of the version hash.

        Example
              entities:
                Hut:
                  relationships:
                    visits: {toMany: Visit, inverse: hut}
                Visit:
                  relationships:
                    hut: {to: Hut, inverse: visits, ordered: true}
          Fixed:
              entities:
                Hut:
                  relationships:
                    visits: {toMany: Visit, inverse: hut, ordered: true}
                Visit:
                  relationships:
                    hut: {to: Hut, inverse: visits}

        What to do
          Remove it, or move it to the to-many side.
        """)
  }

  @Test func `no line is wider than a terminal, but for examples and commands`() {
    let wide = catalogue.flatMap { explanation in
      explanation.text().split(separator: "\n")
        .filter { $0.utf8.count > 100 && !$0.hasPrefix("      ") && $0.count > 100 }
        .filter { $0.wholeMatch(of: #/ {2}`[^`]+`\S*/#) == nil }
        .map { "\(explanation.code): \($0)" }
    }
    #expect(wide == [])
  }

  @Test func `an explanation as JSON`() throws {
    let json = try #require(explanation(of: "MC3101")).json
    #expect(json["code"] == "MC3101")
    #expect(json["severities"] == ["error", "warning"])
    #expect(json["cocoa"] == [134110])
    for key in ["title", "whatItMeans", "whyItMatters", "example", "whatToDo"] {
      guard case .string(let text)? = json[key] else {
        Issue.record("no '\(key)'")
        continue
      }
      #expect(!text.isEmpty)
    }
  }

  @Test func `the list has a line for each code`() {
    let lines = catalogue.catalogueText().split(separator: "\n")
    #expect(lines.count == catalogue.count)
    let words = lines.first?.split(separator: " ").joined(separator: " ")
    #expect(words == "MC0001 error the YAML cannot be parsed")
  }
}
