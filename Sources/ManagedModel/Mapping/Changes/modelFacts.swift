import Foundation

/// The facts of each kind of thing in a model, in the order in which a difference lists them. Whatever the
/// fingerprint contains is here or in the comparisons of lists; names and renaming identifiers are told apart.

let entityFacts: [Fact<EntityDescription>] = [
  Fact("parent", \.superentityName),
  Fact("abstract", \.isAbstract, adjective: "abstract"),
  Fact("versionHashModifier", \.versionHashModifier),
  Fact("class", text: { $0.managedObjectClassName == "NSManagedObject" ? nil : $0.managedObjectClassName }) {
    $1.managedObjectClassName = $0.managedObjectClassName
  },
  Fact("class.module", \.moduleName),
  Fact("class.codeGeneration", \.codeGenerationType) { $0?.rawValue },
  Fact("spotlightDisplayName", \.coreSpotlightDisplayName),
  renamingFact(\.renamingIdentifier),
]

let attributeFacts: [Fact<AttributeDescription>] =
  [
    Fact("type", \.type) { $0.name },
    Fact("optional", \.isOptional, adjective: "optional"),
    Fact("transient", \.isTransient, adjective: "transient"),
    Fact("derivation", \.derivationExpression),
    Fact("composite", \.compositeName),
    Fact("enum", \.enumTypeName),
    defaultFact,
    boundFact("min", \.minimum),
    boundFact("max", \.maximum),
    Fact<AttributeValidation>("minLength", \.minimumLength) { $0.map(String.init) }.within(\.validation),
    Fact<AttributeValidation>("maxLength", \.maximumLength) { $0.map(String.init) }.within(\.validation),
    Fact<AttributeValidation>("matching", \.regularExpression).within(\.validation),
    Fact<AttributeValidation>("rules", \.predicates) { rules in
      rules.isEmpty ? nil : rules.map { "\($0.predicate) (\($0.warning))" }.joined(separator: ", ")
    }.within(\.validation),
    Fact("externalStorage", \.allowsExternalBinaryDataStorage, adjective: "in external storage"),
    Fact("preserveAfterDeletion", \.preservesValueInHistoryOnDeletion, adjective: "preserved after deletion"),
    Fact("cloudEncryption", \.allowsCloudEncryption, adjective: "encrypted in the cloud"),
    Fact("transformer", \.valueTransformerName),
    Fact("valueClass", \.attributeValueClassName),
    scalarFact,
    Fact("spotlight", \.isIndexedBySpotlight, adjective: "indexed by Spotlight"),
    Fact("externalRecord", \.isStoredInExternalRecord, adjective: "stored in the external record"),
    Fact("indexed", \.isIndexed, adjective: "indexed"),
    Fact("versionHashModifier", \.versionHashModifier),
    renamingFact(\.renamingIdentifier),
  ]

let relationshipFacts: [Fact<RelationshipDescription>] = [
  Fact(
    "to", \.destinationEntityName, words: { "to \($0.destinationEntityName) → \($1.destinationEntityName)" }
  ) { $0 },
  Fact("inverse", \.inverseName),
  Fact("optional", \.isOptional, adjective: "optional"),
  Fact("transient", \.isTransient, adjective: "transient"),
  Fact("min", \.minCount),
  Fact(
    "max", \.maxCount,
    words: { old, new in
      if old.isToMany != new.isToMany { return "\(cardinality(old)) → \(cardinality(new))" }
      return "max \(maximum(old.maxCount)) → \(maximum(new.maxCount))"
    }, text: maximum),
  Fact("ordered", \.isOrdered, adjective: "ordered"),
  Fact("deleteRule", \.deleteRule) { $0.name },
  Fact("spotlight", \.isIndexedBySpotlight, adjective: "indexed by Spotlight"),
  Fact("externalRecord", \.isStoredInExternalRecord, adjective: "stored in the external record"),
  Fact("indexed", \.isIndexed, adjective: "indexed"),
  Fact("versionHashModifier", \.versionHashModifier),
  renamingFact(\.renamingIdentifier),
]

