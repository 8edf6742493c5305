import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels

struct ServeContext: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Answer an agent's questions about the project with the Model Context Protocol.",
    discussion: """
      Reads requests from standard input and answers on standard output, as clients start it: {"command": "modelc", "args": \
      ["mcp", "-C", "path/of/the/project"]}. Its tools are check, plan, diff, show, versions, inspect, verify, query, triage and \
      explain; each returns what the command of that name prints with --format json. Paths are relative to the project's folder; \
      none may lead out of it, or out of its repository. Nothing is written.
      """)

  @OptionGroup var project: ProjectFolderOptions

  func run() throws {
    let folder = URL(filePath: project.folder).standardizedFileURL.resolvingSymlinksInPath().path
    guard folder.isExistingFolder else { throw ValidationError("there is no folder '\(project.folder)'") }
    guard let program = Bundle.main.executableURL else { throw ExitCode(70) }
    let options =
      (project.platform.map { ["--platform", $0.rawValue] } ?? [])
      + (project.plan.map { ["--plan", $0] } ?? [])
      + (project.models.map { ["--models", URL(filePath: $0).standardizedFileURL.path] } ?? [])
    let top = join(folder, "x").repositoryTop() ?? folder
    ContextServer(options: options, folder: folder, top: top, program: program).run()
  }
}
