import Foundation
import ManagedModel

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An object in a file of Core Data's XML store, which is what Xcode keeps mapping models in.
struct XMLManagedObject: Sendable {
  /// The entity's name in capitals: `XDDEVENTITYMAPPING`.
  var entity: String
  var id: String
  /// Attributes' texts by name; binary ones in Base64.
  var attributes: [String: String] = [:]
  /// The IDs that relationships lead to, by name; an empty list where one leads nowhere.
  var relationships: [String: [String]] = [:]
  var place: SourceRange

  subscript(attribute: String) -> String? { attributes[attribute].flatMap { $0.isEmpty ? nil : $0 } }
}

/// Reads the objects of Core Data's XML store, in the order of the file.
///
/// The document type that Core Data writes names a DTD on the disk of a Mac; it is never looked for. Any other
/// document type is refused, because entities can make a small file unfold without end.
func parseManagedObjects(_ contents: Data, file: String) throws(DiagnosticsError) -> [XMLManagedObject] {
  let start = SourceLocation(line: 1, column: 1)
  let place = SourceRange(file: file, start: start, end: start)
  if contents.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
    throw DiagnosticsError(.malformed(place, "it is empty"))
  }
  if contents.starts(with: Data("version https://git-lfs".utf8)) { throw DiagnosticsError(.pointer(place)) }
  guard contents.count <= 64 << 20 else {
    throw DiagnosticsError(
      .refused(place, "the file has \(contents.count >> 20) MB, more than any mapping model"))
  }
  guard let text = String(validating: contents, as: UTF8.self), !contents.contains(0) else {
    throw DiagnosticsError(.malformed(place, "it is not UTF-8 text"))
  }
  guard let plain = withoutDocumentType(text) else {
    throw DiagnosticsError(.refused(place, "the file declares a document type that Core Data never writes"))
  }
  if hasProcessingInstruction(contents) {
    throw DiagnosticsError(
      .refused(place, "the file holds a processing instruction, which Core Data never writes"))
  }
  let collector = ManagedObjectCollector(file: file)
  let parser = XMLParser(data: withoutDeclaration(Data(plain.utf8)))
  parser.delegate = collector
  parser.shouldResolveExternalEntities = false
  let isWellFormed = parser.parse()
  if let refusal = collector.refusal { throw DiagnosticsError(refusal) }
  guard isWellFormed, collector.isComplete else {
    let slip = SourceLocation(line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))
    throw DiagnosticsError(
      .malformed(SourceRange(file: file, start: slip, end: slip), "it is no well-formed XML"))
  }
  guard collector.rootName == "database" else {
    throw DiagnosticsError(.malformed(place, "it holds no objects of Core Data's"))
  }
  return collector.objects
}

/// Blanks where Core Data's own document type stands, so that places stay; nil where another one is declared.
private func withoutDocumentType(_ text: String) -> String? {
  guard text.range(of: "<!ENTITY", options: .literal) == nil else { return nil }
  guard let declaration = text.range(of: "<!DOCTYPE", options: .literal) else { return text }
  let rest = declaration.upperBound..<text.endIndex
  guard text.range(of: "<!DOCTYPE", options: .literal, range: rest) == nil,
    let match = text[declaration.lowerBound...].prefixMatch(of: #/<!DOCTYPE database SYSTEM "[^"<>\[]*"\s*>/#)
  else { return nil }
  let blanks = String(repeating: " ", count: text[match.range].count)
  return text.replacingCharacters(in: match.range, with: blanks)
}

/// Collects the parser's events into objects.
private final class ManagedObjectCollector: NSObject, XMLParserDelegate {
  private(set) var rootName: String?
  private(set) var objects: [XMLManagedObject] = []
  private(set) var refusal: Diagnostic?
  private var depth = 0
  /// Whether the root element was closed: a document that is cut off is not always an error to the parser.
  var isComplete: Bool { rootName != nil && depth == 0 }
  private var current: XMLManagedObject?
  private var attributeName: String?
  private var text = ""
  private let file: String

  /// The largest genuine mapping model has 130 objects.
  private static let objectLimit = 200_000
  /// Genuine ones are six deep, in their metadata.
  private static let depthLimit = 32

  init(file: String) { self.file = file }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes: [String: String]
  ) {
    depth += 1
    if depth == 1 { rootName = elementName }
    let location = SourceLocation(line: max(parser.lineNumber, 1), column: max(parser.columnNumber, 1))
    let place = SourceRange(file: file, start: location, end: location)
    if depth > Self.depthLimit || objects.count > Self.objectLimit {
      refusal = .refused(place, "the file has more objects, or deeper ones, than any mapping model")
      parser.abortParsing()
    }
    switch (depth, elementName) {
    case (2, "object"):
      current = XMLManagedObject(
        entity: attributes["type"] ?? "", id: attributes["id"] ?? "", place: place)
    case (3, "attribute"):
      attributeName = attributes["name"]
      text = ""
    case (3, "relationship"):
      let targets = (attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
      if let name = attributes["name"] { current?.relationships[name] = targets }
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if attributeName != nil { text += string }
  }

  func parser(
    _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?
  ) {
    if depth == 3, elementName == "attribute", let name = attributeName {
      current?.attributes[name] = text
      attributeName = nil
    } else if depth == 2, let object = current {
      objects.append(object)
      current = nil
    }
    depth -= 1
  }
}

extension Diagnostic {
  private static let checkout = ["restore the file from version control, or open and save it in Xcode"]

  fileprivate static func malformed(_ place: SourceRange, _ reason: String) -> Diagnostic {
    Diagnostic(
      .malformedXML, .error, "the mapping model cannot be read: \(reason)", place: place, help: checkout)
  }

  fileprivate static func pointer(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .largeFilePointer, .error, "the file is a pointer of git-lfs, not the mapping model itself",
      place: place, help: ["run 'git lfs pull' and try again"])
  }

  fileprivate static func refused(_ place: SourceRange, _ reason: String) -> Diagnostic {
    Diagnostic(.refusedDocument, .error, reason, place: place, help: checkout)
  }
}
