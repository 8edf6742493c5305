import Foundation
import ModelCommands
import ModelFormats
import TestSupport
import Testing

@Suite("Files that run the checks") struct RecipeTests {
  @Test(arguments: [("github", ".github/workflows/stores.yml"), ("gitlab", ".gitlab-ci.yml")])
  func `init writes a job and a hook, and leaves models alone`(_ service: String, _ file: String) throws {
    try ReleasedProject.with { project in
      let before = try String(contentsOfFile: project.file("Models/Huts/versions.yaml"), encoding: .utf8)
      #expect(ModelcCommand.run(["init", project.path, "--ci", service, "-q"]) == 0)
      #expect(
        try String(contentsOfFile: project.file("Models/Huts/versions.yaml"), encoding: .utf8) == before)
      let job = try Data(contentsOf: URL(filePath: project.file(file)))
      let (node, diagnostics) = readYAML(job, file: file)
      #expect(node != nil && diagnostics.isEmpty)
      let hook = project.file(".githooks/pre-commit")
      #expect(FileManager.default.isExecutableFile(atPath: hook))
      // A second run finds everything as it is; another job's file is never overwritten.
      #expect(ModelcCommand.run(["init", project.path, "--ci", service, "-q"]) == 0)
      try project.write("mine: true\n", to: file)
      #expect(ModelcCommand.run(["init", project.path, "--ci", service, "-q"]) == 2)
    }
  }

  /// The hook asks the program that `MODELC` names, and only where a model is part of the commit.
  @Test func `the hook stops a commit that the gate refuses`() throws {
    try ReleasedProject.with { project in
      #expect(ModelcCommand.run(["init", project.path, "--ci", "github", "-q"]) == 0)
      try project.commit("the hook")
      try project.write("#!/bin/sh\necho \"$@\" >> '\(project.file("asked"))'\nexit 1\n", to: "judge")
      try project.repository.git("config", "core.hooksPath", ".githooks")
      try project.repository.git("config", "alias.try", "!MODELC=./judge git commit -q")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: project.file("judge"))
      try project.write("notes", to: "README.md")
      try project.repository.git("add", "README.md")
      try project.repository.git("try", "-m", "no model")
      #expect(!FileManager.default.fileExists(atPath: project.file("asked")))
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "openedOn: date?")
      try project.repository.git("add", "Models")
      #expect(throws: Repository.Failure.self) { try project.repository.git("try", "-m", "a model") }
      let asked = try String(contentsOfFile: project.file("asked"), encoding: .utf8)
      #expect(asked == "check --level path --against HEAD\n")
    }
  }
}
