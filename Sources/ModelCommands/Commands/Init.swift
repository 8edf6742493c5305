import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks

struct Init: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start a project that works.",
    discussion: """
      Writes a model of one version (or the sample, with all of its versions), the schemas by which editors complete \
      and check it, and a .gitignore. An existing file is never overwritten. If there already is a model, or an \
      .xcdatamodeld or .xcdatamodel anywhere below the folder, no other is written.

      With --policies it writes a Swift package instead of a model: the command line with the project's own migration \
      policies, which `swift run project-modelc` builds and runs instead of modelc. In an app's repository it is a folder of \
      its own, Tools/Migrations. Each policy that mapping models name gets a stub, which refuses to migrate until the \
      app's code is in it.

      With --ci, also the job that runs `modelc check` for every change into the default branch, and a hook for git that \
      runs its quick part before a commit. The job builds modelc from source once and keeps it; with --sha256 it installs \
      this program's own release.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Start with the sample, a hiking diary, instead of an almost empty model.")
  var sample = false

  @Flag(help: "Write a package for the app's migration policies, with a stub for each.")
  var policies = false

  @Option(
    name: .customLong("modelc"),
    help: .text("Like --policies, with the path or URL of the modelc that it depends on.", "package"))
  var modelcPackage: String?

  @Flag(help: "Write only what tells an agent how to use modelc: a skill, and a section of AGENTS.md.")
  var agents = false

  @Option(help: "Also write the files that run the checks in CI: github or gitlab.")
  var ci: CIService?

  @Option(
    help: .text(
      "With --ci: the SHA-256 of this release's archive for Linux, which the job installs.", "digest"))
  var sha256: String?

  @Argument(help: .text("The project's folder, created if absent; by default the current folder.", "dir"))
  var folder: String?

  func validate() throws {
    if let sha256 {
      try refuse(ci == nil, "--sha256 is for the job of --ci")
      guard sha256.wholeMatch(of: #/[0-9A-Fa-f]{64}/#) != nil else {
        throw ValidationError("'\(sha256)' is not a SHA-256: 64 digits, as SHA256SUMS of a release has them")
      }
      guard ModelcSource.ofThisProgram.gitHubName != nil else {
        throw ValidationError("this modelc is not a release build: it does not know where its releases are")
      }
    }
    try refuse(
      agents && (sample || writesPolicies || ci != nil),
      "--agents cannot be combined with other options: run it separately")
    if let name = project.model, !name.isFileName {
      throw ValidationError("'\(name)' cannot be a model's name: it names a folder")
    }
  }

  func work() throws {
    let project = Project(
      ofRunIn: folder ?? project.folder, modelsFolder: project.models, modelName: project.model)
    if agents { return try writeAgentFiles(of: project) }
    let present = project.presentModels()
    let name = modelName(in: project)
    let (place, mappings) = (join(project.modelsFolder, name), join(project.migrationsFolder, name))
    let model =
      try writesModel(beside: present, in: project)
      ? starterFiles(in: place, mappings: mappings, isSample: sample) : []
    let package = try writesPolicies ? policyFiles(of: project, present) : []
    let job = ci.map { _ in
      CIProject(
        project, packages: present.packages, models: self.project.models, hasOwnModelc: writesPolicies,
        sha256: sha256)
    }
    let checks = ci.flatMap { job?.files(for: $0) } ?? []
    // A repository has one job and one hook, whichever of its projects came first.
    try (model + package + checks).filter(\.wouldOverwrite).refuse(
      each: "already exists",
      help: (model + package).contains(where: \.wouldOverwrite)
        ? "name another folder, or another model with `--model`"
        : "if they do not check this project yet, add `\("modelc check" + (job?.arguments ?? ""))` to the job and the hook that are there"
    )
    let begin =
      model.isEmpty
      ? [] : schemaFiles(in: project.schemaFolder()) + [ignoreFile(in: project.folder)].compactMap(\.self)
    let files = model + package + begin + checks
    for file in files { try file.write() }
    for hook in checks where hook.path.hasSuffix("pre-commit") { try hook.makeExecutable() }
    if output.writesJSON || !files.isEmpty {
      output.print(Self.result.json(of: files), else: files.map(\.path).shownLines)
    }
    nextSteps(project, present, model, job).forEach(output.say)
  }

  private func writeAgentFiles(of project: Project) throws {
    let files = try project.agentFiles()
    for file in files { try file.write() }
    output.print(Self.result.json(of: files), else: files.map(\.path).shownLines)
    output.say("clients of the Model Context Protocol start it as `modelc mcp`")
  }

  /// A model is never written beside one that is there, unless a name for it is given and the two do not hide each other.
  private func writesModel(beside present: ExistingModels, in project: Project) throws -> Bool {
    switch present {
    case .none:
      let isAsked = sample || project.modelName != nil
      // A comment may name SwiftData: what has no class of it is no model.
      if !isAsked, !writesPolicies, project.folder.isSwiftSource,
        !project.reader.read(project.folder).diagnostics.contains(where: \.isAbsence)
      {
        let place = project.folder.shellWord
        let job = ci.map {
          "`\(programName) init \(place) --ci \($0.rawValue) --models \(place)` writes their job"
        }
        let checking = job ?? "`modelc check --models \(place)` checks them"
        throw taken("models: SwiftData's classes", "\(checking); `--model NAME` begins another one")
      }
      return isAsked || !writesPolicies
    case .packages(let paths):
      let other = "name a folder of its own for another model"
      if sample || project.modelName != nil { throw taken("a model: '\(paths[0])'", other) }
      return false
    case .listed:
      let isNamed =
        project.modelName != nil || join(project.modelsFolder, modelName(in: project)).isModelFolder
      return isNamed && (sample || ci == nil && !writesPolicies)
    }
  }

  private func taken(_ models: String, _ help: String) -> UsageError {
    let notes: [Diagnostic.Note] = ["a new model would be found in its place", "nothing was written"]
    return UsageError(.wouldOverwrite, "the project already has \(models)", notes: notes, help: [help])
  }

  private var writesPolicies: Bool { policies || modelcPackage != nil }

  /// An app's repository has its own top; there the package has a folder of its own.
  private func packageFolder(in project: Project, _ present: ExistingModels) -> String {
    present.packages.isEmpty ? project.folder : join(project.folder, "Tools/Migrations")
  }

  private func policyFiles(of project: Project, _ present: ExistingModels) throws -> [ProjectFile] {
    let source = ModelcSource.ofThisProgram
    guard let modelc = modelcPackage.map(ModelcDependency.init(at:)) ?? ModelcDependency(of: source) else {
      throw UsageError(
        .fileUnreadable,
        modelcPackage.map { "'\($0)' contains no modelc package" }
          ?? "this modelc does not know where its package is",
        notes: ["the package for policies depends on modelc's package", "nothing was written"],
        help: [
          "name modelc's repository: `modelc init \(project.folder.shellWord) --modelc URL`, or the path of a clone"
        ])
    }
    let folder = packageFolder(in: project, present)
    let isOwn = folder != project.folder
    let ignored = isOwn ? [ProjectFile(path: join(folder, ".gitignore"), text: ".build/\n")] : []
    return ignored
      + policyPackage(
        in: folder, policies: isOwn ? "Sources/Policies" : "Migrations/Policies", dependingOn: modelc,
        policies: project.namedPolicies())
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
    _ project: Project, _ present: ExistingModels, _ model: [ProjectFile], _ job: CIProject?
  ) -> [String] {
    let there = project.folder == "." ? "" : " -C \(project.folder.shellWord)"
    let place = there + (self.project.models.map { " --models \($0.shellWord)" } ?? "")
    var lines = ["next:"]
    if let version = model.last(where: {
      $0.path.hasPrefix(project.modelsFolder) && !$0.path.hasSuffix(versionListFileName)
    }) {
      lines.append("  \(programName) compile\(place)")
      if writesPolicies { lines.append("  \(ownModelc(project, present)) plan\(place) STORE") }
      lines.append(
        "  edit \(version.path.shellWord); editors with a YAML language server complete and check it")
    } else if writesPolicies {
      let stubs = project.namedPolicies().count
      if stubs > 0 {
        lines.append("  port \(stubs == 1 ? "the policy" : "the \(stubs) policies"): each stub says how")
      }
      lines.append("  \(ownModelc(project, present)) check\(place)")
      lines.append("  the first run builds modelc, which takes some minutes; later ones seconds")
    } else {
      lines = stepsFor(present, project, place)
    }
    guard let job else { return lines }
    if !model.isEmpty {
      lines.append("  \(programName) release\(place) V1 --fixture 1000    once it is released")
    }
    let others = self.project.models == nil ? project.projectsBelow() : []
    return lines + ["  git\(there) config core.hooksPath .githooks"] + job.remarks
      + others.map { "the job does not check the models of '\($0)': add `modelc check -C \($0.shellWord)`" }
  }

  /// What to do about models that were there before.
  private func stepsFor(_ present: ExistingModels, _ project: Project, _ place: String) -> [String] {
    guard case .packages(let paths) = present else {
      return [
        "'\(project.modelsFolder.printable)' has a model, so no other is written: `--model NAME` begins one",
        "next:",
        "  \(programName) check\(place)",
        "  \(programName) release\(place) VERSION --fixture 1000    for each released version",
      ]
    }
    let shown = paths.prefix(5).map { join(project.folder, $0).shellWord }
    let first = paths.first.map { join(project.folder, $0) } ?? ""
    let isTagged = (try? readTags(inRepositoryOf: first, limit: 1).tags.isEmpty) == false
    let further = paths.count > 5 ? ["  and \(paths.count - 5) further packages"] : []
    return ["Xcode's model is there, so none is written", "next:"]
      + shown.map { "  \(programName) check\(place) --models \($0)" } + further
      + shown.prefix(1).map {
        isTagged
          ? "  \(programName) release\(place) --models \($0) --from-tags '*'    for what is released"
          : "  \(programName) release\(place) --models \($0) VERSION    for each released version, because no tag says which they are"
      }
  }

  private func ownModelc(_ project: Project, _ present: ExistingModels) -> String {
    "swift run --package-path \(packageFolder(in: project, present).shellWord) project-modelc"
  }

  static let result = JSONObject<[ProjectFile]>("newProject", "What was written.")
    .adding(["written": .value({ $0.map(\.path) }, "Paths.")])
}

extension CIProject {
  /// What has to be done before the job can run.
  fileprivate var remarks: [String] {
    var lines: [String] = []
    if ownModelc == nil, release == nil, !source.isReachable {
      let now = source.repository.isEmpty ? "" : ", which is '\(source.repository.printable)' now"
      lines.append("write the URL of modelc's repository into the job, as MODELC_REPOSITORY\(now)")
    }
    if ownModelc == nil, release == nil, source.isRelease, source.gitHubName != nil {
      lines.append("the job builds modelc; `--sha256`, from the release's SHA256SUMS, installs it")
    }
    if packages.count > 1 {
      lines.append("the job checks \(packages.count) packages: remove from its list what is in no app")
    }
    return lines
  }
}
