package import ManagedModel
import ModelMigration
import SwiftDataModels

/// What keeps inference from leading to the newest schema.
struct MissingValue {
  var message: String
  var subject: ModelSubject
  var help: [String]
  /// Whether the first row of any store stops the migration.
  var isSure = true
  /// Whether the step goes through, and values are gone.
  var isLoss = false
}

extension VersionStep {
  /// What keeps inference from leading here, of each part one: first what stops any store.
  func missingValues() -> [MissingValue] {
    var problems: [MissingValue] = []
    for pair in keptEntities {
      guard let mapping = self.mapping(toEntity: pair.new.name) else { continue }
      let gone = pair.old.attributes.filter { old in
        after.attribute(named: old.name, of: pair.new.name) == nil
      }
      func add(
        _ what: String, _ attribute: AttributeDescription, _ help: [String]? = nil, isSure: Bool = true
      ) {
        problems.append(
          MissingValue(
            message: "'\(pair.new.name).\(attribute.name)' \(what)",
            subject: subject(pair.new.name, attribute.rootName),
            help: help ?? [attribute.requiredPropertyAdvice], isSure: isSure))
      }
      let requiredNow = structsRequiredNow(pair.old, pair.new, mapping)
      for attribute in requiredNow {
        let line = "`var \(attribute.name.swiftIdentifier()): \(attribute.compositeName ?? "Data")?`"
        let help = "keep it optional, \(line): columns of its members get no defaults"
        add("is required now, and rows may have no value", attribute, [help], isSure: false)
      }
      for attribute in pair.new.attributes.flatMap({ members($0, of: pair.old) }) {
        let isStruct = attribute.type == .composite
        let past: Requirement.Past? =
          isStruct
          ? (attribute.isOptional ? nil : .absent)
          : mapping.requirement(of: attribute, from: before)?.past
        if past == .optional, attribute.defaultValue == nil,
          !requiredNow.contains(where: { $0.name == attribute.rootName })
        {
          add("is required now, and rows may have no value", attribute, isSure: false)
        }
        guard past == .absent, !isStruct || attribute.defaultValue == nil else { continue }
        if attribute.rootName != attribute.name {
          add("is new in its struct and must have a value", attribute)
          continue
        }
        let held = new.members(of: attribute)
        let alike = gone.filter { $0.type == attribute.type && old.members(of: $0) == held }
        let renamed =
          alike.count == 1 ? alike[0].name : nearestName(to: attribute.name, among: alike.map(\.name))
        let former = renamed.map {
          "if it is '\($0)' renamed: `@Attribute(originalName: \"\($0)\")` before it"
        }
        add(
          "is required and has no default", attribute,
          [former, attribute.requiredPropertyAdvice].compactMap(\.self))
      }
    }
    for error in inferMappingModel(from: old, to: new).diagnostics where error.severity == .error {
      problems.append(
        MissingValue(
          message: error.message, subject: error.subject ?? ModelSubject(),
          help: error.swiftHelp ?? error.help, isLoss: error.code == .brokenRenameChain))
    }
    let sure = problems.filter(\.isSure)
    return (sure.filter { !$0.isLoss } + sure.filter(\.isLoss) + problems.filter { !$0.isSure })
      .unique { [$0.subject.entity, $0.subject.property ?? $0.message] as [String?] }
  }

  /// Structs that had columns and might be nil.
  private func structsRequiredNow(
    _ old: EntityDescription, _ new: EntityDescription, _ mapping: EntityMapping
  ) -> [AttributeDescription] {
    new.attributes.filter { attribute in
      attribute.type == .composite && !attribute.isOptional
        && old.attributes.contains { $0.isOptional && $0.name == attribute.canonicalName }
        && after.members(in: [attribute]).contains {
          mapping.requirement(of: $0, from: before)?.past == .optional
        }
    }
  }

  /// Of a struct that stores have already, its members; of a new one the property, whose default holds them all.
  private func members(
    _ attribute: AttributeDescription, of old: EntityDescription
  ) -> [AttributeDescription] {
    old.attributes.contains { $0.canonicalName == attribute.canonicalName }
      ? after.members(in: [attribute]) : attribute.isTransient ? [] : [attribute]
  }
}

extension AttributeDescription {
  /// Of a member of a struct, `place.height`, the property that holds the struct.
  fileprivate var rootName: String { name.prefix { $0 != "." }.description }
}

extension Diagnostic.Code {
  /// No step can be inferred from stores that users have.
  package static let storesNotInferred = Self("MC2631", level: .path, identity: .wordsAndNumbers)
}

extension Diagnostic {
  static func notInferred(_ problem: MissingValue, _ stores: UserStores, _ current: ModelVersion) -> Self {
    let outcome = problem.isLoss ? "lose values" : "\(problem.isSure ? "do" : "may") not migrate"
    return Self(
      .storesNotInferred, problem.isSure ? stores.severity : .warning,
      "stores of \(stores.label) \(outcome): \(problem.message)",
      subject: problem.subject, related: [ModelSubject(version: stores.revision ?? stores.version.name)],
      place: current.sourceMap?.nearestRange(to: problem.subject),
      notes: stores.here(problem.subject) + [
        Note(
          stores.note
            ?? (problem.isLoss
              ? "the app opens them, and users' values are lost"
              : problem.isSure
                ? "the app does not open them; a fresh install works"
                : "the app does not open a store with such a row; a fresh install works"))
      ], help: problem.help, cocoaCode: problem.isLoss ? nil : 134110
    ).with { ($0.outcome, $0.reason) = (outcome, problem.message) }
  }
}
