import Foundation
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

/// Versions in tags and on branches, locks and baselines: what counts as released, and what was allowed.
@Suite("What the gate knows of other branches and tags") struct ReleasedElsewhereTests {
  @Test func `a version that was released with two contents, of which the lock has one`() throws {
    try withNotePackage { package in
      try package.write("App", "title")
      try package.commit(tag: "1.0")
      try package.write("App", "title", "k")
      try package.commit(tag: "1.1")
      try package.write("App 2", "title", "k", "x")
      try package.commit(tag: "2.0")
      #expect(package.modelc("release", "--from-tags") == 0)
      #expect(try package.errors("--against", "1.0") == ["MC7004", "MC7026"])
      #expect(try package.errors("--against", "2.0") == ["MC7004"])
    }
  }

  @Test func `a version that is called like its tag is no content that another one replaced`() throws {
    try withNotePackage { package in
      for tag in ["1.0", "2.0"] {
        try package.write("App-\(tag)", "title", tag == "1.0" ? "a" : "b")
        try package.commit(tag: tag)
      }
      #expect(package.modelc("release", "--from-tags") == 0)
      try package.project.repository.git("rm", "-rq", "App.xcdatamodeld/App-1.0.xcdatamodel")
      let gone = try package.project.check(models: package.name).found.first { $0.code == "MC7004" }
      #expect(gone?.message.hasPrefix("'App-1.0' is released") == true)
      try #require(gone).pasteHelp()
      #expect(try !package.errors().contains("MC7004"))
    }
  }

  @Test func `kept stores that are gone since the base`() throws {
    try withNotePackage { package in
      try package.write("App", "title")
      #expect(package.modelc("release", "App", "--fixture", "5") == 0)
      try package.commit()
      try package.project.repository.git("rm", "-rq", "App.released")
      try package.commit()
      let found = try package.project.check("--against", "HEAD~1", models: package.name).found
      #expect(found.contains { $0.code == "MC7009" && $0.state == "new" })
    }
  }

  @Test func `line ends of Windows change no lock, no comment and no baseline`() throws {
    try withNotePackage { package in
      let project = package.project
      try package.write("App", "title", "body")
      #expect(package.modelc("release", "App") == 0)
      try package.write("App 2", "title")
      let baseline = "baseline.txt"
      _ = try project.check("--baseline", project.file(baseline), "--write-baseline", models: package.name)
      for file in ["App.released.lock", baseline] {
        let text = try String(contentsOfFile: project.file(file), encoding: .utf8)
        try project.write(text.replacing("\n", with: "\r\n"), to: file)
      }
      #expect(try package.errors("--baseline", project.file(baseline)) == [])
      #expect(try package.errors() == ["MC7008"])
    }
  }

  @Test func `a version that a tag released from another branch`() throws {
    try withNotePackage { package in
      let git = package.project.repository
      func order(_ base: String) throws -> String? {
        try package.project.check("--against", base, models: package.name).found
          .first { $0.code == "MC7002" }?.help.first
      }
      try package.write("App", "title")
      try package.commit(tag: "1.0")
      try git.git("checkout", "-qb", "release")
      try package.write("App 3", "title", "hot")
      try package.commit(tag: "1.1")
      let commit = try git.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      try git.git("checkout", "-q", "main")
      try package.write("App 2", "title", "aa")
      try package.commit()
      #expect(try package.errors("--against", "1.1") == ["MC7027"])
      #expect(try package.errors("--against", commit) == ["MC7027"])
      // A branch is worked on still.
      #expect(try package.errors("--against", "release") == [])
      try git.git("checkout", "-q", "1.1", "--", "App.xcdatamodeld/App 3.xcdatamodel")
      try package.commit()
      for base in ["1.1", "1.0"] {
        #expect(try package.errors("--against", base) == ["MC7002"])
        let help = "list 'App 3' before 'App 2' in `versions:` of a modelc.yaml"
        #expect(try order(base)?.contains(help) == true)
      }
      try package.project.write("versions: [App, App 3, App 2]\n", to: "modelc.yaml")
      #expect(try package.errors("--against", "1.1") == ["MC3204"])
      #expect(try package.errors("--against", "1.0") == ["MC3204"])
    }
  }

  @Test func `a current version that is recorded no more, or nowhere`() throws {
    try withNotePackage { package in
      try package.write("App", "title")
      try package.write("App 2", "title", "x")
      try package.commit()
      let record = "App.xcdatamodeld/.xccurrentversion"
      try package.project.edit(record, "App 2", "App 3")
      #expect(try package.errors("--against", "HEAD") == ["MC0208"])
      try FileManager.default.removeItem(atPath: package.project.file(record))
      #expect(try package.errors("--against", "HEAD") == ["MC0208"])
      try package.commit()
      #expect(try package.errors("--against", "HEAD") == [])
      #expect(try package.project.check(models: package.name).found.contains { $0.code == "MC0208" })
    }
  }

