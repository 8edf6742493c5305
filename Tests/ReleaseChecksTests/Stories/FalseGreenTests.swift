import Foundation
import ModelCommands
import ReleaseChecks
import TestSupport
import Testing

/// Releases after which stores would lose data or not open, each of which the gate has once let pass.
@Suite("What the gate must not let pass") struct FalseGreenTests {
  /// A package of Xcode's in a repository.
  private struct Package {
    let project: ReleasedProject
    var name = "App.xcdatamodeld"

    /// Writes a version with one entity, whose attributes are optional texts, and makes it current.
    func write(_ version: String, _ attributes: String..., in package: String = "App.xcdatamodeld") throws {
      let lines = attributes.map { attribute in
        let parts = attribute.split(separator: " ", maxSplits: 1)
        return
          #"<attribute name="\#(parts[0])" optional="YES" attributeType="String" \#(parts.dropFirst().joined())/>"#
      }
      try project.write(
        #"<model><entity name="Note">\#(lines.joined())</entity></model>"#,
        to: "\(package)/\(version).xcdatamodel/contents")
      try project.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
        to: "\(package)/.xccurrentversion")
    }

    func commit(tag: String? = nil) throws {
      try project.commit("a change")
      if let tag { try project.repository.git("tag", tag) }
    }

    func modelc(_ arguments: String...) -> Int32 {
      ModelcCommand.run(arguments + ["-q", "--models", project.file(name)])
    }

