/// Reads the predicates and expressions of one entity mapping, and checks them against the two models.
struct MappingParts {
  let mapping: CustomEntityMapping
  let context: MappingExpressionContext
  let place: MappingPlace

  func filter(_ diagnostics: inout [Diagnostic]) -> Predicate? {
    guard let text = mapping.filter, mapping.sourceEntityName != nil else { return nil }
    let subject = place.subject(key: "where")
    do throws(DiagnosticsError) {
      let predicate = try parsePredicate(text, at: place.textRange(subject))
      let found = predicate.checkAsFilter(in: context, subject: subject, at: place.textRange(subject))
      diagnostics += found.map { place.located($0, at: subject) }
      return predicate.rewritten { $0.withoutLookups(context.lookupTables, keyType: keyType) }
    } catch {
      reportSyntax(error, at: subject, &diagnostics)
      return nil
    }
  }

  func grouping(_ diagnostics: inout [Diagnostic]) -> GroupingRule? {
    guard !mapping.groupBy.isEmpty else { return nil }
    var keys: [Expression] = []
    for (index, text) in mapping.groupBy.enumerated() {
      let subject = place.subject(key: mapping.groupBy.count == 1 ? "groupBy" : "groupBy[\(index)]")
      if let key = expression(text, .key, subject, &diagnostics) { keys.append(key) }
    }
    let order = mapping.orderBy.flatMap { expression($0, .key, place.subject(key: "orderBy"), &diagnostics) }
    return GroupingRule(keys: keys, keep: mapping.keep, order: order)
  }

  /// Puts what is written in the place of what inference found.
  func setValues(of entityMapping: inout EntityMapping, _ diagnostics: inout [Diagnostic]) {
    guard let entity = mapping.destinationEntityName else { return }
    let destination = context.destination
    for written in mapping.attributeMappings {
      let attribute = destination.attribute(named: written.name, of: entity)
      if let attribute, attribute.type == .composite {
        setMembers(of: attribute, written, &entityMapping, &diagnostics)
        continue
      }
      guard let attribute, !attribute.isTransient, !attribute.isDerived,
        let index = entityMapping.attributeMappings.firstIndex(where: { $0.name == written.name })
      else {
        diagnostics.append(noProperty(written.name, attribute, of: entity, isRelationship: false))
        continue
      }
      entityMapping.attributeMappings[index].userInfo = written.userInfo
      entityMapping.attributeMappings[index].value = value(written, attribute, &diagnostics)
    }
    for written in mapping.relationshipMappings {
      let relationship = destination.relationship(named: written.name, of: entity)
      guard let relationship,
        let index = entityMapping.relationshipMappings.firstIndex(where: { $0.name == written.name })
      else {
        diagnostics.append(noProperty(written.name, nil, of: entity, isRelationship: true))
        continue
      }
      let inferred = entityMapping.relationshipMappings[index]
      entityMapping.relationshipMappings[index] = mapped(written, relationship, inferred, &diagnostics)
    }
  }

  private func value(
    _ written: CustomPropertyMapping, _ attribute: AttributeDescription, _ diagnostics: inout [Diagnostic]
  ) -> PropertyMappingValue {
    guard let text = written.expression else { return .constant(attribute.heldDefaultValue) }
    let subject = place.subject(written.name, key: "attributes")
    guard let expression = expression(text, .attribute(attribute), subject, &diagnostics) else {
      return .expression(.constant(.null))
    }
    return copied(expression.sourcePath, as: attribute) ?? .expression(expression)
  }

  /// A copied column needs no expression.
  private func copied(_ path: [String]?, as attribute: AttributeDescription) -> PropertyMappingValue? {
    guard let name = path?.joined(separator: "."), let entity = mapping.sourceEntityName,
      let old = context.source.attribute(named: name, of: entity), !old.isTransient, old.type != .composite
    else { return nil }
    if old.type == attribute.type { return .source(name) }
    guard old.type.converts(to: attribute.type) else { return nil }
    return .converted(.source(name), from: old.type, to: attribute.type)
  }

  /// A composite takes the members of another one by their names; those that it has not begin with their defaults, and so
  /// do all where nothing is written.
  private func setMembers(
    of composite: AttributeDescription, _ written: CustomPropertyMapping,
    _ entityMapping: inout EntityMapping, _ diagnostics: inout [Diagnostic]
  ) {
    let subject = place.subject(written.name, key: "attributes")
    var path: [String]?
    if let text = written.expression {
      guard let expression = expression(text, .attribute(composite), subject, &diagnostics) else { return }
      path = expression.sourcePath
      guard let path, let entity = mapping.sourceEntityName,
        context.source.attribute(named: path.joined(separator: "."), of: entity)?.type == .composite
      else {
        let members = context.destination.members(in: [composite]).map(\.name)
        let name = written.name
        let finding = Diagnostic(
          .unknownMapped, .error, "'\(name)' is a composite, and only a composite can be its value",
          notes: [.init("its members are \(members.prefix(30).joined(separator: ", "))")],
          help: ["write the members, as in '\(members.first ?? name): …', or '$source.' and a composite"])
        diagnostics.append(place.located(finding, at: subject))
        return
      }
    }
    let stated = Set(mapping.attributeMappings.map(\.name))
    for member in context.destination.members(in: [composite]) where !stated.contains(member.name) {
      guard let index = entityMapping.attributeMappings.firstIndex(where: { $0.name == member.name }) else {
        continue
      }
      let rest = member.name.dropFirst(written.name.count + 1)
      let value = path.flatMap { copied($0 + keys(of: String(rest)), as: member) }
      entityMapping.attributeMappings[index].value = value ?? .constant(member.heldDefaultValue)
      entityMapping.attributeMappings[index].userInfo = written.userInfo
    }
  }

