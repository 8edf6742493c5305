import Foundation
import ModelFormats
import TestSupport
import Testing

/// The files of `init --ci`, run step by step in a fresh clone, as the services' runners run them.
@Suite("Files for CI, run by a shell", .needsFixtures) struct CIFileTests {
  private static let source = Fixtures.url("gdombiak+OctoPod/OctoPod/OctoPod.xcdatamodeld")
  private static let package = "Our App/OctoPod.xcdatamodeld"
  private static let workflow = ".github/workflows/stores.yml"
  private static let pipeline = ".gitlab-ci.yml"

  /// A fresh repository with a package of two versions, whose branch is `trunk`; the files of both services are committed.
  private func withApp(_ body: (_ app: Repository, _ folder: URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let app = Repository(folder: folder.appending(path: "app"))
      try FileManager.default.createDirectory(at: app.folder, withIntermediateDirectories: true)
      try app.git("init", "--quiet", "--initial-branch", "trunk")
      try add(["OctoPod", "OctoPod v2"], to: app)
      for service in ["github", "gitlab"] {
        let run = try app.modelc("init", "--ci", service)
        expectSuccess(run)
        // No tag says what is released.
        #expect(run.stderr.contains(" VERSION ") && !run.stderr.contains("--from-tags"), "\(run)")
      }
      try app.commit("an app")
      try body(app, folder)
    }
  }

