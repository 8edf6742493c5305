import Foundation
package import ManagedModel
import ModelFormats
import ModelMigration

extension Project {
  /// Files of models, mappings and tests that nothing reads where they lie.
  func unreadFiles(_ names: [String]) -> [Diagnostic] {
    guard modelName == nil, !isModelsFolderGiven else { return [] }
    let folders = directoryEntries(of: migrationsFolder).filter { $0.kind != .file }.map(\.name)
    let homeless = names.filter { !folders.contains($0) }
    let orphaned = folders.filter { !names.contains($0) }.compactMap { name -> Diagnostic? in
      let files = mappingFiles(ofModel: name).filter { !statedMappings(in: $0).isEmpty }
      return files.isEmpty ? nil : .orphaned(files, homeless.count == 1 ? homeless[0] : nil)
    }
    // A model that its lock lists is reported as gone.
    let unlisted = unlistedModels { readReleases(ofModelAt: $0).isEmpty }
    return orphaned + unlisted.map(\.asWarning) + misplacedTests(names, goesDeep: true)
  }

  /// Versions below `Models` that are of no model: in folders without a `versions.yaml`, or in no folder; and models further
  /// down.
  func unlistedModels(_ isIncluded: (String) -> Bool = { _ in true }) -> [Diagnostic] {
    let folders = modelsFolder.subfolders.filter { !$0.isModelFolder && isIncluded($0) }
    let unlisted = folders.compactMap { folder -> Diagnostic? in
      let versions = versionFiles(in: folder)
      return versions.isEmpty ? nil : .noVersionList(in: folder, versions)
    }
    let below = folders.flatMap(\.subfolders).filter { $0.isModelFolder && !versionFiles(in: $0).isEmpty }
    let loose = versionFiles(in: modelsFolder)
    return unlisted + below.map { Diagnostic.modelBelow($0, modelsFolder) }
      + (loose.isEmpty ? [] : [Diagnostic.looseVersions(loose, in: modelsFolder)])
  }

  /// Migration tests that are not run, because they lie in no model's folder or are called `.yml`.
  ///
  /// - Parameter goesDeep: whether those below a model's folder count too, as warnings: they may be put aside on purpose.
  package func misplacedTests(_ names: [String], goesDeep: Bool = false) -> [Diagnostic] {
    guard modelName == nil, !isModelsFolderGiven else { return [] }
    let top = migrationTestFolder()
    let below = goesDeep ? top.subfolders.flatMap(\.subfolders) : []
    return ([top] + top.subfolders + below).flatMap { folder in
      directoryEntries(of: folder).map(\.name).filter { name in
        name.hasSuffix(".yml") || name.hasSuffix(".yaml") && !names.contains { folder == join(top, $0) }
      }.map { join(folder, $0) }
    }.filter { (try? readMigrationTest(at: $0)) != nil }.map { file in
      let finding = Diagnostic.misplaced(
        file, names.count == 1 ? join(join(top, names[0]), "\(stem(file)).yaml") : nil, "migration test",
        .badMigrationTest, "it is not run")
      return below.contains(file.parentPath) ? finding.asWarning : finding
    }
  }

