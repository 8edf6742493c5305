extension VersionedModel {
  /// Findings about the versions of a model, compared with each other.
  ///
  /// - Returns: for a version whose hashes equal an earlier one's, MC2103 where facts differ (an error where stores lack
  ///   a derived attribute's column) and MC2105 where none does, never both; MC2104 where an entity differs from its predecessor
  ///   by a hash modifier alone.
  package func checkVersionDifferences() -> [Diagnostic] {
    hashEqualVersions.map { pair in
      pair.changes.isEmpty ? .sameVersion(pair, isDraft: self.isDraft(pair.version)) : .sameHashes(pair)
    }
      + versions.flatMap { version in
        predecessor(of: version).map { modifierChanges(from: $0, to: version) } ?? []
      }
  }

  /// Every version that no store can tell from an earlier one, with the latest such one.
  package var hashEqualVersions: [HashEqualVersions] {
    versions.indices.compactMap { index in
      let version = versions[index]
      // Without entities there is no store to tell apart.
      guard !version.entityVersionHashesByName.isEmpty,
        let earlier = versions[..<index].last(where: {
          $0.entityVersionHashesByName == version.entityVersionHashesByName
        })
      else { return nil }
      return HashEqualVersions(
        earlier: earlier, version: version, changes: compareModels(from: earlier.model, to: version.model))
    }
  }

  /// Whether the version stands after the current one, so that no store is migrated to it yet.
  package func isDraft(_ version: ModelVersion) -> Bool {
    guard let current = versions.firstIndex(where: { $0.name == currentVersionName }),
      let index = versions.firstIndex(where: { $0.name == version.name })
    else { return false }
    return index > current
  }
}

/// A version and the latest one before it that has the same version hashes.
package struct HashEqualVersions: Sendable {
  package let earlier: ModelVersion
  package let version: ModelVersion
  /// What differs nevertheless; empty if the two are the same, word for word.
  package let changes: [ModelChange]

  /// The first thing that differs and whose hash modifier moves a hash: a property, else its entity. Fetched properties
  /// and what is transient are in no hash. Nil if what differs belongs to no entity: no store holds it.
  fileprivate var migratingPart: String? {
    for change in changes {
      guard let name = change.entity,
        let entity = version.model.entities.firstIndex(where: { $0.name == name })
      else { continue }
      if let property = change.property {
        func modify(_ property: inout some PropertyDescription) {
          property.versionHashModifier = (property.versionHashModifier ?? "") + "+"
        }
        var edited = version.model
        edited.entities[entity].attributes.edit(property) { modify(&$0) }
        edited.entities[entity].relationships.edit(property) { modify(&$0) }
        if edited.entityVersionHashesByName != version.model.entityVersionHashesByName {
          return "\(name).\(property)"
        }
      }
      // SwiftData has no modifier of an entity.
      if version.notation != .swiftData { return name }
    }
    return nil
  }
}

private func modifierChanges(from earlier: ModelVersion, to version: ModelVersion) -> [Diagnostic] {
  guard earlier.model.versionHashModifiers != version.model.versionHashModifiers,
    earlier.entityVersionHashesByName != version.entityVersionHashesByName
  else { return [] }
  let hashed = compareModels(from: earlier.model, to: version.model).filter(\.isHashed)
  return hashed.filter { change in
    guard change.fact == "versionHashModifier", let entity = change.entity else { return false }
    return hashed.allSatisfy { $0.fact == change.fact || !$0.entitiesWithMovedHash.contains(entity) }
  }.map { change in
    let name = [change.entity, change.property].compactMap(\.self).joined(separator: ".")
    let moved = change.entitiesWithMovedHash
    return Diagnostic(
      .hashModifierAlone, .information, "'\(name)' differs from '\(earlier.name)' only in its hash modifier",
      subject: ModelSubject(
        version: version.name, entity: change.entity, property: change.property, key: "versionHashModifier"),
      notes: [
        .init(
          "stores of '\(earlier.name)' must be migrated, which rewrites the rows of "
            + moved.joined(atMost: changesShown, ", and "))
      ]
    ).located(in: version)
  }
}

extension ManagedObjectModel {
  /// Derived attributes of which another model's stores have no column: their names are in no hash.
  package func derivedAttributes(missingFrom other: ManagedObjectModel) -> [String] {
    // A column's name is upper case.
    let known = Set(other.derivedAttributeNames.map { $0.uppercased() })
    return derivedAttributeNames.filter { !known.contains($0.uppercased()) }
  }

  private var derivedAttributeNames: [String] {
    entities.flatMap { entity in
      entity.attributes.filter { $0.isDerived && !$0.isTransient }.map { "\(entity.name).\($0.name)" }
    }
  }

  /// All there are, with what has them: versions that agree in them need no closer look.
  fileprivate var versionHashModifiers: Set<[String]> {
    func modifiers(_ entity: String, _ properties: [some PropertyDescription]) -> [[String]] {
      properties.compactMap { property in property.versionHashModifier.map { [entity, property.name, $0] } }
    }
    return Set(
      entities.flatMap { entity in
        (entity.versionHashModifier.map { [[entity.name, $0]] } ?? [])
          + modifiers(entity.name, entity.attributes) + modifiers(entity.name, entity.relationships)
      })
  }
}

extension Diagnostic.Code {
  package static let hashEqualVersions = Self("MC2103", level: .hash)
  package static let hashModifierAlone = Self("MC2104")
  package static let sameVersionTwice = Self("MC2105", level: .hash)
}

/// How many changes a finding lists; the rest is counted.
private let changesShown = 12

extension Diagnostic {
  fileprivate static func sameHashes(_ pair: HashEqualVersions) -> Diagnostic {
    let (earlier, version) = (pair.earlier.name, pair.version.name)
    let count = pair.changes.count
    var notes = pair.changes.map(\.line).notes(atMost: changesShown)
    notes.append(
      pair.changes.contains(where: \.isOfConfiguration)
        ? "a store that is opened with a configuration has only the hashes of the configuration's entities: if those differ, it is migrated"
        : "no store of '\(earlier)' will be migrated: for Core Data it already is a store of '\(version)'")
    let lacking = pair.version.model.derivedAttributes(missingFrom: pair.earlier.model)
    notes += lacking.map { Note("such a store has no column for '\($0)': each fetch fails") }
    let first = pair.changes.first
    let advice = pair.migratingPart.map { pair.version.notation.hashModifierAdvice($0) }
    return Diagnostic(
      .hashEqualVersions, lacking.isEmpty ? .warning : .error,
      "'\(version)' has the version hashes of '\(earlier)', but \(count == 1 ? "1 detail differs" : "\(count) details differ")",
      subject: ModelSubject(
        version: version, entity: first?.entity, property: first?.property, key: first?.fact), notes: notes,
      help: advice.map { ["if stores must be migrated, " + $0] } ?? []
    ).located(in: pair.version)
  }

  fileprivate static func sameVersion(_ pair: HashEqualVersions, isDraft: Bool) -> Diagnostic {
    let (earlier, version) = (pair.earlier.name, pair.version.name)
    return Diagnostic(
      .sameVersionTwice, isDraft ? .information : .warning,
      "'\(version)' is identical to '\(earlier)'", subject: ModelSubject(version: version),
      notes: [
        isDraft
          ? "it is a draft that has not been edited yet"
          : "their checksums are equal: no stage of a staged migration may name both"
      ],
      help: [
        "change '\(version)', or remove \(pair.version.notation == .xcode ? "it" : "it from versions.yaml")"
      ]
    ).located(in: pair.version)
  }
}
