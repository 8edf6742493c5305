/// One word or sign of an expression's text.
struct Token: Hashable {
  enum Kind: Hashable {
    /// A key or a function's name; escaped where `#` stood before it.
    case identifier(String)
    case reserved(ReservedWord)
    /// A name with its colons: `add:to:`.
    case selector(String)
    /// Without the dollar sign.
    case variable(String)
    /// With the at sign.
    case operatorKey(String)
    case constant(ConstantValue)
    case sign(Sign)
    case end
  }

  /// Raw values are the spellings; longer ones are found first.
  enum Sign: String, Hashable, CaseIterable {
    case assign = ":="
    case equal = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case lessOrEqual = "<="
    case equalOrLess = "=<"
    case greaterOrEqual = ">="
    case equalOrGreater = "=>"
    case and = "&&"
    case or = "||"
    case power = "**"
    case singleEqual = "="
    case less = "<"
    case greater = ">"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case leftBrace = "{"
    case rightBrace = "}"
    case leftBracket = "["
    case rightBracket = "]"
    case comma = ","
    case period = "."
  }

  var kind: Kind
  /// Offsets into the text, in Unicode scalars.
  var range: Range<Int>

  /// The word as a key, which after a period any word is.
  func key(in text: [Unicode.Scalar]) -> String? {
    switch kind {
    case .identifier(let name), .operatorKey(let name): name
    case .reserved: String(scalars: text[range])
    default: nil
    }
  }
}

extension String {
  init(scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
