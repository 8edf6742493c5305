import Foundation
package import ManagedModel
import ModelArchives
import ModelFormats
import PersistentStore

/// Which attributes of a sample are masked.
package struct MaskedFields: Sendable {
  /// By entity that declares them.
  private let references: Set<PropertyReference>

  /// - Parameter fields: `Entity.attribute`, `Entity.*`, or `*` for all; none for nothing.
  /// - Throws: MC0003 for a field that the model has not.
  package init(_ fields: [String], model: ManagedObjectModel) throws(DiagnosticsError) {
    let hierarchy = EntityHierarchy(model)
    var references: Set<PropertyReference> = []
    var unknown: [Diagnostic] = []
    for field in fields {
      let parts = field.split(separator: ".", maxSplits: 1).map(String.init)
      let entities = field == "*" ? model.entities.map(\.name) : [parts.first ?? ""]
      let known = entities.filter { hierarchy.entity(named: $0) != nil }
      let wanted = field == "*" ? "*" : parts.count == 2 ? parts[1] : ""
      let found = known.flatMap { name in
        hierarchy.lineage(of: name).flatMap { entity in
          entity.attributes.filter { wanted == "*" || wanted == $0.name }.map {
            PropertyReference(entity: entity.name, property: $0.name)
          }
        }
      }
      if found.isEmpty, field != "*" {
        let names = model.entities.flatMap { entity in
          hierarchy.attributes(of: entity.name).map { "\(entity.name).\($0.name)" }
        }
        unknown.append(
          .unknownKey, .error, "the model has no attribute '\(field)' to mask",
          help: .didYouMean(field, among: names, else: ["write 'Entity.attribute', 'Entity.*' or '*'"]))
      }
      references.formUnion(found)
    }
    try unknown.refuse()
    self.references = references
  }

  func contains(_ keyPath: String, declaredBy entity: String) -> Bool {
    let attribute = keyPath.split(separator: ".").first.map(String.init) ?? keyPath
    return references.contains(PropertyReference(entity: entity, property: attribute))
  }
}

/// Puts other values in place of those of a sample: of the same type, about the same length, nil if nil was,
/// equal where they were equal and different where they were different.
///
/// The same seed and values give the same masks. What an attribute's rules forbid is not made.
package func mask(
  _ objects: [ManagedObject], _ fields: MaskedFields, model: ManagedObjectModel, seed: UInt64
) throws(DiagnosticsError) -> [ManagedObject] {
  let hierarchy = EntityHierarchy(model)
  var masks: [PropertyReference: ValueMask] = [:]
  var masked = objects
  for index in masked.indices {
    for entity in hierarchy.lineage(of: masked[index].id.entityName) {
      for leaf in entity.attributes.storedLeaves(composites: model.composites)
      where fields.contains(leaf.keyPath, declaredBy: entity.name) {
        guard let value = masked[index].values[leaf.keyPath] else { continue }
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        // Other JSON of the same type, or an app could not read it.
        if let source = CompositeSource(leaf, entity, model, seed: seed),
          let json = source.json(of: leaf, mixed(seed, stableHash(value.text)))
        {
          masked[index].values[leaf.keyPath] = json
          continue
        }
        var mask =
          masks[reference]
          ?? ValueMask(leaf.attribute, seed: mixed(seed, stableHash("\(entity.name).\(leaf.keyPath)")))
        guard let other = mask.masked(value) else {
          throw DiagnosticsError(
            .unsatisfiableModel,
            "the rules of '\(entity.name).\(leaf.keyPath)' leave no other values to mask it with",
            subject: ModelSubject(entity: entity.name, property: leaf.keyPath),
            help: ["leave the attribute out of `--mask`"])
        }
        masked[index].values[leaf.keyPath] = other
        masks[reference] = mask
      }
    }
  }
  return masked
}

/// The masks of one attribute.
private struct ValueMask {
  private let attribute: AttributeDescription
  private let rules: ValidationRules
  private let sampler: RegularExpressionSampler?
  private let seed: UInt64
  private var known: [AttributeValue: AttributeValue] = [:]
  private var taken: Set<AttributeValue> = []

  init(_ attribute: AttributeDescription, seed: UInt64) {
    (self.attribute, self.seed) = (attribute, seed)
    rules = ValidationRules(attribute)
    sampler =
      (attribute.validation.regularExpression ?? rules.matchedPattern).flatMap(RegularExpressionSampler.init)
  }

  /// Nil if no other value was found.
  mutating func masked(_ value: AttributeValue) -> AttributeValue? {
    // Of two values there is no other that keeps them apart, and what is empty has nothing to hide.
    switch value {
    case .boolean, .string(""), .binary(Data()): return value
    default: break
    }
    // Of an enum's values another one: all are moved on by the same number of places.
    if let cases = attribute.validation.listedValues {
      let values = cases.compactMap { AttributeValue(parsing: $0, as: attribute.type) }
      guard values.count > 1, let place = values.firstIndex(of: value) else { return value }
      return values[(place + 1 + Int(seed % UInt64(values.count - 1))) % values.count]
    }
    if let known = known[value] { return known }
    for attempt in 0..<10_000 {
      var random = SeededRandom(mixed(seed &+ UInt64(attempt), stableHash(value.text)))
      guard let other = candidate(for: value, attempt, &random), other != value,
        rules.brokenRule(by: other) == nil, taken.insert(other).inserted
      else { continue }
      known[value] = other
      return other
    }
    return nil
  }

