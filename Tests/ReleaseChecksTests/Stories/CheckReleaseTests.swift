import Foundation
import ManagedModel
import ReleaseChecks
import TestSupport
import Testing

/// The last example of the page "What the library does"; `.ci/documentation` finds it here.
@Suite("A release is checked by a test")
struct CheckReleaseTests {
  @Test func `a sound model passes, an unsound one does not`() throws {
    try withTemporaryFolder { project in
      let models = project.appending(path: "Models/Notes")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      let version = "entities:\n  Note:\n    attributes:\n      title: string?\n"
      try Data(version.utf8).write(to: models.appending(path: "V1.yaml"))
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: models.appending(path: "versions.yaml"))
      let report = try Project(at: project).check()
      #expect(!report.fails(on: .error), "\(report.counting.map(\.message))")
      #expect(report.versions == 1 && report.count(of: .compile) == 1)
      #expect(try Project(at: project, models: models).check().versions == 1)

      try Data("entities:\n  Note:\n    parent: Page\n".utf8).write(to: models.appending(path: "V1.yaml"))
      #expect(try Project(at: project).check().fails(on: .error))
    }
  }

  /// A released version that was edited, source that removes stores, a policy that nobody has.
  @Test func `the library finds what modelc check finds`() throws {
    try ReleasedProject.with { project in
      try project.write(ReleasedProject.first + "  Note: {}\n", to: "Models/Huts/V1.yaml")
      try project.write(
        "try? FileManager.default.removeItem(at: storeURL)\nNSPersistentContainer(name: \"Huts\")",
        to: "App.swift")
      try project.write(
        "from: V2\nto: V3\nentities: {Hut: {policy: Gone}}\n", to: "Migrations/Huts/V2-V3.yaml")
      var options = CheckOptions()
      options.base = "HEAD"
      let report = try Project(at: URL(filePath: project.path)).check(options)
      let told = try project.check("--against", "HEAD").found.filter { $0.state == "new" }
      #expect(Set(told.map(\.code)).count > 1, "\(told)")
      #expect(report.counting.map(\.code.description).sorted() == told.map(\.code).sorted())
    }
  }
}
