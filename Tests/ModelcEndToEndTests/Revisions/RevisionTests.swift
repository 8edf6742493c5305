import Foundation
import TestSupport
import Testing

@Suite("Models of git revisions")
struct RevisionTests {
  private static func xml(_ attribute: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        <entity name="Hut" syncable="YES">
            <attribute name="\(attribute)" optional="YES" attributeType="String"/>
        </entity>
    </model>
    """
  }

  private static let contents = "App.xcdatamodeld/App.xcdatamodel/contents"

  /// `name` became `title` in the second commit.
  private func withPackage(_ body: (Repository) throws -> Void) throws {
    try Repository.with { repository in
      try repository.write(Self.xml("name"), to: Self.contents)
      try repository.commit("one")
      try repository.write(Self.xml("title"), to: Self.contents)
      try repository.commit("two")
      try body(repository)
    }
  }

  @Test func `a revision's model is held against the working copy's`() throws {
    try withPackage { repository in
      let run = try repository.modelc("diff", "HEAD~1:App.xcdatamodeld", "App.xcdatamodeld")
      expectSuccess(run)
      #expect(run.stdout.contains("* Hut.name removed") && run.stdout.contains("* Hut.title added"))
      #expect(run.stdout.hasPrefix("HEAD~1:App.xcdatamodeld → App.xcdatamodeld: 2 changes"))
      let same = try repository.modelc("diff", "main:App.xcdatamodeld#App", "App.xcdatamodeld", "--exit-code")
      expectSuccess(same)
      // The repository is as it was, and nothing was checked out.
      #expect(try FolderSnapshot(repository.folder).names.filter { !$0.hasPrefix(".git/") }.count == 3)
    }
  }

  @Test func `a package that was moved is found where it lay`() throws {
    try withPackage { repository in
      try repository.write("", to: "iOS/.keep")
      try repository.git("mv", "App.xcdatamodeld", "iOS/App.xcdatamodeld")
      try repository.commit("moved")
      let run = try repository.modelc("diff", "HEAD~2:iOS/App.xcdatamodeld", "iOS/App.xcdatamodeld")
      expectSuccess(run)
      #expect(
        run.stdout.hasPrefix("HEAD~2:App.xcdatamodeld → iOS/App.xcdatamodeld: 2 changes"), "\(run.stdout)")
    }
  }

  @Test func `few processes of git are started, however many tags there are`() throws {
    try withPackage { repository in
      let place = repository.folder
      for number in 1...25 {
        try repository.write("\(number)", to: "Notes \(number)/notes.txt")
        if number == 12 {
          try repository.git("mv", "App.xcdatamodeld", "Notes 12/App.xcdatamodeld")
        }
        try repository.commit("commit \(number)")
        try repository.git("tag", "v\(number)")
      }
      // Notes every run, and runs the git that is found without it.
      let (tools, runs) = (place.appending(path: ".git/tools"), place.appending(path: ".git/runs"))
      try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: false)
      try Data("#!/bin/sh\necho x >> '\(runs.path)'\nPATH=${PATH#*:}\nexec git \"$@\"\n".utf8)
        .write(to: tools.appending(path: "git"))
      try repository.shell("chmod +x .git/tools/git")
      let path = tools.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin")
      for arguments in [
        ["check", "--against", "HEAD~1"], ["check", "--against", "v3"], ["release", "--from-tags", "*"],
      ] {
        try Data().write(to: runs)
        let run = try Modelc.run(arguments, in: place, environment: ["PATH": path])
        #expect(run.code <= 1, "\(run)")
        let count = try Data(contentsOf: runs).count / 2
        #expect((1...10).contains(count), "\(arguments): \(count)")
      }
    }
  }

  @Test func `paths begin at the top, or at the working folder`() throws {
    try withPackage { repository in
      try repository.write(Self.xml("name"), to: "sub/Sub.xcdatamodel/contents")
      try repository.commit("three")
      for path in ["HEAD:sub/Sub.xcdatamodel", "HEAD:./Sub.xcdatamodel", "HEAD:../sub/Sub.xcdatamodel/"] {
        expectSuccess(try repository.modelc("diff", path, "Sub.xcdatamodel", "--exit-code", in: "sub"))
      }
      let run = try repository.modelc("diff", "HEAD:Sub.xcdatamodel", "Sub.xcdatamodel", in: "sub")
      expectRefusal(run, "MC0014", exit: 2)
      #expect(run.stderr.contains("did you mean 'HEAD:./Sub.xcdatamodel'?"))
    }
  }

  @Test func `other commands take a revision too`() throws {
    try withPackage { repository in
      let list = try repository.modelc("version", "list", "HEAD~1:App.xcdatamodeld")
      expectSuccess(list)
      #expect(list.stdout.hasPrefix("App: 1 version"))
      expectSuccess(try repository.modelc("inspect", "HEAD:App.xcdatamodeld"))
      expectSuccess(try repository.modelc("compile", "HEAD~1:App.xcdatamodeld", "-o", "Out"))
      #expect(try FolderSnapshot(repository.folder.appending(path: "Out")).names.contains("App.momd/App.mom"))
      expectSuccess(try repository.modelc("adopt", "HEAD~1:App.xcdatamodeld"))
      let yaml = repository.folder.appending(path: "Models/App/App.yaml")
      #expect(try String(contentsOf: yaml, encoding: .utf8).contains("name: string?"))
    }
  }

  @Test func `folders of YAML come with what they include`() throws {
    try Repository.with { repository in
      let list = "current: V1\nversions: [V1]\n"
      try repository.write(list + "include: [../Shared]\n", to: "Models/App/versions.yaml")
      try repository.write("entities: {A: {}}\n", to: "Models/App/V1.yaml")
      try repository.write(list, to: "Models/Shared/versions.yaml")
      try repository.write("entities: {B: {attributes: {x: string?}}}\n", to: "Models/Shared/V1.yaml")
      try repository.commit("one")
      try repository.write("entities: {B: {attributes: {y: string?}}}\n", to: "Models/Shared/V1.yaml")
      let run = try repository.modelc("diff", "HEAD:Models/App", "Models/App")
      expectSuccess(run)
      #expect(run.stdout.contains("* B.x removed") && run.stdout.contains("* B.y added"))
      try repository.write("entities: {B: {color: red}}\n", to: "Models/Shared/V1.yaml")
      try repository.commit("broken")
      let broken = try repository.modelc("compile", "HEAD:Models/App")
      #expect(broken.errors == ["MC0003"])
      #expect(broken.stderr.contains("HEAD:Models/Shared/V1.yaml:1:16: "))
    }
  }

  @Test(arguments: [
    ("nope:App.xcdatamodeld", "no revision 'nope'"), ("HEAD~2:App.xcdatamodeld", "no revision 'HEAD~2'"),
    ("HEAD:Nope.xcdatamodeld", "revision 'HEAD' has no 'Nope.xcdatamodeld'"),
    ("--upload-pack=x:App.xcdatamodeld", "no revision '--upload-pack=x'"),
    ("-h:App.xcdatamodeld", "no revision '-h'"), ("a\nb:App.xcdatamodeld", "not the name of a file"),
  ])
  func `what git does not lead to is refused`(_ argument: String, _ reason: String) throws {
    try withPackage { repository in
      let run = try repository.modelc("diff", "--", argument, "App.xcdatamodeld")
      expectRefusal(run, "MC0014", exit: 2)
      #expect(run.stderr.contains(reason), "\(run)")
    }
  }

  @Test func `no repository, no git and a shallow clone are told apart`() throws {
    try withPackage { repository in
      let folder = repository.folder
      try repository.git("clone", "--quiet", "--depth", "1", "file://\(folder.path)", "clone")
      let shallow = try repository.modelc("diff", "HEAD~1:App.xcdatamodeld", "App.xcdatamodeld", in: "clone")
      expectRefusal(shallow, "MC0014", exit: 2)
      #expect(shallow.stderr.contains("shallow clone") && shallow.stderr.contains("--unshallow"))
      #expect(
        shallow.stderr.contains("fetch-depth: 0") && shallow.stderr.contains("GIT_DEPTH: 0"), "\(shallow)")
      let arguments = ["diff", "HEAD~1:App.xcdatamodeld", "App.xcdatamodeld"]
      let gitless = try Modelc.run(arguments, in: folder, environment: ["PATH": "/nowhere"])
      expectRefusal(gitless, "MC0014", exit: 2)
      #expect(gitless.stderr.contains("'git' was not found"))
    }
    try withTemporaryFolder { folder in
      let run = try Modelc.run("inspect", "HEAD:App.xcdatamodeld", in: folder)
      #expect(run.errors == ["MC0014"] && run.code == 2)
      #expect(run.stderr.contains("not a git repository"))
    }
  }

  /// As git's hooks run a program: `GIT_DIR` alone, or both; a repository elsewhere is none of ours.
  @Test func `git's variables lead nowhere else`() throws {
    try withPackage { repository in
      try withPackage { other in
        try repository.write(Self.xml("heading"), to: Self.contents)
        let (top, git) = (repository.folder.path, repository.folder.appending(path: ".git").path)
        let settings = [
          [:], ["GIT_DIR": git], ["GIT_DIR": git, "GIT_WORK_TREE": top, "GIT_INDEX_FILE": "\(git)/index"],
          ["GIT_DIR": ".git", "GIT_PREFIX": "sub/"], ["GIT_DIR": other.folder.appending(path: ".git").path],
        ]
        let runs = try settings.map {
          try Modelc.run("check", "--against", "HEAD", in: repository.folder, environment: $0)
        }
        #expect(runs[0].code == 1, "\(runs[0])")
        for run in runs { #expect(run.code == 1 && run.errors == runs[0].errors, "\(run)") }
      }
    }
  }
}
