import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// Where a project's checks run.
enum CIService: String, ExpressibleByArgument, CaseIterable { case github, gitlab }

/// What the jobs and the hook are about.
struct CIProject {
  /// Where the services and git look for the files: the top of the repository, else the project's folder.
  var top: String
  /// The arguments that name project and models, with a space before each; the packages are named one by one.
  var arguments: String
  /// Xcode's packages, by their paths from the top.
  var packages: [String]
  /// How a runner calls a modelc that the project's own package builds; nil for one that is installed.
  var ownModelc: String?
  /// Where that package is, from the top.
  var ownPackage = ""
  /// What the hook looks at beside the usual places: the rest of a regular expression's alternatives.
  var watched = ""
  /// The branch that changes go into.
  var branch: String
  var source: ModelcSource
  /// What the jobs install by its checksum: `owner/name` of modelc's repository, and the archive for Linux on x86-64. Nil if
  /// they build modelc, or the project builds its own, or this program does not know where its releases are.
  var release: (name: String, sha256: String)?

  /// - Parameters:
  ///   - packages: from the project's folder.
  ///   - models: what names the models instead, as the user wrote it.
  ///   - hasOwnModelc: whether the project is about to get a package with a modelc of its own.
  ///   - sha256: of a release's archive.
  init(_ project: Project, packages: [String], models: String?, hasOwnModelc: Bool, sha256: String?) {
    let folder = project.folder
    let place = try? GitRepository.holding(join(folder, "Package.swift"))
    let below = place?.path.parentPath ?? ""
    let repository = place?.repository.top ?? folder
    top = below.isEmpty ? folder : repository == FileManager.default.currentDirectoryPath ? "." : repository
    arguments = below.isEmpty ? "" : " -C \(below.shellWord)"
    if let models {
      let found = try? GitRepository.holding(models)
      let path = found.flatMap { $0.repository.top == repository ? $0.path : nil } ?? models
      arguments += " --models \(path.isEmpty ? "." : path.shellWord)"
      let literal = path.replacing(#/[\\.\[\]{}()*+?^$|]/#) { "\\\($0.output)" }.replacingBytes(
        of: "'", with: #"'\''"#)
      watched = models.isSwiftSource ? #"|[^/]*\.swift"# : path.isEmpty ? "|." : "|\(literal)(/|$)"
    }
    self.packages = packages.map { join(below, $0) }
    let manifest =
      (try? readFile(URL(filePath: join(folder, "Package.swift")), shownAs: "Package.swift")).map {
        String(decoding: $0, as: UTF8.self)
      } ?? ""
    let tools = FileManager.default.fileExists(atPath: join(folder, "Tools/Migrations/Package.swift"))
    let usesTools = !packages.isEmpty && (hasOwnModelc || tools)
    ownPackage = usesTools ? join(below, "Tools/Migrations") : below
    let run = "swift run " + (ownPackage.isEmpty ? "" : "--package-path \(ownPackage.shellWord) ")
    if usesTools || hasOwnModelc || manifest.contains("\"project-modelc\"") {
      ownModelc = run + "project-modelc"
    } else if manifest.contains(#/modelc(?!-plugins)/#) {
      ownModelc = run + "modelc"
    }
    branch = defaultBranchName(inRepositoryOf: join(folder, "Package.swift"))
    source = .ofThisProgram
    if ownModelc == nil, let sha256 { release = source.gitHubName.map { ($0, sha256.lowercased()) } }
  }

  /// The job that runs the gate for every change, and the hook that runs its quick part before a commit.
  func files(for service: CIService) -> [ProjectFile] {
    let job =
      switch service {
      case .github: (".github/workflows/stores.yml", gitHubWorkflow)
      case .gitlab: (".gitlab-ci.yml", gitLabPipeline)
      }
    return [
      ProjectFile(path: join(top, job.0), text: job.1),
      ProjectFile(path: join(top, ".githooks/pre-commit"), text: preCommitHook),
    ]
  }

  /// `MODEL` and where modelc comes from, as lines of a mapping.
  var variables: [String] {
    var lines: [String] = []
    if packages.count == 1 { lines += ["# The model that is checked.", "MODEL: \(packages[0].yamlScalar)"] }
    guard ownModelc == nil, release == nil else { return lines }
    return lines + [
      "# Where modelc comes from: the URL or path of its repository, and what to build of it. A modelc of that version",
      "# that is on the PATH already is taken as it is.",
      "MODELC_VERSION: \(source.version.yamlScalar)",
      "MODELC_REPOSITORY: \(source.repository.yamlScalar)",
      "MODELC_REVISION: \(source.revision.yamlScalar)",
    ]
  }

  /// What each runner needs before it can build modelc, or run it.
  var debianPackages: String { "libsqlite3-dev libyaml-dev zlib1g-dev pkg-config" }

  /// Sees to it that there is a modelc. A shell as plain as any runs it.
  var install: String {
    guard ownModelc == nil else { return "apt-get update -qq\napt-get install -y -qq git \(debianPackages)" }
    return "install.sh".filledFile(["packages": debianPackages, "binaries": binaries])
  }

  /// Kept from run to run, in the working folder, where both services can find it again.
  private var binaries: String { "$PWD/.modelc-bin/$MODELC_REVISION" }

  /// The models that a job is about, as arguments.
  private var models: String { arguments + (packages.isEmpty ? "" : " --models \"$MODEL\"") }

  /// A line that lets the shell find the modelc that was built.
  private var path: String { ownModelc == nil ? "PATH=\"\(binaries):$PATH\"\n" : "" }

  /// Pages of the models, which stay with the run.
  var drawing: String { path + "\(ownModelc ?? "modelc") export --as site\(models) -o modelc-site" }

  /// The check against the branch that a change goes into, else against what the branch was before the push.
  func check(target: String, before: String, reports: String) -> String {
    "check.sh".filledFile([
      "path": path, "target": target, "before": before, "modelc": ownModelc ?? "modelc", "models": models,
      "reports": reports,
    ])
  }

  /// What a service keeps from run to run.
  private var kept: String { ownModelc == nil ? ".modelc-bin" : join(ownPackage, ".build").yamlScalar }

  /// The packages, each of which has a job of its own.
  private func list(indentedBy count: Int) -> String {
    packages.map { String(repeating: " ", count: count) + "- \($0.yamlScalar)" }.joined(separator: "\n")
  }

  private var isMatrix: Bool { packages.count > 1 }

  /// `fetch-depth: 0`: the check reads the revision that it is against from the clone. Actions are pinned by commit, because
  /// a tag can be moved.
  private var gitHubWorkflow: String {
    let matrix = "strategy:\n  fail-fast: false\n  matrix:\n    model:\n\(list(indentedBy: 6))\n"
    return "github.yml".filledFile([
      "branch": branch.yamlScalar,
      "variables": variables.isEmpty ? "" : "env:\n" + variables.map { "  \($0)" }.joined(separator: "\n"),
      "container": release == nil ? "container: swift:6.2-bookworm" : "",
      "matrix": isMatrix ? matrix + "env:\n  MODEL: ${{ matrix.model }}" : "",
      "steps": release.map { gitHubAction(installing: $0.name, $0.sha256) } ?? builtSteps,
    ])
  }

  /// The steps that build modelc, or take the one that was kept, and check.
  private var builtSteps: String {
    "github-steps.yml".filledFile([
      "path": kept,
      "key": ownModelc == nil ? "env.MODELC_REVISION" : "hashFiles('**/Package.resolved')",
      "install": install,
      "check": check(
        target: "GITHUB_BASE_REF", before: "BEFORE",
        reports: "--format github --report sarif=modelc.sarif --report junit=modelc.xml"),
      "category": isMatrix ? "category: ${{ matrix.model }}" : "",
      "drawing": drawing,
      "index": isMatrix ? "-${{ strategy.job-index }}" : "",
    ])
  }

  private var gitLabPipeline: String {
    let matrix = isMatrix ? "parallel:\n  matrix:\n    - MODEL:\n\(list(indentedBy: 10))".gitLabVariables : ""
    if let (name, sha256) = release { return gitLabTemplate(installing: name, sha256, matrix: matrix) }
    return "gitlab.yml".filledFile([
      "variables": variables.joined(separator: "\n").gitLabVariables,
      "matrix": matrix,
      "key": ownModelc == nil ? "$MODELC_REVISION" : "packages",
      "path": kept,
      "install": install,
      "check": check(
        target: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", before: "CI_COMMIT_BEFORE_SHA",
        reports: "--report gitlab=modelc.json --report junit=modelc.xml"),
      "drawing": drawing,
    ])
  }

  /// It runs only where models are part of the commit, and leaves stores to CI.
  private var preCommitHook: String {
    let models = packages.isEmpty ? [""] : packages.map { " --models \($0.shellWord)" }
    let checks = models.map { "\"$MODELC\" check\(arguments)\($0) --level path $against || status=1" }
    return "pre-commit.sh".filledFile(["watched": watched, "checks": checks.joined(separator: "\n")])
  }
}

extension String {
  /// Values of variables as GitLab takes them, which puts other variables in: `$x` would be one.
  var gitLabVariables: String { replacingBytes(of: "$", with: "$$") }
}
