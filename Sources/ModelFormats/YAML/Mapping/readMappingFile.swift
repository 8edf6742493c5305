package import Foundation
package import ManagedModel

/// The content of a mapping file, both in the file's order. With errors among the diagnostics the mapping models hold what
/// could be read.
package typealias MappingReading = (mappingModels: [CustomMappingModel], diagnostics: [Diagnostic])

/// Reads a mapping file: one mapping model, or a list of several for one step, which Core Data allows so that each
/// takes a part of the entities.
///
/// It reports errors of the text, the syntax of expressions included. Whether entities and properties exist is checked
/// later, with the two models.
///
/// - Parameter file: the path to show in places.
package func readMappingFile(yaml: Data, file: String) -> MappingReading {
  let (node, reading) = LanguageReading.read(yaml, file: file)
  guard let node else { return ([], reading.finished) }
  var nodes = [node]
  if case .sequence(let elements) = node.content { nodes = elements }
  if nodes.isEmpty || node.isEmpty {
    reading.diagnostics.append(.missingKey("'from'", in: "a mapping model", at: node))
  }
  var models: [CustomMappingModel] = []
  for element in nodes where !element.isEmpty {
    var model = CustomMappingModel(sourceVersionName: "", destinationVersionName: "")
    mappingModelSchema.read(element, into: &model, about: ModelSubject(), reading)
    // The keys may stand in any order.
    if let reverse = model.reverse.first { model.setReverse(reverse) }
    model.sourceMap = SourceMap(file: file, outline: MappingOutline(element, file: file))
    if let first = models.first,
      first.sourceVersionName != model.sourceVersionName
        || first.destinationVersionName != model.destinationVersionName
    {
      let step = "\(first.sourceVersionName.abridged) to \(first.destinationVersionName.abridged)"
      reading.diagnostics.append(
        .wrongKind, .error, "all mapping models of a file are for the same step, here from \(step)",
        place: element["from"]?.range ?? element.range, help: ["give each step its own file"])
    }
    models.append(model)
  }
  return (models, reading.finished)
}

/// The text of a mapping file: the shortest that ``readMappingFile(yaml:file:)`` reads back to equal mapping models.
///
/// - Parameter models: all of one step; several make a list.
package func writeMappingFile(_ models: [CustomMappingModel]) -> String {
  if models.count == 1 { return renderYAML(mappingModelSchema.write(models[0])) }
  return renderYAML(list: models.map { .mapping(mappingModelSchema.write($0), .block) })
}
