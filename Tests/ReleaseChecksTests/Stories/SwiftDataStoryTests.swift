import Foundation
import ManagedModel
import ModelCommands
import ModelSources
import ReleaseChecks
import SwiftDeclarations
import TestSupport
import Testing

/// What the tags of an app say of its users' stores.
@Suite("SwiftData judged by stores", .enabled(if: parsesSwift, "built without the trait SwiftData"))
struct SwiftDataStoryTests {
  private func errors(_ history: SwiftDataHistory, _ arguments: [String] = []) throws -> [String] {
    let project = history.project
    let run =
      try arguments.isEmpty
      ? project.check(models: "App") : project.check(arguments[0], arguments[1], models: "App")
    let found = run.found.filter { $0.state == "new" && $0.severity != "information" }
    #expect((run.code == 0) == !found.contains { $0.severity == "error" })
    return found.map { "\($0.code) \($0.place(in: project)) \($0.message.prefix(while: { $0 != ":" }))" }
  }

  @Test func `two groups of builds are lost, and frozen types bring them back`() throws {
    try SwiftDataHistory.with { history in
      let project = history.project
      #expect(
        try errors(history) == [
          "MC2630 App/Trip.swift:5 stores of v1.0-b12 to v1.0-b33 (22 tags) match no version of the plan",
          "MC2630 App/Trip.swift:5 stores of v1.0-b34 to v1.0-b39 (6 tags) match no version of the plan",
        ])
      #expect(try errors(history, ["--against-tags", "v1.0-b4*"]).isEmpty == false)
      let shipped = try ShippedShapes(tags: nil, ofModelAt: project.file("App"))
      #expect(shipped.shapes.map(\.version.name) == ["1.0.0", "2.0.0", "2.0.0", "3.0.0"])
      #expect(shipped.shapes.map(\.tags.count) == [11, 22, 6, 4] && shipped.tagCount == 43)
      #expect(shipped.unreadable.isEmpty && !shipped.isCut)

      let frozen = "App/ShippedSchemas.swift"
      let release = ["release", "-q", "--models", project.file("App")]
      #expect(ModelcCommand.run(release + ["--from-tags", "--freeze", project.file(frozen)]) == 0)
      #expect(ModelcCommand.run(release + ["--freeze", project.file(frozen), "--check"]) == 0)
      for number in 1...3 {
        let store = project.file("App.released/\(["1.0.0", "2.0.0", "2.0.1"][number - 1]).sqlite")
        #expect(FileManager.default.fileExists(atPath: store))
      }
      for name in ["TripPlan", "SchemaV1", "SchemaV2"] {
        try FileManager.default.removeItem(atPath: project.file("App/\(name).swift"))
      }
      #expect(try errors(history) == [])
      let hashes = try #require(readModelSource(project.file("App")).model).versions.map(\.versionChecksum)
      #expect(hashes == shipped.shapes.map(\.version.versionChecksum))

      // An edit of a frozen type is seen by the proof and by the gate.
      try project.edit(frozen, "var color: String = \"\"", "var colour: String = \"\"")
      #expect(ModelcCommand.run(release + ["--freeze", project.file(frozen), "--check"]) == 1)
      #expect(try errors(history).first?.hasPrefix("MC2630 \(frozen)") == true)
    }
  }
}
