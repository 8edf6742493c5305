import ManagedModel
import ModelMigration
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Plans between versions as text") struct PlanTextTests {
  @Test func `handlers of a stage are named, and that nobody looks at what they do`() throws {
    let versions = versionsOf(["Hut\n  name: string?", "Hut\n  name: string?\n  note: string?"])
    var model = VersionedModel(name: "Huts", versions: versions, currentVersionName: "V2")
    model.stages = [
      .custom(
        CustomMigrationStage(currentVersionName: "V1", nextVersionName: "V2", willMigrateHandler: "Fill"))
    ]
    let text = planText(try planPath(from: "V1", models: [model]))
    let stage =
      "  stage  V1 → V2, handlers: 'Fill' before\n         what they do with objects is not looked at\n"
    #expect(text.contains(stage), "\(text)")
  }
}
