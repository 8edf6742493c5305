import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ModelCommands

/// Commands in messages, as they run where they are pasted.
@Suite("Runnable commands") struct RunnableCommandTests {
  @Test(arguments: [
    (["migrate", "-C", "App"], "`modelc fleet report a.jsonl`", "`modelc fleet report a.jsonl`"),
    (["migrate", "-C", "App"], "`MigrationOptions(chain: .stepwise)`", "`--chain stepwise`"),
    (["plan", "-C", "App"], "`MigrationOptions(chain: .stepwise)`", "`--chain stepwise`"),
    (["check", "-C", "App"], "`MigrationOptions(chain: .stepwise)`", "`migrate --chain stepwise`"),
    (["plan", "-C", "App"], "`MigrationOptions.keptLosses`", "`migrate --keep-lost FILE`"),
    (["check", "--models", "App"], "`models:`", "`--models App.xcdatamodeld`"),
  ])
  func `an option is printed as an option if the command has it`(
    arguments: [String], text: String, shown: String
  ) {
    #expect(CommandContext(arguments: arguments, program: "modelc").runnable(text) == shown)
  }

  @Test func `a step of one of several models is asked for with the model's name`() throws {
    try withTemporaryFolder { folder in
      func command() -> String {
        let file = folder.appending(path: "Models/Huts/V2.yaml").path
        let finding = Diagnostic(
          .noCurrentVersion, .error, "", place: SourceRange(startOf: file), help: ["`modelc map new V1 V2`"])
        return finding.runnable(CommandContext(arguments: ["plan"], program: "modelc")).help[0]
      }
      for (model, shown) in [("Huts", ""), ("Boats", " --model Huts")] {
        let place = folder.appending(path: "Models/\(model)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data("current: V1\nversions: [V1]\n".utf8).write(to: place.appending(path: "versions.yaml"))
        #expect(command() == "`modelc map new\(shown) V1 V2`")
      }
    }
  }
}
