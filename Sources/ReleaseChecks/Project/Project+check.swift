import Foundation
public import ManagedModel
import ModelFormats
import SwiftDataModels

extension Project {
  /// The gate before a release, as `modelc check` is: the versions compile, released ones are what was released, a path leads
  /// from each of them to the current one, losses are named, kept stores migrate, the app is built with its models.
  ///
  /// Every check runs; all findings are reported together.
  ///
  /// - Parameter options: what is looked at, and what it is compared with.
  /// - Returns: what was looked at and found; ``CheckReport/fails(on:)`` is the answer.
  /// - Throws: ``DiagnosticsError`` where a model cannot be read at all, or what an option names is not there.
  public func check(_ options: CheckOptions = CheckOptions()) throws(DiagnosticsError) -> CheckReport {
    let start = ContinuousClock.now
    var options = options
    options.testFolder = options.testFolder ?? migrationTestFolder()
    var models = try readCheckedModels(profile: options.profile, takesCopies: true)
    for index in models.indices where models[index].model.isSwiftData {
      models[index].shipped = try models[index].readShippedSchemas(tags: options.baseTags)
    }
    if let tags = options.baseTags, !models.contains(where: \.model.isSwiftData) {
      throw DiagnosticsError(
        .nothingChecked, "nothing was compared with the tags '\(tags)': no model here is SwiftData source",
        help: ["`--against` compares with what one tag has"])
    }
    checkBuildPhases(&models)
    addUnadoptedMappings(to: &models)
    let remarks = try options.compatibleVersion.map { version throws(DiagnosticsError) in
      try models.checkOldBuilds(at: version)
    }
    if ModelSourceKind(modelsFolder) == .build, !models.isEmpty {
      models[0].around += AppBuild.differingCopies(among: models.map { ($0.path, $0.model) })
    }
    let inFiles = findingsInAppFiles(models)
    if !models.isEmpty {
      models[0].around += inFiles.findings + unreadFiles(models.map(\.model.name)) + models.unreadRepository()
    }
    if models.first.map({ ModelSourceKind($0.path) == .xcodePackage }) == true {
      models[0].around += unsearched(models)
    }
    try readBases(of: &models, options)
    let formerPaths = models.compactMap(\.base?.path)
    // An app and its widget have the same model, as a rule, and had it.
    var seen: Set<[String]> = []
    models.removeAll { subject in
      let key = subject.copyKey(subject.base)
      defer { seen.formUnion([key, subject.copyKey(nil)]) }
      return seen.contains(key)
    }
    for index in models.indices {
      let (subject, then) = (models[index], models[index].base?.model)
      // What the base has is compared with that.
      if let then, subject.released.allSatisfy({ $0.counterpart(in: then) != nil }) { continue }
      let last = lastRelease(of: subject, except: then)
      (models[index].lastRelease, models[index].unlisted) = (last?.release, last?.unlisted)
    }
    let lost =
      try lostModels(&models, formerPaths, options.base) + uncheckedClasses(models, inFiles.namesSwiftData)
    var report = runChecks(models, lost: lost, options: options)
    report.remarks = remarks ?? []
    report.changes = models.compactMap { subject in subject.base.map { ($0.model, subject.model) } }
    // With the reading of the models, as a person waits for it.
    report.seconds = start.duration(to: .now) / .seconds(1)
    return report
  }

  /// Every model of a project with what its files say of it.
  ///
  /// - Throws: where a model cannot be read at all.
  ///
  /// - Parameter profile: rules of a service that were asked for; they hold for the current version as errors.
  /// - Parameter takesCopies: whether of an app every model of a name is read, or the one that comes first.
  package func readCheckedModels(
    profile: ModelProfile? = nil, takesCopies: Bool = false
  ) throws(DiagnosticsError) -> [CheckedModel] {
    var models: [CheckedModel] = []
    let trees = FileTrees()
    for path in try modelPaths(takesCopies: takesCopies) {
      var (model, diagnostics) = reader.read(path)
      if let profile { model?.setProfile(profile) }
      guard let model else { throw DiagnosticsError(diagnostics) }
      var findings = model.findings(reading: diagnostics)
      if profile != nil || model.mirroring != nil {
        // A rule of a service that was asked for by name is none that Apple's tools let pass.
        findings = findings.map { finding in
          guard finding.code.accepted == .unmirrored, finding.subject?.version == model.currentVersionName
          else { return finding }
          return finding.with { finding in
            if profile != nil || model.mirroring?.isSure == true { finding.severity = .error }
            guard let mirroring = model.mirroring else { return }
            finding.notes = [
              Diagnostic.Note("the app mirrors its stores to CloudKit", place: mirroring.place),
              mirroring.isSure
                ? "it does not open a store with such a model"
                : "if it has the CloudKit entitlement, it does not open a store with such a model",
            ]
          }
        }
      }
      let mappings = mappings(of: model, trees)
      var subject = CheckedModel(
        path: path, model: model, diagnostics: findings, mappings: mappings, reader: reader)
      // What this clone lacks, or the search does not reach, may be of any of the models: one says it.
      let known = models.flatMap(\.mappings.diagnostics)
        .filter { [.lackingGitObject, .fileUnreadable].contains($0.code) }
      subject.mappings.diagnostics.removeAll { $0.severity == .warning && known.contains($0) }
      // Findings of models of one name are kept apart by where the models lie.
      if models.contains(where: { $0.name == model.name }) {
        let top = AppBuild.isInside(path) ? modelsFolder : folder
        subject.name = String(path.trimmingPrefix(top).drop { $0 == "/" })
      }
      models.append(subject)
    }
    return models
  }

