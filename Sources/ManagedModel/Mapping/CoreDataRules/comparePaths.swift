extension [ModelVersion] {
  /// Where one step over several versions gives other values than the single steps in turn.
  ///
  /// - Parameters:
  ///   - stepwise: the steps composed into one mapping.
  ///   - canMigrateDirectly: which of the two a migration takes.
  /// - Returns: MC3402 with the first differences, an error where the one step that is taken loses values which step by
  ///   step stay, unless a version lists them as retired; nil if the results are equal, or where one step alone cannot be
  ///   inferred.
  package func comparePaths(stepwise: MappingModel, canMigrateDirectly: Bool = true) -> Diagnostic? {
    guard count > 2, let source = first, let target = last else { return nil }
    let (direct, findings) = inferMappingModel(from: source, to: target)
    if findings.contains(where: { $0.severity == .error && $0.code != .mappingWanted }) { return nil }
    let retired = Set(flatMap(\.retired))
    var lines: [String] = []
    var loses = false
    for mapping in direct.entityMappings {
      guard let name = mapping.destinationEntityName else { continue }
      let others = stepwise.mappings(toEntity: name)
      guard others.count == 1, let other = others.first else { continue }
      if mapping.sourceEntityName != other.sourceEntityName {
        if mapping.sourceEntityName == nil, let lost = other.sourceEntityName, !retired.contains(lost) {
          loses = canMigrateDirectly
        }
        lines.append(
          "'\(name)': in one step \(objects(mapping.sourceEntityName)); step by step \(objects(other.sourceEntityName))"
        )
        continue
      }
      guard mapping.sourceEntityName != nil else { continue }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let counterpart = other.propertyMapping(named: property.name),
          plain(property.value) != plain(counterpart.value)
            || Set(property.referrers) != Set(counterpart.referrers)
        else { continue }
        if property.value.sourceName == nil, property.referrers.isEmpty,
          let lost = counterpart.value.sourceName,
          !isListed(mapping.sourceEntityName ?? "", lost, in: retired)
        {
          loses = canMigrateDirectly
        }
        let name = "'\(name).\(property.name)'"
        lines.append("\(name): in one step \(words(property)); step by step \(words(counterpart))")
      }
    }
    if lines.isEmpty { return nil }
    return Diagnostic(
      .pathsDiffer, loses ? .error : .warning,
      "one step from '\(source.name)' to '\(target.name)' gives other values than migrating version by version",
      subject: ModelSubject(version: target.name), notes: lines.notes(atMost: 5),
      help: [
        target.notation == .swiftData
          ? "SwiftData goes in one step if all stages between are lightweight: keep the `originalName` and the default that a schema between has"
          : canMigrateDirectly
            ? "modelc migrates in one step here, as Core Data does; `chain: stepwise` next to `versions:`, or `MigrationOptions(chain: .stepwise)` for one run, migrates version by version"
            : "modelc migrates version by version here; `chain: direct` next to `versions:`, or `MigrationOptions(chain: .direct)` for one run, migrates in one step, as Core Data does"
      ]
        + (target.notation == .swiftData
          ? []
          : [
            "to end it: give what comes back its own renaming identifier, and what is new the same default everywhere"
          ]))
  }
}

private func objects(_ entity: String?) -> String {
  entity.map { "it gets the objects of '\($0)'" } ?? "it starts empty"
}

/// The value without conversions that change nothing and without a default for nulls that cannot occur; a constant as what
/// becomes of it.
private func plain(_ value: PropertyMappingValue) -> PropertyMappingValue {
  switch value {
  case .converted(let inner, let from, let to):
    let inner = plain(inner)
    if case .constant(let value) = inner {
      guard let value else { return .constant(nil) }
      return value.converted(to: to).map { .constant($0) } ?? .converted(.constant(value), from: from, to: to)
    }
    let isWidening = from.isInteger && to.isInteger && from.rawValue <= to.rawValue
    return isWidening ? inner : .converted(inner, from: from, to: to)
  case .defaulted(let inner, let fallback):
    let inner = plain(inner)
    if case .constant(let value) = inner { return .constant(value ?? fallback) }
    if case .defaulted = inner { return inner }
    return .defaulted(inner, fallback)
  case .source, .constant, .expression: return value
  }
}

private func words(_ property: PropertyMapping) -> String {
  if let name = property.value.sourceName {
    // What the last conversion gives is the type of the property itself.
    let types = property.value.conversions.dropLast().map(\.name)
    return "it copies '\(name)'" + (types.isEmpty ? "" : " through \(types.joined(separator: ", "))")
  }
  if let referrer = property.referrers.first {
    return "it is filled from '\(referrer.entity).\(referrer.property)'"
  }
  if case .constant(let value?) = plain(property.value) {
    return "it starts with its default '\(String(value.text.prefix(40)).visible)'"
  }
  return "it starts empty"
}

extension PropertyMappingValue {
  /// The types that the source's value is converted to, one after the other.
  fileprivate var conversions: [AttributeType] {
    switch self {
    case .converted(let inner, _, let to): inner.conversions + [to]
    case .defaulted(let inner, _): inner.conversions
    case .source, .constant, .expression: []
    }
  }
}

extension AttributeValue {
  /// As inference converts it; nil where only SQLite can.
  fileprivate func converted(to type: AttributeType) -> AttributeValue? {
    switch self {
    case .boolean(let isTrue) where type.isInteger: .integer(isTrue ? 1 : 0)
    case .integer(let number) where type == .boolean: .boolean(number != 0)
    case .integer(let number) where type == .double || type == .float: .double(Double(number))
    case .integer(let number):
      type.traits.integerRange.map { .integer(min(max(number, $0.lowerBound), $0.upperBound)) }
    default: nil
    }
  }
}

extension Diagnostic.Code { package static let pathsDiffer = Self("MC3402") }
