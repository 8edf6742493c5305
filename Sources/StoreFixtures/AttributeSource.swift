package import ManagedModel
import ModelFormats
import PersistentStore

/// Gives the values of one attribute, object by object: first every edge, then mostly everyday values.
///
/// A value depends on the seed, the attribute and the object's number alone, never on what was asked before.
final class AttributeSource {
  let leaf: StoredLeaf
  private let salt: UInt64
  /// Each once, from the first object on; nil among them where the attribute may be nil.
  private let cycle: [AttributeValue?]
  /// What comes again every now and then.
  private let edges: [AttributeValue?]
  /// For rules that no value can be made for directly: found by trial.
  private let found: [AttributeValue]
  private let unique: UniqueDigit?
  /// Of an element of a composite, where its values hang on those of the others.
  private let composite: CompositeSource?

  /// - Parameter isLarge: whether the attribute has values of every size.
  /// - Throws: MC5501 where no value satisfies the attribute's rules.
  init(
    _ leaf: StoredLeaf, of entityName: String, seed: UInt64, unique: UniqueDigit? = nil, isLarge: Bool = true,
    in composite: CompositeSource? = nil
  ) throws(DiagnosticsError) {
    let leaf = composite?.plain(leaf) ?? leaf
    self.leaf = leaf
    self.composite = composite
    let attribute = leaf.attribute
    salt = mixed(seed, stableHash("\(entityName).\(leaf.keyPath)"))
    if let least = attribute.validation.minimumLength, least > ValueBounds.longestText {
      throw DiagnosticsError(.noValue(leaf.keyPath, of: entityName))
    }
    let rules = ValidationRules(attribute)
    func admitted(_ values: [AttributeValue]) -> [AttributeValue] {
      values.filter { rules.brokenRule(by: $0) == nil }
    }
    let edges = admitted(attribute.edgeValues() + rules.namedValues)
    var random = SeededRandom(salt)
    let needsTrial = !rules.isSimple || Self.everyday(attribute, rules, &random) == nil
    let wanted = unique.map { min($0.count, $0.capacity) } ?? 64
    found =
      needsTrial ? Self.tried(attribute, rules, wanted: wanted, areDistinct: unique != nil, &random) : []
    let isEmpty = needsTrial && found.isEmpty && edges.isEmpty
    if isEmpty, !attribute.isOptional { throw DiagnosticsError(.noValue(leaf.keyPath, of: entityName)) }
    if needsTrial, let unique, found.count < wanted, !unique.endsWithNil {
      throw DiagnosticsError(
        .unsatisfiableModel,
        "only \(found.count) of \(unique.count) distinct values were found that satisfy the rules of "
          + "'\(entityName).\(leaf.keyPath)'",
        subject: ModelSubject(entity: entityName, property: leaf.keyPath),
        notes: ["a uniqueness constraint allows each of them once"],
        help: ["ask for fewer rows", "write objects of your own into a file and give it with `--objects`"])
    }
    let nothing: [AttributeValue?] = attribute.isOptional ? [nil] : []
    self.edges = edges.map(Optional.some) + nothing
    cycle = (edges + (isLarge ? admitted(attribute.rareValues()) : [])).map(Optional.some) + nothing
    self.unique = unique
  }

  /// - Parameters:
  ///   - number: the object's among those of its entity, from 0.
  ///   - place: the object's among all of the fixture.
  func value(_ number: Int, at place: Int) -> AttributeValue? {
    let value = ownValue(number, at: place)
    return composite.map { $0.value(value, of: leaf, number) } ?? value
  }

  private func ownValue(_ number: Int, at place: Int) -> AttributeValue? {
    if let unique {
      let digit = (place - unique.start) / unique.weight
      if unique.endsWithNil, digit >= unique.capacity { return nil }
      let index = unique.capacity == .max ? digit : digit % unique.capacity
      if !found.isEmpty { return index < found.count ? found[index] : nil }
      return uniqueValue(index, of: leaf.attribute, among: min(unique.count, unique.capacity))
    }
    if number < cycle.count * 2 {
      // Every second object, each attribute from another place on, so that edges meet in many ways.
      guard number.isMultiple(of: 2) else { return everyday(number) }
      return cycle[(number / 2 + Int(salt % UInt64(cycle.count))) % cycle.count]
    }
    let draw = mixed(salt, UInt64(number))
    if draw % 100 < 12, !edges.isEmpty { return edges[Int((draw >> 32) % UInt64(edges.count))] }
    return everyday(number)
  }

  private func everyday(_ number: Int) -> AttributeValue? {
    var random = SeededRandom(mixed(salt ^ 1, UInt64(number)))
    if !found.isEmpty { return random.pick(found) }
    return leaf.attribute.everydayValue(&random) ?? edges.first ?? nil
  }

  /// An everyday value that the rules admit, where the first few are.
  private static func everyday(
    _ attribute: AttributeDescription, _ rules: ValidationRules, _ random: inout SeededRandom
  ) -> AttributeValue? {
    for _ in 0..<8 {
      guard let value = attribute.everydayValue(&random), rules.brokenRule(by: value) == nil else {
        return nil
      }
    }
    return attribute.everydayValue(&random)
  }

  /// Values that the rules admit, found among samples of the expression, everyday values and edges.
  private static func tried(
    _ attribute: AttributeDescription, _ rules: ValidationRules, wanted: Int, areDistinct: Bool,
    _ random: inout SeededRandom
  ) -> [AttributeValue] {
    let sampler =
      attribute.validation.regularExpression.flatMap(RegularExpressionSampler.init)
      ?? rules.matchedPattern.flatMap(RegularExpressionSampler.init)
    let bounds = ValueBounds(attribute)
    var values: [AttributeValue] = []
    var seen: Set<AttributeValue> = []
    func add(_ candidates: [AttributeValue]) {
      for candidate in candidates
      where rules.brokenRule(by: candidate) == nil && values.count < wanted {
        if !areDistinct || seen.insert(candidate).inserted { values.append(candidate) }
      }
    }
    for trial in 0..<(wanted * 20 + 2000) where values.count < wanted {
      let value: AttributeValue? =
        switch trial % 3 {
        case 0 where sampler != nil, 1 where sampler != nil: sampler.map { .string($0.sample(&random)) }
        case 1: uniqueValue(trial / 3, of: attribute, among: wanted)
        default: attribute.everydayValue(&random)
        }
      // A text comes again completed and fitted; all else twice, so that a seed gives what it always gave.
      var variants = [value, value]
      if case .string(let text)? = value {
        let short = text.fitted(bounds, &random)
        variants = [value, .string(rules.completed(text)), short == text ? nil : .string(short)]
      }
      add(variants.compactMap(\.self))
    }
    add(attribute.edgeValues() + rules.namedValues)
    return values
  }
}

extension Diagnostic.Code { package static let unsatisfiableModel = Self("MC5501") }

extension Diagnostic {
  fileprivate static func noValue(_ property: String, of entity: String) -> Diagnostic {
    Diagnostic(
      .unsatisfiableModel, .error, "no value was found that satisfies the rules of '\(entity).\(property)'",
      subject: ModelSubject(entity: entity, property: property),
      help: ["write objects of your own into a file and give it with `--objects`"])
  }
}
