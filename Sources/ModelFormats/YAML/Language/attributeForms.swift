import ManagedModel

/// The form of legal names (`isLegalName`) as a regular expression; any character beyond ASCII passes here.
let legalNameForm = #"^[^\x00-@\[-^`{-\x7F][^\x00-/:-@\[-^`{-\x7F]*$"#

/// `{archived: BASE64}`, a default of an unknown class.
let archivedDefaultShape = ValueShape.keys(
  KeyedShape(
    name: "an archived default",
    keys: [.init(name: "archived", isRequired: true, shape: .pattern(base64Form))], choices: []))

/// An empty text, or groups of four digits.
private let base64Form = #"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"#

extension AttributeShortForm {
  /// Every type, required and optional.
  static var typesInWords: [String] {
    AttributeType.allCases.map(\.name) + AttributeType.allCases.map { $0.name + "?" }
  }

  /// `TYPE[?] [= DEFAULT]` as a regular expression: what ``init(parsing:)`` takes, with defaults that may be values
  /// of the type.
  static var expression: String {
    let blanks = #"[\t-\r ]*"#
    let forms = Dictionary(grouping: AttributeType.allCases, by: \.traits.literalForm)
    let alternatives = forms.sorted { ($0.key ?? "") < ($1.key ?? "") }.map { form, types in
      let names = types.map(\.name).joined(separator: "|")
      let lead = "(?:\(names))\(blanks)\\??"
      guard let form else { return lead }
      let value = form == AttributeTraits.anyLiteral ? #"'[^']*'|"[^"]*"|[^'"\t-\r ][\s\S]*"# : quotable(form)
      return "\(lead)(?:\(blanks)=\(blanks)(?:\(value)))?"
    }
    return "^\(blanks)(?:\(alternatives.joined(separator: "|")))\(blanks)$"
  }

  private static func quotable(_ form: String) -> String { "'(?:\(form))'|\"(?:\(form))\"|(?:\(form))" }
}

extension AttributeType {
  /// What JSON calls the values; an object is an archived one.
  fileprivate var defaultKinds: [String] {
    if isInteger { return ["integer", "string", "object"] }
    if isNumeric { return ["number", "string", "object"] }
    return self == .boolean ? ["boolean", "integer", "string", "object"] : ["string", "object"]
  }

  fileprivate var inWords: [String] { [name, name + "?"] }

  /// The range of the smaller integers; JSON's numbers cannot tell that of the largest.
  fileprivate var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer64: nil
    case .boolean: 0...1
    default: traits.integerRange
    }
  }
}

/// What an attribute's type says of its other keys, as the checks have it: MC1203, MC1207, MC1209.
var attributeRefinements: JSONValue {
  let bounded = typeIs(oneOf: AttributeType.allCases.filter { $0.hasBounds || $0 == .undefined })
  let textual = typeIs(oneOf: [.undefined, .string])
  let off: JSONValue = ["properties": ["externalStorage": ["const": false]]]
  let rules: JSONValue = [
    "min": bounded, "max": bounded, "minLength": textual, "maxLength": textual, "matching": textual,
    "externalStorage": ["anyOf": [off, typeIs(oneOf: [.binary, .transformable])]],
  ]
  return ["dependencies": rules, "allOf": .array(defaultRules)]
}

private func typeIs(oneOf types: [AttributeType]) -> JSONValue {
  ["properties": ["type": ["enum": JSONValue(types.flatMap(\.inWords))]]]
}

/// For each kind of type: if it is the type, then the default has its form.
private var defaultRules: [JSONValue] {
  var groups: [[AttributeType]] = []
  for type in AttributeType.allCases {
    guard let form = type.traits.literalForm, form != AttributeTraits.anyLiteral else { continue }
    if let last = groups.last?.first, !last.isInteger, last.traits.literalForm == form {
      groups[groups.count - 1].append(type)
    } else {
      groups.append([type])
    }
  }
  return groups.compactMap { types -> JSONValue? in
    guard let type = types.first, let form = type.traits.literalForm else { return nil }
    let bounds = type.integerRange.map { range -> JSONValue in
      ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }
    let values = type.defaultKinds.map { kind -> JSONValue in
      let named: JSONValue = ["type": .string(kind)]
      switch kind {
      case "string": return named + ["pattern": .string("^(?:\(form))$")]
      case "integer", "number": return named + (bounds ?? [:])
      default: return named
      }
    }
    let value: JSONValue = values.count == 1 ? values[0] : ["anyOf": .array(values)]
    return ["if": typeIs(oneOf: types) + ["required": ["type"]], "then": ["properties": ["default": value]]]
  }
}
