package import Foundation
package import ManagedModel
package import ModelFormats
import ModelMigration

extension ProjectMappings {
  /// - Parameter shown: the folder as places show it.
  mutating func add(filesIn folder: URL, shownAs shown: String, of model: VersionedModel) {
    for name in mappingFileNames(in: folder.path) {
      let file = join(shown, name)
      // Models of one name have one folder.
      if files[file] != nil { continue }
      let data: Data
      do throws(DiagnosticsError) {
        data = try readFile(folder.appending(path: name), shownAs: file)
      } catch {
        diagnostics += error.diagnostics
        continue
      }
      files[file] = data
      let reading = readMappingFile(yaml: data, file: file)
      diagnostics += reading.diagnostics
      for mapping in reading.mappingModels {
        let names = mapping.versionNames
        places[names] = file
        guard model.isOrderGuessed, model.isDowngradePath(names.compactMap(model.version)) else { continue }
        diagnostics.append(
          Diagnostic(
            .unusedMapping, .warning,
            "'\(file)' leads from '\(names[0])' to '\(names[1])', which seems to come before it: only downgrades use it",
            place: mapping.sourceMap?[ModelSubject(key: "to")],
            notes: ["only the names suggest the order of the versions"],
            help: [
              .stateOrder(names[0]), "if not, list them in the order that they have: that ends this warning",
            ]))
      }
      custom.mappingModels[model.name, default: []] += reading.mappingModels.flatMap(\.bothDirections)
        .filter { isUsable($0, of: model) }
    }
  }

  /// Takes a mapping model of Xcode's as it is, where it is one of this model and no file of the project states the
  /// step.
  ///
  /// - Parameters:
  ///   - packages: whose names a mapping model may have in place of this model's.
  ///   - notice: takes a line about it.
  mutating func add(
    _ reading: XcodeMappingReading, of model: VersionedModel, among packages: [String] = [],
    notice: (String) -> Void = { _ in }
  ) {
    let path = reading.path
    let imported: ImportedMapping
    do throws(DiagnosticsError) {
      imported = try reading.mapping.get()
    } catch {
      // Nothing says which model it is for; it may be another one.
      diagnostics += error.diagnostics.map(\.asWarning)
      return
    }
    var mapping = imported.mappingModel
    mapping.foundPath = path
    let isNamed = imported.modelName == model.name
    if !isNamed && packages.contains(where: { stem($0) == imported.modelName }) { return }
    let isRenamed = model.takeByHashes(&mapping, isNamed)
    guard isNamed || isRenamed else { return }
    let names = mapping.versionNames
    let stated = (custom.mappingModels[model.name] ?? []).contains {
      $0.versionNames == names && ($0.sourceMap != nil || $0.foundPath == path)
    }
    let unknown = names.filter { model.version(named: $0) == nil }
    if unknown.isEmpty { shipped[model.name, default: []].append(mapping) }
    if stated { return }
    if !unknown.isEmpty {
      diagnostics += unknown.map { .otherVersions($0, path, of: model) }
      return
    }
    guard model.isDowngradePath(names.reversed().compactMap(model.version)) else {
      let (source, isGuessed) = (names[0], model.isOrderGuessed)
      diagnostics.append(
        Diagnostic(
          .unusedMapping, isGuessed || model.isOrderStated ? .warning : .information,
          "'\(path)' leads from '\(source)' to '\(names[1])', which does not follow it; it is not used",
          notes: isGuessed ? ["only the names suggest the order of the versions"] : [],
          help: [.stateOrder(source)]))
      return
    }
    notice("mapping model: \(path)")
    places[names] = path
    diagnostics += imported.diagnostics
    custom.mappingModels[model.name, default: []].append(mapping)
  }

  /// Mapping models of Xcode's that a sparse checkout leaves out; HEAD says of which model they are.
  fileprivate mutating func addLeftOut(
    below folder: String, of model: VersionedModel, among packages: [String]
  ) {
    for file in folder.leftOutFiles where file.hasSuffix(".xcmappingmodel/xcmapping.xml") {
      let path = join(folder, file.parentPath)
      guard model.isShipped(with: path, among: packages), !file.pathParts.contains(where: XcodeFiles.isOpaque)
      else { continue }
      let finding = Diagnostic.leftOut(path, isOfMappings: true)
      do throws(DiagnosticsError) {
        let reading = try withRevision("HEAD", of: path) { XcodeMappingReading($0) }
        var whole = self
        if let reading { whole.add(reading, of: model, among: packages) }
        if whole.custom.mappingModels != custom.mappingModels { diagnostics.append(finding) }
      } catch {
        // This clone lacks it: it may be of another model, if there is one.
        let doubt = packages.count > 1 ? finding.asWarning : finding
        if !diagnostics.contains(doubt) { diagnostics.append(doubt) }
      }
    }
  }

