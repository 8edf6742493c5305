import Foundation
package import ManagedModel
import ModelFormats
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

  /// Mapping models of Xcode's that the search does not reach: elsewhere in the repository, where it would find them from
  /// the top, and behind links, which Xcode follows.
  fileprivate mutating func addUnseen(in place: String, of model: VersionedModel, _ trees: FileTrees) {
    let folder = place.standardPath
    let top = folder.folderWithGit ?? folder
    let all = trees.below(top == folder ? place : top)
    let seen = Set(trees.below(place).mappingModels.map(\.standardPath))
    var (paths, packages) = (all.mappingModels.filter { !seen.contains($0.standardPath) }, all.packages)
    for link in all.links.prefix(200) where link.isExistingFolder {
      let behind = trees.below(link, limit: 1000)
      paths += link.hasSuffix(".xcmappingmodel") ? [link] : behind.mappingModels
      packages += behind.packages
    }
    for path in paths where model.isShipped(with: path, among: packages) {
      var more = self
      more.add(XcodeMappingReading(URL(filePath: path)), of: model, among: packages)
      // A copy is of a step that has one.
      let known = (custom.mappingModels[model.name] ?? []).map(\.versionNames)
      if more.custom.mappingModels[model.name]?.allSatisfy({ known.contains($0.versionNames) }) != false {
        continue
      }
      let link = all.links.first { (path + "/").hasPrefix($0 + "/") }
      let reason = link == nil ? "only '\(folder)' is looked through" : "the search follows no links"
      diagnostics.append(
        Diagnostic(
          .unusedMapping, .error, "'\(path)' is a mapping model of '\(model.name)', but \(reason)",
          place: path.linePlace(1), notes: [.inferredStep],
          help: [
            link.map { "replace the link '\($0)' with a copy of what it leads to" }
              ?? "run this in the folder '\(top)', or with `-C \(top.shellWord)`"
          ]))
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
        notes: [Diagnostic.Note("its versions are \(names.listed)")], help: .didYouMean(name, among: names))
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
          notes: ["'\(destination)' follows \(before.map { "'\($0)'" } ?? "no version")"], help: help ?? []))
    }
    return true
  }
}

/// What lies below folders, each of which a command looks through once, however many packages it has.
package final class FileTrees {
  private var trees: [String: XcodeFiles] = [:]
  private let limit: Int

  /// - Parameter limit: how many folders are looked through; tests have a lower one.
  package init(limit: Int = XcodeFiles.folderLimit) { self.limit = limit }

  func below(_ folder: String, limit: Int? = nil) -> XcodeFiles {
    let limit = limit ?? self.limit
    let tree = trees["\(limit) \(folder)"] ?? XcodeFiles(below: folder, limit: limit)
    trees["\(limit) \(folder)"] = tree
    return tree
  }
}

extension Project {
  /// Reads `Migrations/<Model>/*.yaml` of the models, and of Xcode's packages the mapping models near them.
  ///
  /// - Parameter seen: where steps are planned by them, the folders that were looked through.
  package func readMappings(for models: [VersionedModel], forRun seen: FileTrees? = nil) -> ProjectMappings {
    let trees = seen ?? FileTrees()
    var mappings = ProjectMappings()
    // Packages that lie together have the same ones near them.
    var readings: [String: XcodeMappingReading] = [:]
    for model in models {
      let folder = join(migrationsFolder, model.name)
      mappings.add(filesIn: URL(filePath: folder), shownAs: folder, of: model)
      if folder.isLeftOut(asMappings: true) {
        mappings.diagnostics.append(.leftOut(folder, isOfMappings: true))
      }
      mappings.diagnostics += misplacedMappings(of: model, besides: mappings)
      let compiled = model.compiledNeighbors(".cdm")
      let bundles = compiled.isEmpty ? [] : model.compiledNeighbors(".momd", ".mom")
      for path in compiled {
        mappings.add(XcodeMappingReading(path, among: models), of: model, among: bundles, notice: notice)
      }
      if seen != nil { mappings.diagnostics += mappingsOfOtherProjects(model) }
      guard let place = folderOfMappingModels(of: model) else { continue }
      let files = trees.below(place)
      let finding = Diagnostic.folderLimit(place, "mapping models", "used")
      if !files.isWhole, !mappings.diagnostics.contains(finding) {
        mappings.diagnostics.append(finding)
        notice(finding.message)
      }
      for path in files.mappingModels where model.isShipped(with: path, among: files.packages) {
        let reading = readings[path] ?? XcodeMappingReading(URL(filePath: path))
        readings[path] = reading
        mappings.add(reading, of: model, among: files.packages, notice: notice)
      }
      mappings.addLeftOut(below: place, of: model, among: files.packages)
      if seen != nil { mappings.addUnseen(in: place, of: model, trees) }
    }
    return mappings
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
    if package.isBelow(folder) { return folder }
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

  func mappingFiles(in folder: String, _ ending: String = ".yaml") -> [String] {
    mappingFileNames(in: folder, ending).map { join(folder, $0) }
  }
}

/// Of the mapping files in a folder.
package func mappingFileNames(in folder: String, _ ending: String = ".yaml") -> [String] {
  directoryEntries(of: folder).map(\.name).filter { $0.hasSuffix(ending) }
}

extension Diagnostic.Code { package static let unusedMapping = Self("MC4105") }

extension Diagnostic.Note {
  /// What becomes of a step whose mapping is not read.
  static let inferredStep: Self = "its step would be inferred, and what it computes would not be carried over"
}

extension String {
  static func stateOrder(_ source: String) -> String {
    "if '\(source)' came before, say so in a modelc.yaml next to the package: `versions:`, oldest first"
  }
}
