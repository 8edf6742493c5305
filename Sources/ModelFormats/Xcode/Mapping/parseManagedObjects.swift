package import Foundation
package import ManagedModel

/// A file of Core Data's XML store, which is what Xcode keeps mapping models in.
package struct ManagedObjectFile: Sendable {
  /// What stands before the first object, as it is written: the document's type, the store's UUID and metadata.
  var head: String
  /// In the order of the file, which is that of their IDs.
  var objects: [XMLManagedObject]

  /// The file as Core Data writes it: a genuine file that was read is given back byte by byte.
  package var text: String { head + objects.map { "    \($0.text)\n" }.joined() + "</database>" }
}

/// An object of Core Data's XML store. Its parts keep the order in which the store wrote them.
struct XMLManagedObject: Sendable {
  /// The entity's name in capitals.
  var entity: String
  var id: String
  var attributes: [Attribute] = []
  var relationships: [Relationship] = []
  var place: SourceRange?

  struct Attribute: Sendable {
    var name: String
    /// `string`, `int16`, `bool` or `binary`.
    var type: String
    /// Binary ones in Base64.
    var text: String
  }

  struct Relationship: Sendable {
    var name: String
    /// How many there can be: `1/1`, or `0/0` for any number.
    var count: String
    var destination: String
    /// None where it leads nowhere.
    var ids: [String]
  }

  /// An attribute's text; nil if it is empty.
  subscript(attribute: String) -> String? {
    attributes.last { $0.name == attribute }.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// Where a relationship leads.
  func targets(_ relationship: String) -> [String] {
    relationships.last { $0.name == relationship }?.ids ?? []
  }

  fileprivate var text: String {
    let values = attributes.map { attribute in
      let text = attribute.type == "string" ? attribute.text.writtenText : attribute.text.xmlText
      return
        "        <attribute name=\"\(attribute.name.xmlAttribute)\" type=\"\(attribute.type.xmlAttribute)\">"
        + "\(text)</attribute>\n"
    }
    let links = relationships.map { link in
      let ids = link.ids.isEmpty ? "" : " idrefs=\"\(link.ids.joined(separator: " ").xmlAttribute)\""
      return "        <relationship name=\"\(link.name.xmlAttribute)\" type=\"\(link.count.xmlAttribute)\" "
        + "destination=\"\(link.destination.xmlAttribute)\"\(ids)></relationship>\n"
    }
    return "<object type=\"\(entity.xmlAttribute)\" id=\"\(id.xmlAttribute)\">\n"
      + (values + links).joined() + "    </object>"
  }
}

extension Data {
  /// Reads the objects of Core Data's XML store, in the order of the file.
  ///
  /// The document type that Core Data writes names a DTD on the disk of a Mac; it is never looked for. Any other
  /// document type is refused, because entities can make a small file expand without limit.
  package func parseManagedObjects(file: String) throws(DiagnosticsError) -> ManagedObjectFile {
    let place = SourceRange(startOf: file)
    if allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      throw DiagnosticsError(.unread(place, "it is empty"))
    }
    if isLargeFilePointer(self) { throw DiagnosticsError(.largeFilePointer(file)) }
    guard count <= 64 << 20 else {
      throw DiagnosticsError(.refused(place, "the file has \(count >> 20) MB, more than any mapping model"))
    }
    guard let text = String(validating: self, as: UTF8.self), !contains(0) else {
      throw DiagnosticsError(.unread(place, "it is not UTF-8 text"))
    }
    guard let plain = withoutDocumentType(text) else {
      throw DiagnosticsError(.refused(place, "the file declares a document type that Core Data never writes"))
    }
    let document = SourceLines(ofXML: Array(plain.utf8), file: file)
    var collector = ManagedObjectCollector(document)
    do throws(XMLMistake) {
      var reader = try XMLReader(document.bytes, limits: documentLimits)
      while let piece = try reader.next() { try collector.take(piece, of: reader) }
    } catch {
      throw DiagnosticsError(.unreadable(document.range(error.offset..<error.offset), error.reason))
    }
    guard collector.rootName == "database" else {
      throw DiagnosticsError(.unread(place, "it contains no Core Data objects"))
    }
    var head = String(decoding: text.utf8.prefix(collector.firstObject ?? 0), as: UTF8.self)
    while head.last == " " { head.removeLast() }
    return ManagedObjectFile(head: head, objects: collector.objects)
  }
}

