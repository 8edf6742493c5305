import ManagedModel

extension CheckedModel {
  /// What of CloudKit's schema has to be in production before the current version is (MC7045).
  ///
  /// It is compared with that of the base, or else with the version before, if the current one is not released yet.
  func checkCloudKitDeployment(against base: BaseModel?, _ lock: ReleaseLock?) -> [CheckStep] {
    guard let current = model.currentVersion, current.model.profile == .cloudKit,
      base != nil || lock?.entry(current.name) == nil,
      let former = base?.model.currentVersion ?? model.predecessor(of: current)
    else { return [] }
    let difference = MirroredSchema(current.model).schema
      .difference(from: MirroredSchema(former.model).schema)
    let paths = difference.addedPaths
    guard !paths.isEmpty else { return [] }
    let finding = Diagnostic.toDeploy(paths, current, former, isOfBase: base != nil, in: model)
    let located = current.sourceMap.map { finding.located(by: $0) } ?? finding
    return [step(.release, "CloudKit's schema", [located])]
  }
}

extension Diagnostic.Code {
  /// What the current version needs of CloudKit's production environment.
  static let cloudKitDeployment = Self("MC7045", level: .store)
}

extension Diagnostic {
  fileprivate static func toDeploy(
    _ paths: [String], _ current: ModelVersion, _ former: ModelVersion, isOfBase: Bool,
    in model: VersionedModel
  ) -> Self {
    let limit = 20
    var notes = paths.prefix(limit).map { Note("deploy \($0) before this release") }
    if paths.count > limit { notes.append(Note("and \(paths.count - limit) more")) }
    let name = "\(model.name)/\(current.name)"
    let step = isOfBase ? name : "\(model.name)/\(former.name)-\(name)"
    return Self(
      .cloudKitDeployment, .information,
      "CloudKit's schema in production needs \(counted(paths.count, "addition")) for '\(current.name)'",
      subject: ModelSubject(version: current.name), notes: notes,
      help: ["`modelc export --as ckdb \(step.shellWord)` writes \(isOfBase ? "all of it" : "them")"])
  }
}
