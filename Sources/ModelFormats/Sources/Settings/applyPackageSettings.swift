import ManagedModel
import SwiftDataModels

extension VersionedModel {
  /// Takes over what the `modelc.yaml` beside the package says.
  ///
  /// - Parameter diagnostics: what was found while the package was read.
  /// - Returns: what of it does not fit the package (MC2106, MC2111, and the rules of stages).
  mutating func apply(_ settings: PackageSettings, _ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var list = settings.list
    if !list.versions.isEmpty { found += order(by: list) }
    if list.versions.isEmpty { list.versions = versions.map { VersionEntry(name: $0.name) } }
    isStepwise = list.isStepwise
    isDisposable = list.isDisposable
    stages = list.stages.map(\.stage)
    list.current = currentVersionName
    found += checkStages(of: list, versions, areSound: !diagnostics.hasErrors && !found.hasErrors)
    if let profile = settings.profile { setProfile(profile) }
    for name in settings.retired { found += retire(name) }
    return found
  }

  private mutating func order(by list: VersionList) -> [Diagnostic] {
    let names = versions.map(\.name)
    let listed = list.versions.map(\.name)
    var found = list.versions.filter { !names.contains($0.name) }.map {
      Diagnostic.notThere("version '\($0.name.abridged)' in the package", $0.name, at: $0.place, among: names)
    }
    let missing = names.filter { !listed.contains($0) }
    if !missing.isEmpty {
      let isOne = missing.count == 1
      found.append(
        .versionOrigin, .warning,
        isOne
          ? "version \(missing.quoted()) of the package is not listed"
          : "\(missing.count) versions of the package are not listed: \(missing.quoted(10))",
        place: list.versions.last?.place,
        notes: [.init(isOne ? "it is read as the last one" : "they are read as the last ones")],
        help: ["list \(isOne ? "it" : "them") where \(isOne ? "it belongs" : "they belong")"])
    }
    let branches = list.versions.contains { !$0.origins.isEmpty }
    let predecessors = list.predecessors
    var ordered: [ModelVersion] = []
    for entry in list.versions {
      guard var version = versions.first(where: { $0.name == entry.name }) else { continue }
      version.allowsInference = entry.allowsInference
      if branches { version.predecessorNames = predecessors[entry.name] ?? [] }
      ordered.append(version)
    }
    versions = ordered + versions.filter { missing.contains($0.name) }
    (isOrderGuessed, isOrderStated) = (false, true)
    return found
  }

  /// From the first version on that has not got what an earlier one had.
  private mutating func retire(_ retired: RetiredName) -> [Diagnostic] {
    let parts = retired.name.split(separator: ".", maxSplits: 1).map(String.init)
    let property = parts.count > 1 ? parts[1] : nil
    let having = versions.map { $0.holds(parts[0], property) }
    guard let first = having.firstIndex(of: true) else {
      if isSchemaWithoutPast {
        versions[0].retired.append(retired.name)
        return []
      }
      if versions.contains(where: { $0.has(parts[0], property) }) { return [] }
      let names = versions.flatMap(\.partNames)
      return [
        .notThere(
          "'\(retired.name.abridged)' in any version of the package", retired.name, at: retired.place,
          among: Array(Set(names)).sorted())
      ]
    }
    for index in versions.indices.dropFirst(first + 1) where !having[index] {
      versions[index].retired.append(retired.name)
    }
    return []
  }
}

extension ModelVersion {
  /// Whether it has a place for values of a part: transient and derived ones have none, nor a class that no container
  /// lists.
  fileprivate func holds(_ entity: String, _ property: String?) -> Bool {
    guard let property else { return has(entity, nil) && listedClasses?.contains(entity) != false }
    guard let found = model.entities.first(where: { $0.name == entity }) else { return false }
    return found.attributes.contains { $0.name == property && !$0.isTransient && !$0.isDerived }
      || found.relationships.contains { $0.name == property && !$0.isTransient }
      || hasMember(property, of: found)
  }

  /// `place.height`, also of what lies in JSON.
  private func hasMember(_ path: String, of entity: EntityDescription) -> Bool {
    let names = keys(of: path)
    guard names.count > 1 else { return false }
    return model.composites(in: entity.attributes.filter { $0.name == names[0] }).contains { composite in
      composite.elements.contains { $0.name == names.last }
    }
  }

  fileprivate func has(_ entity: String, _ property: String?) -> Bool {
    guard let found = model.entities.first(where: { $0.name == entity }) else { return false }
    guard let property else { return true }
    return found.attributes.contains { $0.name == property }
      || found.relationships.contains { $0.name == property } || hasMember(property, of: found)
  }

  fileprivate var partNames: [String] {
    model.entities.flatMap { entity in
      [entity.name]
        + (entity.attributes.map(\.name) + entity.relationships.map(\.name)).map { "\(entity.name).\($0)" }
    }
  }
}
