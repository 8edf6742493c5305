import Foundation
import TestSupport
import Testing

/// What a person does first: `init`, `check`, a commit.
@Suite("A fresh project is green") struct FreshProjectTests {
  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note" representedClassName="Note" syncable="YES">
            <attribute name="text" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """

  @Test func `a first model has nothing to be held to, and check says so and is green`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("init"))
      let run = try place.modelc("check")
      expectSuccess(run)
      #expect(run.stdout.contains("nothing is released yet"), "\(run)")
      #expect(run.stdout.contains("modelc release V1"), "\(run)")
      #expect(try place.modelc("check", "--fail-on", "warning").code == 0)
    }
  }

  @Test func `an empty repository, with the job and the hook from the first commit on`() throws {
    try Repository.with { repository in
      expectSuccess(try repository.modelc("init", "--ci", "github"))
      expectSuccess(try repository.modelc("check"))
      try repository.git("config", "core.hooksPath", ".githooks")
      try repository.git("config", "alias.first", "!MODELC='\(Modelc.executable.path)' git commit -q")
      try repository.git("add", "-A")
      try repository.git("first", "-m", "first")
      expectSuccess(try repository.modelc("check", "--against", "HEAD"))
    }
  }

  @Test func `the hook looks at what is committed, wherever it lies and lay`() throws {
    try Repository.with { repository in
      expectSuccess(try repository.modelc("init", "--sample"))
      for folder in ["Models", "Migrations"] { try repository.shell("mv \(folder)/Trails \(folder)/Größe") }
      expectSuccess(try repository.modelc("init", "--ci", "github"))
      try repository.commit("a project")
      try repository.git("config", "core.hooksPath", ".githooks")
      try repository.git("config", "alias.try", "!MODELC='\(Modelc.executable.path)' git commit -q -m x")
      let edit = "sed -i.old s/integer16/integer32/ Models/Größe/V1.yaml && rm Models/Größe/*.old"
      for (change, isRefused) in [
        (edit, true), ("git mv Models/Größe/V1.yaml Old.yaml", true),
        ("\(edit) && git add . && git show HEAD:Models/Größe/V1.yaml >Models/Größe/V1.yaml", true),
        ("echo 'nonsense: [' >Migrations/Größe/V4-V5.yaml", true), ("echo x >notes", false),
        ("echo '# a remark' >>Models/Größe/V6.yaml", false),
      ] {
        try repository.shell(change.contains("git add") ? change : change + " && git add -A")
        #expect(((try? repository.git("try")) == nil) == isRefused, "\(change)")
        try repository.git("reset", "-q", "--hard", isRefused ? "HEAD" : "HEAD~1")
      }
    }
  }

  /// A model without a package, a folder of another name, also in a submodule and where a sparse checkout leaves others out.
  @Test(arguments: ["App.xcdatamodel/contents", "Our (data)/Notes.xcdatamodeld/Notes.xcdatamodel/contents"])
  func `the hook looks at the models that are named`(_ file: String) throws {
    try Repository.with { origin in
      try origin.write(Self.contents, to: file)
      try origin.write(Self.contents, to: "Second/Other.xcdatamodeld/Other.xcdatamodel/contents")
      let models = file.split(separator: "/")[0]
      let (first, second) = (
        ["init", "--ci", "github", "--models", String(models)], ["init", "--ci", "gitlab"]
      )
      expectSuccess(try Modelc.run(models.hasPrefix("App") ? second : first, in: origin.folder))
      try origin.commit("an app")
      try Repository.with { top in
        try top.shell("git -c protocol.file.allow=always submodule --quiet add '\(origin.folder.path)' app")
        for folder in [origin.folder, top.folder.appending(path: "app")] {
          let repository = Repository(folder: folder)
          try repository.git("config", "core.hooksPath", ".githooks")
          try repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/Second")
          try repository.git(
            "config", "alias.try", "!MODELC='\(Modelc.executable.path)' git commit -q -a -m x")
          try repository.shell("echo '<!-- a remark -->' >>'\(file)'")
          try repository.git("try")
          try repository.shell("sed -i.old 's/String/Date/' '\(file)'")
          #expect((try? repository.git("try")) == nil)
        }
      }
    }
  }

  @Test(arguments: [
    ["-C", "ios"], ["ios"], ["--models", "ios/Models"], ["--models", "ios/Models", "-C", "ios"],
  ])
  func `a project below the repository's top has job and hook where git looks`(_ place: [String]) throws {
    try Repository.with { repository in
      expectSuccess(try repository.modelc("init", "-C", "ios", "--model", "Huts"))
      let run = try Modelc.run(["init", "--ci", "github"] + place, in: repository.folder)
      expectSuccess(run)
      let job = repository.folder.appending(path: ".github/workflows/stores.yml")
      let check = place.contains("--models") ? "--models ios/Models" : "check -C ios"
      #expect(try String(contentsOf: job, encoding: .utf8).contains(check))
      let next = try #require(run.stderr.split(separator: "\n").first { $0.contains(" check") })
      let words = next.split(separator: " ").dropFirst().map(String.init)
      expectSuccess(try Modelc.run(words, in: repository.folder))
      let git = place.contains("ios") ? "git -C ios" : "git"
      #expect(run.stderr.contains("\n  \(git) config core.hooksPath .githooks\n"), "\(run)")
      try repository.commit("a project")
      try repository.git("config", "core.hooksPath", ".githooks")
      try repository.git("config", "alias.try", "!MODELC='\(Modelc.executable.path)' git commit -q -a -m x")
      try repository.shell("sed -i.old 's/string/integer16/' ios/Models/Huts/V1.yaml")
      #expect((try? repository.git("try")) == nil)
      expectSuccess(try repository.modelc("init", "-C", "mac"))
      let second = try repository.modelc("init", "-C", "mac", "--ci", "github")
      expectRefusal(second, "MC0012", exit: 2)
      #expect(second.stderr.contains("if they do not check this project yet"), "\(second)")
      #expect(second.stderr.contains(" check -C mac` to the job and the hook"), "\(second)")
      // Of a model that is there too, another name comes first.
      let both = try repository.modelc("init", "-C", "mac", "--model", "mac", "--sample", "--ci", "github")
      #expect(both.stderr.contains("another model with `--model`"), "\(both)")
    }
  }

  @Test(arguments: [".", "packages"])
  func `a job at the top of several projects names those that it does not check`(_ folder: String) throws {
    try Repository.with { repository in
      for place in ["packages/ios", "packages/mac"] {
        expectSuccess(try repository.modelc("init", "-C", place, "--model", "Huts"))
      }
      let version = "packages/mac/Models/Huts/V1.yaml"
      try repository.write("entities: {Hut: {attributes: {a: strng}}}\n", to: version)
      let check = try repository.modelc("check", "--format", "github", in: "packages/mac")
      #expect(check.stdout.contains("error file=\(version)"), "\(check)")
      let run = try repository.modelc("init", "--ci", "github", in: folder)
      expectSuccess(run)
      let named = run.stderr.split(separator: "\n").filter { $0.hasPrefix("the job does not check ") }
      #expect(named.map { $0.hasSuffix(" -C packages/ios`") } == [true, false], "\(run)")
    }
  }

  @Test func `a repository with Xcode's model gets no other`() throws {
    try Repository.with { repository in
      let place = Workplace(folder: repository.folder)
      try place.write(Self.contents, to: "App/Sources/Notes.xcdatamodeld/Notes.xcdatamodel/contents")
      try repository.commit("an app")
      let before = try repository.git("status", "--porcelain")
      let run = try repository.modelc("init")
      expectSuccess(run)
      #expect(run.stderr.contains("modelc check --models App/Sources/Notes.xcdatamodeld"), "\(run)")
      #expect(try repository.git("status", "--porcelain") == before)
      expectSuccess(try repository.modelc("check", "--models", "App/Sources/Notes.xcdatamodeld"))
      for arguments in [["--sample"], ["--model", "Second"]] {
        expectRefusal(try Modelc.run(["init"] + arguments, in: repository.folder), "MC0012", exit: 2)
      }
      expectSuccess(try repository.modelc("init", "--policies"))
      let written = try repository.git("status", "--porcelain", "--untracked-files=all")
      #expect(
        !written.contains("Models/")
          && written.contains("Tools/Migrations/Sources/project-modelc/main.swift"), "\(written)")
      // In another folder of the repository there is none.
      expectSuccess(try repository.modelc("init", "Tools"))
      #expect(FileManager.default.fileExists(atPath: place.url("Tools/Models/Tools/V1.yaml").path))
    }
  }

  @Test func `a second model is written where it is asked for by name`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("init", "--model", "First"))
      let before = try place.snapshot("Models")
      let run = try place.modelc("init")
      expectSuccess(run)
      #expect(try place.snapshot("Models") == before && run.stderr.contains("no other is written"))
      expectSuccess(try place.modelc("init", "--model", "Second"))
      #expect(FileManager.default.fileExists(atPath: place.url("Models/Second/V1.yaml").path))
    }
  }

  @Test(.needsFixtures) func `policies that Xcode's mapping models name get a stub beside the package`()
    throws
  {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FileManager.default.copyItem(
        at: Fixtures.url("hwaxxer+BookMigration"), to: folder.appending(path: "App"))
      expectRefusal(try place.modelc("init", "--modelc", "/elsewhere/modelc"), "MC0009", exit: 2)
      expectSuccess(try place.modelc("init", "--policies"))
      let names = try place.snapshot("Tools/Migrations/Sources/Policies").names
      #expect(names.contains("MHWBookToBookPolicy.swift"), "\(names)")
      #expect(!FileManager.default.fileExists(atPath: place.url("Models").path))
    }
  }

  /// Three mapping models: what they hold prints in another order in each run, and must not be looked up that way.
  @Test func `a store that was tried is not migrated again by the next check`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("init", "--sample", "P"))
      let cache = ["XDG_CACHE_HOME": place.url("cache").path]
      let project = place.url("P")
      expectSuccess(try Modelc.run(["release", "V1", "--fixture", "20"], in: project, environment: cache))
      func kept() throws -> [String] {
        let run = try Modelc.run(["check"], in: project, environment: cache)
        #expect(run.code == 0, "\(run)")
        return try FileManager.default.contentsOfDirectory(atPath: place.url("cache/modelc/check").path)
      }
      let first = try kept()
      #expect(!first.isEmpty)
      #expect(try kept() == first)
    }
  }
}
