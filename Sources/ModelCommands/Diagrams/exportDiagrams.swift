import Foundation
import GitFiles
import ManagedModel
import ModelMigration
import ModelSources
import PersistentStore
import ReleaseChecks

/// Pictures of a model, and the page that has all its versions.
enum DiagramForm: String {
  case mermaid, dot, svg, dbml, html

  /// How a diagram is written; nil for what is none.
  fileprivate var text: ((ModelDiagram) -> String)? {
    switch self {
    case .mermaid: { $0.mermaid }
    case .dot: { $0.dot }
    case .svg: { $0.svg }
    case .dbml, .html: nil
    }
  }
}

extension Project {
  /// A model, one version of it, or a step (`V3-V4`) as a picture's text, or all versions of a model as a page.
  func diagram(
    of argument: String?, as form: DiagramForm
  ) throws -> (text: String, findings: [Diagnostic]) {
    if form == .html { return try page(of: argument) }
    let (from, named) = try versionOrStep(argument)
    if let from {
      guard let text = form.text else { throw UsageError(.noStepInDBML(argument ?? "")) }
      let difference = VersionDifference(from: from, to: named)
      return (
        text(ModelDiagram(difference, later: named.version.model)),
        (from.diagnostics + named.diagnostics).ordered
      )
    }
    let model = named.version.model
    let text =
      form.text.map { $0(ModelDiagram(model, title: named.label)) }
      ?? PlainLayout(layOutStore(for: model, frameworkVersion: 0), model).dbml
    return (text, named.diagnostics)
  }

  private func page(of argument: String?) throws -> (text: String, findings: [Diagnostic]) {
    let (pages, findings) = try modelPages(of: argument)
    guard let page = pages.first, pages.count == 1 else {
      throw UsageError(.severalModels(pages.map(\.model.name), "an HTML page"))
    }
    return (page.html(), findings)
  }

  /// What pages show of the models that an argument names, or of all.
  func modelPages(of argument: String?) throws -> (pages: [ModelPage], findings: [Diagnostic]) {
    let selection = try selectReadModels(argument)
    let names = argument.map { [$0] } ?? []
    let (releases, histories) = (releases(of: names), histories(of: names))
    let pages = selection.models.map { model in
      ModelPage(
        model: model, releases: releases[model.name] ?? [], history: histories[model.name],
        mappings: (try? customMigrations(for: [model]).mappingModels[model.name]) ?? [])
    }
    return (pages, selection.diagnostics)
  }
}

extension Project {
  /// What the locks of models list, by model: of those with these names or paths, else of all; nothing of a revision, nor of
  /// a lock that somebody edited.
  func releases(of names: [String]) -> [String: [ReleaseLock.Entry]] {
    let entries = paths(of: names).compactMap { path -> (String, [ReleaseLock.Entry])? in
      let places = ReleasePlaces(modelAt: path)
      guard let text = try? places.lockText() else { return nil }
      let (lock, diagnostics) = readReleaseLock(text, file: places.lockFile)
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      return diagnostics.isEmpty ? (name, lock.entries) : nil
    }
    return Dictionary(firstOf: entries)
  }

  /// When the versions of models came into git, by model.
  func histories(of names: [String]) -> [String: VersionHistory] {
    let found = paths(of: names).filter { GitLocation($0) == nil && !isSwiftSource($0) }.compactMap { path in
      VersionHistory(ofModelAt: path)?.withTags().map {
        (URL(filePath: path).deletingPathExtension().lastPathComponent, $0)
      }
    }
    return Dictionary(firstOf: found)
  }

  /// Of the models with these names or paths, else of all.
  private func paths(of names: [String]) -> [String] {
    if names.isEmpty { return (try? modelPaths()) ?? [] }
    return names.flatMap { name -> [String] in
      if isModelPath(name) { return [name] }
      return (try? of(modelNamed: name).modelPaths()) ?? []
    }
  }
}

extension Diagnostic {
  fileprivate static func noStepInDBML(_ step: String) -> Self {
    Self(
      .fileUnreadable, .error, "DBML describes one version, not the step '\(visible(step))'",
      help: ["`--as mermaid` and `--as svg` show a step"])
  }
}
