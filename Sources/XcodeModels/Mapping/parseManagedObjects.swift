import Foundation
import ManagedModel

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
  let place = SourceRange(startOf: file)
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
  let document = XMLDocumentText(Data(plain.utf8), file: file)
  var collector = ManagedObjectCollector(document)
  do throws(XMLSlip) {
    var reader = try XMLReader(document.bytes, limits: documentLimits)
    while let piece = try reader.next() { try collector.take(piece, of: reader) }
  } catch {
    throw DiagnosticsError(.unreadable(document.range(error.offset..<error.offset), error.reason))
  }
  guard collector.rootName == "database" else {
    throw DiagnosticsError(.malformed(place, "it holds no objects of Core Data's"))
  }
  return collector.objects
}

/// The largest genuine mapping model has 130 objects; they are six deep, in their metadata.
private let documentLimits = XMLReader.Limits(depth: 32, elements: 2_000_000, attributes: 100)

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

/// Makes objects of the pieces of a document.
private struct ManagedObjectCollector {
  private(set) var rootName: String?
  private(set) var objects: [XMLManagedObject] = []
  private let document: XMLDocumentText
  private var depth = 0
  private var current: XMLManagedObject?
  private var attributeName: String?
  private var isText = false
  private var text = ""

  init(_ document: XMLDocumentText) { self.document = document }

  mutating func take(_ piece: XMLReader.Piece, of reader: XMLReader) throws(XMLSlip) {
    switch piece {
    case .start: begin(reader.tag)
    case .text(let characters, let isLiteral):
      if attributeName != nil { text += try reader.characters(characters, isLiteral: isLiteral) }
    case .end: end()
    }
  }

  private mutating func begin(_ tag: XMLReader.Tag) {
    depth += 1
    func value(_ name: String) -> String? { tag.attributes.first { $0.name == name }?.value }
    switch (depth, tag.name) {
    case (1, _): rootName = tag.name
    case (2, "object"):
      current = XMLManagedObject(
        entity: value("type") ?? "", id: value("id") ?? "", place: document.range(tag.bytes))
    case (3, "attribute"):
      attributeName = value("name")
      isText = value("type") == "string"
      text = ""
    case (3, "relationship"):
      let targets = (value("idrefs") ?? "").split(separator: " ").map(String.init)
      if let name = value("name") { current?.relationships[name] = targets }
    default: break
    }
  }

  private mutating func end() {
    if depth == 3, let name = attributeName {
      current?.attributes[name] = isText ? storedText(text) : text
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

  fileprivate static func unreadable(_ place: SourceRange, _ reason: XMLSlip.Reason) -> Diagnostic {
    switch reason {
    case .beyondLimits: refused(place, "the file has more objects, or deeper ones, than any mapping model")
    case .instruction:
      refused(place, "the file holds a processing instruction, which Core Data never writes")
    default: malformed(place, reason.rawValue)
    }
  }

  fileprivate static func malformed(_ place: SourceRange, _ reason: String) -> Diagnostic {
    Diagnostic(
      .malformedXML, .error, "the mapping model cannot be read: \(reason)", place: place, help: checkout)
  }

  fileprivate static func pointer(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .largeFilePointer, .error, "the file is a pointer of git-lfs, not the mapping model itself",
      place: place, help: ["run `git lfs pull` and try again"])
  }

  fileprivate static func refused(_ place: SourceRange, _ reason: String) -> Diagnostic {
    Diagnostic(.refusedDocument, .error, reason, place: place, help: checkout)
  }
}
