#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import ModelFormats
  import ModelMigration
  import TestSupport
  import Testing

  /// A mapping model of an app, with the package whose versions it is between.
  struct JudgedMapping: Sendable, CustomTestStringConvertible {
    var url: URL
    var package: JudgedPackage
    var mapping: CustomMappingModel

    var testDescription: String { url.lastPathComponent }

    /// Those without policies: an app's own classes are not here, neither for Core Data nor for us.
    static let all: [JudgedMapping] = Fixtures.all(withExtension: "xcmappingmodel").compactMap { url in
      guard let imported = try? readXcodeMappingModel(at: url),
        imported.mappingModel.entityMappings.allSatisfy({ $0.policyName == nil })
      else { return nil }
      let packages = JudgedPackage.all.filter { $0.testDescription == imported.modelName }
      // An app's name stands in the path; other apps have a model of the same name.
      let near = packages.max {
        $0.url.path.commonPrefix(with: url.path).count < $1.url.path.commonPrefix(with: url.path).count
      }
      return near.map { JudgedMapping(url: url, package: $0, mapping: imported.mappingModel) }
    }
  }

  @Suite("What a mapping model says, both do", .needsFixtures) struct CustomStepTests {
    @Test(arguments: JudgedMapping.all)
    func `NSMigrationManager and modelc give equal objects`(_ judged: JudgedMapping) throws {
      try judged.package.compiled { compiled, folder in
        let (from, to) = (judged.mapping.sourceVersionName, judged.mapping.destinationVersionName)
        let versions = try [from, to].map { try #require(compiled.model.version(named: $0)) }
        let (old, new) = try (compiled.genuine(from), compiled.genuine(to))
        let compiledMapping = folder.appending(path: "mapping.cdm")
        try XcodeTool.run("mapc", judged.url.path, compiledMapping.path)
        let mapping = try #require(NSMappingModel(contentsOf: compiledMapping))
        let store = folder.appending(path: "before.sqlite")
        let objects = try withArchives(
          generatedObjects(of: versions[0].model, count: 4), of: versions[0].model)
        try writeStore(of: versions[0], objects: objects, at: store)

        let theirs = JudgedOutcome(ofCoreData: {
          try CoreDataStore(url: store).migrate(
            from: old, to: new, with: mapping, into: folder.appending(path: "manager.sqlite")
          ).objects(new)
        })
        let mine = try JudgedOutcome(ofModelc: {
          let copy = try copyStore(store, as: "modelc.sqlite")
          let model = VersionedModel(
            name: compiled.model.name, versions: versions, currentVersionName: to)
          try migrate(
            copy, model, custom: CustomMigrations(mappingModels: [model.name: [judged.mapping]]))
          return try CoreDataStore(url: copy).objects(new)
        })
        #expect(mine.agrees(with: theirs), "modelc: \(mine), Core Data: \(theirs)")
        if case .objects(let mine) = mine, case .objects(let theirs) = theirs {
          #expect(colours(of: mine) == colours(of: theirs))
        }
      }
    }
  }
#endif
