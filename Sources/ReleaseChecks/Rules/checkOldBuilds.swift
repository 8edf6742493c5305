package import ManagedModel

extension CheckedModel {
  /// Versions whose builds open stores of the current one: Core Data opens a store if every entity has the hash of its
  /// model, and none is missing.
  package var openingVersions: [String] {
    guard let current = model.currentVersion else { return [] }
    return model.versions.filter { $0.makesStores(of: current) }.map(\.name)
  }

  /// Whether builds of a version open stores of the current one, as on a phone, in a widget or a TestFlight build that is
  /// behind (MC7044).
  package func checkOldBuilds(at version: ModelVersion) -> [Diagnostic] {
    guard let current = model.currentVersion, !openingVersions.contains(version.name) else { return [] }
    let changes = compareModels(from: version.model, to: current.model).filter(\.isHashed)
    let subject = ModelSubject(
      version: current.name, entity: changes.first?.entity, property: changes.first?.property)
    return [Diagnostic](
      .notOpenedByOldBuilds, .error,
      "builds at '\(version.name)' do not open stores of '\(current.name)': \(counted(changes.count, "change")) affected a hash",
      subject: subject, place: current.sourceMap?.nearestRange(to: subject),
      notes: changes.map(\.line).notes(atMost: 10)
        + ["builds at \(openingVersions.listed) open stores of '\(current.name)'"],
      help: [
        "release it once no build at '\(version.name)' that shares or syncs the store is in use",
        "or keep the new data in a store of its own, which old builds do not open",
      ], cocoaCode: 134100)
  }
}

extension Diagnostic.Code { package static let notOpenedByOldBuilds = Self("MC7044", level: .hash) }
