package import Foundation
package import ManagedModel

/// What one version file says, and where each part of it stands; diagnostics are in the order of the file.
package typealias ModelReading = (model: ManagedObjectModel?, sourceMap: SourceMap, diagnostics: [Diagnostic])

/// Reads one version of a model from the model language.
///
/// What the text says is reported here; whether the model makes sense is for ``checkModel(_:)``.
///
/// - Parameters:
///   - file: the path to show in places.
///   - name: the version's.
///   - files: where a version that it extends is found; without them it can extend none.
/// - Returns: no model if the text is not a YAML. With errors among the diagnostics it holds what could be read, and is
///   good for nothing but further findings.
package func readModel(
  yaml: Data, file: String, named name: String = "", among files: VersionFiles? = nil
) -> ModelReading {
  let (node, reading) = LanguageReading.read(yaml, file: file, sharing: files?.entities)
  // Put together with what it extends.
  let whole = node.flatMap { node -> YAMLNode? in
    guard let extended = node["extends"] else { return node }
    if files == nil { reading.diagnostics.append(.extendsElsewhere(extended)) }
    return files?.whole(node, of: name, bytes: yaml.count, reading)
  }
  var model: ManagedObjectModel?
  if let whole {
    var read = ManagedObjectModel()
    // `format: 1` is this language; a later one needs a later modelc.
    if let format = whole["format"], format.text != "1" {
      reading.diagnostics.append(
        .unknownFormat, .error, "format \(format.kind) is not known; this modelc reads format 1",
        place: format.range, help: ["a newer modelc reads it, or remove the line"])
    }
    modelSchema.read(whole, into: &read, about: ModelSubject(), reading)
    // What is too large, or was not read to its end, is good for nothing.
    reading.limits = read.checkLimits()
    if reading.limits.isEmpty, !reading.isFull { model = read }
  }
  let sourceMap =
    whole.map { SourceMap(file: file, outline: ModelOutline($0, file: file)) } ?? SourceMap(file: file)
  return (model, sourceMap, reading.finished + reading.limits.limited.map { $0.located(by: sourceMap) })
}

extension Diagnostic.Code { package static let unknownFormat = Self("MC0010") }
