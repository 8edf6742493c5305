import Foundation
import TestSupport
import Testing

@testable import ManagedModel

/// The layout of the version hash a second time: plain, entity by entity, from its description alone.
private struct Layout {
  let model: ManagedObjectModel

  private func parent(of entity: EntityDescription) -> EntityDescription? {
    entity.superentityName.flatMap { name in model.entities.first { $0.name == name } }
  }

  private func sha256(_ parts: [[UInt8]]) -> [UInt8] { SHA256.digest(of: parts.flatMap(\.self)) }

  func hash(of entity: EntityDescription) -> [UInt8] {
    var properties: [String: [UInt8]] = [:]
    for ancestor in sequence(first: entity, next: parent).reversed() {
      for attribute in ancestor.attributes where !attribute.isTransient || attribute.isDerived {
        properties[attribute.name] = hash(of: attribute)
      }
      for relationship in ancestor.relationships where !relationship.isTransient {
        properties[relationship.name] = hash(of: relationship)
      }
    }
    let sorted = properties.sorted { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }.map(
      \.value)
    let constraints = entity.uniquenessConstraints.map { Array($0.joined(separator: ".").utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }
    return sha256(
      [Array(entity.name.utf8), [entity.isAbstract ? 1 : 0], parent(of: entity).map(hash) ?? []] + sorted
        + [Array((entity.versionHashModifier ?? "").utf8)] + constraints)
  }

  private func common(_ name: String, _ isOptional: Bool, _ modifier: String?) -> [UInt8] {
    sha256([Array(name.utf8), [isOptional ? 1 : 0], [0], Array((modifier ?? "").utf8)])
  }

  private func number(_ value: Int) -> [UInt8] {
    let bits = UInt32(bitPattern: Int32(clamping: value))
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
  }

  private func hash(of attribute: AttributeDescription) -> [UInt8] {
    if let derivation = attribute.derivationExpression {
      return sha256([Array(derivation.printedDerivation.utf8)])
    }
    let composite = model.composites.first { $0.name == attribute.compositeName }
    if attribute.type == .composite, let composite {
      let elements = composite.elements.sorted {
        Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
      }
      return sha256(elements.map(hash))
    }
    return sha256([
      common(attribute.name, attribute.isOptional, attribute.versionHashModifier),
      number(Int(attribute.type.rawValue)), attribute.allowsExternalBinaryDataStorage ? [1] : [],
      attribute.preservesValueInHistoryOnDeletion ? [1] : [],
    ])
  }

  private func hash(of relationship: RelationshipDescription) -> [UInt8] {
    let ends = model.entities.first { $0.name == relationship.destinationEntityName }
      .map { sequence(first: $0, next: parent) }?.flatMap(\.relationships)
    let back = ends?.first { $0.name == relationship.inverseName }
    // A relationship that is its own inverse leaves it out.
    let isOwn = relationship.inverseName == relationship.name && back == relationship
    return sha256([
      common(relationship.name, relationship.isOptional, relationship.versionHashModifier),
      Array(relationship.destinationEntityName.utf8),
      Array((isOwn ? "" : relationship.inverseName ?? "").utf8),
      number(relationship.maxCount), number(relationship.minCount), relationship.isOrdered ? [1, 0] : [],
    ])
  }
}

@Suite("Layout of the version hash") struct HashLayoutTests {
  /// Models by chance, each edited again and again; what the versions share must change no hash.
  @Test func `a plain computation gives the same, and so does one that shares with other versions`() {
    let shared = NamedCache<PropertyHashes>()
    for seed in 1...40 as ClosedRange<UInt64> {
      var drawing = RandomModel.draw(seed: seed)
      for edit in 0..<8 {
        let model = drawing.model
        let plain = Dictionary(
          uniqueKeysWithValues: model.entities.map {
            ($0.name, VersionHash(digest: Layout(model: model).hash(of: $0)))
          })
        let found = model.entityVersionHashesByName
        #expect(found == plain, "seed \(seed), edit \(edit): \(drawing.log)")
        #expect(
          model.entityVersionHashes(sharing: shared) == found, "seed \(seed), edit \(edit): \(drawing.log)")
        drawing.editAtRandom()
      }
    }
  }

  private func hashes(_ notes: String, _ edit: (inout ManagedObjectModel) -> Void = { _ in }) -> [String:
    VersionHash]
  {
    var model = modelOf(notes)
    edit(&model)
    return model.entityVersionHashesByName
  }

