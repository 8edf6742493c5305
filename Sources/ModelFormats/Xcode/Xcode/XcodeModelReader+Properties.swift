import ManagedModel

extension XcodeModelReader {
  mutating func attribute(_ element: XcodeElement) -> AttributeDescription {
    check(element, attributes: attributeNames, children: ["userInfo"])
    let type = attributeType(of: element)
    var attribute = AttributeDescription(name: required("name", of: element), type: type)
    attribute.defaultValue = defaultValue(of: element, type: type)
    attribute.validation = validation(of: element, type: type)
    attribute.usesScalarValueType = scalarFlag(of: element, attribute)
    attribute.valueTransformerName = element.text("valueTransformerName")
    attribute.attributeValueClassName = element.text("customClassName")
    attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.flag("allowsCloudEncryption")
    attribute.derivationExpression = element.text("derivationExpression")
    attribute.compositeName = element.text("composite")
    readCommonFacts(of: element, into: &attribute)
    if element.flag("derived"), attribute.derivationExpression == nil {
      report(.missingAttribute("derivationExpression", of: element))
    }
    return attribute
  }

  /// An attribute without a type is of undefined type, as transient ones often are.
  private mutating func attributeType(of element: XcodeElement) -> AttributeType {
    guard let text = element.text("attributeType") else { return .undefined }
    if let type = typesByXcodeName[text] { return type }
    let near = nearestName(to: text, among: typesByXcodeName.keys.sorted())
    report(
      .unreadableValue(
        text, of: "attributeType", in: element,
        expected: near.map { "'\($0)'" } ?? "one of \(typesByXcodeName.keys.sorted().joined(separator: ", "))"
      ))
    return .undefined
  }

  private mutating func defaultValue(of element: XcodeElement, type: AttributeType) -> DefaultValue? {
    if let seconds = interval("defaultDateTimeInterval", of: element) {
      return .text(AttributeValue.date(seconds).text)
    }
    // Empty text is a default for strings only.
    guard let text = element["defaultValueString"], type == .string || !text.isEmpty else { return nil }
    if type == .undefined || AttributeValue(parsing: text, as: type) != nil { return .text(text) }
    let taken = takenDefault(text, type)
    report(
      Diagnostic(
        .badDefault, .warning,
        "default '\(text.abridged)' of '\(element["name"] ?? "")' is not a value of its type",
        place: element.place(of: "defaultValueString")
      ).taken(taken.map { "the default is \($0)" } ?? "there is no default"))
    return taken.map(DefaultValue.text)
  }

  /// A type without a scalar has none, whatever the flag says.
  private mutating func scalarFlag(of element: XcodeElement, _ attribute: AttributeDescription) -> Bool? {
    guard let text = element["usesScalarValueType"] else { return nil }
    guard isYes(text), attribute.type != .undefined, !attribute.type.traits.hasScalar else {
      return isYes(text)
    }
    report(
      Diagnostic(
        .misplacedFlag, .warning,
        "'\(attribute.name)' is of type \(attribute.type.name), which has no scalar",
        place: element.place(of: "usesScalarValueType")
      ).taken("the flag is ignored"))
    return nil
  }

  /// `minValueString` and `maxValueString` are lengths for strings and values for numbers; for dates they are
  /// text for people beside the intervals.
  private mutating func validation(of element: XcodeElement, type: AttributeType) -> AttributeValidation {
    var rules = AttributeValidation()
    rules.regularExpression = element.text("regularExpressionString")
    if type == .string {
      rules.minimumLength = count("minValueString", of: element)
      rules.maximumLength = count("maxValueString", of: element)
      return rules
    }
    rules.minimum = interval("minDateTimeInterval", of: element).map { AttributeValue.date($0).text }
    rules.maximum = interval("maxDateTimeInterval", of: element).map { AttributeValue.date($0).text }
    if rules.minimum == nil { rules.minimum = element.text("minValueString") }
    if rules.maximum == nil { rules.maximum = element.text("maxValueString") }
    return rules
  }

  /// Seconds since 2001-01-01 00:00 UTC.
  private mutating func interval(_ attribute: String, of element: XcodeElement) -> Double? {
    value(
      element.text(attribute), of: attribute, in: element, expected: "a number of seconds since 2001-01-01",
      taken: "none"
    ) { text -> Double? in
      if case .date(let seconds)? = AttributeValue(parsing: text, as: .date) { seconds } else { nil }
    }
  }

