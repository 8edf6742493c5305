import Foundation
import ManagedModel

/// Opens models as one: every version of a model with the version of each included model that goes with it.
///
/// Version hashes, entity numbers and all checks are those of the merged model. What is missing, leads round in a
/// circle or cannot be merged is reported at the line of `versions.yaml` that names it.
func merge(
  _ includes: [IncludedModel], into model: VersionedModel, folder: URL, _ chain: IncludeChain,
  _ reader: ModelReader
) -> (model: VersionedModel, diagnostics: [Diagnostic]) {
  guard !includes.isEmpty else { return (model, []) }
  return chain.reading(folder) {
    var model = model
    var diagnostics: [Diagnostic] = []
    for include in includes {
      let (included, findings) = read(include, by: folder, chain, reader)
      diagnostics += findings
      guard let included else { continue }
      for (own, other) in include.versions.sorted(by: { $0.key < $1.key }) {
        if model.version(named: own) == nil {
          diagnostics.append(.noVersion(own, of: model, at: include.place))
        }
        if included.version(named: other) == nil {
          let subject = ModelSubject(version: own)
          diagnostics.append(.noVersion(other, of: included, at: include.place).with { $0.subject = subject })
        }
      }
      for index in model.versions.indices {
        diagnostics += merge(included, include, into: &model.versions[index])
      }
    }
    return (model, diagnostics)
  }
}

private func read(
  _ include: IncludedModel, by folder: URL, _ chain: IncludeChain,
  _ reader: ModelReader
) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
  do throws(DiagnosticsError) {
    guard let url = try chain.url(of: include.path, includedBy: folder) else {
      let help = "paths are relative to the folder of 'versions.yaml', as in '../Shared'"
      let message = "there is no model to include at '\(include.path.abridged)'"
      return (nil, [.notIncluded(include, message, help: help)])
    }
    if let cycle = chain.cycle(to: url) {
      let notes = [Diagnostic.Note(cycle.joined(separator: " → "))]
      let help = "remove one of the includes"
      return (nil, [.notIncluded(include, "the model includes itself", notes: notes, help: help)])
    }
    guard chain.count(one: url) else {
      let message = "too many models are included"
      return (nil, [.notIncluded(include, message, help: "include each model only once")])
    }
    let (model, diagnostics) = reader.read(at: url, including: chain)
    return (model, diagnostics.map { $0.included(at: include.place) })
  } catch {
    return (nil, error.diagnostics.map { $0.at(include.place) })
  }
}

private func merge(
  _ included: VersionedModel, _ include: IncludedModel, into version: inout ModelVersion
) -> [Diagnostic] {
  let name = include.versions[version.name]
  let only = included.versions.count == 1 ? included.versions.first : nil
  guard let other = included.version(named: name ?? version.name) ?? (name == nil ? only : nil) else {
    // A name that is given and unknown was reported.
    if name != nil { return [] }
    let current = included.currentVersion?.name ?? "…"
    return [Diagnostic](
      .noCurrentVersion, .error,
      "it is unclear which version of '\(included.name.abridged)' belongs to '\(version.name.abridged)'",
      subject: ModelSubject(version: version.name), place: include.place,
      notes: [.init("its versions: \(included.versions.map(\.name).joined(separator: ", "))")],
      help: ["name it in the entry: versions: {\(version.name): \(current)}"])
  }
  let (merged, diagnostics) = version.merged(with: other, of: included.name)
  version = merged
  return diagnostics
}

extension Diagnostic {
  fileprivate func at(_ place: SourceRange?) -> Diagnostic { with { $0.place = place } }

  /// A finding of an included model says where it is included.
  fileprivate func included(at place: SourceRange?) -> Diagnostic {
    with {
      // Its versions are not those of the model that includes it.
      $0.subject?.version = nil
      if $0.notes.count < 8 { $0.notes.append(Note("included here", place: place)) }
    }
  }

  fileprivate static func notIncluded(
    _ include: IncludedModel, _ message: String, notes: [Note] = [], help: String
  ) -> Diagnostic {
    Diagnostic(.fileUnreadable, .error, message, place: include.place, notes: notes, help: [help])
  }

  fileprivate static func noVersion(
    _ name: String, of model: VersionedModel, at place: SourceRange?
  ) -> Diagnostic {
    let names = model.versions.map(\.name)
    return Diagnostic(
      .noCurrentVersion, .error, "'\(model.name.abridged)' has no version '\(name.abridged)'", place: place,
      help: .didYouMean(name, among: names, else: ["its versions are \(names.listed)"]))
  }
}
