import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelFormats

@Suite("Formatting keeps what a file says") struct FormattingPropertyTests {
  /// The sample's files by name.
  private static let sample: [(name: String, text: String)] = {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return ["Models/Trails", "Migrations/Trails"].flatMap { folder in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: top.appending(path: folder).path)) ?? []
      return names.filter { $0.hasSuffix(".yaml") }.sorted().map { name in
        (name, (try? String(contentsOf: top.appending(path: "\(folder)/\(name)"), encoding: .utf8)) ?? "")
      }
    }
  }()

  @Test func `the sample is formatted`() throws {
    #expect(Self.sample.count == 10)
    for (name, text) in Self.sample { #expect(try formatted(text, name) == text, "\(name)") }
  }

  /// Written models whose text a test can take apart often.
  private static let written: [(name: String, text: String)] = GenuineModel.all.map {
    ($0.name, writeModel($0.model))
  }
  private static let bases = sample + written.filter { $0.text.utf8.count < 12_000 }

  @Test(.needsFixtures) func `what modelc writes of every genuine model is formatted`() throws {
    #expect(Self.written.count > 100)
    for (name, text) in Self.written { #expect(try formatted(text) == text, "\(name)") }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func `every comment of a file in disorder stays at its thing, and the file says the same`(part: UInt64)
    throws
  {
    var comments = 0
    for seed in (part * 25 - 24)...(Fixtures.areWhole ? part * 25 : part * 25 - 18) {
      let (name, text) = Self.bases[Int(seed &* 7919 % UInt64(Self.bases.count))]
      let root = try #require(readYAML(Data(text.utf8), file: name).node)
      let kind = try #require(LanguageFileKind(root, file: name, text: text))
      let file = CommentedFile(root, kind.shape, seed: seed)
      comments += file.things.count
      let once = try formatted(file.text, name)
      let reread = try #require(readYAML(Data(once.utf8), file: name).node)
      #expect(misplaced(file, once, reread) == [], "seed \(seed)\n\(file.text)\n---\n\(once)")
      #expect(try formatted(once, name) == once, "seed \(seed)")
      try expectSame(text, once, name, kind)
    }
    #expect(comments > (Fixtures.areWhole ? 200 : 50))
  }

  private func expectSame(_ text: String, _ other: String, _ name: String, _ kind: LanguageFileKind) throws {
    let (data, others) = (Data(text.utf8), Data(other.utf8))
    switch kind {
    case .version:
      let model = try #require(readModel(yaml: data, file: name).model)
      let again = try #require(readModel(yaml: others, file: name).model)
      #expect(again == model, "\(name)")
      #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    case .versionList:
      let names = readVersionList(yaml: data, file: name).list?.versions.map(\.name)
      #expect(readVersionList(yaml: others, file: name).list?.versions.map(\.name) == names)
    case .mapping:
      let mappings = readMappingFile(yaml: data, file: name).mappingModels
      #expect(
        writeMappingFile(readMappingFile(yaml: others, file: name).mappingModels)
          == writeMappingFile(mappings))
    case .settings: break
    }
  }

  @Test(.needsFixtures) func `drafts of mapping files are formatted`() throws {
    let models = GenuineModel.all.prefix(120)
    var count = 0
    for (first, second) in zip(models, models.dropFirst()) {
      let (source, destination) = (
        ModelVersion(name: "V1", model: first.model), ModelVersion(name: "V2", model: second.model)
      )
      let text = source.draftMappingFile(to: destination, schema: "../../Models/Schemas/mapping.schema.json")
      #expect(try formatted(text, "V1-V2.yaml") == text, "\(first.name) \(second.name)")
      count += 1
    }
    #expect(count > 50)
  }

  @Test func `any value that modelc writes is formatted`() throws {
    var random = SplitMix(seed: 3)
    for round in 0..<600 {
      let texts = (0..<4).map { _ in nastyText(using: &random) }
      let inner = YAMLValue.mapping(
        [YAMLPair(texts[0], .text(texts[1]))], round.isMultiple(of: 3) ? .block : .compact)
      let layout: YAMLValue.Layout = round.isMultiple(of: 2) ? .compact : .block
      let text = renderYAML([
        YAMLPair(
          "entities",
          .mapping([YAMLPair(texts[2], .sequence([.text(texts[3]), inner, .typed(texts[1])], layout))]))
      ])
      #expect(try formatted(text) == text)
    }
  }

  /// A few places changed at random: mostly comments, blank lines, brackets and line ends.
  private func damaged(_ text: String, _ random: inout SeededGenerator) -> String {
    let pieces = [
      "\n", "\n\n", " # c", "  # c\n", "\n# d\n", "\n    # e\n", ", ", "[", "]", "{", "}", "- ", "? ", "'",
      "\"", "  ", "a: b\n",
      "|\n          x\n", "|+\n          x\n\n\n", ">-\n          x\n          y\n", "\r\n", "\u{2028}",
      "\u{85}", "--- ", "\\",
    ]
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...scalars.count, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        scalars.removeSubrange(place..<min(scalars.count, place + Int.random(in: 1...6, using: &random)))
      } else {
        scalars.insert(contentsOf: Array(random.pick(pieces).unicodeScalars), at: place)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  @Test func `what the parser takes is formatted, whatever was done to it`() throws {
    var random = SeededGenerator(seed: 11)
    var count = 0
    for round in 0..<1_500 {
      let (name, text) = Self.sample[round % Self.sample.count]
      let broken = damaged(text, &random)
      do {
        let once = try formatted(broken, name)
        count += 1
        #expect(try formatted(once, name) == once)
      } catch let error as DiagnosticsError {
        #expect(error.diagnostics.first?.code != .notLaidOut, "round \(round): \(error)\n\(broken)")
      }
    }
    #expect(count > 200)
  }
}