  /// - Parameter attempt: the more there were, the wider the choice.
  private func candidate(
    for value: AttributeValue, _ attempt: Int, _ random: inout SeededRandom
  ) -> AttributeValue? {
    if attempt > 20, let sampler { return .string(sampler.sample(&random)) }
    if attempt > 200, !rules.isSimple || attempt > 2000 {
      return uniqueValue(attempt - 200, of: attribute, among: 10_000)
    }
    switch value {
    case .integer(let number):
      let span = attempt < 50 ? digitSpan(number) : Int64(attempt) * 50
      let other = Int64(random.number(below: Int(min(span, 1 << 52))))
      let start = attempt < 50 ? span / 10 : 0
      let magnitude = max(start, other)
      let signed = number < 0 ? -magnitude : magnitude
      return attribute.type.holds(signed) ? .integer(signed) : nil
    // Of the same sign and size.
    case .double(let number):
      let part = Double(random.number(1...99_999)) / 100_000
      let near = number == 0 ? part : number * (part + 0.5)
      let other = near.isFinite ? near : number * part
      return .double(attribute.type == .float ? Double(Float(other)) : other)
    case .decimal(let number):
      let part = Decimal(random.number(1...999)) / 1000
      let other = number == 0 ? part : product(number, part + Decimal(1) / 2)
      return Double("\(other)").flatMap { Decimal(string: "\(($0 * 1e4).rounded() / 1e4)") }.map {
        .decimal($0)
      }
    // Within two months, whole where it was whole.
    case .date(let seconds):
      let other = seconds + Double(random.number(-5_000_000...5_000_000))
      return .date(seconds == seconds.rounded() ? other.rounded() : other)
    case .string(let text): return .string(masked(text, &random))
    case .uri(let text):
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return .uri(parts.count == 2 ? parts[0] + ":" + masked(parts[1], &random) : masked(text, &random))
    case .uuid: return attribute.everydayValue(&random)
    case .binary(let data):
      if attribute.type == .transformable {
        if attribute.hasGenericClass { return attribute.everydayValue(&random) }
        let text = (0..<max(1, min(data.count / 4, 200))).map { _ in letter(&random) }.joined()
        return .binary(archivedObject([.string(text)], className: attribute.attributeValueClassName))
      }
      return .binary(Data(random.bytes(max(data.count, attempt > 50 ? 4 : 1))))
    case .boolean: return value
    }
  }

  /// Letters become letters, digits digits, all else stays: the text keeps its length and its look.
  private func masked(_ text: String, _ random: inout SeededRandom) -> String {
    var masked = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .titlecaseLetter:
        masked.append(contentsOf: letter(&random).uppercased().unicodeScalars)
      case .lowercaseLetter: masked.append(contentsOf: letter(&random).unicodeScalars)
      case .otherLetter, .modifierLetter:
        masked.append(Unicode.Scalar(UInt32(0x4E00 + random.number(below: 2000))) ?? "x")
      case .decimalNumber: masked.append(Unicode.Scalar(UInt8(0x30 + random.number(below: 10))))
      case .nonspacingMark, .spacingMark, .enclosingMark: break
      case .otherSymbol: masked.append(Unicode.Scalar(UInt32(0x1F300 + random.number(below: 200))) ?? "*")
      default: masked.append(scalar)
      }
    }
    let result = keepingFixedParts(of: text, in: String(masked))
    // A text of nothing but signs has to be told apart from others all the same.
    guard result == text else { return result }
    return rules.completed((0..<text.count).map { _ in letter(&random) }.joined())
  }

  /// What the rules want in a text tells nothing of the one who wrote it.
  private func keepingFixedParts(of text: String, in masked: String) -> String {
    let before = Array(text.unicodeScalars)
    var after = Array(masked.unicodeScalars)
    for part in rules.fixedParts.map({ Array($0.unicodeScalars) }) where before.count == after.count {
      for start in 0..<max(0, before.count - part.count + 1)
      where Array(before[start..<start + part.count]) == part {
        after.replaceSubrange(start..<start + part.count, with: part)
      }
    }
    return rules.completed(String(String.UnicodeScalarView(after)))
  }

  private func letter(_ random: inout SeededRandom) -> String {
    String(UnicodeScalar(UInt8(0x61 + random.number(below: 26))))
  }
}

/// The numbers of as many digits, as the bound above them.
private func digitSpan(_ number: Int64) -> Int64 {
  var span: Int64 = 10
  while span < 1_000_000_000_000_000, UInt64(span) <= number.magnitude { span *= 10 }
  return span
}
