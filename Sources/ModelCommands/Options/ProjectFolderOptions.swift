import ArgumentParser

/// Which project a command is about; all its models, where its `--model` means something else.
struct ProjectFolderOptions: ParsableArguments {
  @Option(
    name: [.customShort("C")],
    help: ArgumentHelp(
      "The project's folder, with its Models and Migrations; other paths stay relative to where you are.",
      valueName: "dir"))
  var folder: String = "."

  @Option(
    help: ArgumentHelp(
      "The folder that holds the models, instead of the project's Models; or an .xcdatamodeld or .momd itself.",
      valueName: "dir"))
  var models: String?

  var project: Project { Project(folder: folder, modelsFolder: models) }

  /// As they would be written again, with a space before each.
  var arguments: String {
    (folder == "." ? "" : " -C \(shellWord(folder))") + (models.map { " --models \(shellWord($0))" } ?? "")
  }
}