  /// Whether it is for two versions that the model has. One that is for no step is reported.
  private mutating func isUsable(_ mapping: CustomMappingModel, of model: VersionedModel) -> Bool {
    for (key, name) in [("from", mapping.sourceVersionName), ("to", mapping.destinationVersionName)]
    where model.version(named: name) == nil {
      // A version without a name is reported as a missing key.
      if name.isEmpty { continue }
      let names = model.versions.map(\.name)
      diagnostics.append(
        .mappingOfOtherVersions, .error, "'\(model.name)' has no version '\(name)'",
        place: mapping.sourceMap?[ModelSubject(key: key)],
        notes: [Diagnostic.Note("its versions are \(names.listed)")],
        help: .didYouMean(name, among: names))
    }
    let ends = mapping.versionNames.compactMap(model.version)
    guard ends.count == 2 else { return false }
    // A step leads there, or back.
    if !model.isDowngradePath(ends), !model.isDowngradePath(ends.reversed()) {
      let (destination, before) = (mapping.destinationVersionName, model.predecessor(of: ends[1])?.name)
      let list = ends[1].notation.versionListName
      let help = before.map { ["write 'from: \($0)', or say in \(list) what '\(destination)' follows"] }
      diagnostics.append(
        Diagnostic(
          .unusedMapping, .warning,
          "there is no migration path from '\(mapping.sourceVersionName)' to '\(destination)', so the mapping is not used",
          place: mapping.sourceMap?[ModelSubject(key: "to")],
          notes: ["'\(destination)' follows \(before.map { "'\($0)'" } ?? "no version")"],
          help: help ?? []))
    }
    return true
  }
}

extension Project {
  /// Reads `Migrations/<Model>/*.yaml` of the models, and of Xcode's packages the mapping models near them.
  package func readMappings(for models: [VersionedModel]) -> ProjectMappings {
    var mappings = ProjectMappings()
    // Packages that lie together have the same ones near them.
    var readings: [String: XcodeMappingReading] = [:]
    for model in models {
      let folder = join(migrationsFolder, model.name)
      mappings.add(filesIn: URL(filePath: folder), shownAs: folder, of: model)
      if folder.isLeftOut(asMappings: true) {
        mappings.diagnostics.append(.leftOut(folder, isOfMappings: true))
      }
      for file in misplacedMappings(of: model, besides: mappings.custom.mappingModels[model.name] ?? [])
      where !mappings.diagnostics.contains(where: { $0.place?.file == file }) {
        let finding = Diagnostic.misplaced(
          file, join(folder, "\(stem(file)).yaml"), "mapping file", .unusedMapping,
          "its step would be inferred, and what it computes would not be carried over")
        // Further down it may be put aside on purpose.
        let isNear = [folder, migrationsFolder].contains(file.parentPath)
        mappings.diagnostics.append(isNear ? finding : finding.asWarning)
      }
      for path in model.compiledMappingModels {
        mappings.add(XcodeMappingReading(path, among: models), of: model, notice: notice)
      }
      guard let place = folderOfMappingModels(of: model) else { continue }
      let files = XcodeFiles(below: place)
      for path in files.mappingModels where model.isShipped(with: path, among: files.packages) {
        let reading = readings[path] ?? XcodeMappingReading(URL(filePath: path))
        readings[path] = reading
        mappings.add(reading, of: model, among: files.packages, notice: notice)
      }
      mappings.addLeftOut(below: place, of: model, among: files.packages)
    }
    return mappings
  }

