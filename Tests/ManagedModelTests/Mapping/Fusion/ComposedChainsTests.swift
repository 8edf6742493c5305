import ManagedModel
import TestSupport
import Testing

@Suite("Mappings of whole ways") struct ComposedChainsTests {
  static func composed(_ versions: [ModelVersion]) -> MappingModel {
    let steps = zip(versions, versions.dropFirst()).map { inferMappingModel(from: $0, to: $1).mappingModel }
    return steps.dropFirst().reduce(steps[0]) { $0.composed(with: $1) }
  }

  static let pair = "A\n  bs => B.a\nB\n  a -> A.bs"

  static let chains: [([String], [String])] = [
    (["A", "B, was A", "C, was A"], ["transform C < A"]), (["A", "A", "A"], ["copy A < A"]),
    (["A\n  x: string", "B, was A\n  x: string", "A\n  x: string"], ["transform A < A: x < x"]),
    // What a version between gives stays, and what it takes is gone.
    (["A", "A\n  x: string = a", "A\n  x: string = b"], ["transform A < A: x < =a"]),
    (["A\n  x: string", "A", "A\n  x: string"], ["transform A < A: x < -"]),
    (
      ["A", "A\nB\n  x: string = a", "A\nC, was B\n  y: string, was x"], ["copy A < A", "add C < -: y < =a"]
    ),
    (["A\nB", "A", "A\nB"], ["copy A < A", "add B < -", "remove - < B"]),
    // Defaults for nil, and conversions, one within the other.
    (
      ["A\n  x: integer16?", "A\n  x: integer32 = 1", "A\n  x: double? = 2", "A\n  x: double = 3"],
      ["transform A < A: x < ((((x as integer32) ?? 1) as double) ?? 3.0)"]
    ),
    // References: from the same side, from the other side, and from where the other side gave them.
    ([pair, pair, pair], ["copy A < A: bs < bs -> B", "copy B < B: a < a -> A"]),
    (
      [pair, "A\nB\n  a -> A", pair], ["transform A < A: bs < - by B.a -> B", "transform B < B: a < a -> A"]
    ),
    (
      ["A\nB\n  a -> A", pair, "A\n  bs => B\nB"], ["transform A < A: bs < - by B.a -> B", "transform B < B"]
    ),
    (
      ["A\n  bs => B\nB", pair, "A\nB\n  a -> A"], ["transform A < A", "transform B < B: a < - by A.bs -> A"]
    ),
    (
      [pair, "A\n  bs => B\nB", "A\n  bs => B.c\nB\n  c -> A.bs"],
      ["transform A < A: bs < bs -> B", "transform B < B: c < - by A.bs -> A"]
    ),
    ([pair, "A\nB", pair], ["transform A < A: bs < -", "transform B < B: a < -"]),
    // An order holds where every version keeps it; a destination where every version may lead there.
    (
      ["A\n  b => B\nB", "A\n  b => B, ordered\nB", "A\n  b => B, ordered\nB"],
      ["transform A < A: b < b -> B", "copy B < B"]
    ),
    (
      ["A\n  b => B, ordered\nB", "A\n  b => B\nB", "A\n  b => B, ordered\nB"],
      ["transform A < A: b < b -> B", "copy B < B"]
    ),
    (
      ["A\n  b -> P\nP\nX < P\nY < P", "A\n  b -> X\nP\nX < P\nY < P", "A\n  b -> P\nP\nX < P\nY < P"],
      ["transform A < A: b < b -> X", "copy P < P", "copy X < X", "copy Y < Y"]
    ),
    // An entity that a version between had not has no past, whatever its relationships say.
    (["A\n  b -> B\nB", "A", "A\n  b -> B\nB"], ["transform A < A: b < -", "add B < -", "remove - < B"]),
  ]

  @Test(arguments: chains)
  func `each property is what the steps make of it in turn`(notes: [String], expected: [String]) {
    #expect(lines(of: Self.composed(versionsOf(notes))) == expected)
  }

  /// Random chains of every edit: of three steps it does not matter which two are joined first.
  @Test func `the order of joining does not matter`() {
    for seed in 1...60 as ClosedRange<UInt64> {
      var drawing = RandomModel.draw(seed: seed)
      var versions = [ModelVersion(name: "V1", model: drawing.model)]
      for number in 2...4 {
        drawing.beginVersion()
        for _ in 0..<3 { drawing.editAtRandom() }
        versions.append(ModelVersion(name: "V\(number)", model: drawing.model))
      }
      let steps = zip(versions, versions.dropFirst()).map { inferMappingModel(from: $0, to: $1).mappingModel }
      let left = steps[0].composed(with: steps[1]).composed(with: steps[2])
      let right = steps[0].composed(with: steps[1].composed(with: steps[2]))
      #expect(lines(of: left) == lines(of: right), "seed \(seed): \(drawing.log)")
    }
  }

