package import Foundation
package import ManagedModel
package import ModelFormats
import ModelMigration

/// What one of Xcode's mapping models says, or why it cannot be read.
package struct XcodeMappingReading {
  var path: String
  package var mapping: Result<ImportedMapping, DiagnosticsError>

  package init(_ url: URL) {
    path = url.relativePath
    mapping = Result { () throws(DiagnosticsError) in try readXcodeMappingModel(at: url) }
  }

  /// Whether its text names a package, also if it cannot be read.
  fileprivate func names(_ package: String) -> Bool {
    let text = try? readFile(URL(filePath: path).appending(path: "xcmapping.xml"), shownAs: path)
    return ["/", ">"].contains { text?.range(of: Data("\($0)\(package).xcdatamodeld/".utf8)) != nil }
  }

  /// A compiled one, which knows its versions by their hashes.
  init(_ path: String, among models: [VersionedModel]) {
    self.path = path
    mapping = Result { try AppBuild.withFile(path) { try readCompiledMappingModel(at: $0, among: models) } }
      .mapError { error in
        // It could not be unpacked.
        error as? DiagnosticsError
          ?? DiagnosticsError(
            .fileUnreadable, "'\(path)' cannot be read: \(systemReason(of: error))",
            help: ["check that the temporary folder can be written"])
      }
  }
}

extension ProjectMappings {
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
      // A compiled one may be of versions that another bundle has.
      let isOfOthers = error.diagnostics.contains { $0.code == .mappingOfOtherVersions }
      // It may be of another model, if there is one and the text does not name this one.
      let isOwn = !isOfOthers && packages.count == 1 || reading.names(model.name)
      diagnostics += isOwn ? error.diagnostics : error.diagnostics.map(\.asWarning)
      if isOwn || isOfOthers { return }
      notice("mapping model: \(path) cannot be read and is not used; it may be another model's")
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
  mutating func addLeftOut(below folder: String, of model: VersionedModel, among packages: [String]) {
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
}

extension VersionedModel {
  /// What an app has next to a compiled model, where Core Data looks for mapping models: files with one of the endings.
  func compiledNeighbors(_ endings: String...) -> [String] {
    guard let bundlePath else { return [] }
    let folder = bundlePath.parentPath
    let build = AppBuild.isInArchive(bundlePath) ? (try? AppBuild(folder)) : nil
    let all =
      build.map { ($0.mappingModels + $0.models).filter { $0.parentPath == folder } }
      ?? directoryEntries(of: folder.isEmpty ? "." : folder).map { join(folder, $0.name) }
    return all.filter { path in endings.contains { path.hasSuffix($0) } }.sorted()
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
}