  mutating func relationship(_ element: XcodeElement) -> RelationshipDescription {
    check(element, attributes: relationshipNames, children: ["userInfo"])
    var relationship = RelationshipDescription(
      name: required("name", of: element), destinationEntityName: element["destinationEntity"] ?? "")
    relationship.inverseName = element.text("inverseName")
    // A missing count is zero, even for a required to-one: hashes of genuine stores say so.
    relationship.minCount = count("minCount", of: element) ?? 0
    relationship.maxCount = count("maxCount", of: element) ?? 0
    relationship.isOrdered = element.flag("ordered") && relationship.isToMany
    if element.flag("ordered"), !relationship.isToMany {
      report(
        Diagnostic(
          .orderedToOne, .warning, "'\(relationship.name)' is a to-one; only a to-many can be ordered",
          place: element.place(of: "ordered")
        ).taken("the order is ignored"))
    }
    relationship.deleteRule =
      value(
        element["deletionRule"], of: "deletionRule", in: element,
        expected: "'Nullify', 'Cascade', 'Deny' or 'No Action'", taken: "Nullify"
      ) { text in DeleteRule.allCases.first { $0.xcodeName == text } } ?? .nullify
    readCommonFacts(of: element, into: &relationship)
    return relationship
  }

  private mutating func readCommonFacts(
    of element: XcodeElement, into property: inout some PropertyDescription
  ) {
    property.isOptional = element.flag("optional")
    property.isTransient = element.flag("transient")
    property.isIndexed = element.flag("indexed")
    property.isIndexedBySpotlight = element.flag("spotlightIndexingEnabled")
    property.isStoredInExternalRecord = element.flag("storedInTruthFile")
    property.renamingIdentifier = element.text("elementID").flatMap { $0 == property.name ? nil : $0 }
    property.versionHashModifier = element.text("versionHashModifier")
    property.userInfo = userInfo(of: element)
  }

  mutating func fetchedProperty(_ element: XcodeElement) -> FetchedPropertyDescription {
    check(element, attributes: ["name", "optional", "syncable"], children: ["fetchRequest", "userInfo"])
    var request = FetchRequestDescription(name: "fetchedPropertyFetchRequest", entityName: "")
    if let child = element.children(named: "fetchRequest").first {
      request = fetchRequest(child)
    } else {
      report(
        Diagnostic(
          .unreadableXcodeModel, .error,
          "the fetched property '\(element["name"] ?? "")' has no fetch request",
          place: element.place, help: ["open the model in Xcode, choose the property's entity and save it"]))
    }
    return FetchedPropertyDescription(
      name: required("name", of: element), isOptional: element.flag("optional"), fetchRequest: request,
      userInfo: userInfo(of: element))
  }

  mutating func fetchRequest(_ element: XcodeElement) -> FetchRequestDescription {
    check(element, attributes: fetchRequestNames, children: [])
    var request = FetchRequestDescription(
      name: required("name", of: element), entityName: required("entity", of: element))
    request.predicate = element.text("predicateString")
    request.fetchLimit = count("fetchLimit", of: element) ?? 0
    request.fetchBatchSize = count("fetchBatchSize", of: element) ?? 0
    request.resultType = count("resultType", of: element) ?? 0
    // On unless Xcode says otherwise; the names vary with Xcode's age.
    func take(_ path: WritableKeyPath<FetchRequestDescription, Bool>, _ names: String...) {
      for name in names where element[name] != nil { request[keyPath: path] = element.flag(name) }
    }
    take(\.includesSubentities, "includeSubentities", "includesSubentities")
    take(\.includesPropertyValues, "includePropertyValues", "includesPropertyValues")
    take(\.includesPendingChanges, "includePendingChanges", "includesPendingChanges")
    take(\.returnsObjectsAsFaults, "returnObjectsAsFaults", "returnsObjectsAsFaults")
    request.returnsDistinctResults =
      element.flag("returnDistinctResults") || element.flag("returnsDistinctResults")
    return request
  }
}

/// Those that findings name by keys, and the others.
private let attributeNames = Set(attributeKeys.keys).union([
  "preserveAfterDeletion", "allowsCloudEncryption", "spotlightIndexingEnabled", "storedInTruthFile",
  "derived", "syncable",
])

private let relationshipNames = Set(relationshipKeys.keys).union([
  "indexed", "spotlightIndexingEnabled", "storedInTruthFile", "syncable",
])

private let fetchRequestNames: Set = [
  "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType", "includeSubentities",
  "includesSubentities", "includePropertyValues", "includesPropertyValues", "includePendingChanges",
  "includesPendingChanges", "returnDistinctResults", "returnsDistinctResults", "returnObjectsAsFaults",
  "returnsObjectsAsFaults",
]
