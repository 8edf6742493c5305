import Foundation
import ManagedModel
import PersistentStore
import TestSupport
import Testing

private typealias Predicate = ManagedModel.Predicate
private typealias Expression = ManagedModel.Expression

/// 2,000 predicates with `MODELC_SEEDS`, else some.
@Suite("A query finds what the predicate holds for in memory", .needsFixtures) struct QueryAgreementTests {
  static let stores = [
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V1.sqlite",
    "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel_V1.sqlite",
    "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite",
  ]

  @Test(arguments: stores) func `random predicates`(_ path: String) throws {
    let folder = try TemporaryFolder("query")
    defer { folder.remove() }
    let connection = try StoreConnection(path: Fixtures.copyStore(path, into: folder.url).path)
    defer { try? connection.close() }
    try connection.read { db in
      let source = try db.readStoreSource(path: path, among: [])
      let model = source.version.model
      let reader = ObjectReader(db, schema: source.schema, model: model)
      var objects: [ManagedObject] = []
      for name in reader.concreteEntityNames {
        // A part of a large table is enough for the evaluator, which is slow in debug builds.
        try reader.forEachObject(ofEntity: name, includingSubentities: false) { objects.append($0) }
      }
      let graph = ObjectGraph(objects, model: model)
      var random = RandomCondition(objects: objects, hierarchy: reader.hierarchy, seed: 2_026)
      var (some, all) = (0, 0)
      for _ in 0..<(Fixtures.areWhole ? 667 : 120) {
        let entity = random.entity()
        let predicate = random.predicate(of: entity, depth: 2)
        let text = "SELECT SELF FROM \(entity) WHERE \(predicate)"
        let query = try compileObjectQuery(parseObjectQuery(text), schema: source.schema, model: model)
        var found: Set<ManagedObject.ID> = []
        try db.readRows(query, schema: source.schema) { row in
          if case .object(let id) = row[0] { found.insert(id) }
        }
        let candidates = random.kin[entity] ?? []
        // Of thousands a few suffice, always the same.
        for object in candidates.count > 200 ? candidates.prefix(100) : candidates[...] {
          let holds = try evaluate(predicate, on: graph.value(object.id), in: EvaluationContext())
          #expect(holds == found.contains(object.id), "\(object.id) \(text)\n\(query.sql)")
          all += 1
          if holds { some += 1 }
        }
      }
      // Neither everything nor nothing.
      #expect(some * 20 > all && some * 20 < all * 19, "\(some) of \(all)")
    }
  }
}

/// Conditions in which each comparison has the same meaning in SQL and in memory: keys with a value.
private struct RandomCondition {
  let hierarchy: EntityHierarchy
  /// The objects of each entity and those below it; of entities that have some.
  private(set) var kin: [String: [ManagedObject]] = [:]
  var generator: SeededGenerator

  init(objects: [ManagedObject], hierarchy: EntityHierarchy, seed: UInt64) {
    self.hierarchy = hierarchy
    for object in objects {
      for entity in hierarchy.lineage(of: object.id.entityName) {
        kin[entity.name, default: []].append(object)
      }
    }
    generator = SeededGenerator(seed: seed)
  }

  mutating func entity() -> String { generator.pick(kin.keys.sorted()) }

  mutating func predicate(of entity: String, depth: Int) -> Predicate {
    switch depth == 0 ? 5 : Int.random(in: 0..<9, using: &generator) {
    case 0: return .not(predicate(of: entity, depth: depth - 1))
    case 1, 2:
      return .and([predicate(of: entity, depth: depth - 1), predicate(of: entity, depth: depth - 1)])
    case 3, 4: return .or([predicate(of: entity, depth: depth - 1), predicate(of: entity, depth: depth - 1)])
    case 5, 6: return .comparison(comparison(of: entity)).guarded
    default: return overCollection(of: entity) ?? .comparison(comparison(of: entity)).guarded
    }
  }

  private func relationships(of entity: String, toMany: Bool) -> [RelationshipDescription] {
    hierarchy.lineage(of: entity).flatMap(\.relationships).filter { $0.isToMany == toMany && !$0.isTransient }
  }

