import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import ReleaseChecks

/// Mapping models of Xcode's that an export wrote, and what they cannot express.
typealias ExportedMappings = (files: [String], diagnostics: [Diagnostic])

extension Project {
  /// Writes steps as `.xcmappingmodel`s, each in full: what is inferred is stated too, because Core Data infers nothing
  /// beside a mapping model.
  ///
  /// - Parameters:
  ///   - names: `V1-V2`, or the two versions; none for every step that has a mapping file.
  ///   - place: a folder, or the `.xcmappingmodel` itself; without it, that of the app, or beside the package.
  /// - Throws: what keeps a mapping from being carried out, and MC0010 where the place holds something else.
  func exportMappings(_ names: [String], to place: String?, overwrites: Bool) throws -> ExportedMappings {
    let models = try readSoundModels()
    let mappings = readMappings(for: models)
    try mappings.diagnostics.filter { $0.severity == .error }.refuse()
    var exported = ExportedMappings([], [])
    var files: [ProjectFile] = []
    let steps = try steps(names, among: models, mappings, &exported.diagnostics)
    if let place, place.hasSuffix(".xcmappingmodel"), steps.count > 1 {
      throw UsageError(
        .noBundlePlace, "'\(place)' can hold one mapping model, not \(steps.count)",
        help: ["name one step, or a folder to write all into"])
    }
    for step in steps {
      let ends = [step.from.name, step.to.name]
      let written = mappings.custom.mappingModels(of: step.model.name, from: ends[0], to: ends[1])
      let (resolved, found) = written.resolved(from: step.from, to: step.to)
      try found.filter { $0.severity == .error }.refuse()
      var stated = resolved.stated(from: step.from, to: step.to)
      stated.entityMappings.removeAll { mapping in
        mapping.destinationEntityName == nil
          || written.contains { !$0.infersOthers } && !written.contains { $0.maps(mapping.name) }
      }
      let (file, findings) = stated.xcodeMappingModel(
        from: step.from, to: step.to, packagePath: packagePathInXcode(of: step.model))
      let folder = mappingModelPlace(of: step, place, besides: exported.files)
      files.append(ProjectFile(path: join(folder, "xcmapping.xml"), text: file.text))
      exported.files.append(folder)
      exported.diagnostics += findings
    }
    let taken = overwrites ? [] : files.filter(\.wouldOverwrite)
    if !taken.isEmpty {
      throw UsageError(
        .wouldOverwrite(
          taken.map { $0.path.parentPath }, "mapping model", each: "says something else",
          help: "overwrite with `--force`, or name another place with -o"))
    }
    for file in files { try file.write() }
    exported.diagnostics = exported.diagnostics.ordered
    return exported
  }

  private typealias Step = (model: VersionedModel, from: ModelVersion, to: ModelVersion)

  /// - Parameter unordered: takes the mapping files that are left out of all steps.
  private func steps(
    _ names: [String], among models: [VersionedModel], _ mappings: ProjectMappings,
    _ unordered: inout [Diagnostic]
  ) throws -> [Step] {
    if names.count == 2 { return [try step(from: names[0], to: names[1], among: models)] }
    guard let name = names.first else {
      var steps: [Step] = []
      for model in models {
        let written = mappings.custom.mappingModels[model.name] ?? []
        for mapping in written {
          guard let file = mapping.sourceMap?.file,
            let from = model.version(named: mapping.sourceVersionName),
            let to = model.version(named: mapping.destinationVersionName),
            !steps.contains(where: {
              $0.model.name == model.name && $0.from.name == from.name && $0.to.name == to.name
            })
          else { continue }
          if model.isDowngradePath([to, from]) {
            steps.append((model, from, to))
          } else if !written.contains(where: { $0.reverse.contains(mapping) }) {
            unordered.append(.unordered(file, from.name, to.name, isPackage: model.packagePath != nil))
          }
        }
      }
      let errors = unordered.ordered.map { $0.with { $0.severity = .error } }
      if !steps.isEmpty { return steps }
      try errors.refuse()
      throw DiagnosticsError(
        .fileUnreadable, "there is no mapping file in '\(migrationsFolder)'",
        help: ["name the step: its mapping is then inferred, and written in full"])
    }
    // Names of versions have hyphens too.
    let ends = name.indices.filter { name[$0] == "-" }.map { index in
      [String(name[..<index]), String(name[name.index(after: index)...])]
    }.filter { ends in models.contains { model in ends.allSatisfy { model.version(named: $0) != nil } } }
    if ends.count == 1 { return [try step(from: ends[0][0], to: ends[0][1], among: models)] }
    let unclear = "'\(name)' may be \(ends.count) steps: \(ends.map { $0.joined(separator: " → ") }.listed)"
    throw UsageError(
      .noStep(name, models.flatMap(\.versions).map(\.name)).with { if !ends.isEmpty { $0.message = unclear } }
    )
  }

