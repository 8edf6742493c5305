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
