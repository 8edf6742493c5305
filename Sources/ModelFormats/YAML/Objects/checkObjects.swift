import Foundation
package import ManagedModel

extension ObjectFileReading {
  /// Finds what a save would refuse: missing values, broken rules, ends that disagree, wrong counts, values that are not
  /// unique. The findings join the reading's.
  func checkObjects() {
    var rules: [String: [(StoredLeaf, ValidationRules)]] = [:]
    for entry in objects {
      let name = entry.object.id.entityName
      let known = rules[name] ?? self.shape(of: name).leaves.map { ($0, ValidationRules($0.attribute)) }
      rules[name] = known
      for (leaf, rules) in known {
        guard let value = entry.object.values[leaf.keyPath] else {
          // The store computes what is derived; an element of a composite may be nil with the whole.
          if !leaf.attribute.isOptional, !leaf.attribute.isDerived, leaf.path.count == 1 {
            reading.diagnostics.append(.missingValue(leaf.keyPath, of: entry))
          }
          continue
        }
        if let rule = rules.brokenRule(by: value) {
          reading.diagnostics.append(.brokenRule(rule, leaf.keyPath, of: entry))
        }
      }
    }
    let links = ObjectLinks(self)
    for entry in objects { checkCounts(of: entry, links, self) }
    checkUniqueness(self)
  }
}

/// The relationships of a file's objects from both ends, whichever end states them.
private struct ObjectLinks {
  private var members: [ManagedObject.ID: [String: Set<ManagedObject.ID>]] = [:]

  init(_ file: ObjectFileReading) {
    for entry in file.objects {
      for (name, id) in entry.object.toOne { add(entry, name, [id], file) }
      for (name, ids) in entry.object.toMany { add(entry, name, ids, file) }
    }
  }

  func count(_ id: ManagedObject.ID, _ relationship: String) -> Int { members[id]?[relationship]?.count ?? 0 }

  private mutating func add(
    _ entry: ObjectFileReading.Entry, _ name: String, _ ids: [ManagedObject.ID], _ file: ObjectFileReading
  ) {
    let own = entry.object.id
    guard let relationship = file.hierarchy.relationship(named: name, of: own.entityName) else { return }
    members[own, default: [:]][name, default: []].formUnion(ids)
    guard let inverse = file.hierarchy.inverse(of: relationship), inverse.inverseName == name,
      !inverse.isTransient
    else { return }
    for id in ids {
      members[id, default: [:]][inverse.name, default: []].insert(own)
      guard let other = file.entry(id), other.stated[inverse.name] != nil else { continue }
      let back =
        inverse.isToMany
        ? other.object.toMany[inverse.name] ?? [] : other.object.toOne[inverse.name].map { [$0] } ?? []
      if !back.contains(own) {
        file.reading.diagnostics.append(
          .endsDisagree, .error, "'\(name)' of \(entry.inWords) leads to \(other.inWords), but not back",
          place: entry.range(of: name),
          notes: [
            Diagnostic.Note(
              "'\(inverse.name)' of \(other.inWords) says otherwise", place: other.range(of: inverse.name))
          ],
          help: ["write the relationship at one end only, or consistently at both"])
      }
    }
  }
}

private func checkCounts(of entry: ObjectFileReading.Entry, _ links: ObjectLinks, _ file: ObjectFileReading) {
  for relationship in file.shape(of: entry.object.id.entityName).relationships {
    let count = links.count(entry.object.id, relationship.name)
    if count == 0 {
      if relationship.mustLeadSomewhere {
        file.reading.diagnostics.append(.missingValue(relationship.name, of: entry))
      }
    } else if count < relationship.minCount {
      let rule = "min: \(relationship.minCount)"
      file.reading.diagnostics.append(.brokenRule(rule, relationship.name, of: entry))
    } else if relationship.maxCount > 0, count > relationship.maxCount {
      let rule = relationship.isToMany ? "max: \(relationship.maxCount)" : "one object at most"
      file.reading.diagnostics.append(.brokenRule(rule, relationship.name, of: entry))
    }
  }
}

private func checkUniqueness(_ file: ObjectFileReading) {
  for entity in file.hierarchy.model.entities {
    for constraint in entity.uniquenessConstraints where !constraint.isEmpty {
      // Texts are compared byte by byte, as SQLite's indexes do.
      var first: [[[UInt8]]: Int] = [:]
      for (place, entry) in file.objects.enumerated()
      where file.hierarchy.isKind(entry.object.id.entityName, of: entity.name) {
        let values = constraint.compactMap { name in
          (entry.object.values[name].map(\.objectText) ?? entry.object.toOne[name].map(\.description))
            .map { Array($0.utf8) }
        }
        // Absent values are distinct.
        guard values.count == constraint.count else { continue }
        if let earlier = first[values] {
          let (names, other) = (constraint.joined(separator: ", "), file.objects[earlier])
          file.reading.diagnostics.append(
            .objectBreaksRule, .error, "\(entry.inWords) has the same [\(names)] as \(other.inWords)",
            place: entry.range(of: constraint[0]),
            notes: [.init("first here", place: other.range(of: constraint[0]))])
        } else {
          first[values] = place
        }
      }
    }
  }
}

extension Diagnostic.Code {
  package static let objectBreaksRule = Self("MC0302")
  package static let endsDisagree = Self("MC0303")
}

extension ObjectFileReading.Entry {
  fileprivate var inWords: String { "'\(object.id.entityName)/\(name.abridged)'" }

  /// Where the property stands, else the object's name.
  fileprivate func range(of property: String) -> SourceRange { stated[property]?.range ?? nameRange }
}

extension Diagnostic {
  fileprivate static func missingValue(_ property: String, of entry: ObjectFileReading.Entry) -> Diagnostic {
    Diagnostic(
      .missingKey, .error, "\(entry.inWords) needs a value for '\(property)'",
      place: entry.range(of: property), notes: ["the model requires it, and has no default for it"])
  }

  fileprivate static func brokenRule(
    _ rule: String, _ property: String, of entry: ObjectFileReading.Entry
  ) -> Diagnostic {
    Diagnostic(
      .objectBreaksRule, .error, "'\(property)' of \(entry.inWords) breaks the rule '\(rule)'",
      place: entry.range(of: property), notes: ["Core Data would not have saved it"])
  }
}
