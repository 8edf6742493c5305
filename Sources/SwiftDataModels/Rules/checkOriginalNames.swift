package import ManagedModel

extension VersionedModel {
  /// `originalName` that names nothing of the version before (MC2615).
  func checkOriginalNames() -> [Diagnostic] {
    zip(versions, versions.dropFirst()).flatMap { former, version -> [Diagnostic] in
      version.model.entities.flatMap { entity -> [Diagnostic] in
        guard let old = former.model.entities.first(where: { $0.name == entity.name }) else { return [] }
        let oldNames = old.attributes.map(\.name) + old.relationships.map(\.name)
        let known = oldNames + old.attributes.map(\.canonicalName) + old.relationships.map(\.canonicalName)
        let names =
          entity.attributes.map { ($0.name, $0.canonicalName) }
          + entity.relationships.map { ($0.name, $0.canonicalName) }
        return names.filter { name, original in name != original && !known.contains(original) }.map {
          name, original in
          let subject = ModelSubject(version: version.name, entity: entity.name, property: name)
          let isSame = oldNames.contains(name)
          return Diagnostic(
            .lostOriginalName, isSame ? .warning : .error,
            "'\(entity.name.visible).\(name.visible)' was '\(original.visible)', and '\(former.name.visible)' has no such property",
            subject: subject, place: version.sourceMap?.nearestRange(to: subject),
            notes: [
              isSame
                ? "'\(former.name.visible)' already has '\(name.visible)'; its values stay"
                : "its values would not be kept: the column starts empty"
            ],
            help: .didYouMean(
              original, among: oldNames,
              else: ["name a property of '\(former.name.visible)': \(oldNames.sorted().listed.visible)"]))
        }
      }
    }
  }
}

extension Diagnostic.Code { package static let lostOriginalName = Self("MC2615", level: .path) }
