import ArgumentParser
import Foundation
import ManagedModel
import PersistentStore
import ReleaseChecks

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what differs between two versions of a model, or between the objects of two stores.",
    discussion: """
      A version is one of the project (V3, Trails/V3), of an .xcdatamodeld or a .momd (App.momd#V3; by default the \
      current one), an .xcdatamodel, a .mom, a .yaml file, or a store, which contains its own model. Models may be \
      in a git revision: HEAD~1:App.xcdatamodeld. Without a second one, the first is compared with the project's \
      current version; a draft counts as the later one. Changes of version hashes are marked. A version that compile \
      refuses is not compared.

      Two stores are compared object by object. If they have the same UUID, as before and after a migration, an object is \
      found in the other store by its primary key (--match key); else by a uniqueness constraint, by an attribute such \
      as id whose values are all different, or by all its attributes (--match values). With --schema their models \
      are compared instead. --format html is a page for a browser, with both values of a property side by side; it has \
      users' values only with --show-values.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, mermaid, html }

  @OptionGroup var project: ProjectOptions

  @Option(help: "How the result is written: text, json; for models markdown or mermaid, for stores html.")
  var format: Format = .text

  @OptionGroup var terminal: TerminalOptions

  @Flag(help: "Exit with 1 if anything differs.")
  var exitCode = false

  @Option(
    help: .text(
      "How objects of an entity are matched between two stores: Hut=name or Stay=hutName,day; of all others: key or values.",
      "entity=attribute|key|values"))
  var match: [ObjectMatch] = []

  @Option(help: "How many objects of an entity are shown at most; by default 20, in HTML 100, in JSON all.")
  var limit: Int?

  @Flag(help: "With --format html: write users' values into the page.")
  var showValues = false

  @Flag(help: "Compare the models of two stores, not their objects.")
  var schema = false

  @Argument(help: .text("The earlier version or store.", "a"))
  var from: String

  @Argument(help: .text("The later version or store.", "b"))
  var to: String?

  /// Both, the earlier one first: a draft is the later one beside the current version.
  private func versions() throws -> (from: NamedVersion, to: NamedVersion) {
    let first = try project.project.findVersion(from)
    if let to { return (first, try project.project.findVersion(to)) }
    let current = try project.project.currentVersion(like: first)
    let isDraft = current.siblings?.isDraft(first.version) == true && first.modelName == current.modelName
    return isDraft ? (current, first) : (first, current)
  }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is 0 or more") }
    try refuse(showValues && format != .html, "--show-values is for --format html")
  }

  func run() throws {
    let output = terminal.output(json: format == .json)
    if let to, !schema, from.isSQLiteFile, to.isSQLiteFile { return try compareObjects(with: to, output) }
    guard format != .html, match.isEmpty, limit == nil else {
      // Where one is a store, the other one was meant to be.
      if let to, from.isSQLiteFile || to.isSQLiteFile {
        try output.run { for path in [from, to] { try path.requireFile() } }
      }
      throw ValidationError("html, --match and --limit are for two stores")
    }
    try output.run {
      let (from, to) = try versions()
      for version in [from, to] { try version.requireSound() }
      let difference = VersionDifference(from: from, to: to)
      let findings = (from.diagnostics + to.diagnostics).ordered
      output.report(findings)
      switch format {
      case .text: output.print(difference.text())
      case .json: output.print(VersionDifference.result.json(of: (difference, findings)))
      case .markdown: output.print(difference.markdown())
      case .mermaid:
        let text = ModelDiagram(difference, later: to.version.model).mermaid
        output.report(ExportForm.mermaid.findings(about: text))
        output.print(text)
      case .html: break
      }
      if exitCode, !difference.isEmpty { throw ExitCode(1) }
    }
  }
  private var isSameFile: Bool {
    to.map { URL(filePath: from).resolvingSymlinksInPath() == URL(filePath: $0).resolvingSymlinksInPath() }
      ?? false
  }

  private func compareObjects(with to: String, _ output: OutputOptions) throws {
    guard format != .markdown, format != .mermaid else {
      throw ValidationError("two stores are compared as text, json or html; --schema compares their models")
    }
    try output.run {
      let models = (try? project.project.readModels())?.models ?? []
      let old = try openStore(from, among: models)
      // A store is in nobody's way but its own.
      let new = isSameFile ? old : try openStore(to, among: models)
      func compared(_ before: StoreDatabase, _ after: StoreDatabase) throws -> StoreDifference {
        try diffStores(
          before: before, at: from, after: after, at: to, among: models,
          identifiedBy: Dictionary(firstOf: match.compactMap(\.attributes)),
          matching: match.compactMap(\.matching).first ?? .automatic,
          limit: limit ?? (format == .json ? .max : format == .html ? StoreReport.sampleSize : 20),
          namesObjectsByValues: format != .html || showValues)
      }
      let difference = try isSameFile ? old.read { try compared($0, $0) } : old.read(with: new, compared)
      try old.close()
      if !isSameFile { try new.close() }
      switch format {
      case .json: output.print(StoreDifference.result.json(of: (from, to, difference)))
      case .html: output.print(data: page(of: difference, to, models))
      default: output.print(difference.text(from, to))
      }
      let differs = difference.differing > 0 || difference.entities.contains(where: \.isOneSided)
      if exitCode, differs { throw ExitCode(1) }
    }
  }

  /// The page of two stores' objects, with their model if it is at hand, else with the versions that they carry.
  private func page(of difference: StoreDifference, _ to: String, _ models: [VersionedModel]) -> String {
    let (before, after) = (difference.before, difference.after)
    // A store may hold the entities of one configuration alone.
    let known = models.first { model in
      [before, after].allSatisfy { version in
        let hashes = model.version(named: version.name)?.entityVersionHashesByName ?? [:]
        return version.entityVersionHashesByName.allSatisfy { hashes[$0] == $1 }
      }
    }
    let title = "\(from.lastComponent) → \(to.lastComponent)"
    let isOne = before.entityVersionHashesByName == after.entityVersionHashesByName
    let versions = isOne ? [after] : [before, after]
    var values = PageValues(ofStoreAt: to, showsValues: showValues)
    let shown = difference.replacingValues { .string(values.text(.value($0)) ?? "") }
    let json = StoreDifference.result.json(of: (from, to, shown)) + ["masked": .boolean(!showValues)]
    return project.project.page(
      of: known ?? VersionedModel(name: title, versions: versions, currentVersionName: after.name),
      about: PageSubject(kind: .comparison, title: title, json: json, hasPictures: values.hasPictures)
    ).html()
  }
}

/// `Hut=name`: the attributes that tell the objects of an entity apart. `key`, `values`: what does for the others.
struct ObjectMatch: ExpressibleByArgument {
  var attributes: (entity: String, names: [String])?
  var matching: StoreDifference.Matching?

  init?(argument: String) {
    switch argument {
    case "key": matching = .primaryKeys
    case "values": matching = .values
    default:
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      attributes = (String(parts[0]), parts[1].split(separator: ",").map(String.init))
    }
  }
}
