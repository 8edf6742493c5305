import Foundation
import ModelCommands
import TestSupport
import Testing

@Suite("Commands on versions and codes") struct VersionCommandTests {
  private func withProject(_ body: (_ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let models = folder.appending(path: "Models")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Package.folder.appending(path: "Models/Trails"), to: models.appending(path: "Trails"))
      try body(folder.path)
    }
  }

  @Test(
    arguments: [
      (["diff", "V2", "V3"], 0), (["diff", "V2", "V3", "--exit-code"], 1),
      (["diff", "V6", "--exit-code"], 0),
      (["diff", "V2", "--format", "mermaid"], 0), (["diff", "V9"], 2),
      (["diff", "V2", "--format", "xml"], 2),
      (["version", "list"], 0), (["version", "list", "Trails", "--format", "json"], 0),
      (["version", "list", "Roads"], 2), (["version", "new", "V7"], 0), (["version", "new", "V3"], 1),
      (["version", "new", "V8", "V9"], 2),
    ] as [([String], Int32)])
  func `exit codes on a project`(_ arguments: [String], _ code: Int32) throws {
    try withProject { folder in
      #expect(ModelcCommand.run(arguments + ["-C", folder]) == code)
    }
  }

  @Test(
    arguments: [
      (["explain", "MC1301"], 0), (["explain", "1301", "mc0001", "--format", "json"], 0),
      (["explain", "--list"], 0),
      (["explain", "MC9999"], 2), (["explain"], 2), (["explain", "--list", "MC1301"], 2),
    ] as [([String], Int32)])
  func `exit codes of explain`(_ arguments: [String], _ code: Int32) {
    #expect(ModelcCommand.run(arguments) == code)
  }

  @Test func `a draft compiles before and after it is changed`() throws {
    try withProject { folder in
      #expect(ModelcCommand.run(["version", "new", "V7", "-C", folder]) == 0)
      #expect(ModelcCommand.run(["compile", "-C", folder]) == 0)
      let file = URL(filePath: folder).appending(path: "Models/Trails/V7.yaml")
      let model = try String(contentsOf: file, encoding: .utf8)
      try Data(model.replacing("beds: integer16 = 0", with: "beds: integer32 = 0").utf8).write(to: file)
      #expect(ModelcCommand.run(["compile", "-C", folder]) == 0)
      #expect(ModelcCommand.run(["diff", "V7", "--exit-code", "-C", folder]) == 1)
    }
  }
}
