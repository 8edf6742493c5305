import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelFormats

@Suite(.needsFixtures) struct HashPropertyTests {
  private static let seed: UInt64 = 20_240_501

  @Test func `there are as many genuine models as the folder has`() {
    #expect(GenuineModel.all.count == Fixtures.all(withExtension: "xcdatamodel").count)
    #expect(GenuineModel.all.count >= 159)
  }

  @Test func `the order of keys, entities and properties, comments and layout change no hash`() throws {
    var random = SplitMix(seed: Self.seed)
    for genuine in GenuineModel.all {
      let text = commented(renderYAML(shuffled(modelSchema.write(genuine.model), &random)), &random)
      let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
      #expect(reading.diagnostics == [], "\(genuine.name)")
      let model = try #require(reading.model)
      #expect(model.entityVersionHashesByName == genuine.hashes, "\(genuine.name)")
      // The order of a composite's elements is a fact, if not one of the hash.
      guard genuine.model.composites.isEmpty else { continue }
      #expect(model.fingerprint == genuine.model.fingerprint, "\(genuine.name)")
    }
  }

  @Test(arguments: factsIn)
  func `a fact that counts moves the hashes of its entity and its descendants, and no others`(
    _ fact: HashFact
  ) {
    var count = 0
    forEachModel(fact) { genuine, changed, model in
      count += 1
      let expected = model.withDescendants(changed)
      let hashes = model.entityVersionHashesByName
      let moved = hashes.filter { genuine.hashes[$0.key] != $0.value }.keys
      #expect(Set(moved) == expected, "\(genuine.name)")
    }
    #expect(count > 0, "no genuine model has such an element")
  }

  @Test(arguments: factsOut)
  func `a fact that does not count moves no hash`(_ fact: HashFact) {
    var count = 0
    forEachModel(fact) { genuine, _, model in
      count += 1
      #expect(model != genuine.model, "\(genuine.name): nothing was changed")
      #expect(model.entityVersionHashesByName == genuine.hashes, "\(genuine.name)")
    }
    #expect(count > 0, "no genuine model has such an element")
  }

  /// Models that have such an element, with the change made: 40 of them, with `MODELC_SEEDS` all.
  private func forEachModel(
    _ fact: HashFact, _ body: (GenuineModel, Set<String>, ManagedObjectModel) -> Void
  ) {
    var random = SplitMix(seed: Self.seed)
    var count = 0
    for plain in GenuineModel.all where Fixtures.areWhole || count < 40 {
      let prepared = fact.prepared(plain.model, &random)
      var model = prepared
      guard let changed = fact.change(&model, &random) else { continue }
      // A palindrome stays what it is.
      if model == prepared, fact.testDescription.contains("order") { continue }
      count += 1
      body(
        prepared == plain.model ? plain : GenuineModel(name: plain.name, model: prepared), changed, model)
    }
  }

  /// The keys of every mapping in another order.
  private func shuffled(_ pairs: [YAMLPair], _ random: inout SplitMix) -> [YAMLPair] {
    var shuffledPairs: [YAMLPair] = []
    for pair in pairs.shuffled(using: &random) {
      var pair = pair
      if case .mapping(let inner, let layout) = pair.value {
        pair.value = .mapping(shuffled(inner, &random), layout)
      }
      shuffledPairs.append(pair)
    }
    return shuffledPairs
  }

  /// The same YAML with comments and blank lines in between, and now and then another kind of line end.
  private func commented(_ text: String, _ random: inout SplitMix) -> String {
    let lineEnd = Bool.random(using: &random) ? "\n" : "\r\n"
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        lines += [
          String(repeating: " ", count: .random(in: 0..<9, using: &random)) + "# entities: {}", "\(line)",
        ]
      case 1: lines += ["", "\(line)   "]
      case 2: lines.append(line.isEmpty ? "" : "\(line) # type: string")
      default: lines.append(String(line))
      }
    }
    return lines.joined(separator: lineEnd)
  }
}