let fetchRequestFacts: [Fact<FetchRequestDescription>] = [
  Fact("entity", \.entityName),
  Fact("predicate", \.predicate),
  Fact("sort", \.sortDescriptors) { keys in
    keys.isEmpty
      ? nil : keys.map { $0.keyPath + ($0.isAscending ? "" : " desc") }.joined(separator: ", ")
  },
  Fact("limit", \.fetchLimit) { $0 == 0 ? nil : String($0) },
  Fact("batchSize", \.fetchBatchSize) { $0 == 0 ? nil : String($0) },
  Fact("includesSubentities", \.includesSubentities) { String($0) },
  Fact("includesPropertyValues", \.includesPropertyValues) { String($0) },
  Fact("includesPendingChanges", \.includesPendingChanges) { String($0) },
  Fact("distinct", \.returnsDistinctResults) { String($0) },
  Fact("returnsObjectsAsFaults", \.returnsObjectsAsFaults) { String($0) },
  Fact("resultType", \.resultType) { value in
    FetchRequestDescription.resultTypes.first { $0.1 == value }?.0 ?? String(value)
  },
]

let fetchedPropertyFacts: [Fact<FetchedPropertyDescription>] =
  fetchRequestFacts.map { $0.within(\.fetchRequest) } + [
    Fact("optional", \.isOptional, adjective: "optional"), Fact("requestName", \.fetchRequest.name),
  ]

let fetchIndexFacts: [Fact<FetchIndexDescription>] = [
  Fact("elements", \.elements) { $0.map(\.words).joined(separator: ", ") },
  Fact("where", \.partialIndexPredicate),
]

/// Differs only where names match and canonical names do not, so that a renaming shows as one change.
private func renamingFact<Item: Renamable & Sendable>(
  _ path: any WritableKeyPath<Item, String?> & Sendable
) -> Fact<Item> { Fact("renamingIdentifier", path, differs: { $0.canonicalName != $1.canonicalName }) { $0 } }

/// Defaults compare by value: `1.10` is the decimal `1.1`.
private let defaultFact = Fact<AttributeDescription>(
  "default", \.defaultValue,
  differs: { old, new in
    guard old.defaultValue != new.defaultValue else { return false }
    if case .evaluated? = old.defaultValue { return true }
    if case .evaluated? = new.defaultValue { return true }
    guard let value = old.typedDefaultValue, let other = new.typedDefaultValue else { return true }
    return old.type != new.type || value != other
  }
) { value in
  switch value {
  case nil: nil
  case .text(let text): text
  case .archived(let data): "an archived value, Base64 \(data.base64EncodedString())"
  case .evaluated(let value): "\(value.rawValue), evaluated by the app"
  }
}

private func boundFact(
  _ key: String, _ path: any WritableKeyPath<AttributeValidation, String?> & Sendable
) -> Fact<AttributeDescription> {
  Fact(
    key, text: { $0.validation[keyPath: path] },
    differs: { old, new in
      let (bound, other) = (old.validation[keyPath: path], new.validation[keyPath: path])
      guard bound != other, let bound, let other, old.type == new.type,
        let value = AttributeValue(parsing: bound, as: old.type)
      else { return bound != other }
      return value != AttributeValue(parsing: other, as: new.type)
    }
  ) { $1.validation[keyPath: path] = $0.validation[keyPath: path] }
}

/// An absent flag means no.
private let scalarFact = Fact<AttributeDescription>(
  "scalar", text: { String($0.usesScalarValueType ?? false) },
  words: { $1.usesScalarValueType == true ? "now scalar" : "no longer scalar" }
) { $1.usesScalarValueType = $0.usesScalarValueType }

private func cardinality(_ relationship: RelationshipDescription) -> String {
  guard relationship.isToMany else { return "to-one" }
  return relationship.maxCount > 1 ? "to-many (at most \(relationship.maxCount))" : "to-many"
}

private func maximum(_ count: Int) -> String { count < 1 ? "unbounded" : String(count) }

extension FetchIndexElement {
  fileprivate var words: String {
    (isExpression ? "(\(property))" : property) + (isAscending ? "" : " desc")
      + (collation == .rtree ? " rtree" : "")
  }
}