/// The largest genuine mapping model has 130 objects; they are six deep, in their metadata.
private let documentLimits = XMLReader.Limits(depth: 32, elements: 2_000_000, attributes: 100)

/// Blanks where Core Data's own document type stands, so that places stay; nil if another one is declared.
private func withoutDocumentType(_ text: String) -> String? {
  guard text.range(of: "<!ENTITY", options: .literal) == nil else { return nil }
  guard let declaration = text.range(of: "<!DOCTYPE", options: .literal) else { return text }
  let rest = declaration.upperBound..<text.endIndex
  guard text.range(of: "<!DOCTYPE", options: .literal, range: rest) == nil,
    let match = text[declaration.lowerBound...].prefixMatch(of: #/<!DOCTYPE database SYSTEM "[^"<>\[]*"\s*>/#)
  else { return nil }
  let blanks = String(repeating: " ", count: text[match.range].utf8.count)
  return text.replacingCharacters(in: match.range, with: blanks)
}

/// Makes objects of the pieces of a document.
private struct ManagedObjectCollector {
  private(set) var rootName: String?
  private(set) var objects: [XMLManagedObject] = []
  /// Where the first object begins.
  private(set) var firstObject: Int?
  private let document: SourceLines
  private var depth = 0
  private var current: XMLManagedObject?
  private var attribute: XMLManagedObject.Attribute?

  init(_ document: SourceLines) { self.document = document }

  mutating func take(_ piece: XMLReader.Piece, of reader: XMLReader) throws(XMLMistake) {
    switch piece {
    case .start: begin(reader.tag)
    case .text(let characters, let isLiteral):
      if attribute != nil { attribute?.text += try reader.characters(characters, isLiteral: isLiteral) }
    case .end: end()
    }
  }

  private mutating func begin(_ tag: XMLReader.Tag) {
    depth += 1
    func value(_ name: String) -> String? { tag.attributes.first { $0.name == name }?.value }
    switch (depth, tag.name) {
    case (1, _): rootName = tag.name
    case (2, "object"):
      if firstObject == nil { firstObject = tag.bytes.lowerBound }
      current = XMLManagedObject(
        entity: value("type") ?? "", id: value("id") ?? "", place: document.range(tag.bytes))
    case (3, "attribute"):
      attribute = value("name").map { .init(name: $0, type: value("type") ?? "", text: "") }
    case (3, "relationship"):
      let ids = (value("idrefs") ?? "").split(separator: " ").map(String.init)
      guard let name = value("name") else { break }
      current?.relationships.append(
        .init(name: name, count: value("type") ?? "", destination: value("destination") ?? "", ids: ids))
    default: break
    }
  }

  private mutating func end() {
    if depth == 3, var attribute {
      if attribute.type == "string" { attribute.text = attribute.text.storedText }
      current?.attributes.append(attribute)
      self.attribute = nil
    } else if depth == 2, let object = current {
      objects.append(object)
      current = nil
    }
    depth -= 1
  }
}

extension Diagnostic {
  fileprivate static func unreadable(_ place: SourceRange, _ reason: XMLMistake.Reason) -> Diagnostic {
    switch reason {
    case .beyondLimits: refused(place, "the file has more objects, or deeper ones, than any mapping model")
    case .instruction: refused(place, "the file has a processing instruction, which Core Data never writes")
    default: unread(place, reason.rawValue)
    }
  }

  fileprivate static func unread(_ place: SourceRange, _ reason: String) -> Diagnostic {
    malformed(place, "the mapping model cannot be read: \(reason)")
  }
}