  /// Mapping files of a model beside its folder, or called `.yml` in it: `Migrations/V1-V2.yaml`; and below it, of a step that
  /// no other states. Nothing reads them, and the steps that they state would be inferred.
  func misplacedMappings(of model: VersionedModel, besides mappings: ProjectMappings) -> [Diagnostic] {
    let folder = join(migrationsFolder, model.name)
    let used = mappings.custom.mappingModels[model.name] ?? []
    let others = mappingFiles(in: migrationsFolder) + mappingFiles(in: migrationsFolder, ".yml")
    func alike(_ name: String, in place: String) -> [String] {
      let names = directoryEntries(of: place).map(\.name).filter { $0.lowercased() == name.lowercased() }
      return names.map { join(place, $0) }
    }
    let misspelt = alike("Migrations", in: self.folder).flatMap { alike(model.name, in: $0) }
    let inner = directoryEntries(of: folder).filter { $0.kind == .folder }.map { join(folder, $0.name) }
    let below = (inner + misspelt.filter { $0 != folder }).flatMap { mappingFiles(in: $0) }
    let misplaced = (others + mappingFiles(in: folder, ".yml") + below).filter { file in
      statedMappings(in: file).contains { mapping in
        guard let source = model.version(named: mapping.sourceVersionName)?.model,
          model.version(named: mapping.destinationVersionName) != nil,
          !below.contains(file) || !used.contains(where: { $0.versionNames == mapping.versionNames })
        else { return false }
        let entities = EntityHierarchy(source)
        return mapping.entityMappings.compactMap(\.sourceEntityName).allSatisfy {
          entities.entity(named: $0) != nil
        }
      }
    }
    let told = mappings.diagnostics.map(\.place?.file)
    return misplaced.filter { !told.contains($0) }.map { file in
      let finding = Diagnostic.misplaced(
        file, join(folder, "\(stem(file)).yaml"), "mapping file", .unusedMapping, .inferredStep)
      // Further down it may be put aside on purpose.
      let isNear = [folder, migrationsFolder].contains { $0.lowercased() == file.parentPath.lowercased() }
      return isNear ? finding : finding.asWarning
    }
  }

  /// Where mapping files of a model lie if a command takes its `Models`, or package, for the project or is given it without
  /// the project; or the project, and the files were written for its `Models`.
  func otherMappingFolders(of model: VersionedModel) -> [String] {
    let named = [modelsFolder, modelsFolder.above(1)].filter { $0.standardPath.hasSuffix("/Models") }
    let around = (named + [model.packagePath].compactMap(\.self)).map { $0.above(1) } + [modelsFolder]
    return around.filter { $0.standardPath != folder.standardPath }
      .map { join(join($0, "Migrations"), model.name) }.unique(by: \.standardPath)
  }

  /// Mapping files of another project: steps that they state would be inferred. Other tools have such folders and files too.
  func mappingsOfOtherProjects(_ model: VersionedModel) -> [Diagnostic] {
    if !mappingFiles(ofModel: model.name).isEmpty { return [] }
    return otherMappingFolders(of: model).compactMap { folder in
      mappingFiles(in: folder).first { file in
        statedMappings(in: file).contains { $0.versionNames.allSatisfy { model.version(named: $0) != nil } }
      }
    }.map { file in
      Diagnostic(
        .unusedMapping, .error,
        "'\(file)' is a mapping file that nothing reads: its project is '\(file.above(3))', not '\(folder)'",
        place: file.linePlace(1), notes: [.inferredStep],
        help: ["name the project: `-C \(file.above(3).shellWord)`"])
    }
  }

  /// Xcode's mapping models for steps of models in YAML, which reads none of them.
  func addUnadoptedMappings(to models: inout [CheckedModel]) {
    if isModelsFolderGiven || !models.contains(where: \.path.isModelFolder) { return }
    let files = XcodeFiles(below: folder)
    for path in files.mappingModels {
      let reading = XcodeMappingReading(URL(filePath: path))
      for index in models.indices where models[index].path.isModelFolder {
        let model = models[index].model
        var mappings = readMappings(for: [model])
        let count = mappings.custom.mappingModels[model.name]?.count ?? 0
        mappings.add(reading, of: model, among: files.packages)
        if let own = mappings.custom.mappingModels[model.name], own.count > count, let last = own.last,
          model.isShipped(with: path, among: [])
        {
          models[index].around.append(
            .unusedMapping, .warning,
            "'\(path)' maps '\(last.sourceVersionName)' to '\(last.destinationVersionName)' of '\(model.name)', and is not used: the model is in YAML",
            place: path.linePlace(1),
            notes: ["the step is inferred, and what the mapping model computes is not carried over"],
            help: ["convert it to a mapping file: `modelc adopt \(path.shellWord)`", "or delete it"])
        }
      }
    }
  }
}

extension String {
  /// The paths of its own folders.
  var subfolders: [String] {
    directoryEntries(of: self).prefix(500).map { join(self, $0.name) }.filter(\.isExistingFolder)
  }
}