  @Test func `of two properties with one name the last counts, and the own one of an inherited`() {
    #expect(hashes("A\n  x: date\n  x: string") == hashes("A\n  x: string"))
    #expect(hashes("A\n  x: date\nB < A\n  x: string")["B"] != hashes("A\n  x: date\nB < A")["B"])
    let both = hashes("A\n  x: date\nB < A\n  x: string\n  y: uuid")
    #expect(both["B"] == hashes("A\n  x: date\nB < A\n  y: uuid\n  x: string")["B"])
  }

  @Test func `the order of constraints does not count, the one within them does`() {
    let base = "A, unique x y, unique z\n  x: string\n  y: string\n  z: string"
    #expect(hashes(base) == hashes(base.replacing("unique x y, unique z", with: "unique z, unique x y")))
    #expect(hashes(base) != hashes(base.replacing("x y", with: "y x")))
  }

  @Test func `counts beyond 32 bits do not end the program`() {
    let base = "A\n  r => A.r"
    let (large, larger) = (
      hashes(base) { $0.entities[0].relationships[0].maxCount = Int(Int32.max) },
      hashes(base) { $0.entities[0].relationships[0].maxCount = .max }
    )
    #expect(large == larger && hashes(base) != large)
    #expect(hashes(base) { $0.entities[0].relationships[0].minCount = .min } != hashes(base))
  }

  /// A nested composite counts by its elements, one without elements by nothing, a missing one as it is.
  @Test func `composites count by their stored elements`() {
    let base = "A\n  spot: Point\ncomposite Point\n  x: double\n  y: double"
    #expect(hashes(base) == hashes(base.replacing("spot:", with: "place:")))
    #expect(hashes(base) == hashes(base + "\n  kept: string, transient"))
    #expect(
      hashes(base) == hashes(base.replacing("  x: double\n  y: double", with: "  y: double\n  x: double")))
    #expect(hashes(base) != hashes(base.replacing("x: double", with: "x: double?")))
    #expect(hashes(base) != hashes(base.replacing("composite Point", with: "composite Other")))
    let nested = "A\n  spot: Line\ncomposite Line\n  from: Point\ncomposite Point\n  x: double\n  y: double"
    #expect(hashes(nested) == hashes(base))
  }

  @Test(.timeLimit(.minutes(1))) func `composites that nest without end get a hash`() {
    let circle = "A\n  spot: Loop\ncomposite Loop\n  a: Loop\n  b: Loop\n  c: double"
    #expect(hashes(circle).count == 1)
    // Each holds the next one twice: two to the sixtieth elements.
    let names = (0...60).map { "L\($0)" }
    let tower =
      "A\n  top: L0\n"
      + zip(names, names.dropFirst()).map { "composite \($0)\n  a: \($1)\n  b: \($1)" }.joined(
        separator: "\n")
    #expect(hashes(tower + "\ncomposite L60\n  x: double").count == 1)
  }

  static let derivations: [(String, String)] = [
    ("pages.@count", "count:(pages)"), ("items.@sum.price", "sum:(items.price)"),
    ("a.b.@max.c.d", "max:(a.b.c.d)"),
    ("author.name", "author.name"), ("canonical:(name)", "canonical:(name)"),
    (" pages . @count ", "count:(pages)"),
    ("@count", "@count"), ("", ""), ("a.@", ":(a)"), ("a.@count.@sum.b", "count:(a.@sum.b)"),
  ]

  @Test(arguments: derivations)
  func `a collection operator prints as a function call`(text: String, printed: String) {
    #expect(text.printedDerivation == printed)
  }

  @Test func `rules that no genuine file confirms are named, for heirs too`() {
    let model = modelOf(
      """
      A
        a: integer64, derived bs.@count
        b: string, derived canonical:(name)
        bs => B.a
      A2 < A
      B
        a -> A.bs
        p: Line
        q: Line, transient
        r: Point
      C
        s -> C.s, transient
        d -> A2
      D
        friends => D.friends
      composite Line
        from: Point
      composite Point
        x: double
      """)
    #expect(
      model.unverifiedHashRules == [
        "A": [.derivation], "A2": [.derivation], "B": [.composite], "D": [.selfInverse],
      ])
  }
}
