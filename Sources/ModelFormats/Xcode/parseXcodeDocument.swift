import Foundation
public import ManagedModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The largest `contents` that is read; genuine ones stay far below one megabyte.
let xcodeDocumentSizeLimit = 4 << 20

/// Parses a model's `contents` into elements with places, or throws the one reason why it is none.
///
/// No external entity is ever fetched, and a document that declares entities or a DTD is refused before the
/// parser sees it: Xcode writes neither, and either can make a small file unfold without end. So is one with more
/// elements, deeper ones, or more attributes than any model, which would cost the parser time and memory.
func parseXcodeDocument(_ contents: Data, file: String) throws(DiagnosticsError) -> XcodeElement {
  if let refusal = refusalBeforeParsing(contents, file: file) { throw DiagnosticsError(refusal) }
  var scanner = StartTagScanner(bytes: [UInt8](contents), file: file)
  var tags: [StartTagScanner.StartTag] = []
  while let tag = scanner.next() {
    tags.append(tag)
    if tags.count > XcodeLimits.elements || tag.depth > XcodeLimits.depth
      || tag.attributePlaces.count > XcodeLimits.attributes || tag.byteCount > StartTagScanner.byteLimit
    {
      throw DiagnosticsError(.tooManyElements(tag.place))
    }
  }
  let builder = ElementTreeBuilder(tags, file: file)
  let parser = XMLParser(data: withoutDeclaration(contents))
  parser.delegate = builder
  parser.shouldResolveExternalEntities = false
  parser.shouldProcessNamespaces = false
  let isWellFormed = parser.parse()
  guard isWellFormed, let root = builder.root else {
    let slip = builder.firstSlip ?? builder.slip(of: parser, parser.parserError)
    throw DiagnosticsError(.malformedXML(slip.place, code: slip.code))
  }
  return root
}

/// What a document may hold; far more than any model does.
private enum XcodeLimits {
  /// Genuine models have some thousand.
  static let elements = 50_000
  /// Genuine models are five deep.
  static let depth = 32
  /// Of one element; the scanner looks at some more.
  static let attributes = 100
  /// Bytes before the root element.
  static let prolog = 1 << 16
}

private func refusalBeforeParsing(_ contents: Data, file: String) -> Diagnostic? {
  let start = SourceLocation(line: 1, column: 1)
  let place = SourceRange(file: file, start: start, end: start)
  if contents.count > xcodeDocumentSizeLimit { return .oversizedFile(place, bytes: contents.count) }
  if isLargeFilePointer(contents) { return .largeFilePointer(file) }
  if contents.starts(with: Data("bplist".utf8)) { return .modelBeforeXcode4(place) }
  // Other encodings could hide declarations from the look at the prolog below.
  guard String(validating: contents, as: UTF8.self) != nil, !contents.contains(0) else {
    return .notUTF8(place)
  }
  let prolog = Prolog([UInt8](contents))
  if prolog.isAll { return .emptyFile(place) }
  if let encoding = prolog.encoding, !["utf-8", "us-ascii"].contains(encoding.lowercased()) {
    return .notUTF8(place)
  }
  if prolog.byteCount > XcodeLimits.prolog { return .longProlog(place) }
  if prolog.declaresDocumentType { return .documentType(place) }
  return hasProcessingInstruction(contents) ? .processingInstruction(place) : nil
}

/// What stands before the root element.
private struct Prolog {
  private(set) var encoding: String?
  private(set) var declaresDocumentType = false
  /// Whether nothing stands behind it.
  private(set) var isAll = false
  /// Of what was looked at: not more than is allowed, by much.
  private(set) var byteCount = 0

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
    let declaration = String(decoding: rest.prefix(200), as: UTF8.self)
    if let match = declaration.prefixMatch(of: #/<\?xml[^>]*encoding\s*=\s*["']([^"']*)["']/#) {
      encoding = String(match.1)
    }
    while true {
      rest = rest.drop { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }
      byteCount = rest.startIndex
      guard byteCount <= XcodeLimits.prolog, let end = Self.endOfAside(rest) else { break }
      rest = rest[end...]
    }
    isAll = rest.isEmpty
    declaresDocumentType = rest.starts(with: Array("<!".utf8))
  }

  /// Behind a comment or an instruction; nil where none begins here, or none ends.
  private static func endOfAside(_ rest: ArraySlice<UInt8>) -> Int? {
    if rest.starts(with: Array("<!--".utf8)) { return end(of: Array("-->".utf8), in: rest.dropFirst(4)) }
    if rest.starts(with: Array("<?".utf8)) { return end(of: Array("?>".utf8), in: rest.dropFirst(2)) }
    return nil
  }

  private static func end(of mark: [UInt8], in rest: ArraySlice<UInt8>) -> Int? {
    var index = rest.startIndex
    while index + mark.count <= rest.endIndex {
      if rest[index] == mark[0], rest[index...].starts(with: mark) { return index + mark.count }
      index += 1
    }
    return nil
  }
}