    /// The codes of new errors.
    func errors(_ arguments: String...) throws -> Set<String> {
      let (code, found) = try project.check(arguments: arguments, models: name)
      let errors = found.filter { $0.severity == "error" && $0.state == "new" }.map(\.code)
      #expect((code == 0) == errors.isEmpty)
      return Set(errors)
    }
  }

  private func withPackage(_ body: (Package) throws -> Void) throws {
    try Repository.with { try body(Package(project: ReleasedProject(repository: $0))) }
  }

  @Test func `what stops Core Data in an app is an error, unless it goes version by version`() throws {
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
      try package.write("App", "body")
      #expect(package.modelc("release", "App", "--fixture", "20") == 0)
      try package.write("App 2", "body")
      #expect(try !package.errors().contains("MC7010"))
      try package.write("App 2", #"body minValueString="500""#)
      #expect(try package.errors().contains("MC7010"))
    }
  }

  @Test func `a mapping model that was in the base and is gone, also after a rename`() throws {
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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

  @Test func `a version that was released with two contents, of which the lock has one`() throws {
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
      try package.write("App", "title")
      #expect(package.modelc("release", "App", "--fixture", "5") == 0)
      try package.commit()
      try package.project.repository.git("rm", "-rq", "App.released")
      try package.commit()
      let found = try package.project.check("--against", "HEAD~1", models: package.name).found
      #expect(found.contains { $0.code == "MC7009" && $0.state == "new" })
    }
  }

  @Test func `each of an app's models of one name is checked, against the one that lay there`() throws {
    try withPackage { package in
      func build(_ app: String, _ core: String...) throws {
        for (place, name) in [("Core", core), ("Base", ["a"]), ("Widget", ["a"])] {
          try FileManager.default.createDirectory(
            atPath: package.project.file("\(app)/\(place).bundle"), withIntermediateDirectories: true)
          try package.write("App", "x", "y")
          try package.write("App 2", name.joined(separator: " "), "x", "y")
          #expect(package.modelc("compile", "-o", package.project.file("\(app)/\(place).bundle")) == 0)
        }
      }
      try build("Old.app", "a")
      try build("New.app", "b")
      func findings(_ app: String) throws -> [ReleasedProject.Found] {
        try package.project.check("--against", package.project.file("Old.app"), models: app).found
      }
      #expect(try !findings("Old.app").contains { $0.code == "MC7026" })
      let edits = try findings("New.app").filter { $0.code == "MC7026" && $0.state == "new" }
      #expect(edits.map { $0.place(in: package.project) } == ["New.app/Core.bundle/App.momd:1"])
      #expect(edits.first?.severity == "error")
    }
  }

  @Test func `an app's further model of a name is new, and one that is gone is told`() throws {
    try withPackage { package in
      let project = package.project
      func build(_ place: String, _ attributes: String...) throws {
        try FileManager.default.createDirectory(
          atPath: project.file(place), withIntermediateDirectories: true)
        try package.write("App", attributes.joined(separator: " "))
        #expect(package.modelc("compile", "-o", project.file(place)) == 0)
      }
      try build("Old.app", "a")
      try build("New.app", "a")
      try build("New.app/PlugIns/W.appex", "b")
      func findings(_ app: String, against base: String) throws -> [ReleasedProject.Found] {
        try project.check("--against", project.file(base), models: app).found.filter { $0.state == "new" }
      }
      #expect(try findings("New.app", against: "Old.app").map(\.code).sorted() == ["MC2207", "MC7050"])
      let gone = try findings("Old.app", against: "New.app")
      #expect(gone.map(\.code) == ["MC7054"])
      #expect(gone.first?.message.contains("New.app/PlugIns/W.appex/App.momd") == true)
      // The app's model again, in a plug-in, is no finding, whichever app has it.
      try FileManager.default.removeItem(atPath: project.file("New.app/PlugIns"))
      try build("New.app/PlugIns/W.appex", "a")
      #expect(try findings("New.app", against: "Old.app") == [])
      #expect(try findings("Old.app", against: "New.app") == [])
    }
  }

  @Test func `what an app has comes back into the package by the command that is printed`() throws {
    try withPackage { package in
      let project = package.project
      try package.write("App", "a")
      #expect(package.modelc("compile", "-o", project.file("Old.app")) == 0)
      try package.write("App", "b")
      func edits(_ models: String) throws -> [ReleasedProject.Found] {
        try project.check("--against", project.file("Old.app"), models: models).found
          .filter { $0.code == "MC7026" }
      }
      let help = try #require(edits("App.xcdatamodeld").first?.help.last)
      let words = try #require(help.split(separator: "`").last).replacing("'", with: "").split(separator: " ")
        .map(String.init)
      #expect(ModelcCommand.run(words.drop { $0 != "export" } + ["-q"]) == 0, "\(help)")
      #expect(try edits("App.xcdatamodeld") == [])
      // Of an app there is nothing to paste: its source is elsewhere.
      try package.write("App", "b")
      #expect(package.modelc("compile", "-o", project.file("New.app")) == 0)
      #expect(try edits("New.app").first?.help.contains { $0.contains("`") } == false)
    }
  }

  @Test func `two models of one name have a base each`() throws {
    try withPackage { package in
      let project = package.project
      try package.write("App", "title", in: "Models/App.xcdatamodeld")
      func compile() -> Int32 {
        ModelcCommand.run([
          "compile", project.file("Models/App.xcdatamodeld"), "-o", project.file("Models"), "-q",
        ])
      }
      #expect(compile() == 0)
      try project.repository.git("add", "Models/App.momd")
      try project.repository.git("commit", "-qm", "a bundle")
      try package.write("App", "title", "k", in: "Models/App.xcdatamodeld")
      #expect(compile() == 0)
      let found = try project.check("--against", "HEAD").found
      #expect(found.contains { $0.code == "MC7026" && $0.severity == "error" })
    }
  }

  @Test func `line ends of Windows change no lock, no comment and no baseline`() throws {
    try withPackage { package in
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
    try withPackage { package in
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

  @Test func `duplicates that a new version does not admit are told before a user has them`() throws {
    try withPackage { package in
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

  @Test func `a current version that is recorded no more, or nowhere`() throws {
    try withPackage { package in
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

  // MARK: Variants

  @Test func `a loss in a new version that is not the last`() throws {
    try withPackage { package in
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
    try withPackage { package in
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

  @Test func `what a released version said already is not of today's edit`() throws {
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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
    try withPackage { package in
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
