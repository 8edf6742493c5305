import Foundation
import ManagedModel
import ModelFormats

extension Project {
  /// Models that are checked no more though users may have stores of them: the base has them, or their lock is there
  /// (MC7054).
  ///
  /// - Parameters:
  ///   - models: those that go on from a model of the base in another notation learn it.
  ///   - formerPaths: where the models lay in the base.
  ///   - name: of the base: a revision, a folder or an app.
  func lostModels(
    _ models: inout [CheckedModel], _ formerPaths: [String], _ name: String?
  ) throws(DiagnosticsError) -> [Diagnostic] {
    if let name, let first = models.first, first.isBuilt {
      return try lostModels(models, Set(formerPaths), first, ofBuild: name)
    }
    guard modelName == nil, ModelSourceKind(modelsFolder) == nil, !modelsFolder.isModelFolder,
      packageAround == nil, let first = models.first
    else { return [] }
    var lost: [String: Diagnostic] = [:]
    if let revision = name, !revision.isExistingFolder {
      // One of two ways to write a path.
      func placeInRepository(_ path: String) -> String { pathInRepository(path) ?? path }
      let known = Set((models.map(\.path) + formerPaths).map(placeInRepository))
      // Beside SwiftData's classes no packages are looked for.
      let isWhole = models.contains { $0.base == nil || !$0.model.isSwiftData }
      let former = formerModels(at: revision, isWhole: isWhole)
      for path in former {
        let isThere =
          ModelSourceKind(path) == nil ? path.isModelFolder : FileManager.default.fileExists(atPath: path)
        if known.contains(placeInRepository(path)) { continue }
        // One of its name in another notation, which was not there, is the same model.
        if let heir = models.firstIndex(where: { $0.model.name == stem(path) && $0.base == nil }) {
          models[heir].hasFormer = !isThere
          lost[path] = isThere ? nil : models[heir].lostVersions(of: path, at: revision)
          continue
        }
        if isThere {
          let isHiding = models.contains {
            $0.path.hasPrefix(modelsFolder) && ModelSourceKind($0.path) != .xcodePackage
          }
          lost[path] = .modelPassedOver(path, revision, isHiding ? modelsFolder : nil, beside: first)
          continue
        }
        let versions = (try? reader.read(at: path, in: revision))??.model?.versions.count
        lost[path] = .modelLost(
          former.count { stem($0) == stem(path) } > 1 ? path : stem(path),
          "\(revision) has it" + (versions.map { ", with \(counted($0, "version"))" } ?? ""),
          path.gitRestoring(from: revision),
          beside: first)
      }
    }
    let folders = directoryEntries(of: modelsFolder).filter { $0.kind != .file }
      .map { join(modelsFolder, $0.name) }.filter { !$0.isModelFolder && ModelSourceKind($0) == nil }
      .map { (path: $0, file: join($0, versionListFileName)) }
    for (path, file) in folders + packagesOfLocks(beside: models) where lost[path] == nil {
      let released = readReleases(ofModelAt: path).filter { !$0.isRetired }
      if released.isEmpty { continue }
      let git = "git -C \((file.parentPath.isEmpty ? "." : file.parentPath).shellWord)"
      let name = URL(filePath: file).lastPathComponent
      lost[path] = .modelLost(
        stem(path), "its lock lists \(counted(released.count, "version")), and there is no \(name)",
        file.isHeld(by: "HEAD")
          ? file.gitRestoring(from: "HEAD")
          : "`\(git) checkout $(\(git) rev-list -1 HEAD -- \(name.shellWord))~ -- \(name.shellWord)`",
        beside: first)
    }
    return lost.sorted { $0.key < $1.key }.map { $0.isLeftOut() ? .leftOut($0) : $1 }
  }

  /// Packages of git's history if only their lock is left, next to others, with a version that no model has. A lock may also
  /// be that of Swift source.
  private func packagesOfLocks(beside models: [CheckedModel]) -> [(path: String, file: String)] {
    let known = Set(
      models.flatMap { subject in
        subject.model.versions.map(\.versionChecksum) + readReleases(ofModelAt: subject.path).map(\.checksum)
      })
    return Set(models.map(\.path.parentPath)).sorted().flatMap { folder -> [(path: String, file: String)] in
      let names = directoryEntries(of: folder.isEmpty ? "." : folder).map(\.name)
      let packages = names.filter { ModelSourceKind($0) == .xcodePackage }.map(stem)
      let locked = names.filter { $0.hasSuffix(".released.lock") }
        .map { String($0.dropLast(".released.lock".count)) }
      return locked.filter { !packages.contains($0) }.map { join(folder, "\($0).xcdatamodeld") }
        .filter { path in
          readReleases(ofModelAt: path).contains { !$0.isRetired && !known.contains($0.checksum) }
            && path.isInHistory
        }
        .map { (path: $0, file: $0) }
    }
  }

