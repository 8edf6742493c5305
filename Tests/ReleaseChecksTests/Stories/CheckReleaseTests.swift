import Foundation
import ManagedModel
import ReleaseChecks
import TestSupport
import Testing

/// The last example of the page "What the library does"; `.ci/documentation` finds it here.
@Suite("A release is checked by a test")
struct CheckReleaseTests {
  @Test func `a sound model passes, an unsound one does not`() throws {
    try withTemporaryFolder { folder in
      let models = folder.appending(path: "Notes")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      let version = "entities:\n  Note:\n    attributes:\n      title: string?\n"
      try Data(version.utf8).write(to: models.appending(path: "V1.yaml"))
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: models.appending(path: "versions.yaml"))
      let report = try checkRelease(ofModelAt: models)
      #expect(!report.fails(on: .error), "\(report.counting.map(\.message))")
      #expect(report.versions == 1 && report.count(of: .compile) == 1)

      try Data("entities:\n  Note:\n    parent: Page\n".utf8).write(to: models.appending(path: "V1.yaml"))
      #expect(try checkRelease(ofModelAt: models).fails(on: .error))
    }
  }
}
