#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import ModelMigration
  import TestSupport
  import Testing

  @Suite("What Core Data infers, we infer") struct InferredStepTests {

    @Test(arguments: JudgedStep.all)
    func `an app's own migration, NSMigrationManager and modelc give equal objects, or refuse with one code`(
      _ step: JudgedStep
    ) throws {
      try step.package.compiled { compiled, folder in
        let versions = try [step.from, step.to].map { try #require(compiled.model.version(named: $0)) }
        let (old, new) = try (compiled.genuine(step.from), compiled.genuine(step.to))
        let store = folder.appending(path: "before.sqlite")
        let objects = try withArchives(
          generatedObjects(of: versions[0].model, count: 4), of: versions[0].model)
        try writeStore(of: versions[0], objects: objects, at: store)

        let inPlace = JudgedOutcome(ofCoreData: {
          let copy = CoreDataStore(url: try copyStore(store, as: "lightweight.sqlite"))
          try copy.migrate(to: new)
          return try copy.objects(new)
        })
        let copied = JudgedOutcome(ofCoreData: {
          let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
          return try CoreDataStore(url: store).migrate(
            from: old, to: new, with: mapping, into: folder.appending(path: "manager.sqlite")
          ).objects(new)
        })
        let mine = try JudgedOutcome(ofModelc: {
          let copy = try copyStore(store, as: "modelc.sqlite")
          try migrate(copy, VersionedModel(name: "M", versions: versions, currentVersionName: step.to))
          return try CoreDataStore(url: copy).objects(new)
        })
        #expect(mine.agrees(with: inPlace), "modelc: \(mine), in place: \(inPlace)")
        #expect(mine.isRefusal == copied.isRefusal, "modelc: \(mine), NSMigrationManager: \(copied)")
        if case .objects(let mine) = mine, case .objects(let theirs) = inPlace { #expect(mine == theirs) }
        if case .objects(let mine) = mine, case .objects(let theirs) = copied {
          #expect(colours(of: mine) == colours(of: theirs))
        }
      }
    }
  }

  func migrate(_ store: URL, _ model: VersionedModel, custom: CustomMigrations = CustomMigrations()) throws {
    let options = MigrationOptions(acceptedLosses: [.droppedData, .narrowedNumbers], keepsBackup: false)
    _ = try migrateStore(at: store.path, models: [model], options: options, custom: custom)
  }
#endif
