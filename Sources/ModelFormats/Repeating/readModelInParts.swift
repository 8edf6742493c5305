import Foundation
import ManagedModel

/// Reads a large version on all processors: each reads a part of the entities and, of the others, nothing but the names.
///
/// The parts give the same model as the whole text, for the reason that ``VersionText`` gives: at each name the parser
/// stands where it would stand in the whole, and reads on from there. The last entity ends at something else than a
/// name; all processors read it.
///
/// - Parameter cut: the parts of so many entities.
/// - Returns: what reading the whole would give; nil where that is not sure or not worth it, as in a text of which there
///   is anything to be said.
func readModelInParts(
  _ yaml: Data, file: String, cut: (Int) -> [Range<Int>] = { processorParts(of: $0, minimum: 50) }
) -> ModelReading? {
  guard yaml.count <= YAMLLimits.bytes, let section = EntityBlocks(yaml) else { return nil }
  let count = section.blocks.count
  let parts = cut(count)
  guard parts.count > 1 else { return nil }
  let readings = concurrentMap(parts) { part in
    let isLeftOut = (0..<count).map { !part.contains($0) && $0 < count - 1 }
    return readModel(yaml: section.text(yaml, without: isLeftOut), file: file)
  }
  guard readings.allSatisfy(section.isWhatItSeems(in:)), var model = readings[0].model,
    var facts = readings[0].text
  else { return nil }
  facts.valueCount = readings.reduce(0) { $0 + ($1.text?.valueCount ?? 0) }
  for (part, reading) in zip(parts, readings).dropFirst() {
    if let read = reading.model { model.entities.replaceSubrange(part, with: read.entities[part]) }
  }
  guard facts.valueCount <= YAMLLimits.nodes, checkModelLimits(model).isEmpty else { return nil }
  return ModelReading(
    model: model, sourceMap: SourceMap(file: file, outline: LateOutline(yaml, file: file)), diagnostics: [],
    text: facts)
}
