import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelFormats

/// Reading, hashing and checking a version with an earlier one at hand give what they give without.
@Suite struct RepeatedVersionTests {
  private static let huts = """
    entities:
      Hut:
        attributes: {beds: integer16 = 0, name: string}
        relationships:
          trail: {to: Trail, inverse: huts}
      Trail:
        attributes:
          name: string
        relationships:
          huts: {toMany: Hut, inverse: trail}
      Pass: {attributes: {height: double?}}
      Visit:
        attributes: {note: string?}
    retired: [Hut.fax]

    """

  /// What stands in the second text instead, and the entities that are taken over from the first.
  @Test(arguments: [
    ("", "", [true, true, true, false]),
    ("beds: integer16 = 0", "beds: integer32 = 0", [false, true, true, false]),
    ("  Pass: {", "  Peak: {attributes: {name: string}}\n  Pass: {", [true, true, false, true, false]),
    ("  Pass: {attributes: {height: double?}}\n", "", [true, true, false]),
    ("retired: [Hut.fax]", "# the end", [true, true, true, false]),
    ("  Visit:", "  # the last\n  Visit:", [true, true, false, false]),
    ("Trail:\n", "Trail: # a way\n", [true, false, true, false]),
  ])
  func `what is said again is taken over`(old: String, new: String, expected: [Bool]) throws {
    let second = old.isEmpty ? Self.huts : Self.huts.replacing(old, with: new)
    #expect(try repeated(second, after: Self.huts) == expected)
  }

  @Test(arguments: [
    // Texts that run over the next name, and end there, at the file's end or never.
    ("name: string}\n", "name: string, x: \"\n"), ("name: string}\n", "name: 'string}\n"),
    ("name: string}\n", "name: string, \n"), ("height: double?}", "height: \"double?}"),
    ("note: string?}", "note: \"string?}"), ("double?}}", "double?}"),
    // Other layouts, findings, and what is no whole version.
    ("  Hut:", "  \"Hut\":"), ("  Trail:", "   Trail:"), ("  Trail:", "  Hut:"),
    ("entities:", "extends: V1\nentities:"),
    ("entities:", "format: 2\nentities:"), ("entities:", "entities: # all"),
    ("Pass: {attributes: {height: double?}}", "Pass: *pass"),
    ("retired:", "beds:"), ("\n", "\r\n"), ("  Visit:", "  no:\n  Visit:"),
    ("  Visit:", "entities:\n  Visit:"),
    ("attributes: {note: string?}", "attributes: {note: strin?}"), ("entities:", "\u{FEFF}entities:"),
  ])
  func `what may be something else is read whole`(old: String, new: String) throws {
    #expect(try repeated(Self.huts.replacing(old, with: new), after: Self.huts) == nil)
    #expect(try repeated(Self.huts, after: Self.huts.replacing(old, with: new)) == nil)
  }

  @Test func `a section within a text is none`() throws {
    let first = """
      identifiers: ["
      entities:
        Hut:
          attributes
        Trail:
          attributes
      "]
      entities: {Hut: {attributes: {name: string}}, Trail: {attributes: {name: string}}}

      """
    #expect(readModel(yaml: Data(first.utf8), file: "V1.yaml").diagnostics == [])
    #expect(
      try repeated(
        first.replacing("Hut: {attributes: {name: string", with: "Hut: {attributes: {name: uri"), after: first
      ) == nil)
    #expect(try repeated(first, after: Self.huts) == nil)
  }

  /// The second text changes what the checks of an unchanged entity look at.
  @Test(arguments: [
    ("inverse: huts", "inverse: hut"), ("toMany: Hut", "toMany: Visit"), ("  Trail:", "  Track:"),
    ("toMany: Hut, inverse: trail", "to: Hut, inverse: trail"),
    ("name: string\n", "name: string\n    parent: Pass\n"),
  ])
  func `an entity is looked at again when those around it change`(old: String, new: String) throws {
    let second = Self.huts.replacing(old, with: new)
    #expect(checkModel(try #require(readModel(yaml: Data(second.utf8), file: "V2.yaml").model)) != [])
    _ = try repeated(second, after: Self.huts)
  }

  @Test(.needsFixtures) func `genuine models and random edits of their texts`() throws {
    var generator = SeededGenerator(seed: 7)
    let texts = GenuineModel.all.filter { (2...25).contains($0.model.entities.count) }.map {
      writeModel($0.model)
    }
    var counts = (whole: 0, repeated: 0, inParts: 0)
    for _ in 0..<150 {
      let text = generator.pick(texts)
      let edited = edit(text, with: &generator)
      if try repeated(edited, after: text) == nil { counts.whole += 1 } else { counts.repeated += 1 }
      if isReadInParts(edited) { counts.inParts += 1 }
    }
    #expect(counts.whole > 20 && counts.repeated > 20 && (20...130).contains(counts.inParts), "\(counts)")
  }
}

