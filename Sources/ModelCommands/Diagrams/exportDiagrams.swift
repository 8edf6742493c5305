import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import PersistentStore
import ReleaseChecks

extension ExportForm {
  /// How a diagram is written; nil for what is none.
  fileprivate var text: ((ModelDiagram) -> String)? {
    switch self {
    case .mermaid: { $0.mermaid }
    case .dot: { $0.dot }
    case .svg: { $0.svg }
    default: nil
    }
  }

  /// That Mermaid, as GitHub sets it, draws "Maximum text size in diagram exceeded" instead of a text (MC0026).
  func findings(about text: String) -> [Diagnostic] {
    let (size, limit) = (text.utf16.count, 50_000)
    guard self == .mermaid, size > limit else { return [] }
    return [
      Diagnostic(
        .pictureTooLarge, .warning,
        "the diagram has \(grouped(size)) characters, and GitHub draws Mermaid up to \(grouped(limit))",
        notes: ["in its place GitHub shows an error"],
        help: [
          "show a step, such as V3-V4, which has only the entities that change; or take `--as svg`, which has no limit"
        ])
    ]
  }
}

extension Project {
  /// A model, one version of it, or a step (`V3-V4`) as a picture's text, or all versions of a model as a page.
  func diagram(of argument: String?, as form: ExportForm) throws -> (text: String, findings: [Diagnostic]) {
    if form == .html { return try page(of: argument) }
    let (from, named) = try versionOrStep(argument)
    if let from {
      guard let text = form.text else {
        throw UsageError(
          .fileUnreadable, "DBML describes one version, not the step '\((argument ?? "").visible)'",
          help: ["`--as mermaid` and `--as svg` show a step"])
      }
      let difference = VersionDifference(from: from, to: named)
      let picture = text(ModelDiagram(difference, later: named.version.model))
      return (picture, (from.diagnostics + named.diagnostics).ordered + form.findings(about: picture))
    }
    let model = named.version.model
    let text =
      form.text.map { $0(ModelDiagram(model, title: named.label)) }
      ?? PlainLayout(layOutStore(for: model, frameworkVersion: 0), model).dbml
    return (text, named.diagnostics + form.findings(about: text))
  }

  private func page(of argument: String?) throws -> (text: String, findings: [Diagnostic]) {
    let (pages, findings) = try modelPages(of: argument)
    guard let page = pages.first, pages.count == 1 else {
      throw UsageError(.severalModels(pages.map(\.model.name), "an HTML page"))
    }
    return (page.html(), findings)
  }

  /// What a page shows of a model at hand, and of what it is about.
  func page(of model: VersionedModel, about subject: PageSubject) -> ModelPage {
    ModelPage(
      model: model, releases: releases(of: [])[model.name] ?? [],
      mappings: (try? customMigrations(for: [model]).mappingModels[model.name]) ?? [], subject: subject)
  }

  /// The page of what `plan` or `migrate` writes as JSON: of a plan, a finished run, or one that was refused.
  ///
  /// What a policy makes is in no plan: the objects of a result are counted, by entity.
  func migrationPage(_ plan: JSONValue, _ models: [VersionedModel]) -> String {
    var record = plan
    if case .string(let path)? = plan["destination"],
      let result = try? inspectStore(at: path, models: models, counting: .exact)
    {
      record = plan + ["after": .object(result.entities.map { .init($0.name, JSONValue($0.rows)) })]
    }
    let model = models.first { .string($0.name) == record["model"] } ?? models.first
    let texts = ["store", "from", "to"].map { if case .string(let text)? = record[$0] { text } else { "" } }
    let steps = texts[1] == texts[2] ? texts[1] : texts.dropFirst().joined(separator: " → ")
    let title = [texts[0].lastComponent, steps].filter { !$0.isEmpty }.joined(separator: ": ")
    return page(
      of: model ?? VersionedModel(name: title, versions: [], currentVersionName: ""),
      about: PageSubject(kind: .migration, title: title, json: record)
    ).html()
  }

  /// What pages show of the models that an argument names, or of all.
  func modelPages(of argument: String?) throws -> (pages: [ModelPage], findings: [Diagnostic]) {
    let selection = try selectSoundModels(argument)
    let names = argument.map { [$0] } ?? []
    let (releases, histories) = (releases(of: names), histories(of: names))
    let pages = selection.models.map { model in
      ModelPage(
        model: model, releases: releases[model.name] ?? [], history: histories[model.name],
        mappings: (try? customMigrations(for: [model]).mappingModels[model.name]) ?? [])
    }
    return (pages, selection.diagnostics)
  }

  /// What the locks of models list, by model: of those with these names or paths, else of all; nothing of a revision, nor of
  /// a lock that somebody edited.
  func releases(of names: [String]) -> [String: [ReleaseLock.Entry]] {
    byModel(names) { try? ReleasePlaces(modelAt: $0).lock().entries }
  }

  /// When the versions of models came into git, by model.
  func histories(of names: [String]) -> [String: VersionHistory] {
    byModel(names) { path in
      GitLocation(path) == nil && !path.isSwiftSource ? VersionHistory(ofModelAt: path)?.withTags() : nil
    }
  }

  private func byModel<Value>(_ names: [String], _ read: (_ path: String) -> Value?) -> [String: Value] {
    Dictionary(
      firstOf: paths(of: names).compactMap { path in
        read(path).map { (URL(filePath: path).deletingPathExtension().lastPathComponent, $0) }
      })
  }

  /// Of the models with these names or paths, else of all.
  private func paths(of names: [String]) -> [String] {
    if names.isEmpty { return (try? modelPaths()) ?? [] }
    return names.flatMap { name -> [String] in
      if name.isModelPath { return [name] }
      return (try? of(modelNamed: name).modelPaths()) ?? []
    }
  }
}

extension Diagnostic.Code { static let pictureTooLarge = Self("MC0026") }