  /// Random chains: an attribute reads what carried its number in the first version, if it was there all the way.
  @Test func `values are followed by what they are, not by their names`() {
    for seed in 1...120 as ClosedRange<UInt64> {
      var drawing = RandomModel.draw(seed: seed)
      var versions = [ModelVersion(name: "V1", model: drawing.model)]
      for number in 2...4 {
        drawing.beginVersion()
        for _ in 0..<2 { drawing.editAtRandom() }
        versions.append(ModelVersion(name: "V\(number)", model: drawing.model))
      }
      #expect(strayed(Self.composed(versions), versions) == [], "seed \(seed): \(drawing.log)")
    }
  }

  private func strayed(_ mapping: MappingModel, _ versions: [ModelVersion]) -> [String] {
    let hierarchies = versions.map { EntityHierarchy($0.model) }
    func entity(_ number: String?, _ hierarchy: EntityHierarchy) -> EntityDescription? {
      hierarchy.model.entities.first { $0.userInfo["id"] == number }
    }
    return mapping.entityMappings.flatMap { mapping -> [String] in
      guard let name = mapping.destinationEntityName, let new = hierarchies.last?.entity(named: name) else {
        return []
      }
      let pasts = hierarchies.map { entity(new.userInfo["id"], $0) }
      let isOld = pasts.allSatisfy { $0 != nil }
      guard mapping.sourceEntityName == (isOld ? pasts[0]?.name : nil) else {
        return ["\(name) from \(mapping.sourceEntityName ?? "-")"]
      }
      guard isOld else { return [] }
      return (hierarchies.last?.attributes(of: name) ?? []).compactMap { attribute in
        guard attribute.type != .composite, !attribute.isDerived else { return nil }
        let numbers = zip(pasts, hierarchies).map { past, hierarchy in
          past.flatMap { entity in self.attribute(attribute.userInfo["id"], entity.name, hierarchy) }
        }
        let expected = numbers.contains { $0 == nil } ? nil : numbers[0]?.name
        let found = mapping.propertyMapping(named: attribute.name)?.value.sourceName
        return found == expected
          ? nil : "\(name).\(attribute.name) from \(found ?? "-"), not \(expected ?? "-")"
      }
    }
  }

  private func attribute(_ number: String?, _ name: String, _ hierarchy: EntityHierarchy)
    -> AttributeDescription?
  {
    hierarchy.attributes(of: name).first { $0.userInfo["id"] == number }
  }

  /// Names are given once, things come without a default and go for good: one step says what all steps say.
  @Test func `where no name returns, one step is as good as several`() {
    var random = Dice(seed: 8)
    for _ in 0..<80 {
      var (model, number) = (ManagedObjectModel(), 0)
      func fresh(_ letter: String) -> String {
        number += 1
        return "\(letter)\(number)"
      }
      for _ in 0..<3 { model.entities.append(EntityDescription(name: fresh("E"))) }
      var versions: [ModelVersion] = []
      for version in 1...4 {
        for _ in 0..<random.number(2...8) {
          guard let place = model.entities.indices.randomElement(using: &random) else { continue }
          let item = model.entities[place].attributes.indices.randomElement(using: &random)
          switch (random.number(0...9), item) {
          case (0...3, _):
            model.entities[place].attributes.append(
              AttributeDescription(name: fresh("a"), type: .string, isOptional: true))
          case (4...5, let item?): model.entities[place].attributes.remove(at: item)
          case (6...7, let item?):
            let old = model.entities[place].attributes[item]
            model.entities[place].attributes[item].renamingIdentifier = old.canonicalName
            model.entities[place].attributes[item].name = fresh("a")
          case (8, _):
            model.entities[place].renamingIdentifier = model.entities[place].canonicalName
            model.entities[place].name = fresh("E")
          case (9, _): model.entities[place] = EntityDescription(name: fresh("E"))
          default: break
          }
        }
        versions.append(ModelVersion(name: "V\(version)", model: model))
      }
      let direct = inferMappingModel(from: versions[0], to: versions[3])
      let stepwise = Self.composed(versions)
      // What came and went again leaves a copy in one step, and none in several.
      func plain(_ mapping: MappingModel) -> Set<String> {
        Set(lines(of: mapping).map { $0.replacing("copy ", with: "transform ") })
      }
      #expect(plain(stepwise) == plain(direct.mappingModel) && direct.diagnostics == [])
      #expect(versions.comparePaths(stepwise: stepwise) == nil)
    }
  }
}