  /// The same of a build and an earlier one: models of that whose stores no model of today opens.
  private func lostModels(
    _ models: [CheckedModel], _ known: Set<String>, _ first: CheckedModel, ofBuild build: String
  ) throws(DiagnosticsError) -> [Diagnostic] {
    guard modelName == nil, ModelSourceKind(modelsFolder) != .bundle,
      ModelSourceKind(build) == .build || AppBuild.holdsBuilds(build)
    else { return [] }
    return try AppBuild(build).models.filter { !known.contains($0) }.compactMap { path in
      guard let model = reader.read(path).model, let current = model.currentVersion,
        !models.contains(where: { $0.model.versions.contains { $0.makesStores(of: current) } })
      else { return nil }
      return .modelLost(
        stem(path), "'\(path)' has it, with \(counted(model.versions.count, "version"))",
        "build it into the app, or into the plug-in that had it", beside: first)
    }
  }

  /// Where packages may be that the search does not reach: submodules that the clone has not checked out, links, each
  /// package at the first that leads to it, and what lies behind the limit of folders.
  func unsearched(_ models: [CheckedModel]) -> [Diagnostic] {
    guard modelName == nil, !isModelsFolderGiven else { return [] }
    func target(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
    let (files, known) = (XcodeFiles(below: folder), Set(models.map { target($0.path) }))
    let own = target(folder)
    let repository = try? GitRepository.holding(folder: folder)
    /// Of folders, what the repository has elsewhere: tools fill others, and one around the project's is no part of it.
    func packages(_ place: String) -> [String] {
      if ModelSourceKind(place) == .xcodePackage { return [place] }
      guard let top = repository?.top, place.hasPrefix(target(top) + "/"), !place.hasPrefix(own + "/"),
        !(own + "/").hasPrefix(place + "/"),
        !place.dropFirst(target(top).count).split(separator: "/").contains(where: {
          XcodeFiles.isOpaque(String($0))
        })
      else { return [] }
      return XcodeFiles(below: place, limit: 1000).packages
    }
    /// A copy of a package that is checked.
    func isChecked(_ path: String) -> Bool {
      let own = reader.read(path).model?.versions.map(\.model.fingerprint)
      return models.contains { $0.model.versions.map(\.model.fingerprint) == own }
    }
    var told: Set<String> = []
    let links = files.links.filter(\.isExistingFolder).compactMap { link -> Diagnostic? in
      let left = packages(target(link)).filter { path in
        !known.contains { (path + "/").hasPrefix($0 + "/") } && !isChecked(path) && told.insert(path).inserted
      }
      if left.isEmpty { return nil }
      let models = left.count == 1 ? "its model is" : "its \(left.count) models are"
      return Diagnostic(
        .fileUnreadable, .warning,
        "'\(link)' is a link, which the search for packages does not follow: \(models) not checked",
        place: link.linePlace(1),
        help: left.prefix(3).map { "check it there: `modelc check --models \($0.shellWord)`" })
    }
    let submodules = (repository?.submodules ?? []).filter { submodule in
      let path = join(repository?.top ?? "", submodule)
      return path.hasPrefix(own + "/") && !submodule.pathParts.contains(where: XcodeFiles.isOpaque)
        && path.isExistingFolder && directoryEntries(of: path).isEmpty
    }
    var found = links
    if !submodules.isEmpty {
      found.append(
        .lackingGitObject, .warning,
        "this clone does not have the content of \(submodules.quoted()): packages in a submodule are not checked there",
        help: [
          "`git submodule update --init`; in CI, `submodules: true` (actions/checkout) or `GIT_SUBMODULE_STRATEGY: normal`"
        ])
    }
    return found + (files.isWhole ? [] : [.folderLimit(folder, "packages", "checked")])
  }

  /// Models of SwiftData in the source of an app that has Xcode's packages as well: beside these no classes are looked for.
  ///
  /// - Parameter namesSwiftData: whether files of the project do, where that is known: the search reads them all.
  func uncheckedClasses(_ models: [CheckedModel], _ namesSwiftData: Bool?) -> [Diagnostic] {
    guard modelName == nil, namesSwiftData != false, !isModelsFolderGiven, packageAround == nil,
      let first = models.first,
      models.allSatisfy({ ModelSourceKind($0.path) == .xcodePackage }), folder.isSwiftSource
    else { return [] }
    let finding = Diagnostic.lost(
      "SwiftData", "the project also has SwiftData models in Swift source, and they are not checked",
      "data of their stores that a change would lose is not found",
      "`modelc check --models \(folder.shellWord)` checks only them: let CI run both", beside: first)
    return [finding.with { $0.severity = .warning }]
  }

  /// Where the models of a revision lay, found as ``modelPaths(onlyFolders:takesCopies:)`` finds today's.
  ///
  /// - Parameter isWhole: whether packages in the project's folder, or anywhere below, are meant too.
  private func formerModels(at revision: String, isWhole: Bool) -> [String] {
    func paths(below folder: String, _ find: (String) -> [String]) -> [String] {
      let found = try? withCheckout(
        of: revision.gitLocation(folder),
        taking: { name, isFolder in
          isFolder
            ? !XcodeFiles.isOpaque(name)
            : [versionListFileName, "contents", ".xccurrentversion"].contains(name)
        }, hasContents: false
      ) { url, _ in find(url.path).map { join(folder, String($0.dropFirst(url.path.count + 1))) } }
      return (found ?? nil) ?? []
    }
    func own(_ folder: String) -> [String] { models(in: folder).map(\.path) }
    func arePackages(_ paths: [String]) -> Bool { paths.allSatisfy { ModelSourceKind($0) == .xcodePackage } }
    let found = paths(below: modelsFolder, own)
    if isModelsFolderGiven || !isWhole || !arePackages(found) { return found }
    return paths(below: folder) { folder in
      let top = found.isEmpty ? own(folder) : []
      return arePackages(top) ? XcodeFiles(below: folder).packages : top
    }
  }
}

extension CheckedModel {
  /// Versions of the model that this one was adopted from, or exported to, whose stores none of its versions has.
  fileprivate func lostVersions(of former: String, at revision: String) -> Diagnostic? {
    if model.isSwiftData { return nil }
    let isTag = (try? revision.isTag(inRepositoryOf: path)) ?? false
    // What the base got since this branch left it is not there yet, unless it is a release.
    let fork = isTag ? nil : (try? revision.mergeBase(inRepositoryOf: path))
    let then: VersionedModel?
    do throws(DiagnosticsError) {
      then = try reader.read(at: former, in: fork ?? revision)?.model
    } catch {
      let base = BaseModel(name: revision, path: former, model: model, diagnostics: error.diagnostics)
      return .notCompared(nil, base, self)
    }
    let gone = (then?.versions ?? []).filter { old in
      lock?.retiredEntry(old.name) == nil && lock?.entry(old.name)?.checksum != old.versionChecksum
        && !model.unreadVersions.map(\.name).contains(old.name)
        && !model.versions.contains { $0.makesStores(of: old) }
    }
    guard let first = gone.first else { return nil }
    let own = model.version(named: first.name) == nil ? "" : "#\(first.name)"
    let diff = "\(revision):\(pathInRepository(former) ?? former)#\(first.name)".shellWord
    return Diagnostic(
      .baseVersionRemoved, .error,
      "no version of '\(path)' has the hashes of \(gone.map(\.name).listed) of '\(former)', its former notation at \(revision)",
      subject: ModelSubject(version: first.name), place: versionListPlaces(ofModelAt: path).file.linePlace(1),
      notes: ["stores of \(gone.count == 1 ? "it" : "them") could no longer be recognized or migrated"],
      help: [
        "`modelc diff \(diff) \((path + own).shellWord)` shows what differs; revert it, or make it in a new version"
      ],
      cocoaCode: 134130)
  }
}

extension Diagnostic {
  /// - Parameter name: the model's, or its path where others have the name.
  fileprivate static func modelLost(
    _ name: String, _ reason: String, _ restoring: String, beside other: CheckedModel
  ) -> Self {
    lost(
      name, "the model '\(name)' is missing: \(reason)",
      "stores of it could no longer be recognized or migrated", "restore it: \(restoring)", beside: other
    ).with { $0.cocoaCode = 134130 }
  }

