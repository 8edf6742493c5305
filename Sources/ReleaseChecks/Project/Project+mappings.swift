import Foundation
package import ManagedModel
import ModelFormats
package import ModelMigration

extension Project {
  /// The project's mapping models, with what the program brings along.
  ///
  /// - Throws: ``DiagnosticsError`` where a mapping file cannot be read: a step would be inferred that was not meant to.
  package func customMigrations(for models: [VersionedModel]) throws(DiagnosticsError) -> CustomMigrations {
    let mappings = readMappings(for: models, forRun: FileTrees())
    let errors = mappings.diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticsError(errors) }
    var custom = mappings.with(custom).custom
    custom.mappingFile = writeMappingFile
    return custom
  }

  /// The mapping models of a model, with what the program brings along, for a check.
  func mappings(of model: VersionedModel, _ trees: FileTrees) -> ProjectMappings {
    var mappings = readMappings(for: [model], forRun: trees).with(custom)
    let isOfPackage = folderOfMappingModels(of: model) != nil
    mappings.shipped = isOfPackage ? [model.name: mappings.shipped[model.name] ?? []] : [:]
    return mappings
  }

  /// Whether the app is built with its packages and their mapping models. Each project is read once.
  func checkBuildPhases(_ models: inout [CheckedModel]) {
    var known: BuildPhases?
    for index in models.indices {
      let path = models[index].path
      guard ModelSourceKind(path) == .xcodePackage, GitLocation(path) == nil else { continue }
      if known?.isAround(path) != true {
        known = BuildPhases(around: path)
        models[index].around += known?.diagnostics ?? []
      }
      let mappings = mappingModels(of: models[index].model)
      models[index].around += known?.check(package: path, mappingModels: mappings) ?? []
    }
  }

  /// The same as they stand in a revision, or in a folder of released models, with the policies of today.
  ///
  /// - Parameter today: the model that is checked, near which mapping models of Xcode's are looked for.
  func mappings(of former: BaseModel, today subject: CheckedModel) -> ProjectMappings {
    var mappings = ProjectMappings()
    let (model, today) = (former.model, subject.model)
    if former.isFolder {
      let place = join(join(former.name, "Migrations"), model.name)
      mappings.add(filesIn: URL(filePath: place), shownAs: place, of: model)
      return mappings.with(custom)
    }
    // None were there, where the revision has no such folder.
    let own = join(migrationsFolder, model.name)
    // Nothing reads what is still in other folders, which is an error already.
    let others = otherMappingFolders(of: today).filter { mappingFiles(in: $0).isEmpty }
    for shown in [own] + others {
      for place in [shown, subject.former(shown, at: former.path)].compactMap(\.self)
      where mappings.files.isEmpty {
        do throws(DiagnosticsError) {
          _ = try withRevision(former.name, of: place) {
            mappings.add(filesIn: $0, shownAs: shown, of: model)
          }
          mappings.areUnread = shown != own && !mappings.files.isEmpty
        } catch {
          mappings.lacking += error.diagnostics.filter { $0.code == .lackingGitObject }
        }
      }
    }
    // Also those that are gone by now.
    guard let place = folderOfMappingModels(of: today) else { return mappings.with(custom) }
    for origin in [place, subject.former(place, at: former.path)].compactMap(\.self)
    where mappings.shipped.isEmpty {
      do throws(DiagnosticsError) {
        _ = try withCheckout(
          of: former.name.gitLocation(origin),
          taking: { name, isFolder in isFolder ? !XcodeFiles.isOpaque(name) : name == "xcmapping.xml" }
        ) { folder, _ in
          let packages = XcodeFiles(below: place).packages
          for path in XcodeFiles(below: folder.path).mappingModels {
            var reading = XcodeMappingReading(URL(filePath: path))
            reading.path = join(place, String(path.dropFirst(folder.path.count + 1)))
            if today.isShipped(with: reading.path, among: packages) {
              mappings.add(reading, of: model, among: packages)
            }
          }
        }
      } catch {
        mappings.lacking += error.diagnostics.filter { $0.code == .lackingGitObject }
      }
    }
    mappings.shipped = [:]
    return mappings.with(custom)
  }

  /// The last release that the lock names a tag of, or a later one that has no newer version, with its mapping models;
  /// nil if git does not have the tag. Also what the newest tag on the way to today's commit has as its current version, if
  /// neither the lock nor today's model has its content.
  ///
  /// - Parameter base: what has mapping models of its own for its steps.
  func lastRelease(
    of subject: CheckedModel, except base: VersionedModel?
  ) -> (release: BaseModel, unlisted: ReleaseLock.Entry?)? {
    let (model, lock) = (subject.model, subject.lock)
    guard !model.isSwiftData, let tag = model.versions.compactMap({ lock?.entry($0.name)?.tag }).last,
      let id = commit(named: tag, inRepositoryOf: subject.path)
    else { return nil }
    let tags = (try? readTags(inRepositoryOf: subject.path, from: id))?.tags.filter { $0.isNamed(like: tag) }
    func former(_ later: GitTag?) -> BaseModel {
      let (name, commit) = (later?.name ?? tag, later?.commit ?? id)
      // Its released versions are today's, or another finding says so.
      var release = BaseModel(name: name, path: subject.path, commit: commit, model: model, diagnostics: [])
      release.mappings = mappings(of: release, today: subject)
      return release
    }
    var release = former(tags?.last)
    let head = commit(named: "HEAD", inRepositoryOf: subject.path)
    // Work on what was tagged is compared with that, and the commit itself with the release before.
    let (then, now) = (release.mappings.custom.mappingModels, subject.mappings.custom.mappingModels)
    if release.commit == head, then == now { release = former(tags?.last { $0.commit != head }) }
    release.mappings.custom.mappingModels[model.name]?.removeAll { mapping in
      mapping.versionNames.allSatisfy { base?.version(named: $0) != nil }
    }
    let newest = tags?.last { $0.name != tag }.flatMap { tag in
      try? subject.taggedVersions { $0 == tag }.found.first
    }
    let listed = lock.map { $0.entries + $0.retired } ?? []
    let known = listed.map(\.checksum) + model.versions.map(\.versionChecksum)
    guard let (newer, version) = newest, base?.version(named: version.name) == nil,
      !known.contains(version.versionChecksum)
    else { return (release, nil) }
    var entry = ReleaseLock.Entry(version, date: newer.date, tag: newer.name)
    if lock?.entry(version.name) == nil { return (release, entry) }
    // Users have what the lock lists under that name too. A version on its own has no room for both.
    entry.version = entry.nameApart ?? entry.version
    return (release, subject.path.hasSuffix(".xcdatamodel") ? nil : entry)
  }
}
