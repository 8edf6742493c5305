import Foundation
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

/// Releases after which stores would lose data or not open, each of which the gate has once let pass.
@Suite("What the gate must not let pass") struct FalseGreenTests {
  @Test func `what stops Core Data in an app is an error, unless it goes version by version`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "body", "bio")
      try package.commit(tag: "v1")
      try package.write("App 2", "body")
      try project.write("retired: [Note.bio]\n", to: "modelc.yaml")
      try package.commit(tag: "v2")
      #expect(package.modelc("release", "--from-tags", "v*") == 0)
      try package.write("App 3", "body", "bio")
      try project.edit(
        "App.xcdatamodeld/App 3.xcdatamodel/contents", #"name="bio" optional="YES" attributeType="String""#,
        #"name="bio" optional="YES" attributeType="Integer 32""#)
      try FileManager.default.removeItem(atPath: project.file("modelc.yaml"))
      #expect(try package.errors() == ["MC3401"])
      #expect(try !project.check(models: package.name).found.contains { $0.code == "MC3203" })
      for line in ["chain: stepwise", "migratedBy: modelc"] {
        try project.write(line + "\n", to: "modelc.yaml")
        #expect(try package.errors() == [])
      }
      // Stages that do not name the current version migrate no store to it.
      try package.write("App 3", "body", "more")
      try project.write("stages: [{lightweight: [App, App 2]}]\n", to: "modelc.yaml")
      #expect(try package.errors() == ["MC3401"])
    }
  }

  @Test func `a hotfix that was released beside the current version loses what it added`() throws {
    try withNotePackage { package in
      let git = package.project.repository
      try package.write("App", "body")
      try package.commit(tag: "v1")
      try package.write("App 2", "body", "rebate")
      try package.commit(tag: "v1.1")
      try git.git("checkout", "--quiet", "-b", "next", "v1")
      try package.write("App 3", "body", "taste")
      try package.commit(tag: "v2-beta")
      try git.git("checkout", "v1.1", "--", "\(package.name)/App 2.xcdatamodel")
      try package.commit()
      #expect(package.modelc("release", "--from-tags", "v*") == 0)
      #expect(try package.errors() == ["MC3204"])
      // What a line of releases lost is shipped.
      try git.git("tag", "-d", "v2-beta")
      try FileManager.default.removeItem(atPath: package.project.file("App.released.lock"))
      try git.git("tag", "v2")
      #expect(package.modelc("release", "--from-tags", "v*") == 0)
      #expect(try package.errors() == [])
    }
  }

  @Test func `a stricter rule that changes no hash breaks objects of the kept store`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      #expect(package.modelc("release", "App", "--fixture", "20") == 0)
      try package.write("App 2", "body")
      #expect(try !package.errors().contains("MC7010"))
      try package.write("App 2", #"body minValueString="500""#)
      #expect(try package.errors().contains("MC7010"))
    }
  }

  @Test func `a mapping model that was in the base and is gone, also after a rename`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      try package.write("App 2", "text")
      try package.project.write(
        """
        from: App
        to: App 2
        entityMappings: {NoteToNote: {source: Note, destination: Note, attributes: {text: $source.body}}}
        """, to: "Migrations/App/step.yaml")
      let project = package.project
      #expect(
        ModelcCommand.run([
          "map", "export", "App", "App 2", "--as", "xcmappingmodel", "-q", "-C", project.path,
          "--models", project.file(package.name), "-o", project.path,
        ]) == 0)
      try FileManager.default.removeItem(atPath: project.file("Migrations"))
      let mapping = "App-App 2.xcmappingmodel"
      try #require(FileManager.default.fileExists(atPath: project.file(mapping)))
      try package.commit(tag: "v2")
      #expect(try package.errors("--against", "v2") == [])
      try project.repository.git("rm", "-rq", mapping)
      try package.commit()
      #expect(try package.errors("--against", "v2") == ["MC3204", "MC7053"])
      try project.repository.git("reset", "-q", "--hard", "v2")
      try project.repository.git("mv", package.name, "Core.xcdatamodeld")
      try package.commit()
      var renamed = package
      renamed.name = "Core.xcdatamodeld"
      // Core Data finds it by the hashes of its snapshots.
      #expect(try renamed.errors("--against", "v2") == [])
      try project.repository.git("rm", "-rq", mapping)
      #expect(try renamed.errors("--against", "v2") == ["MC3204", "MC7053"])
    }
  }

  @Test func `a mapping file of an earlier step that drops what it did not drop before`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "body", "fax")
      try package.write("App 2", "body")
      try package.write("App 3", "body", "more")
      try project.write("migratedBy: modelc\nversions: [App, App 2, App 3]\n", to: "modelc.yaml")
      let text = """
        from: App
        to: App 2
        drops: [Note.fax]
        entityMappings: {NoteToNote: {source: Note, destination: Note, attributes: {body: trim($source.body)}}}

        """
      try project.write(text, to: "Migrations/App/step.yaml")
      try package.commit()
      func isLost() throws -> Bool {
        try project.check("--against", "HEAD").found.contains { $0.code == "MC7008" && $0.state == "new" }
      }
      let before = try isLost()
      try project.write(text.replacing("drops: [Note.fax]\n", with: ""), to: "Migrations/App/step.yaml")
      let after = try isLost()
      #expect(!before && after)
    }
  }

  @Test func `a Renaming ID that is taken out of a released version`() throws {
    try withNotePackage { package in
      try package.write("App", "title", "body")
      try package.commit(tag: "v1")
      try package.write("App 2", "title", #"text elementID="body""#)
      try package.commit(tag: "v2")
      #expect(package.modelc("release", "--from-tags") == 0)
      try package.commit()
      #expect(try package.errors() == [])
      try package.write("App 2", "title", "text")
      #expect(try package.errors() == ["MC3204"])
      #expect(try package.errors("--against", "HEAD") == ["MC3204"])
    }
  }

  @Test func `a value that only the way over all versions keeps`() throws {
    try withNotePackage { package in
      try package.write("App", "title", "body")
      try package.commit(tag: "v1")
      try package.write("App 2", "title", #"text elementID="body""#)
      try package.commit(tag: "v2")
      #expect(package.modelc("release", "--from-tags") == 0)
      try package.write("App 3", "title", "text", "x")
      #expect(try package.errors() == ["MC3402"])
      try package.project.write("chain: stepwise\n", to: "modelc.yaml")
      #expect(try package.errors() == [])
    }
  }

  @Test func `what was tried is tried again when the path is another one`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "title", "body")
      #expect(package.modelc("release", "App", "--fixture", "20") == 0)
      try project.write("chain: stepwise\n", to: "modelc.yaml")
      try package.write("App 2", "title", #"text elementID="body""#)
      try package.write("App 3", "title", "text")
      func check() -> Int32 {
        ModelcCommand.run([
          "check", "-q", "-C", project.path, "--models", project.file(package.name),
        ])
      }
      #expect(check() == 0)
      try project.write("chain: direct\n", to: "modelc.yaml")
      #expect(check() == 1)
    }
  }

  @Test func `a second loss whose name differs in a digit`() throws {
    try withNotePackage { package in
      try package.write("App", "line1", "line2", "name")
      #expect(package.modelc("release", "App") == 0)
      try package.commit()
      try package.write("App 2", "line2", "name")
      try package.commit()
      let baseline = package.project.file("baseline.txt")
      _ = try package.project.check("--baseline", baseline, "--write-baseline", models: package.name)
      #expect(try package.errors("--baseline", baseline) == [])
      try package.write("App 2", "name")
      #expect(try package.errors("--baseline", baseline) == ["MC7008"])
      #expect(try package.errors("--against", "HEAD").contains("MC7008"))
    }
  }

  @Test func `duplicates that a new version does not admit are told before a user has them`() throws {
    try withNotePackage { package in
      try package.write("App", "title", "body")
      try package.commit()
      try package.write("App 2", "title", "body")
      try package.project.edit(
        "App.xcdatamodeld/App 2.xcdatamodel/contents", "</entity>",
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"title\"/></uniquenessConstraint>"
          + "</uniquenessConstraints></entity>")
      let found = try package.project.check("--against", "HEAD", models: package.name).found
      let new = found.filter { $0.state == "new" && $0.severity != "information" }
      #expect(new.map { "\($0.code) \($0.severity)" } == ["MC1403 warning", "MC3105 warning"])
    }
  }

  @Test func `a loss in a new version that is not the last`() throws {
    try withNotePackage { package in
      try package.write("App", "title", "body")
      try package.commit()
      try package.write("App 2", "title")
      try package.write("App 3", "title", "x")
      #expect(try package.errors("--against", "HEAD") == ["MC7008"])
      #expect(package.modelc("release", "App") == 0)
      #expect(try package.errors() == ["MC7008"])
    }
  }

  @Test func `an entity that only the way over all versions keeps, or that can have no objects any more`()
    throws
  {
    try withNotePackage { package in
      try package.write("App", "title")
      #expect(package.modelc("release", "App") == 0)
      let contents = "App.xcdatamodeld/App 2.xcdatamodel/contents"
      try package.write("App 2", "title")
      try package.project.edit(contents, #"<entity name="Note""#, #"<entity name="Note" isAbstract="YES""#)
      #expect(try package.errors() == ["MC3110"])
      try package.project.edit(
        contents, #"<entity name="Note" isAbstract="YES""#, #"<entity name="Memo" elementID="Note""#)
      try package.write("App 3", "title")
      try package.project.edit(
        "App.xcdatamodeld/App 3.xcdatamodel/contents", #"<entity name="Note""#, #"<entity name="Memo""#)
      #expect(try package.errors().contains("MC3402"))
    }
  }

  /// Hut is in the file of V2, which can no longer be edited; V3 can.
  @Test func `what a version removes of a released one that it extends`() throws {
    try ReleasedProject.with { project in
      try project.write("extends: V2\nremove: [Hut.warden]\n", to: "Models/Huts/V3.yaml")
      func errors() throws -> [String] {
        let run = try project.check()
        let errors = run.found.filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
        #expect((run.code == 0) == errors.isEmpty)
        return errors
      }
      #expect(try errors() == ["MC7008"])
      // A comment there is about what V2 removes.
      try project.edit("Models/Huts/V2.yaml", "  Hut:\n", "  Hut:  # modelc:allow MC7008 reason=\"seen\"\n")
      #expect(try errors() == ["MC7008"])
      try project.edit("Models/Huts/V3.yaml", "remove:", "retired: [Hut.warden]\nremove:")
      #expect(try errors() == [])
    }
  }

  @Test func `a version that is put before a released one`() throws {
    try ReleasedProject.with { project in
      let list = "Models/Huts/versions.yaml"
      try project.write(
        ReleasedProject.first.replacing("note: string?", with: "note: string?\n      fax: string?"),
        to: "Models/Huts/V1b.yaml")
      try project.edit(list, "[V1, V2, V3]", "[V1, V1b, V2, V3]")
      func errors() throws -> Set<String> {
        Set(try project.check("--against", "HEAD").found.filter { $0.severity == "error" }.map(\.code))
      }
      #expect(try errors() == ["MC7008"])
      try project.write("retired: [Visit.fax]\n" + ReleasedProject.second, to: "Models/Huts/V2.yaml")
      #expect(try errors() == [])
    }
  }
}
