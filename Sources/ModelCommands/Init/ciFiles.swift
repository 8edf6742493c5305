import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

/// Where a project's checks run.
enum CIService: String, ExpressibleByArgument, CaseIterable {
  case github, gitlab
}

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
  /// Whether models may be Swift source.
  var hasSwift: Bool
  /// The branch that changes go into.
  var branch: String
  var source: ModelcSource
  /// What the jobs install; nil if they build modelc, or the project builds its own.
  var release: CIRelease?

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
    }
    hasSwift = models?.isSwiftSource ?? false
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
    if ownModelc == nil, let sha256 { release = CIRelease(source, sha256: sha256) }
  }

  /// The job that runs the gate for every change, and the hook that runs its quick part before a commit.
  func files(for service: CIService) -> [ProjectFile] {
    let job =
      switch service {
      case .github: (".github/workflows/stores.yml", githubWorkflow(self))
      case .gitlab: (".gitlab-ci.yml", gitlabPipeline(self))
      }
    return [
      ProjectFile(path: join(top, job.0), text: job.1),
      ProjectFile(path: join(top, ".githooks/pre-commit"), text: preCommitHook(self)),
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
    guard ownModelc == nil else {
      return "apt-get update -qq\napt-get install -y -qq git \(debianPackages)"
    }
    return """
      if [ "$(modelc --version 2>/dev/null)" != "$MODELC_VERSION" ]; then
        apt-get update -qq
        apt-get install -y -qq git \(debianPackages)
        if [ ! -x "\(binaries)/modelc" ]; then
          source=$(mktemp -d)
          git clone --quiet "${MODELC_REPOSITORY:?names no repository of modelc}" "$source"
          git -C "$source" checkout --quiet --detach "$MODELC_REVISION"
          swift build -c release --product modelc --traits SwiftData --package-path "$source"
          mkdir -p "\(binaries)"
          cp "$(swift build -c release --show-bin-path --package-path "$source")/modelc" "\(binaries)/modelc"
        fi
      fi
      """
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
    path + """
      base=${\(target):+origin/$\(target)}
      if [ -z "$base" ] && [ -n "$(echo "$\(before)" | tr -d 0)" ]; then
        # After a forced push the clone lacks what the branch was.
        git cat-file -e "$\(before)^{commit}" 2>/dev/null || git fetch --quiet origin "$\(before)" || true
        base=$\(before)
      fi
      \(ownModelc ?? "modelc") check\(models) \(reports) ${base:+--against "$base"}
      """
  }
}

/// Lines of text, each moved to the right.
private func indented(_ text: String, by count: Int) -> String {
  let space = String(repeating: " ", count: count)
  return text.lines.map { $0.isEmpty ? "" : space + $0 }.joined(separator: "\n")
}

/// `fetch-depth: 0`: the check reads the revision that it is against from the clone. Actions are pinned by commit, because
/// a tag can be moved.
private func githubWorkflow(_ project: CIProject) -> String {
  let matrix =
    project.packages.count > 1
    ? """
        strategy:
          fail-fast: false
          matrix:
            model:
    \(project.packages.map { "          - \($0.yamlScalar)" }.joined(separator: "\n"))
        env:
          MODEL: ${{ matrix.model }}

    """ : ""
  let variables = project.variables.map { "  \($0)\n" }.joined()
  return """
    # The gate before a release: a pull request that would lose users' data fails, at the line that does it.
    name: Stores
    on:
      pull_request:
      push:
        branches: [\(project.branch.yamlScalar)]
    permissions:
      contents: read
      security-events: write
    \(variables.isEmpty ? "" : "env:\n" + variables)jobs:
      check:
        runs-on: ubuntu-24.04
    \(project.release == nil ? "    container: swift:6.2-bookworm\n" : "")\(matrix)    steps:
          - uses: actions/checkout@08eba0b27e820071cde6df949e0beb9ba4906955 # v4.3.0
            with:
              # The check reads what it is against from the clone.
              fetch-depth: 0
    \(indented(project.release?.gitHubStep(project) ?? builtSteps(project), by: 6))

    """
}

