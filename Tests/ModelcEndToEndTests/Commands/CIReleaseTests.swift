import Foundation
import ModelFormats
import TestSupport
import Testing

/// What `init --ci --sha256` writes where modelc was installed from a release: jobs that install it by its checksum.
@Suite("Files for CI that install a release") struct CIReleaseTests {
  private static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let revision = String(repeating: "5e", count: 20)
  private static let workflow = ".github/workflows/stores.yml"

  /// An installed modelc, the archive of its release, and a repository with a model and an edit of it.
  private struct Release {
    var folder: URL
    var app: Repository
    var modelc: URL
    var sha256: String
    var version: String
    var platform: String
  }

  private func withRelease(_ body: (Release) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let version = try Modelc.run("--version", in: folder).stdout.trimmingCharacters(in: .newlines)
      let platform = try output("sh", "-c", "echo $(uname -s | tr A-Z a-z)-$(uname -m)", in: folder)
      let name = "modelc-\(version)-\(platform)"
      let files = FileManager.default
      // The same program at another place, which has a file beside it.
      let installed = folder.appending(path: "installed")
      for part in ["bin", "share/modelc"] {
        try files.createDirectory(at: installed.appending(path: part), withIntermediateDirectories: true)
      }
      let modelc = installed.appending(path: "bin/modelc")
      do { try files.linkItem(at: Modelc.executable, to: modelc) } catch {
        try files.copyItem(at: Modelc.executable, to: modelc)
      }
      let origin = """
        {"version": "\(version)", "repository": "https://github.com/example/modelc", "revision": "\(Self.revision)"}
        """
      try Data(origin.utf8).write(to: installed.appending(path: "share/modelc/release.json"))
      // In the archive a script stands for the program, which is a hundred megabytes here.
      let archived = folder.appending(path: "\(name)/bin")
      try files.createDirectory(at: archived, withIntermediateDirectories: true)
      try program("modelc", "exec '\(modelc.path)' \"$@\"", in: archived)
      _ = try output("tar", "-czf", "\(name).tar.gz", name, in: folder)
      let sum = try output("sha256sum", "\(name).tar.gz", in: folder)
      let app = Repository(folder: folder.appending(path: "app"))
      try files.createDirectory(at: app.folder, withIntermediateDirectories: true)
      try app.git("init", "--quiet", "--initial-branch", "main")
      try body(
        Release(
          folder: folder, app: app, modelc: modelc, sha256: String(sum.prefix(64)), version: version,
          platform: platform))
    }
  }

  private func program(_ name: String, _ script: String, in folder: URL) throws {
    let file = folder.appending(path: name)
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
  }

  /// What a program printed, without the end of its last line.
  private func output(_ words: String..., in folder: URL) throws -> String {
    let run = try CommandOutput(of: process(words, in: folder))
    #expect(run.code == 0, "\(words): \(run.text)")
    return run.text.trimmingCharacters(in: .newlines)
  }

  private func process(_ words: [String], in folder: URL) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
    return process
  }

  /// A model, the files of both services, an edit on a branch of its own.
  private func begin(_ release: Release) throws {
    let app = release.app
    try app.write(
      "entities:\n  Hut:\n    attributes:\n      beds: integer16 = 0\n", to: "Models/Huts/V1.yaml")
    try app.write("current: V1\nversions: [V1]\n", to: "Models/Huts/versions.yaml")
    for service in ["github", "gitlab"] {
      let run = try CommandOutput(
        of: process(
          [release.modelc.path, "init", "--ci", service, "--sha256", release.sha256], in: app.folder))
      #expect(run.code == 0, "\(run.text)")
    }
    try app.commit("an app")
    try app.git("checkout", "--quiet", "-b", "edited")
    try app.write(
      "entities:\n  Hut:\n    attributes:\n      beds: integer32 = 0\n", to: "Models/Huts/V1.yaml")
    try app.commit("an edit")
    try app.git("update-ref", "refs/remotes/origin/main", "main")
  }

  /// Programs of a runner: a `curl` that has the release at its address, and no other page.
  private func programs(_ release: Release) throws -> URL {
    let programs = release.folder.appending(path: "programs")
    guard !FileManager.default.fileExists(atPath: programs.path) else { return programs }
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    let name = "modelc-\(release.version)-\(release.platform).tar.gz"
    try program(
      "curl",
      """
      while [ $# -gt 1 ]; do if [ "$1" = --output ]; then output=$2; fi; shift; done
      [ "$1" = "https://github.com/example/modelc/releases/download/v\(release.version)/\(name)" ] || exit 22
      echo fetched; cp '\(release.folder.path)/\(name)' "$output"
      """, in: programs)
    for name in ["apt-get", "swift"] { try program(name, "echo \(name) was called", in: programs) }
    return programs
  }

  /// The steps of the action as the workflow uses it, and what the runner sets around them.
  private func gitHub(_ release: Release, sha256: String? = nil) throws -> CommandOutput {
    let action = Self.top.appending(path: ".github/actions/modelc")
    let runner = release.folder.appending(path: "runner")
    try FileManager.default.createDirectory(at: runner, withIntermediateDirectories: true)
    let kept = runner.appending(path: "modelc-\(release.version)-\(release.platform)").path
    var steps = try Runner.actionSteps(
      of: action.appending(path: "action.yml"), usedBy: release.app.folder.appending(path: Self.workflow),
      expressions: [
        "steps.place.outputs.folder": kept, "github.event.before": "",
        "inputs.repository || github.action_repository || github.repository": "example/modelc",
      ])
    #expect(steps.count == 3)
    for index in steps.indices {
      steps[index].script = "PATH=$(tr '\\n' : <\"$GITHUB_PATH\")$PATH\n" + steps[index].script
      if let sha256 { steps[index].variables["MODELC_SHA256"] = sha256 }
    }
    let paths = ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"].map {
      ($0, runner.appending(path: $0))
    }
    for (_, path) in paths { try Data().write(to: path) }
    return try Runner(
      steps: steps, folder: release.app.folder, programs: try programs(release),
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_BASE_REF": "main", "GITHUB_ACTION_PATH": action.path,
        "GITHUB_WORKSPACE": release.app.folder.path, "RUNNER_TEMP": runner.path,
        "RUNNER_TOOL_CACHE": runner.path,
      ].merging(paths.map { ($0.0, $0.1.path) }) { $1 }
    ).run()
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/sha256sum"), "no sha256sum"))
  func `the action installs the release by its checksum, checks, and writes the summary`() throws {
    try withRelease { release in
      try begin(release)
      let text = try String(contentsOf: release.app.folder.appending(path: Self.workflow), encoding: .utf8)
      #expect(text.contains("- uses: example/modelc/.github/actions/modelc@\(Self.revision)\n"))
      #expect(!text.contains("swift") && !text.contains("MODELC_REPOSITORY"), "\(text)")
      let red = try gitHub(release)
      #expect(red.code == 1 && red.text.contains("::error file=Models/Huts/V1.yaml"), "\(red.text)")
      #expect(red.text.contains("fetched\nmodelc \(release.version)\n"), "\(red.text)")
      let summary = try String(
        contentsOf: release.folder.appending(path: "runner/GITHUB_STEP_SUMMARY"), encoding: .utf8)
      #expect(summary.contains("MC7026"), "\(summary)")
      try release.app.git("checkout", "--quiet", "main")
      let green = try gitHub(release)
      #expect(green.code == 0 && !green.text.contains("fetched"), "\(green.text)")
      let forged = try gitHub(release, sha256: String(repeating: "0", count: 64))
      #expect(forged.code == 1 && forged.text.contains("not what the job names"), "\(forged.text)")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/sha256sum"), "no sha256sum"))
  func `GitLab's job extends the template of the release`() throws {
    try withRelease { release in
      try begin(release)
      let file = release.app.folder.appending(path: ".gitlab-ci.yml")
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text.contains("com/example/modelc/\(Self.revision)/.gitlab/modelc.yml\n"), "\(text)")
      let steps = try Runner.gitLabSteps(of: file, including: Self.top.appending(path: ".gitlab/modelc.yml"))
      #expect(steps.count == 2)
      let script = steps.map(\.script).joined(separator: "\n")
      var runner = Runner(
        steps: [Runner.Step(script: script, variables: steps[0].variables)], folder: release.app.folder,
        programs: try programs(release),
        environment: ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_COMMIT_BEFORE_SHA": "0"])
      let red = try runner.run()
      #expect(red.code == 1 && red.text.contains("MC7026") && red.text.contains("fetched"), "\(red.text)")
      try release.app.git("checkout", "--quiet", "main")
      let green = try runner.run()
      #expect(green.code == 0 && !green.text.contains("fetched"), "\(green.text)")
      runner.environment["MODELC_SHA256"] = String(repeating: "0", count: 64)
      #expect(try runner.run().text.contains("names another archive"))
    }
  }

  @Test func `a checksum is asked for by its form, and of a release alone`() throws {
    try withRelease { release in
      func initialize(_ words: String..., by program: URL) throws -> CommandOutput {
        try CommandOutput(of: process([program.path, "init"] + words, in: release.app.folder))
      }
      let without = try initialize("--sha256", release.sha256, by: release.modelc)
      #expect(without.code == 2 && without.text.contains("--ci"), "\(without.text)")
      let short = try initialize("--ci", "github", "--sha256", "abc", by: release.modelc)
      #expect(short.code == 2 && short.text.contains("64 digits"), "\(short.text)")
      // Without it the job builds the release's commit, and `init` says what would spare it.
      let built = try initialize("--ci", "gitlab", by: release.modelc)
      #expect(built.code == 0 && built.text.contains("--sha256"), "\(built.text)")
      let job = try String(
        contentsOf: release.app.folder.appending(path: ".gitlab-ci.yml"), encoding: .utf8)
      #expect(
        job.contains("MODELC_REVISION: \(Self.revision)\n") || job.contains("'\(Self.revision)'"), "\(job)")
      #expect(job.contains("https://github.com/example/modelc"), "\(job)")
      // A package with the plugins of a release has no modelc of its own to run.
      try release.app.write(
        ".package(url: \"https://example.org/modelc-plugins\", exact: \"0.3.0\")", to: "Package.swift")
      let plugins = try initialize("--ci", "github", "--sha256", release.sha256, by: release.modelc)
      let workflow = try String(
        contentsOf: release.app.folder.appending(path: Self.workflow), encoding: .utf8)
      #expect(plugins.code == 0 && !workflow.contains("swift run"), "\(plugins.text)\(workflow)")
    }
  }
}