  private func mapped(
    _ written: CustomPropertyMapping, _ relationship: RelationshipDescription, _ inferred: PropertyMapping,
    _ diagnostics: inout [Diagnostic]
  ) -> PropertyMapping {
    var mapped = PropertyMapping(name: written.name, value: .constant(nil), userInfo: written.userInfo)
    guard let text = written.expression else { return mapped }
    let subject = place.subject(written.name, key: "relationships")
    guard
      let expression = expression(text, .relationship(relationship), subject, &diagnostics)
    else { return mapped }
    if let name = expression.followedRelationship, inferred.value == .source(name) {
      mapped = inferred
      mapped.userInfo = written.userInfo
      return mapped
    }
    mapped.value = .expression(expression)
    mapped.keepsOrder = relationship.isOrdered
    return mapped
  }

  private func keyType(_ key: Expression) -> ExpressionType { key.findings(for: .key, in: context).type }

  /// Nil if there is nothing that could be carried out.
  private func expression(
    _ text: String, _ use: MappingExpressionUse, _ subject: ModelSubject, _ diagnostics: inout [Diagnostic]
  ) -> Expression? {
    let range = place.textRange(subject)
    do throws(DiagnosticsError) {
      let expression = try parseExpression(text, at: range)
      if let bytes = unarchived(expression, use) { return bytes }
      let (type, found) = expression.findings(for: use, in: context, subject: subject, at: range)
      if place.isOfXcode, type == .string, case .attribute(let attribute) = use, attribute.type.isNumeric,
        found.contains(where: { $0.code == .mappedTypes })
      {
        diagnostics += found.map { place.located($0.asInXcode, at: subject) }
        return expression.withReadableLookups.number(isWhole: attribute.type.isInteger)
      }
      diagnostics += found.map { place.located($0, at: subject) }
      return expression.rewritten { $0.withReadableLookups }.withoutLookups(
        context.lookupTables, keyType: keyType)
    } catch {
      reportSyntax(error, at: subject, &diagnostics)
      return nil
    }
  }

  /// `FUNCTION(CAST("NSKeyedUnarchiver", "Class"), "unarchiveObjectWithData:", $source.data)` for a transformable: the archive
  /// is what the store holds of it too.
  private func unarchived(_ expression: Expression, _ use: MappingExpressionUse) -> Expression? {
    guard place.isOfXcode, case .attribute(let attribute) = use, attribute.type == .transformable,
      case .function(let call) = expression, call.receiver != nil,
      call.selector == "unarchiveObjectWithData:",
      call.arguments.count == 1, let name = call.arguments[0].sourcePath?.joined(separator: "."),
      let entity = mapping.sourceEntityName,
      let old = context.source.attribute(named: name, of: entity),
      old.type == .binary || old.type == .transformable
    else { return nil }
    return call.arguments[0]
  }

  /// What is wrong in the text of a file was said when the file was read.
  private func reportSyntax(
    _ error: DiagnosticsError, at subject: ModelSubject, _ diagnostics: inout [Diagnostic]
  ) { if !place.isInFile { diagnostics += error.diagnostics.map { place.located($0, at: subject) } } }

  private func noProperty(
    _ name: String, _ attribute: AttributeDescription?, of entity: String, isRelationship: Bool
  ) -> Diagnostic {
    let subject = place.subject(name, key: nil)
    if let attribute {
      let isDerived = attribute.isDerived
      let finding = Diagnostic(
        .unknownMapped, .error,
        "'\(entity).\(name)' is \(isDerived ? "derived" : "transient"); no mapping gives it a value",
        notes: [isDerived ? "the migration computes it from its derivation" : "nothing of it is stored"],
        help: ["remove the line"])
      return place.located(finding, at: subject)
    }
    let hierarchy = context.destination
    let (kind, other, isOther) =
      isRelationship
      ? ("relationship", "attributes", hierarchy.attribute(named: name, of: entity) != nil)
      : ("attribute", "relationships", hierarchy.relationship(named: name, of: entity) != nil)
    let names =
      isRelationship
      ? hierarchy.relationships(of: entity).map(\.name) : hierarchy.members(of: entity).map(\.name)
    var finding = Diagnostic(
      .unknownMapped, .error, "the new '\(entity)' has no \(kind) '\(name)'", cocoaCode: 134110)
    if isOther {
      finding.help = ["put it under '\(other)'"]
    } else if let near = nearMatch(to: name, among: names) {
      finding = finding.offering(near, .rename(to: near.name))
    } else if !names.isEmpty {
      finding.notes = [Diagnostic.Note("it has \(names.prefix(30).joined(separator: ", "))")]
    }
    return place.located(finding, at: subject)
  }
}

extension Expression {
  /// The number that Core Data makes of a text: 0 of one that is none.
  fileprivate func number(isWhole: Bool) -> Expression {
    func call(_ name: String, _ arguments: Expression...) -> Expression {
      .function(FunctionCall(name, arguments))
    }
    let real = call("parseDouble", self)
    let zero = Expression.constant(.integer(0))
    let number =
      isWhole
      ? call("coalesce", call("parseInt", self), call("trunc:", real), zero) : call("coalesce", real, zero)
    return .conditional(
      .comparison(ComparisonPredicate(self, .equalTo, .constant(.null))), .constant(.null), number)
  }
}

/// A mapping names an entity or a property that a version does not have.
extension Diagnostic.Code { package static let unknownMapped = Self("MC4102") }
