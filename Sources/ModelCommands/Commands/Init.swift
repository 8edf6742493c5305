import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Start a project that works.",
    discussion: """
      Writes a model of one version (or the sample, with all of its versions), the schemas by which editors complete \
      and check it, and a .gitignore. A file that is there is never overwritten.

      With --modelc it writes a Swift package too: the command line with the project's own migration policies, which \
      `swift run project-modelc` builds and runs in modelc's place. Each policy that the project's mapping models name gets \
      a stub there, which does the default work.

      With --ci, also the job that runs `modelc check` for every change, and a hook for git that runs its quick part \
      before a commit; a project that has models keeps them as they are.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Begin with the sample, a hiking diary, instead of an almost empty model.")
  var sample = false

  @Option(
    name: .customLong("modelc"),
    help: ArgumentHelp(
      "Write a package for migration policies, which depends on modelc's own: its path or URL.",
      valueName: "package"))
  var modelcPackage: String?

  @Option(help: "Also the files that run the checks: github or gitlab.")
  var ci: CIService?

  @Argument(
    help: ArgumentHelp(
      "The project's folder, made if absent; without it, the one you are in.", valueName: "dir"))
  var folder: String?

  func validate() throws {
    if let name = project.model, !isFileName(name) {
      throw ValidationError("'\(name)' cannot be a model's name: it names a folder")
    }
  }

  func run() throws {
    try output.run {
      let project = Project(
        folder: folder ?? project.folder, modelsFolder: project.models, modelName: project.model)
      let models = join(project.modelsFolder, modelName(in: project))
      let isAddition = ci != nil || modelcPackage != nil
      let hasModels = isAddition && !sample && (try? project.modelPaths())?.isEmpty == false
      let starters =
        (hasModels
          ? []
          : starterFiles(
            in: models, mappings: join(project.migrationsFolder, modelName(in: project)), isSample: sample))
        + (modelcPackage.map {
          policyPackage(in: project.folder, dependingOn: $0, policies: project.namedPolicies())
        } ?? [])
      let checks =
        ci.map {
          ciFiles($0, in: project.folder, hasOwnModelc: modelcPackage != nil, arguments: modelArguments)
        } ?? []
      let taken = (starters + checks).filter(\.wouldOverwrite)
      guard taken.isEmpty else { throw UsageError(.wouldOverwrite(taken.map(\.path))) }
      let begin = hasModels ? [] : schemaFiles(in: schemaFolder(of: project))
      let files =
        starters + begin + ignored(hasModels, project) + checks
      for file in files { try file.write() }
      for hook in checks where hook.path.hasSuffix("pre-commit") { try hook.makeExecutable() }
      if output.writesJSON {
        output.print(.object([.init("written", JSONValue(files.map(\.path)))]))
      } else {
        output.print(files.map(\.path).shownLines)
        nextSteps(project, starters).lines.forEach(output.say)
      }
    }
  }

  /// A project with models has decided what git ignores.
  private func ignored(_ hasModels: Bool, _ project: Project) -> [ProjectFile] {
    hasModels ? [] : ignoreFile(in: project.folder).map { [$0] } ?? []
  }

  /// The jobs run in the project's folder.
  private var modelArguments: String { project.models.map { " --models \(shellWord($0))" } ?? "" }

  /// What was asked for, else the sample's name, else the folder's, where that can name a model.
  private func modelName(in project: Project) -> String {
    if let name = project.modelName { return name }
    if sample { return SampleModel.name }
    let name = URL(filePath: project.folder).standardizedFileURL.lastPathComponent
    let isUsable =
      !name.hasPrefix(".") && name.contains { $0.isLetter }
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
    return isUsable && name != "Schemas" ? name : "Model"
  }

  private func nextSteps(_ project: Project, _ starters: [ProjectFile]) -> String {
    let place = project.folder == "." ? "" : " -C \(shellWord(project.folder))"
    guard starters.contains(where: { $0.path.hasPrefix(project.modelsFolder) }) else {
      if ci == nil {
        return """
          next:
            swift run --package-path \(shellWord(project.folder)) project-modelc check\(place)
          """
      }
      return """
        next:
          modelc release\(place) VERSION --fixture 1000    for each version that is out
          git config core.hooksPath .githooks
        """
    }
    let version =
      starters.last { $0.path.hasPrefix(project.modelsFolder) && !$0.path.hasSuffix(versionListFileName) }?
      .path
      ?? project.modelsFolder
    let run =
      modelcPackage == nil
      ? "" : "\n  swift run --package-path \(shellWord(project.folder)) project-modelc plan\(place) STORE"
    let gate =
      ci == nil
      ? ""
      : """

        git config core.hooksPath .githooks
        once it is out: modelc release\(place) V1 --fixture 1000; until then `modelc check` has nothing to hold on to
      """
    return """
      next:
        modelc compile\(place)\(run)
        edit \(shellWord(version)); editors with a YAML language server complete and check it\(gate)
      """
  }
}

extension Diagnostic {
  fileprivate static func wouldOverwrite(_ files: [String]) -> Self {
    Self(
      .wouldOverwrite, .error, "\(counted(files.count, "file")) would be overwritten",
      notes: files.map { Note("'\($0)' is there already") } + ["nothing was written"],
      help: ["name another folder, or another model with `--model`"])
  }
}