/// Collects the parser's events into a tree.
private final class ElementTreeBuilder: NSObject, XMLParserDelegate {
  private(set) var root: XcodeElement?
  /// The parser may report several errors, of which the first is the cause.
  private(set) var firstSlip: (place: SourceRange, code: Int)?
  private var open: [XcodeElement] = []
  private var tags: ArraySlice<StartTagScanner.StartTag>
  private let file: String

  /// - Parameter tags: the places of all start tags, in their order.
  init(_ tags: [StartTagScanner.StartTag], file: String) {
    self.tags = tags[...]
    self.file = file
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String]
  ) {
    let start = SourceLocation(line: 1, column: 1)
    let tag =
      tags.popFirst() ?? StartTagScanner.StartTag(place: SourceRange(file: file, start: start, end: start))
    open.append(
      XcodeElement(
        name: elementName, attributes: attributeDict, place: tag.place, attributePlaces: tag.attributePlaces))
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    guard firstSlip == nil else { return }
    firstSlip = slip(of: parser, parseError)
    parser.abortParsing()
  }

  func slip(of parser: XMLParser, _ error: (any Error)?) -> (place: SourceRange, code: Int) {
    let place = SourceLocation(line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))
    return (SourceRange(file: file, start: place, end: place), (error as NSError?)?.code ?? 0)
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }
}

extension Diagnostic.Code {
  /// A file of Xcode's that is no well-formed XML, or holds nothing.
  public static let malformedXML = Self("MC0201")
  /// A binary model from before Xcode 4.
  public static let modelBeforeXcode4 = Self("MC0203")
  /// A document with a DTD, or beyond the limits that keep reading bounded.
  public static let refusedDocument = Self("MC0204")
}

extension Diagnostic {
  private static let checkout = ["restore the file from version control, or open and save the model in Xcode"]

  fileprivate static func malformedXML(_ place: SourceRange, code: Int) -> Diagnostic {
    // The parser's own numbers (`XMLParser.ErrorCode`) of the slips that hands and merges make.
    let reasons = [
      4: "the document is empty", 5: "the document ends too early", 9: "a character is not allowed here",
      38: "an attribute's value holds a '<'", 39: "an attribute's value is not quoted",
      41: "an attribute has no value", 42: "an attribute occurs twice", 65: "a space is missing",
      68: "a name is missing", 73: "a '>' is missing", 76: "start and end tag do not match",
      77: "an element is not closed", 26: "an entity is not declared",
    ]
    return Diagnostic(
      .malformedXML, .error, "the XML cannot be parsed: \(reasons[code] ?? "parser error \(code)")",
      place: place, notes: ["conflict markers of a merge are a frequent cause"], help: checkout)
  }

  fileprivate static func processingInstruction(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .refusedDocument, .error, "the file holds a processing instruction ('<?…?>')", place: place,
      notes: ["Xcode writes none into a model"], help: checkout)
  }

  fileprivate static func emptyFile(_ place: SourceRange) -> Diagnostic {
    Diagnostic(.malformedXML, .error, "the file is empty", place: place, help: checkout)
  }

  fileprivate static func notUTF8(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .malformedXML, .error, "the file is not UTF-8 text", place: place,
      notes: ["Xcode writes models in UTF-8"], help: checkout)
  }

  static func modelBeforeXcode4(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .modelBeforeXcode4, .error, "the model is in the binary format from before Xcode 4", place: place,
      notes: ["that format holds Xcode's own classes; Core Data never reads it"],
      help: [
        "open the model in Xcode, choose a newer 'Tools Version' in the File inspector and save it",
        "or adopt a store or a compiled '.mom' of this version instead",
      ])
  }

  fileprivate static func documentType(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .refusedDocument, .error, "the file declares a document type or entities", place: place,
      notes: ["Xcode never writes them, and entities can make a small file unfold without end"],
      help: ["remove the '<!DOCTYPE …>' declaration"])
  }

  fileprivate static func longProlog(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .refusedDocument, .error, "more stands before the model than any model has there", place: place,
      help: ["remove the comments before the element 'model'"])
  }

  static func oversizedFile(_ place: SourceRange, bytes: Int) -> Diagnostic {
    Diagnostic(
      .refusedDocument, .error, "the file has \(bytes >> 20) MB, more than any model", place: place,
      help: ["check that the path names a model's 'contents'"])
  }

  fileprivate static func tooManyElements(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .refusedDocument, .error, "the file has more elements, deeper ones or more attributes than any model",
      place: place,
      help: checkout)
  }
}