  /// Where the app's source removes stores that do not open, or has containers that are not read with the models: in all of
  /// the project, or in what lies around its models.
  ///
  /// - Returns: also whether files of the project name something of SwiftData; nil if not all were looked at.
  private func findingsInAppFiles(
    _ models: [CheckedModel]
  ) -> (findings: [Diagnostic], namesSwiftData: Bool?) {
    guard let path = models.first?.path else { return ([], nil) }
    let isInside = path.isBelow(folder) || path.standardPath == folder.standardPath
    let around = path.isSwiftSource && path.isExistingFolder ? path : path.parentPath
    let sources = models.filter(\.model.isSwiftData).map(\.path)
    let found = checkAppFiles(below: isInside ? folder : around, besides: sources)
    return (found.findings, isInside ? found.namesSwiftData : nil)
  }

  private func readBases(of models: inout [CheckedModel], _ options: CheckOptions) throws(DiagnosticsError) {
    guard let name = options.base else { return }
    let isFolder =
      name.isExistingFolder
      || ModelSourceKind(name) == .build && FileManager.default.fileExists(atPath: name)
    let paths = models.map(\.path)
    for place in models.indices {
      let subject = models[place]
      let (path, today) = (subject.path, subject.model)
      var former: BaseModel?
      if isFolder {
        former = try reader.readBase(at: path, inFolder: name, today: today, among: paths)
      } else if let own = try submoduleRevision(name, ofModelAt: path, seenFrom: folder) {
        former = try reader.readBase(at: path, in: own, today: today, allowsUnread: options.allowsUnreadBase)
      } else {
        models[place].base = try reader.readBase(ofSubmodelAt: path, in: name, seenFrom: folder, today: today)
        continue
      }
      if let known = former { former?.mappings = mappings(of: known, today: subject) }
      for (index, fork) in (former?.forks ?? []).enumerated() {
        former?.forks[index].mappings = mappings(of: fork, today: subject)
      }
      models[place].base = former
    }
  }
}

extension [CheckedModel] {
  /// A repository that git does not read, as one of another owner.
  fileprivate func unreadRepository() -> [Diagnostic] {
    guard let first, !first.isBuilt,
      let top = URL(filePath: first.path).resolvingSymlinksInPath().path.folderWithGit
    else { return [] }
    do throws(DiagnosticsError) {
      _ = try GitRepository.holding(first.path)
      return []
    } catch {
      return error.diagnostics.map { finding in
        finding.asWarning.with {
          $0.notes.append("no tag or commit of '\(top)' is read: changes to what users have are not found")
        }
      }
    }
  }

  /// - Returns: lines about models whose stores are opened by such builds.
  fileprivate mutating func checkOldBuilds(at name: String) throws(DiagnosticsError) -> [String] {
    var remarks: [String] = []
    var isKnown = false
    for index in indices {
      guard let version = self[index].model.version(named: name) else { continue }
      isKnown = true
      let found = self[index].checkOldBuilds(at: version)
      self[index].around += found
      if found.isEmpty {
        remarks.append(
          "stores of \(self[index].model.currentVersionName) are opened by builds at \(self[index].openingVersions.listed)"
        )
      }
    }
    if !isKnown { throw DiagnosticsError(.noSuchVersion(name, known: map(\.model), isVersion: true)) }
    return remarks
  }
}

extension CheckedModel {
  /// Of a model in a build what a copy of it has too, its base included; of another one its path.
  fileprivate func copyKey(_ base: BaseModel?) -> [String] {
    guard AppBuild.isInside(path) else { return [path] }
    return [model, base?.model].compactMap(\.self).flatMap { model in
      [model.name, model.currentVersionName] + model.unreadVersions.map(\.name)
        + model.versions.flatMap { [$0.name, $0.model.fingerprint] }
    }
  }

  /// What the tags say that users have; nothing outside of a repository, unless tags were asked for.
  fileprivate func readShippedSchemas(tags: String?) throws(DiagnosticsError) -> ShippedSchemas? {
    do throws(DiagnosticsError) {
      return try ShippedSchemas(tags: tags, ofModelAt: path, reader)
    } catch  where tags == nil {
      // Outside of a repository nothing is lost; a clone that lacks what its tags hold is told.
      guard let first = error.diagnostics.first, first.code == .lackingGitObject else { return nil }
      var shipped = ShippedSchemas()
      shipped.unreadable = [("all tags", first.message)]
      return shipped
    }
  }
}
