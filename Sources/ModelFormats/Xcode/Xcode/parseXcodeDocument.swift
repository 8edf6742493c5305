import Foundation
package import ManagedModel

/// The largest `contents` that is read; genuine ones stay far below one megabyte.
package let xcodeDocumentSizeLimit = 4 << 20

extension Data {
  /// Parses a model's `contents` into elements with places, or throws the reason why it cannot.
  ///
  /// A document that declares entities or a DTD is refused before it is read: Xcode writes neither, and either can make a
  /// small file expand without limit. So is one with more elements, deeper ones, or more attributes than any model.
  func parseXcodeDocument(file: String) throws(DiagnosticsError) -> XcodeElement {
    let bytes = [UInt8](self)
    if let refusal = refusalBeforeParsing(self, bytes, file: file) { throw DiagnosticsError(refusal) }
    let text = SourceLines(ofXML: bytes, file: file)
    do throws(XMLMistake) {
      var parser = XcodeParser(reader: try XMLReader(bytes, limits: documentLimits), text: text)
      return try parser.root()
    } catch {
      let place = text.range(error.offset..<error.offset)
      throw DiagnosticsError(mergeConflict(.malformedXML, file: file) ?? .unreadable(place, error.reason))
    }
  }
}

/// Makes elements of what the reader reads.
private struct XcodeParser {
  var reader: XMLReader
  let text: SourceLines

  /// The root, and nothing but space and comments around it.
  mutating func root() throws(XMLMistake) -> XcodeElement {
    while let piece = try reader.next() {
      guard case .start = piece else { continue }
      if reader.tag.bytes.lowerBound > prologLimit { throw reader.mistake(.longProlog, at: 0) }
      var root = element
      try readChildren(of: &root)
      while try reader.next() != nil {}
      return root
    }
    throw XMLMistake(reason: .empty, offset: text.bytes.count)
  }

  /// The element whose start tag was read last.
  private var element: XcodeElement {
    XcodeElement(name: reader.tag.name, attributes: reader.tag.attributes, text: text, tag: reader.tag.bytes)
  }

  private mutating func readChildren(of parent: inout XcodeElement) throws(XMLMistake) {
    while let piece = try reader.next() {
      switch piece {
      case .start:
        var child = element
        try readChildren(of: &child)
        parent.children.append(child)
      case .end:
        parent.close(at: reader.offset)
        return
      case .text: break
      }
    }
  }
}

/// What a document may hold; far more than any model does. Genuine ones have some thousand elements, five deep.
private let documentLimits = XMLReader.Limits(depth: 32, elements: 50_000, attributes: 100)

/// Bytes before the root element.
private let prologLimit = 1 << 16

private func refusalBeforeParsing(_ contents: Data, _ bytes: [UInt8], file: String) -> Diagnostic? {
  let place = SourceRange(startOf: file)
  if contents.count > xcodeDocumentSizeLimit { return .oversizedFile(place, bytes: contents.count) }
  if isLargeFilePointer(contents) { return .largeFilePointer(file) }
  if contents.starts(with: Data("bplist".utf8)) { return .modelBeforeXcode4(place) }
  guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0),
    ["utf-8", "us-ascii"].contains(encoding(in: bytes)?.lowercased() ?? "utf-8")
  else { return .malformed(place, "the file is not UTF-8 text", notes: ["Xcode writes models in UTF-8"]) }
  return nil
}

/// What `<?xml … encoding="…"` says.
private func encoding(in bytes: [UInt8]) -> String? {
  let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  let declaration = String(decoding: text.prefix(200), as: UTF8.self)
  guard declaration.hasPrefix("<?xml") else { return nil }
  var head = declaration.prefix { $0 != ">" }.dropFirst(5)
  while let place = head.range(of: "encoding", options: .backwards) {
    head = head[..<place.lowerBound]
    let value = declaration[place.upperBound...].drop(while: \.isWhitespace)
    let quoted = value.dropFirst().drop(while: \.isWhitespace)
    guard value.first == "=", quoted.first == "\"" || quoted.first == "'" else { continue }
    let name = quoted.dropFirst().prefix { $0 != "\"" && $0 != "'" }
    if name.endIndex < declaration.endIndex { return String(name) }
  }
  return nil
}

extension Diagnostic.Code {
  /// A file of Xcode's that is not a well-formed XML, or holds nothing.
  package static let malformedXML = Self("MC0201")
  /// A binary model from before Xcode 4.
  package static let modelBeforeXcode4 = Self("MC0203")
  /// A document with a DTD, or beyond the limits that keep reading bounded.
  package static let refusedDocument = Self("MC0204")
}

extension Diagnostic {
  private static let checkout = ["restore the file from version control, or open and save it in Xcode"]

  fileprivate static func unreadable(_ place: SourceRange, _ reason: XMLMistake.Reason) -> Diagnostic {
    switch reason {
    case .beyondLimits:
      refused(place, "the file has more elements, deeper ones or more attributes than any model")
    case .empty: malformed(place, "the file is empty")
    case .longProlog:
      refused(
        place, "there is too much before the element 'model'",
        help: ["remove the comments before the element 'model'"])
    case .documentType:
      refused(
        place, "the file declares a document type or entities",
        notes: ["Xcode never writes them, and entities can make a small file expand without limit"],
        help: ["remove the '<!DOCTYPE …>' declaration"])
    case .instruction:
      refused(
        place, "the file contains a processing instruction ('<?…?>')",
        notes: ["Xcode never writes one into a model"])
    default: malformed(place, "the XML cannot be parsed: \(reason.rawValue)")
    }
  }

  static func malformed(_ place: SourceRange, _ message: String, notes: [Note] = []) -> Diagnostic {
    Diagnostic(.malformedXML, .error, message, place: place, notes: notes, help: checkout)
  }

  static func refused(
    _ place: SourceRange, _ message: String, notes: [Note] = [], help: [String] = checkout
  ) -> Diagnostic { Diagnostic(.refusedDocument, .error, message, place: place, notes: notes, help: help) }

  static func modelBeforeXcode4(_ place: SourceRange) -> Diagnostic {
    Diagnostic(
      .modelBeforeXcode4, .error, "the model is in the binary format from before Xcode 4", place: place,
      notes: ["that format contains Xcode's own classes; Core Data never reads it"],
      help: [
        "open the model in Xcode, choose a newer 'Tools Version' in the File inspector and save it",
        "or adopt a store or a compiled '.mom' of this version instead",
      ])
  }

  static func oversizedFile(_ place: SourceRange, bytes: Int) -> Diagnostic {
    refused(
      place, "the file has \(bytes >> 20) MB, more than any model",
      help: ["check that the path names a model's 'contents'"])
  }
}
