import ManagedModel
import TestSupport

/// A random mapping for one step between two random versions: some entities as inference has them, others with filters,
/// values from expressions, groups, another entity to go to, a second one that gets a part, or relationships that are stated.
struct RandomStepMapping {
  let old: EntityHierarchy
  let new: EntityHierarchy
  /// What inference makes of the step: source and destination by the name of a mapping that states the same.
  private let pairs: [(source: String, destination: String)]
  private var random: Dice

  init(seed: UInt64, from old: ModelVersion, to new: ModelVersion) {
    random = Dice(seed: seed &* 7 &+ 3)
    (self.old, self.new) = (EntityHierarchy(old.model), EntityHierarchy(new.model))
    let (before, after) = (self.old, self.new)
    pairs = inferMappingModel(from: old, to: new).mappingModel.entityMappings.compactMap { mapping in
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        before.entity(named: from)?.isAbstract == false, after.entity(named: to)?.isAbstract == false
      else { return nil }
      return (from, to)
    }
  }

  mutating func draw() -> CustomMappingModel {
    var mappings: [CustomEntityMapping] = []
    for (source, destination) in pairs where random.chance(60) {
      let isDropped = random.chance(6)
      var mapping = CustomEntityMapping(
        name: "\(source)To\(destination)", sourceEntityName: source,
        destinationEntityName: isDropped ? nil : goal(destination))
      mapping.dropsObjects = isDropped
      if !isDropped { fill(&mapping, source) }
      mappings.append(mapping)
      if !isDropped, random.chance(20) { mappings.append(part(of: mapping, source)) }
    }
    for index in mappings.indices where mappings[index].destinationEntityName != nil {
      mappings[index].relationshipMappings = relationships(mappings[index], mappings)
    }
    return CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: random.chance(50) ? mappings : mappings.shuffled(using: &random))
  }

  private var concrete: [String] { new.model.entities.filter { !$0.isAbstract }.map(\.name) }

  /// The entity that inference has, or, now and then, another one.
  private mutating func goal(_ destination: String) -> String {
    if random.chance(85) { return destination }
    let kin = concrete.filter { new.rootName(of: $0) == new.rootName(of: destination) }
    return random.pick(random.chance(70) ? kin : concrete) ?? destination
  }

  private mutating func fill(_ mapping: inout CustomEntityMapping, _ source: String) {
    if random.chance(25) { mapping.filter = condition(source) }
    if random.chance(12), let key = random.pick(old.attributes(of: source).filter(isPlain)) {
      mapping.groupBy = ["$source.\(key.name)"]
      mapping.keep = random.pick([KeepRule.first, .last, .merge])
    }
    mapping.onDrop = random.pick([nil, nil, nil, DropRule.nullify, .repoint, .cascade]) ?? nil
    mapping.attributeMappings = values(mapping.destinationEntityName ?? "", source, mustFill: false)
  }

  /// A second mapping of the same objects, into another entity.
  private mutating func part(of whole: CustomEntityMapping, _ source: String) -> CustomEntityMapping {
    let goal = random.pick(concrete) ?? whole.destinationEntityName ?? source
    var part = CustomEntityMapping(
      name: "\(source)Part", sourceEntityName: source, destinationEntityName: goal,
      filter: random.chance(50) ? whole.filter : condition(source))
    part.attributeMappings = values(goal, source, mustFill: true)
    return part
  }

  private func isPlain(_ attribute: AttributeDescription) -> Bool {
    switch attribute.type {
    case .integer16, .integer32, .string, .boolean, .date, .double:
      !attribute.isDerived && !attribute.isTransient
    default: false
    }
  }

  private mutating func condition(_ source: String) -> String? {
    let attributes = old.attributes(of: source).filter(isPlain)
    let relationships = old.relationships(of: source)
    if random.chance(30), let relationship = random.pick(relationships) {
      return relationship.isToMany ? "\(relationship.name).@count > 0" : "\(relationship.name) != nil"
    }
    guard let attribute = random.pick(attributes) else { return nil }
    if random.chance(40) { return "\(attribute.name) != nil" }
    switch attribute.type {
    case .string: return "\(attribute.name) != \"42\""
    case .boolean: return "\(attribute.name) == YES"
    case .date: return "\(attribute.name) != nil"
    default: return "\(attribute.name) >= 0"
    }
  }

  // MARK: values

  private mutating func values(_ destination: String, _ source: String, mustFill: Bool)
    -> [CustomPropertyMapping]
  {
    let known = Set(old.attributes(of: source).map(\.name))
    return new.attributes(of: destination).compactMap { attribute in
      if attribute.isDerived || attribute.isTransient || attribute.name == StepAccount.number { return nil }
      let isMissing =
        !known.contains(attribute.name) && !attribute.isOptional && attribute.defaultValue == nil
      guard random.chance(30) || (mustFill && isMissing), let value = value(attribute, source) else {
        return nil
      }
      return CustomPropertyMapping(name: attribute.name, expression: value)
    }
  }

  /// An expression of the attribute's type; a required one gets something in any case.
  private mutating func value(_ attribute: AttributeDescription, _ source: String) -> String? {
    guard let fallback = constant(attribute.type) else { return nil }
    let same = old.attributes(of: source).filter { $0.type == attribute.type && !$0.isTransient }
    var choices = same.map { "$source.\($0.name)" }
    for relationship in old.relationships(of: source) where !relationship.isTransient {
      if relationship.isToMany {
        if isNumber(attribute.type) { choices.append("$source.\(relationship.name).@count") }
      } else {
        choices += old.attributes(of: relationship.destinationEntityName)
          .filter { $0.type == attribute.type && !$0.isTransient }.map {
            "$source.\(relationship.name).\($0.name)"
          }
      }
    }
    guard let first = random.pick(choices) else { return fallback }
    let isRequired = !attribute.isOptional
    switch (attribute.type, random.number(0...3)) {
    case (.string, 0): return "concat(coalesce(\(first), \"-\"), \"!\")"
    case (.string, 1): return "coalesce(\(first), \(random.pick(choices) ?? first), \"none\")"
    case (.integer64, 0), (.double, 0): return "coalesce(\(first), 1) * 0 + 1"
    case _ where isRequired || random.chance(30): return "coalesce(\(first), \(fallback))"
    default: return first
    }
  }

  private func isNumber(_ type: AttributeType) -> Bool {
    [.integer16, .integer32, .integer64, .double, .float].contains(type)
  }

  private func constant(_ type: AttributeType) -> String? {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: "7"
    case .string: "\"none\""
    case .boolean: "YES"
    case .date: "CAST(3, \"NSDate\")"
    default: nil
    }
  }

  // MARK: relationships

  /// Now and then one is stated: empty, or what another mapping made of the objects that one of the source leads to.
  private mutating func relationships(
    _ mapping: CustomEntityMapping, _ all: [CustomEntityMapping]
  ) -> [CustomPropertyMapping] {
    let (goal, source) = (mapping.destinationEntityName ?? "", mapping.sourceEntityName ?? "")
    return new.relationships(of: goal).compactMap { relationship in
      guard random.chance(20), !relationship.isTransient else { return nil }
      if random.chance(20), relationship.isOptional {
        return CustomPropertyMapping(name: relationship.name, expression: nil)
      }
      let makers = all.filter {
        new.isKind($0.destinationEntityName ?? "", of: relationship.destinationEntityName)
      }
      guard let maker = random.pick(makers), let of = maker.sourceEntityName else { return nil }
      var paths = old.relationships(of: source)
        .filter { !$0.isTransient && old.isKind(of, of: $0.destinationEntityName) }.map {
          "$source.\($0.name)"
        }
      if of == source { paths.append("$source") }
      guard let path = random.pick(paths) else { return nil }
      return CustomPropertyMapping(
        name: relationship.name, expression: "destinationInstances(\"\(maker.name)\", \(path))")
    }
  }
}