  /// Mapping files of a model beside its folder, or called `.yml` in it: `Migrations/V1-V2.yaml`; and below it, of a step that
  /// no other states. Nothing reads them, and the steps that they state would be inferred.
  private func misplacedMappings(of model: VersionedModel, besides used: [CustomMappingModel]) -> [String] {
    let folder = join(migrationsFolder, model.name)
    let others = mappingFiles(in: migrationsFolder) + mappingFiles(in: migrationsFolder, ".yml")
    let below = directoryEntries(of: folder).filter { $0.kind == .folder }
      .flatMap { mappingFiles(in: join(folder, $0.name)) }
    return (others + mappingFiles(in: folder, ".yml") + below).filter { file in
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
  }

  /// What a file says of steps between versions; other tools have such folders and files too.
  package func statedMappings(in file: String) -> [CustomMappingModel] {
    guard let data = try? readFile(URL(filePath: file), shownAs: file) else { return [] }
    return readMappingFile(yaml: data, file: file).mappingModels.filter {
      !$0.sourceVersionName.isEmpty && !$0.destinationVersionName.isEmpty
    }
  }

  /// Below which Xcode's mapping models may belong to a model: the project's folder if that holds its package, else the
  /// package's. Nil of a model that is not a package on disk.
  package func folderOfMappingModels(of model: VersionedModel) -> String? {
    guard let package = model.packagePath else { return nil }
    let place = URL(filePath: package).standardizedFileURL.path
    let top = URL(filePath: folder).standardizedFileURL.path
    if place.hasPrefix(top.hasSuffix("/") ? top : top + "/") { return folder }
    let parent = package.parentPath
    return parent.isEmpty ? "." : parent
  }

  /// Xcode's mapping models that the app has, as paths.
  package func mappingModels(of model: VersionedModel) -> [String] {
    guard let place = folderOfMappingModels(of: model) else { return [] }
    let files = XcodeFiles(below: place)
    return files.mappingModels.filter { model.isShipped(with: $0, among: files.packages) }
  }

  /// By name.
  package func mappingFiles(ofModel name: String) -> [String] {
    mappingFiles(in: join(migrationsFolder, name))
  }

  private func mappingFiles(in folder: String, _ ending: String = ".yaml") -> [String] {
    mappingFileNames(in: folder, ending).map { join(folder, $0) }
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
          models[index].diagnostics.append(
            .unusedMapping, .warning,
            "'\(path)' maps '\(last.sourceVersionName)' to '\(last.destinationVersionName)' of '\(model.name)', and is not used: the model is in YAML",
            place: path.linePlace(1),
            notes: ["the step is inferred, and what the mapping model computes is not carried over"],
            help: ["convert it to a mapping file: `modelc adopt \(path.shellWord)`", "or delete it"])
        }
      }
    }
  }

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
}

/// Of the mapping files in a folder.
package func mappingFileNames(in folder: String, _ ending: String = ".yaml") -> [String] {
  directoryEntries(of: folder).map(\.name).filter { $0.hasSuffix(ending) }
}

extension VersionedModel {
  /// What an app has of mapping models beside a compiled model, where Core Data looks for them.
  fileprivate var compiledMappingModels: [String] {
    guard let bundlePath else { return [] }
    let folder = bundlePath.parentPath
    if AppBuild.isInArchive(bundlePath) {
      return (try? AppBuild(folder).mappingModels.filter { $0.parentPath == folder }) ?? []
    }
    let entries = directoryEntries(of: folder.isEmpty ? "." : folder)
    return entries.filter { $0.kind == .file && $0.name.hasSuffix(".cdm") }.map { join(folder, $0.name) }
      .sorted()
  }

  /// Of the package of Xcode's that it was read from.
  package var packagePath: String? {
    guard let version = versions.first(where: { $0.notation == .xcode }), let file = version.sourceMap?.file,
      GitLocation(file) == nil
    else { return nil }
    // App.xcdatamodeld/App.xcdatamodel/contents
    let folder = file.parentPath
    let package = folder.parentPath
    return (package as NSString).pathExtension == "xcdatamodeld" ? package : folder
  }

  /// Whether a mapping model of Xcode's gets into the app that has the package: not one that lies among tests where the
  /// package itself does not, or nearer to another package of this name.
  ///
  /// - Parameter packages: all that may have this name.
  package func isShipped(with mappingModel: String, among packages: [String]) -> Bool {
    func parts(_ path: String) -> [String] {
      Array(URL(filePath: path).standardizedFileURL.path.pathParts.dropLast())
    }
    let other = parts(mappingModel)
    func shared(with package: String) -> Int { zip(parts(package), other).prefix { $0 == $1 }.count }
    let (own, package) = (shared(with: packagePath ?? ""), stem(packagePath ?? ""))
    let areTests = other.dropFirst(own).contains {
      $0.lowercased() == "test" || $0.lowercased().hasSuffix("tests")
    }
    return !areTests && !packages.contains { stem($0) == package && shared(with: $0) > own }
  }

