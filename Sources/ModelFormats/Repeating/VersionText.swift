import Foundation
import ManagedModel

/// The text of a version that was read without a finding: the next version says most of it again, word for word.
///
/// A text that repeats entities is read without what it says of these; only their names stay. It gives the same
/// model as the whole text: the section and all names in it are again what they seem, so that the parser, which knows
/// nothing but what came before, stood at each name as it did in the earlier text, and would have read on as it did
/// there. Only the last entity of a text ends at something else than a name; it is neither repeated nor taken over.
///
/// Whatever else there is to be said of a text, by the reader or by a place that is asked for, makes it be read whole.
struct VersionText: Sendable {
  private let text: Data
  private let blocks: [EntityBlocks.Block]
  private let entities: [EntityDescription]
  /// How many values the text has, at the most.
  private let valueCount: Int

  /// - Returns: nil where nothing of it can be repeated.
  init?(_ text: Data, _ reading: ModelReading) {
    guard let section = EntityBlocks(text), section.isWhatItSeems(in: reading),
      let model = reading.model, let facts = reading.text
    else { return nil }
    self.init(
      text: text, blocks: section.blocks, entities: model.entities, valueCount: facts.valueCount)
  }

  private init(text: Data, blocks: [EntityBlocks.Block], entities: [EntityDescription], valueCount: Int) {
    self.text = text
    self.blocks = blocks
    self.entities = entities
    self.valueCount = valueCount
  }

  /// A version that repeats some of this one's entities.
  struct Repeating {
    var reading: ModelReading
    /// For each entity, whether it was taken over.
    var isRepeated: [Bool]
    var text: VersionText
  }

  /// Reads what another text does not repeat.
  ///
  /// - Returns: what reading the whole would give; nil where that is not sure.
  func read(_ yaml: Data, file: String) -> Repeating? {
    guard yaml.count <= YAMLLimits.bytes, let section = EntityBlocks(yaml) else { return nil }
    let blocks = section.blocks
    let places = repeated(blocks, of: yaml)
    guard places.contains(where: { $0 != nil }) else { return nil }
    let rest = readModel(yaml: section.text(yaml, without: places.map { $0 != nil }), file: file)
    guard section.isWhatItSeems(in: rest), var model = rest.model, var facts = rest.text,
      facts.valueCount + valueCount <= YAMLLimits.nodes
    else { return nil }
    facts.valueCount += valueCount
    for (index, place) in places.enumerated() {
      if let place { model.entities[index] = entities[place] }
    }
    guard checkModelLimits(model).isEmpty else { return nil }
    let reading = ModelReading(
      model: model, sourceMap: SourceMap(file: file, outline: LateOutline(yaml, file: file)),
      diagnostics: [], text: facts)
    let text = VersionText(
      text: yaml, blocks: blocks, entities: model.entities, valueCount: facts.valueCount)
    return Repeating(reading: reading, isRepeated: places.map { $0 != nil }, text: text)
  }

  /// For each of the blocks, which of this text's says the same of the same name.
  private func repeated(_ others: [EntityBlocks.Block], of other: Data) -> [Int?] {
    var known: [String: Int] = Dictionary(minimumCapacity: blocks.count)
    for (index, block) in blocks.enumerated().dropLast() { known[block.name] = index }
    return unsafe text.withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { otherBytes in
        others.enumerated().map { index, block in
          guard index < others.count - 1, let place = known[block.name],
            unsafe areEqual(bytes[blocks[place].body], otherBytes[block.body])
          else { return nil }
          return place
        }
      }
    }
  }
}

private func areEqual(
  _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
) -> Bool {
  guard unsafe left.count == right.count else { return false }
  guard let own = unsafe UnsafeRawBufferPointer(rebasing: left).baseAddress,
    let other = unsafe UnsafeRawBufferPointer(rebasing: right).baseAddress
  else { return true }
  return unsafe memcmp(own, other, left.count) == 0
}
