import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Mapping files") struct MappingFileTests {
  private func read(_ text: String) -> MappingReading {
    readMappingFile(yaml: Data(text.utf8), file: "V2-V3.yaml")
  }

  @Test func `every key is read, and written again`() throws {
    let text = """
      from: V2
      to: V3
      inferred: false
      entityMappings:
        CountryToCountry:
          source: Country
          destination: Country
          type: custom
          where: visits.@count > 0
          policy: CountryPolicy
          attributes:
            isoContinent: $source.continent.numericISO3166Code
            title: 'uppercase:($source.name)'
            beds: 4
            unset:
            noted: {expression: $source.note, userInfo: {k: v}}
          relationships:
            moods: destinationInstances("MoodToMood", $source.countries.@distinctUnionOfSets.moods)
          onDrop: repoint
          userInfo: {batch: "500"}
        Fax:
          source: Fax
          drop: true

      """
    let reading = read(text)
    #expect(reading.diagnostics == [])
    let model = try #require(reading.mappingModels.first)
    #expect(model.sourceVersionName == "V2" && model.destinationVersionName == "V3" && !model.infersOthers)
    let country = try #require(model.entityMappings.first)
    #expect(country.mappingType == .custom && country.filter == "visits.@count > 0")
    #expect(country.policyName == "CountryPolicy" && country.onDrop == .repoint)
    #expect(country.attributeMappings.map(\.name) == ["isoContinent", "title", "beds", "unset", "noted"])
    #expect(country.attributeMappings[3].expression == nil)
    #expect(country.attributeMappings[2].expression == "4")
    #expect(country.attributeMappings[4].userInfo == ["k": "v"])
    #expect(model.entityMappings[1].dropsObjects)
    let written = writeMappingFile([model])
    #expect(read(written).mappingModels == [model])
    #expect(written == text.replacing("'uppercase:($source.name)'", with: "uppercase:($source.name)"))
  }

  @Test func `several mapping models of one step are a list`() {
    let first = CustomMappingModel(sourceVersionName: "V1", destinationVersionName: "V2", infersOthers: false)
    var second = first
    second.entityMappings = [CustomEntityMapping(name: "A", sourceEntityName: "A")]
    let text = writeMappingFile([first, second])
    #expect(read(text).mappingModels == [first, second])
    #expect(read(text).diagnostics == [])
  }

  @Test(arguments: [
    ("", "MC0005", 1), ("from: V1\n", "MC0005", 1), ("to: V1\nfrom: V2\nwhere: x\n", "MC0003", 3),
    ("from: V1\nto: V2\nentityMappings: {A: {onDrop: nulify}}\n", "MC0004", 3),
    ("from: V1\nto: V2\nentityMappings:\n  A:\n    where: a ==\n", "MC0101", 5),
    (
      "from: V1\nto: V2\nentityMappings:\n  A:\n    attributes:\n      b: uppercas:($source.a)\n", "MC0102", 6
    ),
    ("from: V1\nto: V2\nentityMappings: [a]\n", "MC0004", 3),
    ("- {from: V1, to: V2}\n- {from: V2, to: V3}\n", "MC0004", 2), ("[]\n", "MC0005", 1),
    ("from: V1\nfrom: V1\nto: V2\n", "MC0002", 2), ("from: *a\n", "MC0007", 1),
    ("from: [\n", "MC0001", 2),
  ])
  func `what is wrong is said with its place`(_ text: String, _ code: String, _ line: Int) {
    let diagnostics = read(text).diagnostics
    #expect(
      diagnostics.contains { $0.code.description == code && $0.place?.start.line == line }, "\(diagnostics)")
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `random mapping models come back whole`(_ seed: UInt64) {
    var random = RandomMapping(seed: seed)
    let models = (0..<(seed % 5 == 0 ? 2 : 1)).map { _ in random.model() }
    let text = writeMappingFile(models)
    let reading = read(text)
    #expect(reading.mappingModels == models, "\(text)")
    #expect(reading.diagnostics.filter { $0.severity == .error } == [], "\(text)")
  }
}

private struct RandomMapping {
  var syntax: RandomSyntax

  init(seed: UInt64) { syntax = RandomSyntax(seed: seed) }

  private mutating func chance() -> Bool { Bool.random(using: &syntax.generator) }

  private mutating func word() -> String {
    syntax.generator.pick(["Note", "größe", "a b", "true", "1.10", "x: y", "# no", "", "it's", "[a]"])
  }

  mutating func model() -> CustomMappingModel {
    var model = CustomMappingModel(
      sourceVersionName: "V 1", destinationVersionName: "1.10", infersOthers: chance())
    for number in 0..<Int.random(in: 0...4, using: &syntax.generator) {
      var mapping = CustomEntityMapping(
        name: "\(word())\(number)", onDrop: syntax.generator.pick(DropRule.allCases))
      if chance() { mapping.sourceEntityName = word() }
      if chance() { mapping.destinationEntityName = word() }
      if chance() {
        mapping.mappingType = syntax.generator.pick([.add, .remove, .copy, .transform, .custom])
      }
      if chance() { mapping.filter = syntax.predicate(2).predicateFormat }
      if chance() { mapping.policyName = "Module.\(word())" }
      mapping.attributeMappings = properties()
      mapping.relationshipMappings = properties()
      mapping.dropsObjects = chance()
      if chance() { mapping.userInfo = [word(): word(), "k": word()] }
      model.entityMappings.append(mapping)
    }
    return model
  }

  private mutating func properties() -> [CustomPropertyMapping] {
    (0..<Int.random(in: 0...3, using: &syntax.generator)).map { number in
      CustomPropertyMapping(
        name: "p\(number)", expression: chance() ? syntax.expression(2).description : nil,
        userInfo: chance() ? [:] : ["k": word()])
    }
  }
}