  @Test func `what a released version said already is not of today's edit`() throws {
    try withNotePackage { package in
      try package.write("App", "body")
      try package.commit(tag: "1.0")
      try package.write("App 2", "k")
      try package.commit(tag: "2.0")
      #expect(package.modelc("release", "--from-tags") == 0)
      try package.commit()
      #expect(try package.errors() == [])
      try package.project.edit(
        "App.xcdatamodeld/App 2.xcdatamodel/contents", #"<entity name="Note""#,
        #"<entity name="Note" representedClassName="NoteObject" codeGenerationType="class""#)
      #expect(try package.errors() == [] && package.errors("--against", "HEAD") == [])
    }
  }

  @Test func `a branch that is behind a release, and one that goes on from a loss which is out`() throws {
    try withNotePackage { package in
      let git = package.project.repository
      try package.write("App", "title", "body")
      #expect(package.modelc("release", "App") == 0)
      try package.commit()
      try git.git("checkout", "-qb", "side")
      try git.git("checkout", "-q", "main")
      try package.write("App 2", "title", #"text elementID="body""#)
      #expect(package.modelc("release", "App 2") == 0)
      try package.commit()
      try git.git("checkout", "-q", "side")
      #expect(try package.errors("--against", "main") == [])
      try git.git("checkout", "-q", "main")
      try package.write("App 3", "title", "text")
      #expect(package.modelc("release", "App 3") == 0)
      try package.commit()
      #expect(try package.errors() == ["MC3402"])
      try package.write("App 4", "title", "text", "z")
      #expect(try package.errors("--against", "HEAD") == [])
    }
  }

  @Test func `a baseline allows the edit that was made, and no further one`() throws {
    try withNotePackage { package in
      try package.write("App", "a", "b", "c")
      #expect(package.modelc("release", "App") == 0)
      try package.commit()
      try package.write("App", "a", "b", "x")
      let baseline = package.project.file("baseline.txt")
      _ = try package.project.check("--baseline", baseline, "--write-baseline", models: package.name)
      #expect(try package.errors("--baseline", baseline) == [])
      // Lines of before hold as they did.
      let text = try String(contentsOfFile: baseline, encoding: .utf8)
      let former = text.split(separator: "\n").map {
        $0.hasPrefix("MC7001") ? $0.prefix(upTo: $0.lastIndex(of: "\t") ?? $0.endIndex) : $0
      }
      try package.project.write(former.joined(separator: "\n"), to: "former.txt")
      #expect(try package.errors("--baseline", package.project.file("former.txt")) == [])
      try package.write("App", "a", "y", "x")
      #expect(try package.errors("--baseline", baseline) == ["MC7001"])
      // Edits that read alike.
      try package.write("App", "a", "b", "x versionHashModifier=\"r\"")
      #expect(try package.errors("--baseline", baseline) == ["MC7001"])
      try package.write("App", "a defaultValueString=\"r\"", "b", "x")
      #expect(try package.errors("--baseline", baseline) == ["MC7001"])
    }
  }

  @Test func `two branches that each released a version, when one is merged into the other`() throws {
    try withNotePackage { package in
      let git = package.project.repository
      try package.write("App", "title")
      #expect(package.modelc("release", "App") == 0)
      try package.commit(tag: "1")
      try git.git("checkout", "-qb", "other")
      try package.write("App 3", "title", "webcam")
      #expect(package.modelc("release", "App 3", "--tag", "3") == 0)
      try package.commit(tag: "3")
      #expect(try package.errors("--against", "main") == [])
      try git.git("checkout", "-q", "main")
      try package.write("App 2", "title", "serial")
      #expect(package.modelc("release", "App 2", "--tag", "2") == 0)
      try package.commit(tag: "2")
      try git.git("checkout", "-q", "other")
      try git.git("checkout", "-q", "main", "--", "App.xcdatamodeld/App 2.xcdatamodel")
      #expect(package.modelc("release", "App 2", "--tag", "2") == 0)
      try package.commit()
      #expect(try package.errors("--against", "main") == ["MC3204"])
      try package.project.write("retired: [Note.serial]\n", to: "modelc.yaml")
      #expect(try package.errors("--against", "main") == [])
    }
  }

  @Test func `two releases at a time`() throws {
    try ReleasedProject.with { project in
      let path = project.file("Models/Huts")
      let places = ReleasePlaces(modelAt: path)
      let former = try places.lock()
      _ = try project.model?.releaseVersions(["V3"], at: path, tag: nil, date: "2026-02-28", rows: nil)
      #expect(throws: (any Error).self) { try places.write(former, over: former) }
      #expect(try places.lock().entry("V3") != nil)
    }
  }
}
