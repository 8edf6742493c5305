#if canImport(CoreData)
  import CoreData
  import Foundation
  import ManagedModel
  import Testing

  @Suite("Core Data reads the same models as we do") struct ModelTests {
    @Test(arguments: JudgedPackage.all)
    func `every version has the hashes that Core Data computes from Xcode's source`(_ package: JudgedPackage)
      throws
    {
      try package.compiled { compiled, _ in
        for version in compiled.model.versions {
          let genuine = try compiled.genuine(version.name)
          #expect(version.entityVersionHashesByName == genuine.hashes, "\(version.name)")
          if #available(macOS 14, *) {
            #expect(version.versionChecksum == genuine.versionChecksum, "\(version.name)")
          }
        }
      }
    }

    @Test(arguments: JudgedPackage.all)
    func `Core Data opens every bundle that we compile, and finds in it what momc wrote`(
      _ package: JudgedPackage
    ) throws {
      try package.compiled { compiled, _ in
        for version in compiled.model.versions {
          let (genuine, written) = try (compiled.genuine(version.name), compiled.written(version.name))
          #expect(written.hashes == version.entityVersionHashesByName, "\(version.name)")
          let (mine, theirs) = (Set(facts(of: written)), Set(facts(of: genuine)))
          #expect(mine.subtracting(theirs).sorted() == [], "only ours, \(version.name)")
          #expect(theirs.subtracting(mine).sorted() == [], "only Apple's, \(version.name)")
        }
        let (genuine, written) = try compiled.current()
        #expect(written.hashes == genuine.hashes)
        #expect(written.hashes == compiled.model.currentVersion?.entityVersionHashesByName)
      }
    }
  }
#endif
