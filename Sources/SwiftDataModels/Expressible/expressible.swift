package import ManagedModel

extension ManagedObjectModel {
  /// The model as SwiftData can have it: what it has no place for is left out, or put in the nearest form.
  package var expressible: ManagedObjectModel { reduced(self).model }
}

extension ModelVersion {
  /// What of a version SwiftData has no place for, and what that does to version hashes (MC2620).
  ///
  /// - Parameter onlyHashed: leaves out what no version hash depends on.
  package func checkSwiftDataWording(onlyHashed: Bool = false) -> [Diagnostic] {
    let (_, passes) = reduced(model)
    return passes.flatMap { pass in
      // Most facts are part of no hash; each is looked at alone only where one of them is.
      let before = pass.model.entityVersionHashesByName
      let isHashed = hashes(of: pass.model, without: pass.facts) != before
      return pass.facts.compactMap { fact -> Diagnostic? in
        let after = isHashed ? hashes(of: pass.model, without: [fact]) : before
        let changed = before.keys.filter { after[$0] != before[$0] }
        if onlyHashed, changed.isEmpty { return nil }
        let names = (changed.sorted { $0.precedesInCodePointOrder($1) }.map { "'\($0)'" }).listed
        let effect =
          switch changed.count {
          case 0: "it changes no version hash"
          case 1: "it changes the version hash of \(names): existing stores do not match"
          default: "it changes the version hashes of \(names): existing stores do not match"
          }
        var finding = Diagnostic(
          .notInSwiftData, .warning,
          fact.isUnknown ? "the source does not say \(fact.what)" : "SwiftData cannot express \(fact.what)",
          subject: fact.subject,
          notes: [fact.instead, effect].compactMap(\.self).map { Diagnostic.Note($0) })
        finding.subject?.version = name
        return sourceMap.map(finding.located) ?? finding
      }
    }
  }
}

/// A fact that SwiftData has no place for, and the model without it.
struct InexpressibleFact {
  var subject: ModelSubject
  /// Completes "SwiftData cannot express": a clause with `that`, or a noun.
  var what: String
  /// What is written instead.
  var instead: String?
  /// Whether it is what source of SwiftData's leaves open.
  var isUnknown = false
  var change: (inout ManagedObjectModel) -> Void
}

private typealias Pass = (model: ManagedObjectModel, facts: [InexpressibleFact])

/// Takes the facts out, pass by pass: a later pass sees what the ones before it left.
private func reduced(_ model: ManagedObjectModel) -> (model: ManagedObjectModel, passes: [Pass]) {
  var model = model
  // Indexes in the form that models have since Xcode 9; no hash sees them.
  model.entities.editEach { entity in
    let plain = entity.attributes.filter(\.isIndexed).map { [$0.name] } + entity.compoundIndexes
    entity.fetchIndexes += plain.map { names in
      let elements = names.map { FetchIndexElement(property: $0) }
      return FetchIndexDescription(name: names.joined(separator: "_"), elements: elements)
    }
    entity.compoundIndexes = []
    entity.attributes.editEach { $0.isIndexed = false }
  }
  var passes: [Pass] = []
  for find in [
    ManagedObjectModel.inexpressibleParts, ManagedObjectModel.inexpressibleElements,
    ManagedObjectModel.inexpressibleKeys, ManagedObjectModel.inexpressibleInverses,
    ManagedObjectModel.inexpressibleNames,
  ] {
    let facts = find(model)()
    passes.append((model, facts))
    for fact in facts { fact.change(&model) }
  }
  // The class has the entity's name.
  model.entities.editEach {
    ($0.managedObjectClassName, $0.moduleName, $0.codeGenerationType) = (nil, nil, nil)
  }
  return (model, passes)
}

private func hashes(of model: ManagedObjectModel, without facts: [InexpressibleFact]) -> [String: VersionHash]
{
  var model = model
  for fact in facts { fact.change(&model) }
  return model.entityVersionHashesByName
}

/// A fact of a model for which SwiftData has no place.
extension Diagnostic.Code { package static let notInSwiftData = Self("MC2620") }