  /// Brings genuine versions, and makes the last one current.
  private func add(_ versions: [String], to app: Repository) throws {
    for version in versions {
      let contents = Self.source.appending(path: "\(version).xcdatamodel/contents")
      try app.write(
        try String(contentsOf: contents, encoding: .utf8),
        to: "\(Self.package)/\(version).xcdatamodel/contents")
    }
    try app.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key>
        <string>\(versions.last ?? "").xcdatamodel</string>
      </dict></plist>
      """, to: "\(Self.package)/.xccurrentversion")
  }

  private func edit(_ version: String, in app: Repository) throws {
    let path = "\(Self.package)/\(version).xcdatamodel/contents"
    let text = try String(contentsOf: app.folder.appending(path: path), encoding: .utf8)
    let attribute = try #require(text.firstMatch(of: #/<attribute [^>]*optional="YES"[^>]*>/#)).output
    try app.write(
      text.replacing(attribute, with: attribute.replacing("optional=\"YES\"", with: ""), maxReplacements: 1),
      to: path)
  }

  /// The built modelc, and programs that a runner which has one does not call.
  private func programs(in folder: URL) throws -> URL {
    let programs = folder.appending(path: "programs")
    let files = FileManager.default
    guard !files.fileExists(atPath: programs.path) else { return programs }
    try files.createDirectory(at: programs, withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: programs.appending(path: "modelc"), withDestinationURL: Modelc.executable)
    for name in ["apt-get", "swift"] { try program(name, "echo \(name) was called\nexit 1", in: programs) }
    return programs
  }

  private func program(_ name: String, _ script: String, in folder: URL) throws {
    let file = folder.appending(path: name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  /// A clone as a service makes one, with a branch merged into what is checked out where it does that.
  private func clone(_ app: Repository, _ revision: String, merging branch: String? = nil, in folder: URL)
    throws
    -> URL
  {
    let clone = Repository(folder: folder.appending(path: "clone-\(UUID().uuidString)"))
    try app.git("clone", "--quiet", app.folder.path, clone.folder.path)
    try clone.git("checkout", "--quiet", "--detach", revision)
    if let branch { try clone.git("merge", "--quiet", "--no-ff", "--no-edit", branch) }
    return clone.folder
  }

  private func gitHub(
    _ clone: URL, in folder: URL, base: String = "", before: String = ""
  ) throws -> CommandOutput {
    let steps = try Runner.gitHubSteps(
      of: clone.appending(path: Self.workflow), expressions: ["github.event.before": before])
    #expect(steps.count == 3)
    let runner = Runner(
      steps: steps, folder: clone, programs: try programs(in: folder),
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": base, "GITHUB_WORKSPACE": clone.path,
        "GITHUB_EVENT_NAME": base.isEmpty ? "push" : "pull_request",
      ])
    return try runner.run()
  }

  private func gitLab(
    _ clone: URL, in folder: URL, target: String? = nil, before: String = String(repeating: "0", count: 40)
  ) throws -> CommandOutput {
    var environment = [
      "GITLAB_CI": "true", "CI_PROJECT_DIR": clone.path, "CI_COMMIT_BEFORE_SHA": before,
      "CI_DEFAULT_BRANCH": "trunk",
    ]
    environment["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] = target
    let runner = Runner(
      steps: try Runner.gitLabSteps(of: clone.appending(path: Self.pipeline)), folder: clone,
      programs: try programs(in: folder), environment: environment, shell: "bash")
    #expect(runner.steps.count == 2)
    return try runner.run()
  }

  /// Branches with a new version, and with an edit of one that is there.
  private func branch(_ app: Repository) throws {
    try app.git("checkout", "--quiet", "-b", "next-version")
    try add(["OctoPod v3"], to: app)
    try app.commit("a new version")
    try app.git("checkout", "--quiet", "-b", "edited", "trunk")
    try edit("OctoPod v2", in: app)
    try app.commit("an edit")
    try app.git("checkout", "--quiet", "trunk")
  }

  @Test func `a change with a new version is green, one that edits a version is red`() throws {
    try withApp { app, folder in
      try branch(app)
      let merged = try clone(app, "origin/trunk", merging: "origin/next-version", in: folder)
      let green = try gitHub(merged, in: folder, base: "trunk")
      #expect(green.code == 0, "\(green.text)")
      let pages = merged.appending(path: "modelc-site/index.html").path
      #expect(FileManager.default.fileExists(atPath: pages))
      let red = try gitHub(
        try clone(app, "origin/trunk", merging: "origin/edited", in: folder), in: folder, base: "trunk")
      #expect(red.code == 1 && red.text.contains("MC7026"), "\(red.text)")
      #expect(
        red.text.contains("::error file=\(Self.package)/OctoPod v2.xcdatamodel/contents,"), "\(red.text)")
      // GitLab checks out the branch itself.
      let greenThere = try gitLab(
        try clone(app, "origin/next-version", in: folder), in: folder, target: "trunk")
      #expect(greenThere.code == 0, "\(greenThere.text)")
      let redThere = try gitLab(try clone(app, "origin/edited", in: folder), in: folder, target: "trunk")
      #expect(redThere.code == 1 && redThere.text.contains("MC7026"), "\(redThere.text)")
    }
  }

  @Test func `a push is held against what the branch was, a branch left behind against where it left`() throws
  {
    try withApp { app, folder in
      try branch(app)
      let first = try app.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      for before in ["", String(repeating: "0", count: 40)] {
        let run = try gitHub(try clone(app, "origin/trunk", in: folder), in: folder, before: before)
        #expect(run.code == 0, "\(run.text)")
      }
      #expect(try gitLab(try clone(app, "origin/trunk", in: folder), in: folder).code == 0)
      try app.git("merge", "--quiet", "next-version")
      let second = try app.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      let pushed = try clone(app, "origin/trunk", in: folder)
      let green = try gitHub(pushed, in: folder, before: first)
      #expect(green.code == 0, "\(green.text)")
      #expect(try gitLab(pushed, in: folder, before: first).code == 0)
      // The version that trunk got meanwhile is not missing in a branch that left before.
      try app.git("checkout", "--quiet", "-b", "notes", first)
      try app.write("notes", to: "NOTES.md")
      try app.commit("notes")
      let behind = try gitLab(try clone(app, "origin/notes", in: folder), in: folder, target: "trunk")
      #expect(behind.code == 0 && !behind.text.contains("MC7027"), "\(behind.text)")
      try app.git("checkout", "--quiet", "trunk")
      try edit("OctoPod v2", in: app)
      try app.commit("an edit, pushed")
      let edited = try clone(app, "origin/trunk", in: folder)
      #expect(try gitHub(edited, in: folder, before: second).code == 1)
      #expect(try gitLab(edited, in: folder, before: second).code == 1)
      // Forced: no branch holds any more what this one was.
      let third = try app.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      try app.git("branch", "-D", "next-version")
      try edit("OctoPod v3", in: app)
      try app.git("commit", "-qa", "--amend", "-m", "another edit, forced")
      try app.git("config", "uploadpack.allowAnySHA1InWant", "true")
      let forced = Repository(folder: folder.appending(path: "forced"))
      try app.git("clone", "--quiet", app.folder.absoluteString, forced.folder.path)
      for (before, code) in [(third, 1), (String(repeating: "1", count: 40), 2)] as [(String, Int32)] {
        #expect(try gitHub(forced.folder, in: folder, before: before).code == code)
        #expect(try gitLab(forced.folder, in: folder, before: before).code == code)
      }
    }
  }

  @Test func `where there is no modelc it is built from its repository once, and kept`() throws {
    try withApp { app, folder in
      let modelc = Repository(folder: folder.appending(path: "modelc"))
      try FileManager.default.createDirectory(at: modelc.folder, withIntermediateDirectories: true)
      try modelc.git("init", "--quiet")
      try modelc.write("// a package\n", to: "Package.swift")
      try modelc.commit("modelc")
      let revision = try modelc.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      try modelc.write("// another\n", to: "Package.swift")
      try modelc.commit("later")
      let clone = try clone(app, "origin/trunk", in: folder)
      let programs = folder.appending(path: "bare")
      try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
      try program("apt-get", "echo \"apt-get $*\"", in: programs)
      try program(
        "swift",
        """
        for package; do :; done
        if [ "$4" = --show-bin-path ]; then echo "$package/out"; exit 0; fi
        echo "swift $1 $2 $3 $4 $5"; cat "$package/Package.swift"
        mkdir "$package/out"; ln -s '\(Modelc.executable.path)' "$package/out/modelc"
        """, in: programs)
      let steps = try [
        Runner.gitHubSteps(
          of: clone.appending(path: Self.workflow), expressions: ["github.event.before": ""]),
        Runner.gitLabSteps(of: clone.appending(path: Self.pipeline)),
      ]
      let built = "swift build -c release --product modelc\n// a package\n"
      for (steps, isFirst) in zip(steps, [true, false]) {
        let run = try Runner(
          steps: steps, folder: clone, programs: programs,
          environment: ["MODELC_REPOSITORY": modelc.folder.path, "MODELC_REVISION": revision]
        ).run()
        #expect(run.code == 0, "\(run.text)")
        #expect(run.text.contains("apt-get install -y -qq git libsqlite3-dev libyaml-dev"), "\(run.text)")
        #expect(run.text.contains(built) == isFirst, "\(run.text)")
      }
      // A file that names no repository says so.
      var bare = Runner(steps: steps[0], folder: clone, programs: programs, environment: [:])
      bare.environment = ["MODELC_REPOSITORY": "", "MODELC_REVISION": "another"]
      let run = try bare.run()
      #expect(run.code != 0 && run.text.contains("names no repository of modelc"), "\(run.text)")
    }
  }

  @Test func `the files name the branch, the package and a commit, and no model is invented`() throws {
    try withApp { app, folder in
      let files = Set(try FolderSnapshot(app.folder).names.filter { !$0.hasPrefix(".git/") })
      #expect(!files.contains { $0.hasPrefix("Models") || $0.hasSuffix(".yaml") }, "\(files)")
      let workflow = try String(contentsOf: app.folder.appending(path: Self.workflow), encoding: .utf8)
      #expect(workflow.contains("branches: [trunk]") && workflow.contains("fetch-depth: 0"))
      #expect(workflow.contains("MODEL: '\(Self.package)'"))
      let uses = workflow.matches(of: #/uses: (\S+)/#).map { String($0.output.1) }
      #expect(uses.count == 4 && uses.allSatisfy { $0.wholeMatch(of: #/[\w/-]+@[0-9a-f]{40}/#) != nil })
      #expect(
        workflow.firstMatch(of: #/MODELC_REVISION: '?([0-9a-f]{40}|[0-9.]+)'?\n/#) != nil, "\(workflow)")
      // In a clone, what the remote calls its default branch; several packages are checked each.
      let clone = Repository(folder: try clone(app, "origin/trunk", in: folder))
      try clone.git("checkout", "--quiet", "-b", "topic")
      try clone.git("rm", "--quiet", "-r", ".github", ".githooks", Self.pipeline)
      for service in ["github", "gitlab"] {
        try FileManager.default.copyItem(
          at: clone.folder.appending(path: Self.package),
          to: clone.folder.appending(path: "Second \(service).xcdatamodeld"))
        expectSuccess(try clone.modelc("init", "--ci", service, "-q"))
        try? FileManager.default.removeItem(at: clone.folder.appending(path: ".githooks"))
      }
      let both = try String(contentsOf: clone.folder.appending(path: Self.workflow), encoding: .utf8)
      #expect(both.contains("branches: [trunk]"))
      let jobs = try #require(readYAML(Data(both.utf8), file: "stores.yml").node?["jobs"]?["check"])
      let models = jobs["strategy"]?["matrix"]?["model"]?.elements.compactMap(\.text)
      #expect(models == ["Second github.xcdatamodeld", Self.package])
      let pipeline = try Data(contentsOf: clone.folder.appending(path: Self.pipeline))
      let parallel = try #require(readYAML(pipeline, file: "ci.yml").node?["stores"]?["parallel"]?["matrix"])
      #expect(parallel.elements.first?["MODEL"]?.elements.count == 3)
    }
  }
}
