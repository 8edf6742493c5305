import ArgumentParser
import Foundation

/// Where a project's checks run.
enum CIService: String, ExpressibleByArgument, CaseIterable {
  case github, gitlab
}

/// The job that runs the gate for every change, and the hook that runs its quick part before a commit.
///
/// - Parameters:
///   - hasOwnModelc: whether the project is about to get a package with a modelc of its own.
///   - arguments: how the project is named, with a space before each argument.
func ciFiles(
  _ service: CIService, in folder: String, hasOwnModelc: Bool, arguments: String
) -> [ProjectFile] {
  let modelc = hasOwnModelc ? ownModelc : program(in: folder)
  let job =
    switch service {
    case .github: (".github/workflows/stores.yml", githubWorkflow(modelc, arguments))
    case .gitlab: (".gitlab-ci.yml", gitlabPipeline(modelc, arguments))
    }
  return [
    ProjectFile(path: join(folder, job.0), text: job.1),
    ProjectFile(path: join(folder, ".githooks/pre-commit"), text: preCommitHook(arguments)),
  ]
}

private let ownModelc = "swift run project-modelc"

/// How a runner calls modelc: through the package, where there is one that has it.
private func program(in folder: String) -> String {
  let file = URL(filePath: join(folder, "Package.swift"))
  let manifest = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  if manifest.contains("\"project-modelc\"") { return ownModelc }
  return manifest.contains("modelc") ? "swift run modelc" : "modelc"
}

/// `fetch-depth: 0`: the check reads the revision that it is against from the clone.
private func githubWorkflow(_ modelc: String, _ arguments: String) -> String {
  """
  # The gate before a release: a pull request that would lose users' data fails, at the line that does it.
  name: Stores
  on:
    pull_request:
    push:
      branches: [main]
  permissions:
    contents: read
    security-events: write
  jobs:
    check:
      runs-on: ubuntu-latest
      env:
        # How this runner calls modelc; `swift run modelc` where the package depends on it.
        MODELC: \(modelc)
      steps:
        - uses: actions/checkout@v4
          with:
            fetch-depth: 0
        - name: Check
          run: >-
            $MODELC check\(arguments) --format github --report sarif=modelc.sarif --report junit=modelc.xml
            ${{ github.base_ref && format('--against origin/{0}', github.base_ref) || '' }}
        - name: Show the findings
          if: always()
          uses: github/codeql-action/upload-sarif@v3
          with:
            sarif_file: modelc.sarif

  """
}

private func gitlabPipeline(_ modelc: String, _ arguments: String) -> String {
  """
  # The gate before a release: a merge request that would lose users' data fails, at the line that does it.
  stores:
    stage: test
    variables:
      # The check reads the revision that it is against from the clone.
      GIT_DEPTH: "0"
      # How this runner calls modelc; `swift run modelc` where the package depends on it.
      MODELC: \(modelc)
    script:
      - if [ -n "$CI_MERGE_REQUEST_DIFF_BASE_SHA" ]; then AGAINST="--against $CI_MERGE_REQUEST_DIFF_BASE_SHA"; fi
      - $MODELC check\(arguments) --report gitlab=modelc.json --report junit=modelc.xml $AGAINST
    artifacts:
      when: always
      reports:
        codequality: modelc.json
        junit: modelc.xml
    rules:
      - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

  """
}

/// Only where models are part of the commit; stores are left to CI.
private func preCommitHook(_ arguments: String) -> String {
  """
  #!/bin/sh
  # Before a commit that changes a model: what can be told without migrating stores.
  # Turned on once in each clone: git config core.hooksPath .githooks
  git diff --cached --name-only | grep -qE '(^|/)(Models/|[^/]*\\.xcdatamodeld/|[^/]*released\\.lock)' || exit 0
  exec "${MODELC:-modelc}" check\(arguments) --level path --against HEAD

  """
}