/// The names of the versions whose files stand in a folder; other tools have YAML files too.
private func versionFiles(in folder: String) -> [String] {
  directoryEntries(of: folder).prefix(500).map(\.name).filter { name in
    let file = join(folder, name)
    guard name.hasSuffix(".yaml"), name != versionListFileName,
      let data = try? readFile(URL(filePath: file), shownAs: file)
    else { return false }
    return String(decoding: data, as: UTF8.self).contains(#/(?m)^(entities|extends)\s*:/#)
  }.map { String($0.dropLast(".yaml".count)) }
}

extension Diagnostic {
  /// - Parameter model: the only one without mapping files.
  fileprivate static func orphaned(_ files: [String], _ model: String?) -> Self {
    let folder = files[0].parentPath
    let isOne = files.count == 1
    return Self(
      .unusedMapping, .warning,
      "there is no model '\(stem(folder))': \(counted(files.count, "mapping file")) of it \(isOne ? "is" : "are") "
        + "not used", place: files[0].linePlace(1),
      notes: ["what \(isOne ? "it computes" : "they compute") is not carried over"],
      help: [
        model.map {
          "give it the model's name: `mv \(folder.shellWord) \(join(folder.parentPath, $0).shellWord)`"
        }
          ?? "give it the model's name, or delete it"
      ])
  }

  /// A file that nothing reads, because it does not lie where files of its kind are read.
  ///
  /// - Parameter place: where it would be read; nil if it may be of several models.
  fileprivate static func misplaced(
    _ file: String, _ place: String?, _ kind: String, _ code: Code, _ consequence: Note
  ) -> Self {
    let folder = place?.parentPath ?? ""
    let makesFolder =
      file.parentPath == folder || !directoryEntries(of: folder).isEmpty
      ? "" : "mkdir -p \(folder.shellWord) && "
    return Self(
      code, .error,
      "'\(file)' is a \(kind) that nothing reads: it is not directly in its model's folder (upper and lower case count), or its name does not end in .yaml",
      place: file.linePlace(1), notes: [consequence],
      help: [
        place.map { "move it: `\(makesFolder)mv \(file.shellWord) \($0.shellWord)`" }
          ?? "move it into the folder of its model"
      ])
  }

  /// - Parameter versions: whose files are there.
  fileprivate static func noVersionList(in folder: String, _ versions: [String]) -> Self {
    let list = join(folder, versionListFileName)
    let names = versions.map(\.yamlScalar).joined(separator: ", ")
    return Self(
      .fileUnreadable, .error, "'\(folder)' has no versions.yaml",
      notes: [
        "there is \(versions.prefix(8).map { "'\($0).yaml'" }.joined(separator: ", "))\(versions.count > 8 ? ", …" : "")",
        "versions.yaml says which versions there are, in which order, and which is current",
      ],
      help: ["write '\(list)':", "  current: \((versions.last ?? "").yamlScalar)", "  versions: [\(names)]"])
  }

  fileprivate static func modelBelow(_ folder: String, _ models: String) -> Self {
    let place = join(models, URL(filePath: folder).lastPathComponent)
    let other = "delete it, or move it out of '\(models)': '\(place)' is another model"
    return Self(
      .fileUnreadable, .error, "'\(folder)' is a model that nothing reads: it is not in '\(models)' itself",
      notes: ["its versions are not checked, and no store is migrated by them"],
      help: [place.isExistingFolder ? other : "move it: `mv \(folder.shellWord) \(place.shellWord)`"])
  }

  fileprivate static func looseVersions(_ versions: [String], in folder: String) -> Self {
    let file = "\(versions[0]).yaml"
    return Self(
      .fileUnreadable, .error, "'\(join(folder, file))' is in no model's folder",
      notes: ["a model is a folder below '\(folder)', with a versions.yaml and a YAML file for each version"],
      help: ["move it to '\(join(folder, "App/\(file)"))', with a versions.yaml next to it"])
  }
}