  /// A mapping model whose names are not those of this package and its versions gets theirs, where its snapshots are those
  /// of two versions: Core Data goes by hashes, and package or versions may have been renamed.
  ///
  /// - Parameter isNamed: whether the package has the name that the mapping model knows.
  fileprivate func takeByHashes(_ mapping: inout CustomMappingModel, _ isNamed: Bool) -> Bool {
    let names = mapping.versionNames
    if isNamed, names.allSatisfy({ version(named: $0) != nil }) { return false }
    let found = names.compactMap { name -> String? in
      guard let hashes = mapping.snapshotHashes[name], !hashes.isEmpty else { return nil }
      let fitting = versions.filter { version in
        hashes.allSatisfy { version.entityVersionHashesByName[$0.key]?.hexadecimal == $0.value }
      }.map(\.name)
      return fitting.contains(name) ? name : fitting.count == 1 ? fitting[0] : nil
    }
    guard found.count == 2, found[0] != found[1] else { return false }
    (mapping.sourceVersionName, mapping.destinationVersionName) = (found[0], found[1])
    mapping.snapshotHashes = [:]
    return true
  }
}

/// What one of Xcode's mapping models says, or why it cannot be read.
package struct XcodeMappingReading {
  var path: String
  package var mapping: Result<ImportedMapping, DiagnosticsError>

  package init(_ url: URL) {
    path = url.relativePath
    mapping = Result { () throws(DiagnosticsError) in try readXcodeMappingModel(at: url) }
  }

  /// A compiled one, which knows its versions by their hashes.
  init(_ path: String, among models: [VersionedModel]) {
    self.path = path
    mapping = Result { try AppBuild.withFile(path) { try readCompiledMappingModel(at: $0, among: models) } }
      .mapError { $0 as? DiagnosticsError ?? DiagnosticsError([]) }
  }
}

extension Diagnostic.Code {
  package static let unusedMapping = Self("MC4105")
}

extension String {
  fileprivate static func stateOrder(_ source: String) -> String {
    "if '\(source)' came before, say so in a modelc.yaml next to the package: `versions:`, oldest first"
  }
}

extension Diagnostic {
  /// A mapping model of Xcode's that no step of the package uses any more, or one that is adopted.
  package static func otherVersions(
    _ name: String, _ path: String, of model: VersionedModel, isAdopted: Bool = false
  ) -> Self {
    let names = model.versions.map(\.name)
    let near = isAdopted ? nearestName(to: name, among: names) : nil
    return Self(
      .mappingOfOtherVersions, .warning,
      "'\(path)' is for the version '\(name)', which '\(model.name)' does not have"
        + (isAdopted ? "" : "; it is not used"), notes: ["its versions are \(names.listed)"],
      help: near.map { ["write '\($0)' in the file, if that is intended"] }
        ?? (isAdopted ? [] : ["if it is no longer needed, delete it"]))
  }

  /// - Parameter model: the only one without mapping files.
  fileprivate static func orphaned(_ files: [String], _ model: String?) -> Self {
    let folder = files[0].parentPath
    let isOne = files.count == 1
    return Self(
      .unusedMapping, .warning,
      "there is no model '\(stem(folder))': \(counted(files.count, "mapping file")) of it \(isOne ? "is" : "are") "
        + "not used",
      place: files[0].linePlace(1),
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
  static func misplaced(
    _ file: String, _ place: String?, _ kind: String, _ code: Code, _ consequence: Note
  ) -> Self {
    let folder = place?.parentPath ?? ""
    let makesFolder =
      file.parentPath == folder || !directoryEntries(of: folder).isEmpty
      ? "" : "mkdir -p \(folder.shellWord) && "
    return Self(
      code, .error,
      "'\(file)' is a \(kind) that nothing reads: it is not directly in its model's folder, or its name does not end in .yaml",
      place: file.linePlace(1), notes: [consequence],
      help: [
        place.map { "move it: `\(makesFolder)mv \(file.shellWord) \($0.shellWord)`" }
          ?? "move it into the folder of its model"
      ])
  }
}