  private mutating func overCollection(of entity: String) -> Predicate? {
    let toManys = relationships(of: entity, toMany: true)
    guard !toManys.isEmpty else { return nil }
    let toMany = generator.pick(toManys)
    let count = Expression.constant(.integer(Int64.random(in: 0...4, using: &generator)))
    let sign = generator.pick([ComparisonPredicate.Operator.greaterThan, .equalTo, .lessThanOrEqualTo])
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return .comparison(ComparisonPredicate(.keyPath(toMany.name, "@count"), sign, count))
    case 1:
      var inner = comparison(of: toMany.destinationEntityName)
      guard case .keyPath(let keys, nil) = inner.left else { return nil }
      (inner.left, inner.modifier) = (.keyPath([toMany.name] + keys, of: nil), .any)
      return .comparison(inner)
    default:
      let inner = comparison(of: toMany.destinationEntityName)
      guard case .keyPath(let keys, nil) = inner.left else { return nil }
      var bound = inner
      bound.left = .keyPath(keys, of: .variable("x"))
      return .comparison(
        ComparisonPredicate(
          .keyPath(
            ["@count"],
            of: .subquery(.keyPath(toMany.name), variable: "x", Predicate.comparison(bound).guarded)),
          sign, count))
    }
  }

  /// A key or a path over a to-one, compared with a value that some object has there.
  private mutating func comparison(of entity: String) -> ComparisonPredicate {
    var (owner, keys) = (entity, [String]())
    let toOnes = relationships(of: entity, toMany: false)
    if !toOnes.isEmpty, Int.random(in: 0..<3, using: &generator) == 0 {
      let toOne = generator.pick(toOnes)
      (owner, keys) = (toOne.destinationEntityName, [toOne.name])
    }
    let kin = kin[owner] ?? []
    let attributes = hierarchy.lineage(of: owner).flatMap(\.attributes).filter {
      !$0.isTransient && ![.binary, .transformable, .uri, .composite].contains($0.type)
    }
    guard !attributes.isEmpty, !kin.isEmpty else {
      return ComparisonPredicate(.evaluatedObject, .equalTo, .evaluatedObject)
    }
    let attribute = generator.pick(attributes)
    let path = Expression.keyPath(keys + [attribute.name], of: nil)
    guard let value = generator.pick(kin).values[attribute.name] else {
      return ComparisonPredicate(path, .notEqualTo, .constant(.null))
    }
    return compare(path, value)
  }

  private mutating func compare(_ path: Expression, _ value: AttributeValue) -> ComparisonPredicate {
    let ordered = generator.pick([
      ComparisonPredicate.Operator.equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
      .greaterThanOrEqualTo,
    ])
    switch value {
    case .string(let text):
      let options = generator.pick([
        ComparisonPredicate.Options(), [.caseInsensitive], [.diacriticInsensitive],
      ])
      let part = String(text.prefix(Int.random(in: 1...3, using: &generator)))
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return ComparisonPredicate(path, .beginsWith, .constant(.string(part)), options: options)
      case 1: return ComparisonPredicate(path, .contains, .constant(.string(part)), options: options)
      case 2: return ComparisonPredicate(path, .endsWith, .constant(.string(String(text.suffix(2)))))
      case 3:
        return ComparisonPredicate(path, .like, .constant(.string(part.lowercased() + "*")), options: options)
      case 4:
        return ComparisonPredicate(
          path, .in, .aggregate([.constant(.string(text)), .constant(.string("x"))]))
      default: return ComparisonPredicate(path, ordered, .constant(.string(text)))
      }
    case .date(let seconds): return ComparisonPredicate(path, ordered, .cast(number("\(seconds)"), to: .date))
    case .boolean(let flag): return ComparisonPredicate(path, .equalTo, .constant(.boolean(flag)))
    case .uuid(let uuid): return ComparisonPredicate(path, .equalTo, .constant(.string(uuid.uuidString)))
    default: return ComparisonPredicate(path, ordered, number(value.text))
    }
  }

  private func number(_ text: String) -> Expression {
    if let integer = Int64(text) { return .constant(.integer(integer)) }
    return DecimalText(text).map { .constant(.decimal($0)) } ?? .constant(.integer(0))
  }
}

extension Predicate {
  /// With a condition that there is a value, without which a fetch and memory differ under a NOT.
  fileprivate var guarded: Predicate {
    guard case .comparison(let comparison) = self, comparison.right != .constant(.null) else { return self }
    return .and([.comparison(ComparisonPredicate(comparison.left, .notEqualTo, .constant(.null))), self])
  }
}
