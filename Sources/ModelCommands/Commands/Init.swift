import ArgumentParser
import Foundation
import GitFiles
import ManagedModel
import ModelLanguage
import ModelSources

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Start a project that works.",
    discussion: """
      Writes a model of one version (or the sample, with all of its versions), the schemas by which editors complete \
      and check it, and a .gitignore. A file that is there is never overwritten, and where there is a model already, an \
      .xcdatamodeld anywhere below the folder for one, no other is written.

      With --modelc it writes a Swift package too: the command line with the project's own migration policies, which \
      `swift run project-modelc` builds and runs in modelc's place. Each policy that the project's mapping models name gets \
      a stub there, which does the default work.

      With --ci, also the job that runs `modelc check` for every change into the default branch, and a hook for git that \
      runs its quick part before a commit. The job builds modelc from source once and keeps it; with --sha256 it installs \
      the release that this program is of.
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

  @Option(
    help: ArgumentHelp(
      "With --ci: the SHA-256 of this release's archive for Linux, which the job installs.",
      valueName: "digest"))
  var sha256: String?

  @Argument(
    help: ArgumentHelp(
      "The project's folder, made if absent; without it, the one you are in.", valueName: "dir"))
  var folder: String?

  func validate() throws {
    if let sha256 {
      if ci == nil { throw ValidationError("--sha256 is for the job of --ci") }
      guard sha256.wholeMatch(of: #/[0-9A-Fa-f]{64}/#) != nil else {
        throw ValidationError("'\(sha256)' is no SHA-256: 64 digits, as SHA256SUMS of a release has them")
      }
      guard ModelcSource.ofThisProgram.gitHubName != nil else {
        throw ValidationError("this modelc is of no release: it does not know where its releases are")
      }
    }
    if let name = project.model, !isFileName(name) {
      throw ValidationError("'\(name)' cannot be a model's name: it names a folder")
    }
  }

  func run() throws {
    try output.run {
      let project = Project(
        folder: folder ?? project.folder, modelsFolder: project.models, modelName: project.model)
      let present = project.presentModels()
      let model = try writesModel(beside: present, in: project) ? newModel(in: project) : []
      let package =
        modelcPackage.map {
          policyPackage(in: project.folder, dependingOn: $0, policies: project.namedPolicies())
        } ?? []
      let job = ci.map { (service: $0, project: ciProject(project, present)) }
      let checks = job.map { $0.project.files(for: $0.service) } ?? []
      let taken = (model + package + checks).filter(\.wouldOverwrite)
      guard taken.isEmpty else { throw UsageError(.wouldOverwrite(taken.map(\.path))) }
      let begin =
        model.isEmpty
        ? []
        : schemaFiles(in: schemaFolder(of: project)) + (ignoreFile(in: project.folder).map { [$0] } ?? [])
      let files = model + package + begin + checks
      for file in files { try file.write() }
      for hook in checks where hook.path.hasSuffix("pre-commit") { try hook.makeExecutable() }
      if output.writesJSON {
        output.print(["written": JSONValue(files.map(\.path))])
      } else {
        if !files.isEmpty { output.print(files.map(\.path).shownLines) }
        nextSteps(project, present, model, job?.project).forEach(output.say)
      }
    }
  }

  /// A model is never written beside one that is there, unless a name for it is given and the two do not hide each other.
  private func writesModel(beside present: PresentModels, in project: Project) throws -> Bool {
    switch present {
    case .none: return true
    case .packages(let paths):
      if sample || project.modelName != nil { throw UsageError(.hidesModel(paths, project)) }
      return false
    case .listed:
      if sample { return true }
      guard ci == nil, modelcPackage == nil else { return false }
      return project.modelName != nil
        || isModelFolder(join(project.modelsFolder, modelName(in: project)))
    }
  }

  private func newModel(in project: Project) -> [ProjectFile] {
    starterFiles(
      in: join(project.modelsFolder, modelName(in: project)),
      mappings: join(project.migrationsFolder, modelName(in: project)), isSample: sample)
  }

  /// The jobs run in the project's folder.
  private func ciProject(_ project: Project, _ present: PresentModels) -> CIProject {
    var packages: [String] = []
    if case .packages(let paths) = present { packages = paths }
    return CIProject(
      project, packages: packages, arguments: self.project.models.map { " --models \(shellWord($0))" } ?? "",
      hasSwift: self.project.models.map(isSwiftSource) ?? false, hasOwnModelc: modelcPackage != nil,
      sha256: sha256)
  }

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

  private func nextSteps(
    _ project: Project, _ present: PresentModels, _ model: [ProjectFile], _ job: CIProject?
  ) -> [String] {
    let place = project.folder == "." ? "" : " -C \(shellWord(project.folder))"
    var lines = ["next:"]
    if let version = model.last(where: {
      $0.path.hasPrefix(project.modelsFolder) && !$0.path.hasSuffix(versionListFileName)
    }) {
      lines.append("  modelc compile\(place)")
      if modelcPackage != nil { lines.append("  \(ownModelc(project)) plan\(place) STORE") }
      lines.append(
        "  edit \(shellWord(version.path)); editors with a YAML language server complete and check it")
    } else if modelcPackage != nil {
      lines.append("  \(ownModelc(project)) check\(place)")
    } else {
      lines = stepsBeside(present, project, place)
    }
    guard let job else { return lines }
    if !model.isEmpty { lines.append("  modelc release\(place) V1 --fixture 1000    once it is out") }
    return lines + ["  git config core.hooksPath .githooks"] + job.remarks
  }

  /// What to do about models that were there before.
  private func stepsBeside(_ present: PresentModels, _ project: Project, _ place: String) -> [String] {
    guard case .packages(let paths) = present else {
      return [
        "'\(printable(project.modelsFolder))' has a model, so no other is written: `--model NAME` begins one",
        "next:",
        "  modelc check\(place)",
        "  modelc release\(place) VERSION --fixture 1000    for each version that is out",
      ]
    }
    let shown = paths.prefix(5).map { shellWord(join(project.folder, $0)) }
    let further = paths.count > 5 ? ["  and \(paths.count - 5) further packages"] : []
    return ["Xcode's model is there, so none is written", "next:"]
      + shown.map { "  modelc check --models \($0)" } + further
      + shown.prefix(1).map { "  modelc release --models \($0) --from-tags '*'    for what is out" }
  }

  private func ownModelc(_ project: Project) -> String {
    "swift run --package-path \(shellWord(project.folder)) project-modelc"
  }
}

extension CIProject {
  /// What has to be done before the job can run.
  fileprivate var remarks: [String] {
    var lines: [String] = []
    if ownModelc == nil, release == nil, !source.isReachable {
      let now = source.repository.isEmpty ? "" : ", which is '\(printable(source.repository))' now"
      lines.append("write the URL of modelc's repository into the job, as MODELC_REPOSITORY\(now)")
    }
    if ownModelc == nil, release == nil, source.isRelease, source.gitHubName != nil {
      lines.append("the job builds modelc; `--sha256`, of the release's SHA256SUMS, has it installed")
    }
    if let top = repositoryTop(of: join(folder, "Package.swift")),
      URL(filePath: top).resolvingSymlinksInPath().path
        != URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path
    {
      lines.append("the job and the hook are looked for at the top of the repository: '\(printable(top))'")
    }
    if packages.count > 1 {
      lines.append("the job checks \(packages.count) packages: take out of its list what is in no app")
    }
    return lines
  }
}

extension Diagnostic {
  /// - Parameter packages: from the project's folder.
  fileprivate static func hidesModel(_ packages: [String], _ project: Project) -> Self {
    Self(
      .wouldOverwrite, .error, "the project has a model already: '\(packages[0])'",
      notes: [
        Note("a model in '\(project.modelsFolder)' would be found in its place"), "nothing was written",
      ], help: ["name a folder of its own for another model"])
  }

  fileprivate static func wouldOverwrite(_ files: [String]) -> Self {
    Self(
      .wouldOverwrite, .error, "\(counted(files.count, "file")) would be overwritten",
      notes: files.map { Note("'\($0)' is there already") } + ["nothing was written"],
      help: ["name another folder, or another model with `--model`"])
  }
}
