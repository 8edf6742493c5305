package import ManagedModel

extension VersionStep {
  /// With the CloudKit profile: changes that its schema in production cannot follow (MC7012).
  ///
  /// Apple, "Creating a Core Data Model for CloudKit": record types and fields cannot be deleted, renamed or retyped
  /// after they were promoted; nor can a field that exists be encrypted.
  func checkAdditiveChanges() -> [Diagnostic] {
    guard new.model.profile == .cloudKit else { return [] }
    return changes.filter { change in
      switch change.kind {
      case .removed: change.entity != nil && change.fact == nil
      case .renamed: change.entity != nil
      case .changed:
        // What the app begins to mirror may begin encrypted.
        change.property != nil && fixedFacts.contains(change.fact ?? "")
          && (change.fact != "cloudEncryption" || old.model.profile == .cloudKit)
      case .added, .moved: false
      }
    }.map {
      Diagnostic(
        .changeNotAdditive, .warning, "\($0.line): CloudKit's schema in production only grows",
        subject: subject($0.entity, $0.property, $0.fact),
        notes: ["released apps still read and write the old fields, and the records keep them"],
        help: ["add a new entity or attribute, and stop using the old one"], cocoaCode: 134060)
    }
  }
}

private let fixedFacts: Set = ["type", "to", "max", "transient", "cloudEncryption"]

extension CheckedModel {
  /// What of CloudKit's schema has to be in production before the current version is (MC7045).
  ///
  /// It is compared with that of the base, or else with the version before, if the current one is not released yet.
  func checkCloudKitDeployment() -> [CheckStep] {
    guard let current = model.currentVersion, current.model.profile == .cloudKit,
      base != nil || lock?.entry(current.name) == nil,
      let former = base?.model.currentVersion ?? model.predecessor(of: current)
    else { return [] }
    let difference = MirroredSchema(current.model).schema
      .difference(from: MirroredSchema(former.model).schema)
    let paths = difference.addedPaths
    guard !paths.isEmpty else { return [] }
    let name = "\(model.name)/\(current.name)"
    let part = base != nil ? name : "\(model.name)/\(former.name)-\(name)"
    let finding = Diagnostic(
      .cloudKitDeployment, .information,
      "CloudKit's schema in production needs \(counted(paths.count, "addition")) for '\(current.name)'",
      subject: ModelSubject(version: current.name),
      notes: paths.map { "deploy \($0) before this release" }.notes(atMost: 20),
      help: ["`modelc export --as ckdb \(part.shellWord)` writes \(base != nil ? "all of it" : "them")"])
    let located = current.sourceMap.map { finding.located(by: $0) } ?? finding
    return [step(.release, "CloudKit's schema", [located])]
  }
}

extension Diagnostic.Code {
  /// What the current version needs of CloudKit's production environment.
  static let cloudKitDeployment = Self("MC7045", level: .store)
  package static let changeNotAdditive = Self("MC7012")
}
