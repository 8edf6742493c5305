import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

extension Project {
  /// The mapping models of a model, with what the program brings along, for a check.
  func mappingChecks(of model: VersionedModel) -> MappingChecks {
    let mappings = readMappings(for: [model])
    var checks = checks(mappings)
    if folderOfMappingModels(of: model) != nil { checks.shipped = mappings.shipped[model.name] ?? [] }
    return checks
  }

  /// Whether the app is built with its packages and their mapping models. Each project is read once.
  func checkBuildPhases(_ models: inout [CheckedModel]) {
    var known: BuildPhases?
    for index in models.indices {
      let path = models[index].path
      guard ModelSourceKind(path) == .xcodePackage, GitLocation(path) == nil else { continue }
      if known?.isAround(path) != true {
        known = BuildPhases(around: path)
        models[index].diagnostics += known?.diagnostics ?? []
      }
      let mappings = mappingModels(of: models[index].model)
      models[index].diagnostics += known?.check(package: path, mappingModels: mappings) ?? []
    }
  }

  /// The same as they stand in a revision, or in a folder of released models, with the policies of today.
  ///
  /// - Parameter today: the model that is checked, near which mapping models of Xcode's are looked for.
  func mappingChecks(
    of model: VersionedModel, in base: CheckBase, today: VersionedModel
  ) -> MappingChecks {
    var mappings = ProjectMappings()
    switch base {
    case .folder(let folder):
      let place = join(join(folder, "Migrations"), model.name)
      mappings.add(filesIn: URL(filePath: place), shownAs: place, of: model)
    case .revision(let revision):
      // None were there, where the revision has no such folder.
      let read = try? withRevision(revision, of: join(migrationsFolder, model.name)) { folder in
        var mappings = ProjectMappings()
        mappings.add(filesIn: folder, shownAs: folder.relativePath, of: model)
        return mappings
      }
      mappings = read ?? mappings
      for file in mappingModels(of: today) {
        let had = try? withRevision(revision, of: file) { url in
          var mappings = mappings
          RunContext.with {
            $0.notices = nil
          } run: {
            mappings.add(XcodeMappingReading(url), of: model)
          }
          return mappings
        }
        mappings = had ?? mappings
      }
    }
    return checks(mappings)
  }

  private func checks(_ mappings: ProjectMappings) -> MappingChecks {
    var custom = RunContext.current.migrations
    custom.mappingModels.merge(mappings.mappingModels) { $0 + $1 }
    return MappingChecks(custom: custom, diagnostics: mappings.diagnostics, files: mappings.files)
  }
}
