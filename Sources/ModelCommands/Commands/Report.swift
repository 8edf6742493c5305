import ArgumentParser
import ManagedModel
import PersistentStore

struct Report: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an HTML page about a store: its objects by entity, findings, and sample objects.",
    discussion: """
      One HTML file that loads nothing, with the diagram of the store's model and all its versions: objects and bytes by \
      entity, how many objects lack an attribute, what `modelc verify` finds, and the first \(StoreReport.sampleSize) \
      objects of each table with links between them. Users' values are masked unless --show-values is given; then lists \
      and dictionaries of archives are text, and pictures of up to 50 kB are shown. A store needs no project if it \
      contains its own model.
      """)

  @OptionGroup var project: ProjectFolderOptions
  @OptionGroup var output: OutputOptions

  @Option(name: [.customShort("o")], help: .text("The file, instead of standard output.", "path"))
  var outputPath: String?

  @Flag(help: "Write users' values into the page.")
  var showValues = false

  @Argument(help: "The store.")
  var store: String

  func validate() throws {
    try refuse(
      output.writesJSON && outputPath == nil,
      "the page is HTML: name its file with -o; --format json then says what was written")
  }

  var refusalHead: JSONValue { ["store": .string(store)] }

  func work() throws {
    let (models, findings) = project.modelsAtHand()
    output.report(findings)
    let connection = try openStore(store, among: models)
    let (source, report) = try connection.read { db in
      var source = try db.readStoreSource(path: store, among: models)
      if source.modelName == nil { source.version.name = "its own model" }
      return (
        source,
        try StoreReport(
          db, source, name: store.lastComponent, path: connection.file.path, among: models,
          showsValues: showValues)
      )
    }
    try connection.close()
    let model =
      models.first { $0.name == source.modelName }
      ?? VersionedModel(
        name: report.name, versions: [source.version], currentVersionName: source.version.name)
    let page = project.project.page(
      of: model,
      about: PageSubject(
        kind: .store, title: report.name, json: report.json, hasPictures: report.values.hasPictures))
    guard let outputPath else { return output.print(data: page.html()) }
    try ProjectFile(path: outputPath, text: page.html()).write(isNamed: true)
    output.print(OutputOptions.written.json(of: ([outputPath], findings)), else: "Wrote \(outputPath)")
  }
}
