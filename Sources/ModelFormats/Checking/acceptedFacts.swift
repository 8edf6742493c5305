import Expressions
package import ManagedModel

/// What Apple's tools take and our language refuses: the meaning that Core Data gives it, and the level of the finding
/// by who wrote the source.
///
/// Errors of other codes are errors whoever wrote the source: broken XML, an attribute without a type, a destination or
/// parent that is not there, a name declared twice, a circle of parents, a table that SQLite cannot make. `momc`
/// refuses them itself, or no store of them can be.
struct AcceptedFact {
  /// What is found, in the plural: a line that counts findings begins with it.
  let what: String
  /// What Core Data makes of it, and we with it.
  let meaning: String
  var language = Diagnostic.Severity.error
  var xcode = Diagnostic.Severity.warning

  init(_ what: String, _ meaning: String) {
    self.what = what
    self.meaning = meaning
  }
}

let acceptedFacts: [Diagnostic.Code: AcceptedFact] = [
  .unreadableXcodeModel: AcceptedFact("words of Xcode's that mean nothing", "as if they were not said"),
  .expressionSyntax: AcceptedFact("expressions that are not understood", "their text is kept as it is"),
  .unknownExpressionWord: AcceptedFact("expressions that are not understood", "their text is kept as it is"),
  .formatPlaceholder: AcceptedFact("expressions with a placeholder", "their text is kept as it is"),
  .argumentCount: AcceptedFact("expressions that are not understood", "their text is kept as it is"),
  .invalidName: AcceptedFact("names that are no identifiers", "the names stay; tables and hashes have them"),
  .reservedName: AcceptedFact(
    "properties named like a method of every object", "stored as any other; the getter hides the method"),
  .systemColumn: AcceptedFact("properties named like a column of Core Data's", "the column gets a number"),
  .badDefault: AcceptedFact(
    "defaults that are no value of their type",
    "the number that the text begins with, else 0; else no default"),
  .defaultBreaksRule: AcceptedFact(
    "defaults against their own rule", "the rule counts when an object is saved"),
  .crossedBounds: AcceptedFact("least values above greatest ones", "no new value passes; stored ones stay"),
  .badRegularExpression: AcceptedFact(
    "patterns that do not compile", "no new value passes; stored ones stay"),
  .misplacedRule: AcceptedFact("rules that the type does not have", "ignored"),
  .wrongKind: AcceptedFact("bounds that are no values", "ignored"),
  .misplacedFlag: AcceptedFact("flags that the type does not have", "ignored"),
  .derivationForm: AcceptedFact("derivations of a form that is not known", "their text is kept as it is"),
  .derivationSource: AcceptedFact("derivations of what is not there", "their text is kept as it is"),
  .derivedConflict: AcceptedFact("derived attributes with a default or transient", "the derivation counts"),
  .invalidComposite: AcceptedFact("composites without elements, or not there", "no column is made for them"),
  .compositeElementType: AcceptedFact("elements that no composite can hold", "no column is made for them"),
  .asymmetricInverse: AcceptedFact(
    "inverses that do not agree", "each side is stored by itself; nothing keeps the two in step"),
  .badCounts: AcceptedFact("counts that nothing can meet", "counts are asked when an object is saved"),
  .orderedToOne: AcceptedFact("ordered to-ones", "the order is ignored"),
  .constraintElement: AcceptedFact("constraints over what is not there", "ignored"),
  .indexElement: AcceptedFact("indexes over what is not there", "ignored"),
  .rtreeType: AcceptedFact("R-tree indexes over other types", "kept as they are"),
  .indexOfOtherRows: AcceptedFact("indexes that depend on other rows", "kept as they are"),
  .unknownFetchEntity: AcceptedFact(
    "fetch requests for what is not there", "kept; nobody can fetch with them"),
  .bareToManyKey: AcceptedFact("fetch requests that sort or ask by many values", "kept as they are"),
  .searchesExternalStorage: AcceptedFact("fetch requests that search external data", "kept as they are"),
  .noColumnInPredicate: AcceptedFact("fetch requests by what has no column", "kept as they are"),
  .comparedTypes: AcceptedFact("fetch requests that compare unlike types", "kept as they are"),
  .configurationMember: AcceptedFact("configurations of entities that are not there", "ignored"),
  .crossesConfigurations: AcceptedFact("relationships from one configuration to another", "kept as they are"),
  .cloudKitOrdered: cloudKit, .cloudKitRequired: cloudKit, .cloudKitRequiredRelationship: cloudKit,
  .cloudKitNoInverse: cloudKit, .cloudKitUnique: cloudKit, .cloudKitDeny: cloudKit,
  .cloudKitUndefined: cloudKit, .cloudKitObjectID: cloudKit,
]

private let cloudKit = AcceptedFact(
  "rules of CloudKit's that are broken", "the model serves stores that are not mirrored")

extension Diagnostic {
  /// The same finding at the level that it has in a source of that origin.
  func leveled(for origin: ModelOrigin) -> Diagnostic {
    guard severity == .error, origin == .xcode, let fact = acceptedFacts[code] else { return self }
    return accepted(fact.xcode, "Core Data takes it: \(fact.meaning)")
  }

  fileprivate func accepted(_ severity: Severity, _ note: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.severity = severity
    diagnostic.notes.append(Note(note))
    return diagnostic
  }

  fileprivate var key: FactKey? {
    guard acceptedFacts[code] != nil, let subject else { return nil }
    return FactKey(code: code, entity: subject.entity, property: subject.property, key: subject.key)
  }
}

/// What is found where, whatever the version.
private struct FactKey: Hashable {
  var code: Diagnostic.Code
  var entity: String?
  var property: String?
  var key: String?
}

/// Errors of our language about facts that a version of Xcode's has told are warnings: nobody can take back what
/// stores have.
func explained(_ findings: [Diagnostic], by versions: [ModelVersion]) -> [Diagnostic] {
  let accepted = Set(versions.filter { $0.origin == .xcode }.map(\.name))
  guard !accepted.isEmpty else { return findings }
  let told = Set(findings.filter { $0.subject?.version.map(accepted.contains) ?? false }.compactMap(\.key))
  return findings.map { finding in
    guard finding.severity == .error, let key = finding.key, told.contains(key) else { return finding }
    return finding.accepted(.warning, "an earlier version that Core Data took says the same")
  }
}

/// What of a source of Xcode's is not as our language would have it, one line for each kind of fact, with the meaning
/// that is taken.
package func acceptedFactLines(_ findings: [Diagnostic]) -> [String] {
  var counts: [String: (count: Int, fact: AcceptedFact)] = [:]
  for finding in findings where finding.severity < .error {
    guard let fact = acceptedFacts[finding.code], finding.isAccepted else { continue }
    counts["\(fact.what) \(fact.meaning)", default: (0, fact)].count += 1
  }
  return counts.sorted { $0.key.precedesInCodePointOrder($1.key) }.map {
    "\($0.value.fact.what): \($0.value.count), taken as Core Data does (\($0.value.fact.meaning))"
  }
}

extension Diagnostic {
  /// Whether it would be an error in our language.
  package var isAccepted: Bool {
    severity == .warning && acceptedFacts[code] != nil
      && notes.contains { $0.message.hasPrefix("Core Data takes it") }
  }
}
