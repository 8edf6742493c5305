/// Why a document is not a well-formed XML, and at which byte.
struct XMLMistake: Error {
  enum Reason: String {
    case empty = "the document is empty"
    case endsEarly = "the document ends too early"
    case strayCharacter = "a character is not allowed here"
    case unescaped = "an attribute's value contains a '<'"
    case unquoted = "an attribute's value is not quoted"
    case noValue = "an attribute has no value"
    case repeated = "an attribute occurs twice"
    case noSpace = "a space is missing"
    case noName = "a name is missing"
    case noEnd = "a '>' is missing"
    case mismatch = "start and end tag do not match"
    case notClosed = "an element is not closed"
    case undeclaredEntity = "an entity is not declared"
    case comment = "a comment contains '--' or does not end"
    case secondRoot = "there is more than one root element"
    case documentType = "there is a document type"
    case longProlog = "there is too much before the root element"
    case instruction = "there is a processing instruction"
    case beyondLimits = "the document is larger or deeper than any model"
  }

  var reason: Reason
  var offset: Int
}
