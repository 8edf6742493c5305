import Foundation

/// Whether a document holds a processing instruction besides the XML declaration, wherever it stands.
///
/// Neither Xcode nor Core Data writes any; and Foundation's parser on Linux ends the program at one without content
/// (`<?a?>`), whether its delegate asks for instructions or not. So they are refused before it sees them, within
/// comments too.
func hasProcessingInstruction(_ document: Data) -> Bool {
  var rest = document[...]
  if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
  let declaration = Data("<?xml".utf8)
  // A document cut short within its declaration is told as what it is.
  if declaration.starts(with: rest) { return false }
  if rest.starts(with: declaration), let next = rest.dropFirst(declaration.count).first,
    next == 0x20 || (0x09...0x0D).contains(next)
  {
    rest = rest.dropFirst(declaration.count)
  }
  return rest.range(of: Data("<?".utf8)) != nil
}

/// A document with blanks in the place of its XML declaration, which is known to name no other encoding than UTF-8.
///
/// libxml2 reads declarations by rules of its own, and ends the program at some that name an encoding twice.
func withoutDeclaration(_ document: Data) -> Data {
  let mark = document.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  let declaration = Data("<?xml".utf8)
  guard document.dropFirst(mark).starts(with: declaration) else { return document }
  guard let end = document.range(of: Data("?>".utf8)) else { return declaration }
  let blanks = document[document.startIndex + mark..<end.upperBound].map { byte in
    [0x0A, 0x0D].contains(byte) ? byte : 0x20
  }
  return document.prefix(mark) + Data(blanks) + document[end.upperBound...]
}
