import Foundation
import TestSupport
import Testing

@testable import ModelFormats

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Our reader beside Foundation's, which is libxml2: two programs that share no line.
@Suite("XML is read as another reader reads it") struct XMLReaderTests {
  /// What both say of a document: every tag and its attributes, and all text between tags.
  private typealias Lines = [String]

  private func lines(byOurs document: String) -> Lines? {
    var lines: Lines = [""]
    do {
      let bytes = Array(document.utf8)
      var reader = try XMLReader(bytes, limits: XMLReader.Limits(depth: 200, elements: 9999, attributes: 99))
      while let piece = try reader.next() {
        switch piece {
        case .start:
          let attributes = reader.tag.attributes.map { "\($0.name)=\($0.value)" }.sorted()
          lines += ["<\(reader.tag.name) \(attributes)", ""]
        case .end: lines += [">", ""]
        case .text(let range, let isLiteral):
          lines[lines.count - 1] += try reader.characters(range, isLiteral: isLiteral)
        }
      }
    } catch {
      return nil
    }
    return lines
  }

  private func lines(byFoundation document: String) -> Lines? {
    let collector = Collector()
    let parser = XMLParser(data: Data(document.utf8))
    parser.delegate = collector
    // It reads on behind many an error, and says in the end that all was well.
    return parser.parse() && !collector.hasFailed ? collector.lines : nil
  }

  private final class Collector: NSObject, XMLParserDelegate {
    var lines: Lines = [""]
    var hasFailed = false

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) { hasFailed = true }

    func parser(
      _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
      qualifiedName qName: String?, attributes: [String: String]
    ) {
      lines += ["<\(elementName) \(attributes.map { "\($0.key)=\($0.value)" }.sorted())", ""]
    }

    func parser(
      _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
      qualifiedName qName: String?
    ) {
      lines += [">", ""]
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { lines[lines.count - 1] += string }
    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      lines[lines.count - 1] += String(decoding: block, as: UTF8.self)
    }
  }

  private static let sample = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <!-- a comment -->
    <model type='com.apple' größe="é👍 &#233;">
      <entity name="A" note="a &lt; b &amp; &#x1F600;\n\tend"><userInfo/>text &gt; &quot;<![CDATA[<&>]]>\r\n</entity>
    </model>

    """

  @Test func `a document with everything comes out alike`() throws {
    let ours = try #require(lines(byOurs: Self.sample))
    #expect(ours == lines(byFoundation: Self.sample))
    #expect(ours.contains { $0.contains("note=a < b & 😀  end") })
  }

  @Test(.needsFixtures) func `every genuine model does`() throws {
    let models = Fixtures.all(withExtension: "xcdatamodel").map { $0.appending(path: "contents") }
    var count = 0
    for model in models {
      guard let text = try? String(contentsOf: model, encoding: .utf8) else { continue }
      #expect(lines(byOurs: text) == lines(byFoundation: text), "\(model.path)")
      count += 1
    }
    #expect(count > 100)
  }

  /// Neither sees a processing instruction or a document type: they are refused before, and end Foundation's parser.
  @Test func `what one refuses the other refuses`() {
    var generator = SeededGenerator(seed: 19)
    let pieces = [
      "<", ">", "\"", "'", "&", "&#0;", "&#13;", "&amp;", "<![CDATA[", "]]>", "--", "=", "/", " ", "\n",
      "<a>", "</a>",
      "<a/>", "é", "\u{1}", "\u{FFFE}", "b='1'", "<!-- x -->", "&#x10FFFF;", "&#xD800;", "·", ".", "-", "1",
    ]
    var (accepted, refused) = (0, 0)
    for _ in 0..<3_000 {
      var scalars = Array(Self.sample.unicodeScalars.dropFirst(56))
      for _ in 0...Int.random(in: 0..<3, using: &generator) {
        let start = Int.random(in: 0..<scalars.count, using: &generator)
        let end = min(scalars.count, start + Int.random(in: 0..<4, using: &generator))
        scalars.replaceSubrange(start..<end, with: Array(generator.pick(pieces).unicodeScalars))
      }
      var document = ""
      document.unicodeScalars.append(contentsOf: scalars)
      if document.contains("<?") || document.contains("<!D") { continue }
      let (ours, theirs) = (lines(byOurs: document), lines(byFoundation: document))
      #expect(ours == theirs, "\(document)")
      if ours == nil { refused += 1 } else { accepted += 1 }
    }
    #expect(accepted > 300 && refused > 300, "\(accepted) and \(refused)")
  }
}
