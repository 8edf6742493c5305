extension MappingSuggestion {
  mutating func mapAttribute(_ attribute: AttributeDescription, _ code: Diagnostic.Code, of entity: String) {
    // That digits are lost can be accepted; no expression keeps them.
    if code == .numericNarrowing, attribute.type.traits.integerRange == nil { return }
    for index in mappings(toHeirsOf: entity) {
      guard let sourceName = entityMappings[index].sourceEntityName else { continue }
      let old = past(of: attribute, among: source.members(of: sourceName))
      if code == .ambiguousRenaming, old.map({ isClaimedByAnother($0, than: attribute, of: entity) }) == true
      {
        set(attribute.name, nil, of: index)
      } else if let expression = expression(for: attribute, of: entity, from: old, code) {
        set(attribute.name, expression, of: index)
      } else {
        // A value that no expression gives starts with its default, which the policy replaces.
        set(attribute.name, nil, of: index)
        usePolicy(index)
      }
    }
  }

  /// Of two that stand for one, the one of that very name keeps it.
  private func isClaimedByAnother(
    _ old: AttributeDescription, than attribute: AttributeDescription, of entity: String
  ) -> Bool {
    destination.members(of: entity).contains {
      $0.name != attribute.name && $0.canonicalName == old.canonicalName && attribute.name != old.name
    }
  }

  /// Nil if no expression gives the value.
  private func expression(
    for new: AttributeDescription, of entity: String, from old: AttributeDescription?, _ code: Diagnostic.Code
  ) -> String? {
    guard let old else { return emptyExpression(of: new) }
    let value = "$source.\(old.name)"
    let format = dateFormats["\(entity).\(new.name)"] ?? "yyyy-MM-dd HH:mm:ss"
    let converted =
      code == .numericNarrowing
      ? narrowed(value, to: new.type) : converted(value, from: old, to: new.type, dateFormat: format)
    guard old.isOptional, !new.isOptional else { return converted }
    guard let fallback = defaultExpression(of: new) ?? emptyExpression(of: new) else { return nil }
    // Only nil gets the default: a text that cannot be read is counted.
    return converted.map {
      $0 == value ? "coalesce(\(value), \(fallback))" : "TERNARY(\(value) == nil, \(fallback), \($0))"
    }
  }

  /// A value that says nothing, or the least number, whichever the attribute's own rules admit; nil if they admit neither.
  func emptyExpression(of attribute: AttributeDescription) -> String? {
    // Whether a predicate admits a value is not known.
    guard attribute.validation.predicates.isEmpty else { return nil }
    if attribute.brokenRule(by: attribute.type == .string ? "" : "0") == nil {
      return attribute.type.traits.emptyExpression
    }
    guard attribute.type.isNumeric, let least = attribute.validation.minimum else { return nil }
    return attribute.brokenRule(by: least) == nil ? least : nil
  }

  private func defaultExpression(of attribute: AttributeDescription) -> String? {
    switch attribute.typedDefaultValue {
    case .integer(let number): "\(number)"
    case .boolean(let value): value ? "TRUE" : "FALSE"
    default: nil
    }
  }

  private func narrowed(_ value: String, to type: AttributeType) -> String {
    guard let range = type.traits.integerRange else { return value }
    let whole = "trunc:(\(value))"
    return type == .integer64 ? whole : "clamp(\(whole), \(range.lowerBound), \(range.upperBound))"
  }

  private func converted(
    _ value: String, from old: AttributeDescription, to new: AttributeType, dateFormat: String
  ) -> String? {
    if old.type == new || (old.type.isNumeric && new.isNumeric) { return value }
    switch (old.type, new) {
    case (.date, .string): return "formatDate(\(value), \"yyyy-MM-dd HH:mm:ss\")"
    case (.string, .date): return "parseDate(\(value), \(dateFormat.expressionLiteral(quote: "\"")))"
    case (.string, _) where new.isInteger: return "parseInt(\(value))"
    case (.string, _) where new.isNumeric: return "parseDouble(\(value))"
    case (.date, _) where new.isInteger: return "trunc:(CAST(\(value), \"NSNumber\"))"
    case (.date, _) where new.isNumeric: return "CAST(\(value), \"NSNumber\")"
    case (_, .date) where old.type.isNumeric: return "CAST(\(value), \"NSDate\")"
    case (.boolean, _) where new.isNumeric:
      return orNull("TERNARY(\(value) == TRUE, 1, 0)", where: value, isNull: old.isOptional)
    case (_, .boolean) where old.type.isNumeric:
      return orNull("TERNARY(\(value) != 0, TRUE, FALSE)", where: value, isNull: old.isOptional)
    case (.boolean, .string):
      return orNull("TERNARY(\(value) == TRUE, 'true', 'false')", where: value, isNull: old.isOptional)
    case (.string, .boolean):
      let test = "TERNARY(\(value) IN[c] {'true', 'yes', '1'}, TRUE, FALSE)"
      return orNull(test, where: value, isNull: old.isOptional)
    case (_, .string) where old.type.isNumeric: return "CAST(\(value), \"NSString\")"
    case (.uuid, .string), (.uri, .string): return "CAST(\(value), \"NSString\")"
    case (.binary, .transformable), (.transformable, .binary): return value
    default: return nil
    }
  }

  private func orNull(_ expression: String, where value: String, isNull: Bool) -> String {
    isNull ? "TERNARY(\(value) == nil, nil, \(expression))" : expression
  }
}