/// The steps that build modelc, or take the one that was kept, and check.
private func builtSteps(_ project: CIProject) -> String {
  let check = project.check(
    target: "GITHUB_BASE_REF", before: "BEFORE",
    reports: "--format github --report sarif=modelc.sarif --report junit=modelc.xml")
  let category = project.packages.count > 1 ? "\n    category: ${{ matrix.model }}" : ""
  return """
    - uses: actions/cache@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0
      with:
    \(githubCache(project))
    - name: Install
      run: |
    \(indented(project.install, by: 4))
    - name: Check
      env:
        BEFORE: ${{ github.event.before }}
      run: |
        # The clone belongs to another user than the container's.
        git config --global --add safe.directory "$PWD"
    \(indented(check, by: 4))
    - name: Show the findings
      if: always()
      # Not where code scanning is off, or the change comes from a fork.
      continue-on-error: true
      uses: github/codeql-action/upload-sarif@5d4e8d1aca955e8d8589aabd499c5cae939e33c7 # v4.31.9
      with:
        sarif_file: modelc.sarif\(category)
    - name: Draw the models
      if: always()
      run: |
    \(indented(project.drawing, by: 4))
    - name: Keep the pages
      if: always()
      uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
      with:
        name: modelc-models\(project.packages.count > 1 ? "-${{ strategy.job-index }}" : "")
        path: modelc-site
    """
}

private func githubCache(_ project: CIProject) -> String {
  project.ownModelc == nil
    ? """
        path: .modelc-bin
        key: modelc-${{ runner.os }}-${{ runner.arch }}-${{ env.MODELC_REVISION }}
    """
    : """
        path: \(join(project.ownPackage, ".build").yamlScalar)
        key: modelc-${{ runner.os }}-${{ runner.arch }}-${{ hashFiles('**/Package.resolved') }}
    """
}

private func gitlabPipeline(_ project: CIProject) -> String {
  let matrix =
    project.packages.count > 1
    ? """
      parallel:
        matrix:
          - MODEL:
    \(project.packages.map { "            - \($0.yamlScalar)" }.joined(separator: "\n"))

    """ : ""
  if let release = project.release { return release.gitLabPipeline(project, matrix: matrix) }
  let variables = project.variables.map { "    \($0)\n" }.joined()
  let check = project.check(
    target: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", before: "CI_COMMIT_BEFORE_SHA",
    reports: "--report gitlab=modelc.json --report junit=modelc.xml")
  return """
    # The gate before a release: a merge request that would lose users' data fails, at the line that does it.
    stores:
      stage: test
      image: swift:6.2-bookworm
      variables:
        # The check reads what it is against from the clone.
        GIT_DEPTH: "0"
    \(variables)\(matrix)  cache:
        key: modelc-\(project.ownModelc == nil ? "$MODELC_REVISION" : "packages")
        paths: [\((project.ownModelc == nil ? ".modelc-bin" : join(project.ownPackage, ".build")).yamlScalar)]
      script:
        - |
    \(indented(project.install, by: 6))
        - |
    \(indented(check, by: 6))
      after_script:
        - |
    \(indented(project.drawing, by: 6))
      artifacts:
        when: always
        paths: [modelc-site]
        reports:
          codequality: modelc.json
          junit: modelc.xml
      rules:
        - if: $CI_PIPELINE_SOURCE == "merge_request_event"
        - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

    """
}

/// It runs only where models are part of the commit, and leaves stores to CI.
private func preCommitHook(_ project: CIProject) -> String {
  let models = project.packages.isEmpty ? [""] : project.packages.map { " --models \($0.shellWord)" }
  let swift = project.hasSwift ? "|[^/]*\\.swift" : ""
  let checks = models.map { "\"$MODELC\" check\(project.arguments)\($0) --level path $against || status=1" }
  return """
    #!/bin/sh
    # Before a commit that changes a model: what can be told without migrating stores.
    # Turned on once in each clone: git config core.hooksPath .githooks
    git -c core.quotePath=false diff --cached --no-renames --name-only |
      grep -qE '(^|/)(Models/|Migrations/|[^/]*\\.xc(datamodeld|mappingmodel)/|[^/]*released\\.lock|modelc\\.yaml\(swift))' || exit 0
    # Before the first commit there is nothing to compare it with.
    git rev-parse --quiet --verify HEAD >/dev/null && against="--against HEAD"
    # What is committed is looked at, which the files on disk need not be.
    case ${MODELC:=modelc} in /*) ;; */*) MODELC=$PWD/$MODELC ;; esac
    index=$(mktemp -d) && trap 'rm -rf "$index"' EXIT
    git checkout-index --all --prefix="$index/"
    echo "gitdir: $(git rev-parse --absolute-git-dir)" >"$index/.git"
    cd "$index" && unset $(git rev-parse --local-env-vars) || exit 1
    status=0
    \(checks.joined(separator: "\n"))
    exit $status

    """
}