  /// What the app has for the step, else a name of the step's beside the package that no other step has.
  private func mappingModelPlace(of step: Step, _ place: String?, besides taken: [String]) -> String {
    if let place, place.hasSuffix(".xcmappingmodel") { return place }
    func present(_ path: String) -> ImportedMapping? { try? readXcodeMappingModel(at: URL(filePath: path)) }
    let ends = [step.from.name, step.to.name]
    var folder = place ?? buildFolder
    if place == nil, folderOfMappingModels(of: step.model) != nil {
      let own = mappingModels(of: step.model).first { path in
        let mapping = present(path)
        return mapping?.modelName == step.model.name && mapping?.mappingModel.versionNames == ends
      }
      if let own { return own }
      folder = (step.model.packagePath ?? "").parentPath
    }
    // Long names may be the same once they are cut.
    let cut = ends.map { $0.prefix(25) }.joined(separator: "-")
    let full = step.from.stepNames(to: step.to).filter { $0.utf8.count <= 235 }
    let names: [String] = full + [cut] + (2...99).map { "\(cut)-\($0)" }
    let paths = names.map { join(folder, "\($0).xcmappingmodel") }.filter { !taken.contains($0) }
    return paths.first { present($0)?.mappingModel.versionNames == ends }
      ?? paths.first { present($0) == nil } ?? join(folder, "\(names[0]).xcmappingmodel")
  }

  /// The package from the folder of the Xcode project that is nearest above it, as Xcode writes it.
  private func packagePathInXcode(of model: VersionedModel) -> String {
    guard let package = model.packagePath else { return "\(model.name).xcdatamodeld" }
    let path = URL(filePath: package).standardizedFileURL.path
    var top = path.parentPath
    while !top.isEmpty, top != "/" {
      if directoryEntries(of: top).contains(where: { $0.name.hasSuffix(".xcodeproj") }) { break }
      top = top.parentPath
    }
    if top.isEmpty || top == "/" { top = URL(filePath: folder).standardizedFileURL.path }
    let start = top.hasSuffix("/") ? top : top + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : package
  }
}

extension CustomMappingModel {
  fileprivate func maps(_ name: String) -> Bool { entityMappings.contains { $0.name == name } }
}

extension Diagnostic {
  fileprivate static func unordered(_ file: String, _ from: String, _ to: String, isPackage: Bool) -> Self {
    let list = isPackage ? "`versions:` of a modelc.yaml next to the package" : "versions.yaml"
    return Self(
      .unusedMapping, .warning, "'\(file)' leads from '\(from)' to '\(to)', which does not follow it",
      notes: ["no mapping model is written of it: apps migrate stores to versions that follow theirs"],
      help: [
        "if '\(from)' came before '\(to)', list it so in \(list)",
        "`modelc map export \(from.shellWord) \(to.shellWord)` writes it as it is",
      ])
  }
}
