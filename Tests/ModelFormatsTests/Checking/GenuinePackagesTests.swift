import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

/// What Xcode compiled is never an error.
@Suite("Every package that ships", .needsFixtures) struct GenuinePackagesTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld")

  @Test(arguments: packages) func `is read, adopted and compiled without an error`(_ package: URL) throws {
    let (read, diagnostics) = readXcodeModelPackage(at: package)
    guard let model = read else {
      // From before Xcode 4: nothing of it can be read.
      #expect(diagnostics.allSatisfy { $0.code.description == "MC0203" }, "\(diagnostics)")
      return
    }
    let findings = checkModels(of: model.versions, minimum: .error)
    #expect(findings == [])
    try withTemporaryFolder { folder in
      try Data(writeVersions(model).utf8).write(to: folder.appending(path: "versions.yaml"))
      for version in model.versions {
        try Data(writeModel(version.model).utf8).write(to: folder.appending(path: "\(version.name).yaml"))
      }
      let (adopted, found) = readVersionedModel(folder: folder)
      #expect(!found.hasErrors, "\(found)")
      let own = try #require(adopted)
      #expect(checkModels(of: own.versions, minimum: .error) == [])
      #expect(own.versions.map(\.versionChecksum) == model.versions.map(\.versionChecksum))
      try own.writeBundle(to: folder.appending(path: "M.momd"))
      let bundle = try readModelBundle(at: folder.appending(path: "M.momd"))
      #expect(bundle.diagnostics == [])
      #expect(Set(bundle.model.versions.map(\.versionChecksum)) == Set(model.versions.map(\.versionChecksum)))
    }
  }
}