/// Which entities of a version are taken over from an earlier one; nil where none is. Expects that nothing else differs.
private func repeated(_ second: String, after first: String) throws -> [Bool]? {
  let earlier = readModel(yaml: Data(first.utf8), file: "V1.yaml")
  guard let text = VersionText(Data(first.utf8), earlier),
    let repeating = text.read(Data(second.utf8), file: "V2.yaml"), let model = repeating.reading.model
  else { return nil }
  let whole = readModel(yaml: Data(second.utf8), file: "V2.yaml")
  #expect(whole.diagnostics == [], "\(second)")
  let wholeModel = try #require(whole.model)
  #expect(archiveModel(model) == archiveModel(wholeModel), "\(second)")
  #expect(model == wholeModel)
  let before = ModelVersion(name: "V1", model: try #require(earlier.model), sourceMap: earlier.sourceMap)
  let alone = ModelVersion(name: "V2", model: wholeModel, sourceMap: whole.sourceMap)
  let after = ModelVersion(
    name: "V2", model: model, predecessorNames: [], sourceMap: repeating.reading.sourceMap,
    repeating: RepeatedEntities(of: before, isRepeated: repeating.isRepeated))
  #expect(after.entityVersionHashesByName == alone.entityVersionHashesByName, "\(second)")
  for minimum in [Diagnostic.Severity.information, .warning, .error] {
    let expected = checkModel(of: before, minimum: minimum) + checkModel(of: alone, minimum: minimum)
    #expect(checkModels(of: [before, after], minimum: minimum) == expected, "\(second)")
  }
  return repeating.isRepeated
}

/// Whether a text can be read entity by entity. Expects that this gives what the whole gives.
private func isReadInParts(_ text: String) -> Bool {
  let inParts = readModelInParts(Data(text.utf8), file: "V1.yaml") { count in (0..<count).map { $0..<$0 + 1 }
  }
  guard let inParts else { return false }
  let whole = readModel(yaml: Data(text.utf8), file: "V1.yaml")
  #expect(inParts.model == whole.model && whole.diagnostics == [], "\(text)")
  return true
}

/// A few lines or characters are moved, lost, doubled or put in.
private func edit(_ text: String, with generator: inout SeededGenerator) -> String {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  for _ in 0..<Int.random(in: 1...3, using: &generator) {
    let place = Int.random(in: 0..<lines.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: place)
    case 2: lines.swapAt(place, Int.random(in: 0..<lines.count, using: &generator))
    case 3:
      let strange = ["\"", "'", "{", "}", "[", "#", " ", ": ", "|", "?", "= 1", "é"]
      let offset = Int.random(in: 0...lines[place].count, using: &generator)
      let index = lines[place].index(lines[place].startIndex, offsetBy: offset)
      lines[place].insert(contentsOf: generator.pick(strange), at: index)
    case 4:
      let added = [
        "  Added:", "    attributes: {added: string?}", "", "# here", "  # here", "retired: []", "  - added",
      ]
      lines.insert(generator.pick(added), at: place)
    default: lines[place] = lines[place].replacing("string", with: "uri")
    }
    if lines.isEmpty { lines = [""] }
  }
  return lines.joined(separator: "\n")
}
