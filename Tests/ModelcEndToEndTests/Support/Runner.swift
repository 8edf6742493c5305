import Foundation
import ModelFormats
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

  /// The steps of modelc's own action, for what the one step of a workflow that uses it gives it.
  ///
  /// Its scripts hand values on by `GITHUB_OUTPUT`; a test names them.
  static func actionSteps(
    of action: URL, usedBy file: URL, expressions: [String: String]
  ) throws -> [Step] {
    let workflow = try #require(readYAML(try Data(contentsOf: file), file: file.path).node)
    let steps = workflow["jobs"]?.pairs.flatMap { $0.value["steps"]?.elements ?? [] } ?? []
    let given = try #require(steps.first { $0["uses"]?.text?.contains("/actions/modelc@") == true })["with"]?
      .texts
    let root = try #require(readYAML(try Data(contentsOf: action), file: action.path).node)
    var values = expressions
    for input in root["inputs"]?.pairs ?? [] {
      let value = given?[input.key] ?? input.value["default"]?.text ?? ""
      values["inputs.\(input.key)"] = evaluated(value, expressions.merging(workflow.environment) { $1 })
    }
    return (root["runs"]?["steps"]?.elements ?? []).compactMap { step in
      step["run"]?.text.map { script in
        Step(script: script, variables: (step["env"]?.texts ?? [:]).mapValues { evaluated($0, values) })
      }
    }
  }

  /// The entries of `script:` of the jobs in `.gitlab-ci.yml`.
  ///
  /// - Parameter template: the file that it includes, whose job its own extends.
  static func gitLabSteps(of file: URL, including template: URL? = nil) throws -> [Step] {
    let (node, diagnostics) = readYAML(try Data(contentsOf: file), file: file.path)
    #expect(diagnostics.isEmpty, "\(diagnostics)")
    let templates = try template.map { try #require(readYAML(try Data(contentsOf: $0), file: $0.path).node) }
    return try #require(node).pairs.flatMap { job in
      let base = job.value["extends"]?.text.flatMap { templates?[$0] }
      let variables = (base?["variables"]?.texts ?? [:]).merging(job.value["variables"]?.texts ?? [:]) { $1 }
      return ((job.value["script"] ?? base?["script"])?.elements ?? []).compactMap { entry in
        entry.text.map { Step(script: $0, variables: variables) }
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
  /// A workflow's variables, as expressions name them.
  fileprivate var environment: [String: String] {
    Dictionary((self["env"]?.texts ?? [:]).map { ("env.\($0.key)", $0.value) }) { $1 }
  }
  var elements: [YAMLNode] { if case .sequence(let elements) = content { elements } else { [] } }
  fileprivate var texts: [String: String] {
    Dictionary(pairs.compactMap { pair in pair.value.text.map { (pair.key, $0) } }) { $1 }
  }
}
