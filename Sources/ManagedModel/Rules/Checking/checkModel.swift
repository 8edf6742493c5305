/// All findings about a model, in the order of the model, each with its subject.
///
/// Every check runs over every model, whatever the others found. Findings stop a compile and a migration into the
/// version, nothing else: genuine models break some of the rules.
///
/// - Parameter minimum: remarks are many; where nobody asks for them they are not made.
package func checkModel(
  _ model: ManagedObjectModel, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] { findings(in: ModelIndex(model), .language, minimum) }

/// The findings of a version that was read from text, with their places, in the order of the file.
package func checkModel(
  of version: ModelVersion, minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  // Looking places up costs another reading of the file.
  unlocatedFindings(of: version, minimum: minimum).map { $0.located(in: version) }.ordered
}

/// The findings of several versions, oldest first; of an Xcode package each warning once, at the version that began it.
package func checkModels(
  of versions: [ModelVersion], minimum: Diagnostic.Severity = .information
) -> [Diagnostic] {
  let findings = concurrentMap(versions) { unlocatedFindings(of: $0, minimum: minimum) }
  let reported = explained(findings.flatMap(\.self), by: versions).reportedWhereTheyBegin(of: versions)
  let byVersion = Dictionary(grouping: reported) { $0.subject?.version ?? "" }
  return versions.flatMap { version in
    (byVersion[version.name] ?? []).map { $0.located(in: version) }.ordered
  } + (byVersion[""] ?? [])
}

extension ModelVersion {
  /// The errors of one version of several. An earlier version may have reported the same facts.
  package func checkTarget(in model: VersionedModel) -> [Diagnostic] {
    let errors = checkModel(of: self, minimum: .error)
    guard origin == .language, errors.contains(where: { $0.code.accepted != nil }) else { return errors }
    let others = model.versions.filter { $0.origin == .xcode }
    return explained(others.flatMap { checkModel(of: $0, minimum: .warning) } + errors, by: model.versions)
      .filter { $0.severity == .error && $0.subject?.version == name }
  }
}

/// Without their places.
private func unlocatedFindings(of version: ModelVersion, minimum: Diagnostic.Severity) -> [Diagnostic] {
  let index = ModelIndex(version.model, sourceMap: version.sourceMap)
  return findings(in: index, version.origin, minimum).map { finding in
    var own = finding
    own.subject?.version = version.name
    return version.notation == .xcode ? own.inXcode : own
  }
}

private func findings(
  in index: ModelIndex, _ origin: ModelOrigin, _ minimum: Diagnostic.Severity
) -> [Diagnostic] {
  var findings = FindingList(minimum: minimum, origin: origin)
  for check in index.modelChecks where !findings.isFull { findings += check() }
  for place in index.model.entities.indices where !findings.isFull { index.checkEntity(at: place, &findings) }
  let stored = index.isSwiftSource ? index.storedComposites : []
  for composite in index.model.composites {
    for element in composite.elements where !findings.isFull {
      let subject = ModelSubject(key: "composites").part(composite.name).part(element.name)
      let checked = CheckedAttribute(attribute: element, owner: composite.name, place: subject)
      index.addFindings(about: checked, to: &findings)
      if stored.contains(composite.name) { findings += index.checkReservedName(of: checked) }
    }
  }
  return findings.all.limited.map { index.isSwiftSource ? $0.inSwift.onOneLine : $0.onOneLine }
}

extension ModelIndex {
  fileprivate var modelChecks: [() -> [Diagnostic]] {
    [
      checkDuplicateEntities, checkParentCycles, checkSharedTables, checkComposites, checkConfigurations,
      checkConfigurationBorders, checkFetchRequests, checkCascadeCycles, checkLocalization,
      checkCloudKitProfile,
    ]
  }
}
