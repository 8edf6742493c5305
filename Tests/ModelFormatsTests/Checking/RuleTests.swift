import Foundation
import ManagedModel
import ModelFormats
import Testing

/// Every rule of a model that stands alone, by a model that breaks it and one that does not.
@Suite struct RuleTests {
  @Test(arguments: Pair.all)
  func `a broken rule is found at its place, and is silent once fixed`(pair: Pair) throws {
    let source = MarkedSource(pair.broken)
    let found = try findings(in: source).filter(pair.concerns)
    #expect(found.map(source.describe) == pair.expected)
    for finding in found {
      #expect(
        finding.message.first?.isUppercase != true && !finding.message.hasSuffix("."), "\(finding.message)")
    }
    let fixed = try findings(in: MarkedSource(pair.fixed)).filter {
      $0.severity == .error || pair.codes.contains($0.code.description)
    }
    #expect(fixed == [])
  }

  @Test(arguments: Pair.all)
  func `the edits that a finding offers mend it, and break nothing`(pair: Pair) throws {
    let source = MarkedSource(pair.broken)
    let before = try findings(in: source)
    for finding in before where !finding.fixIts.isEmpty {
      let (data, applied) = applyFixIts([finding.fixIts], to: source.data)
      #expect(applied == [0], "\(finding.message)")
      let text = String(decoding: data, as: UTF8.self)
      let after = try findings(in: text)
      let known = Set(before.map(\.code.description))
      #expect(!after.contains { $0.isSame(as: finding) }, "\(finding.message)\n\(text)")
      #expect(
        after.filter { $0.severity == .error && !known.contains($0.code.description) } == [],
        "\(finding.message)\n\(text)")
    }
  }

  @Test(arguments: [
    "entities: {E: {}}\nfetchRequests: {f: {sort: []}}",
    "entities: {E: {attributes: {a: {type: string?, rules: [{warning: w}]}}}}",
  ])
  func `a key that is missing is one finding`(text: String) throws {
    #expect(try findings(in: text).filter { $0.severity == .error }.map(\.code) == [.missingKey])
  }

  /// The codes with an obvious mend; a code that loses its edit, or gains one, is noticed here.
  @Test func `what can be fixed is fixed`() throws {
    var mendable: Set<String> = []
    var safe: Set<String> = []
    for pair in Pair.all {
      for finding in try findings(in: MarkedSource(pair.broken)) where !finding.fixIts.isEmpty {
        mendable.insert(finding.code.description)
        if finding.fixIts.allSatisfy(\.isSafe) { safe.insert(finding.code.description) }
      }
    }
    #expect(
      mendable.sorted() == [
        "MC0102", "MC1105", "MC1106", "MC1107", "MC1110", "MC1201", "MC1202", "MC1203", "MC1205", "MC1207",
        "MC1208", "MC1209", "MC1211", "MC1212", "MC1213", "MC1214", "MC1220", "MC1221", "MC1301", "MC1302",
        "MC1303",
        "MC1304", "MC1305", "MC1307", "MC1308", "MC1311", "MC1401", "MC1402", "MC1501", "MC1502", "MC1503",
        "MC1601", "MC1602", "MC1701", "MC1703", "MC1801", "MC1802", "MC1803", "MC1804", "MC1805", "MC1806",
      ])
    #expect(
      safe.sorted() == [
        "MC1105", "MC1110", "MC1201", "MC1203", "MC1205", "MC1207", "MC1209", "MC1213", "MC1220", "MC1303",
        "MC1503", "MC1601", "MC1703",
      ])
  }

  @Test func `a wide table that its rows leave mostly empty is a warning`() throws {
    func family(_ children: Int, _ attributes: Int) -> ManagedObjectModel {
      let kinds = (0..<children).map { child in
        EntityDescription(
          name: "Child\(child)", superentityName: "Base",
          attributes: (0..<attributes).map {
            AttributeDescription(name: "a\(child)_\($0)", type: .string, isOptional: true)
          })
      }
      return ManagedObjectModel(entities: [EntityDescription(name: "Base", isAbstract: true)] + kinds)
    }
    let found = checkModel(family(4, 26))
    #expect(found.map(\.code) == [.wideTable] && found.first?.subject?.entity == "Base")
    #expect(found.first?.severity == .warning)
    #expect(checkModel(family(4, 25)) == [])
    // One entity that uses most of them is no reason.
    #expect(checkModel(family(1, 104)) == [])
  }
}

extension Diagnostic {
  /// Whether it says the same, wherever.
  func isSame(as other: Diagnostic) -> Bool { code == other.code && message == other.message }
}
