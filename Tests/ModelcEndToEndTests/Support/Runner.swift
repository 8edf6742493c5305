import Foundation
import ModelLanguage
import TestSupport
import Testing

/// A runner of a CI service: a shell, the steps of a file that the service reads, and the variables that it sets.
///
/// What a service does itself (the clone, the cache, actions) is not done; what a file hands to a shell is.
struct Runner {
  /// One script of a job, with the variables that the file gives it.
  struct Step {
    var script: String
    var variables: [String: String]
  }

  var steps: [Step]
  /// The working folder, a fresh clone.
  var folder: URL
  /// Programs that come before those of the system.
  var programs: URL
  /// What the service sets, and what stands in the place of the file's own variables.
  var environment: [String: String]
  /// `sh -e` or `bash -e`, as a service calls it.
  var shell = "sh"

  /// The steps of `.github/workflows/*.yml`.
  ///
  /// - Parameter expressions: the values of what stands between `${{` and `}}`.
  static func gitHubSteps(of file: URL, expressions: [String: String]) throws -> [Step] {
    let (node, diagnostics) = readYAML(try Data(contentsOf: file), file: file.path)
    let root = try #require(node)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let jobs = try #require(root["jobs"])
    return jobs.pairs.flatMap { job in
      (job.value["steps"]?.elements ?? []).compactMap { step in
        guard let script = step["run"]?.text else { return nil }
        let variables = [root["env"], job.value["env"], step["env"]].compactMap { $0?.texts }
          .reduce(into: [:]) { $0.merge($1) { $1 } }
        return Step(
          script: evaluated(script, expressions),
          variables: variables.mapValues { evaluated($0, expressions) })
      }
    }
  }

  /// The entries of `script:` of the jobs in `.gitlab-ci.yml`.
  static func gitLabSteps(of file: URL) throws -> [Step] {
    let (node, diagnostics) = readYAML(try Data(contentsOf: file), file: file.path)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    return try #require(node).pairs.flatMap { job in
      (job.value["script"]?.elements ?? []).compactMap { entry in
        entry.text.map { Step(script: $0, variables: job.value["variables"]?.texts ?? [:]) }
      }
    }
  }

  private static func evaluated(_ text: String, _ expressions: [String: String]) -> String {
    text.replacing(#/\$\{\{ *([^}]*?) *\}\}/#) {
      expressions[String($0.output.1)] ?? "not known: \($0.output.1)"
    }
  }

  /// Runs the steps in their order, until one fails.
  func run() throws -> CommandOutput {
    var text = ""
    for step in steps {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [shell, "-e", "-c", step.script]
      process.currentDirectoryURL = folder
      // Nothing of the test's own surroundings but where the system's programs lie.
      let own = [
        "PATH": "\(programs.path):/usr/bin:/bin", "HOME": programs.path, "CI": "true",
        "XDG_CACHE_HOME": programs.appending(path: "cache").path,
        "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
      ]
      process.environment = own.merging(step.variables) { $1 }.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      let run = try CommandOutput(of: process)
      text += run.text
      if run.code != 0 { return CommandOutput(code: run.code, text: text) }
    }
    return CommandOutput(code: 0, text: text)
  }
}

extension YAMLNode {
  fileprivate var pairs: [Pair] { if case .mapping(let pairs) = content { pairs } else { [] } }
  var elements: [YAMLNode] { if case .sequence(let elements) = content { elements } else { [] } }
  fileprivate var texts: [String: String] {
    Dictionary(pairs.compactMap { pair in pair.value.text.map { (pair.key, $0) } }) { $1 }
  }
}