  /// - Parameter models: `Models`, where it has others than Xcode's packages, so that these are not looked for elsewhere.
  fileprivate static func modelPassedOver(
    _ path: String, _ revision: String, _ models: String?, beside other: CheckedModel
  ) -> Self {
    lost(
      stem(path),
      "'\(path)' was checked at \(revision), but is not checked now: "
        + (models.map { "only '\($0)' is searched since it has models" } ?? "the search does not find it"),
      "data of its stores that a change would lose is not found",
      (models.map { "move it to '\($0)', or the models there elsewhere; " } ?? "")
        + "`modelc check --models \(path.shellWord)` checks only it", beside: other)
  }

  /// - Parameters:
  ///   - files: what is looked for.
  ///   - effect: what does not become of those that were not found.
  static func folderLimit(_ folder: String, _ files: String, _ effect: String) -> Self {
    Self(
      .fileUnreadable, .warning,
      "'\(folder)' has more than \(String(XcodeFiles.folderLimit).groupedDigits) folders: \(files) in the others are not \(effect)",
      help: ["name a folder that has the packages and their mapping models with `-C`"])
  }

  fileprivate static func lost(
    _ name: String, _ message: String, _ effect: String, _ help: String, beside other: CheckedModel
  ) -> Self {
    let notation = other.model.currentVersion?.notation ?? .language
    let givingUp =
      other.isBuilt
      ? "keep that in a baseline: add `--baseline known.txt`, once with `--write-baseline`"
      : notation.allowingAdvice(.modelLost, at: name)
    return Self(
      .modelLost, .error, message, related: [ModelSubject(entity: name)],
      place: versionListPlaces(ofModelAt: other.path).file.linePlace(1), notes: [Note(effect)],
      help: [help, "or, if the app no longer uses its stores, " + givingUp])
  }
}
