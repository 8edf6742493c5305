package import ManagedModel

extension Diagnostic.Code { package static let unknownAttributeType = Self("MC1201") }

/// Findings while an attribute is read.
extension Diagnostic {
  static func attributeWithoutType(_ name: String, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      .unknownAttributeType, .error, "attribute '\(name.abridged)' has no type", place: place,
      help: ["the types are \(AttributeType.allCases.map(\.name).joined(separator: ", "))"])
  }

  /// - Parameter isExact: whether the place holds the name and nothing else, so that it can be replaced.
  static func unknownType(_ name: String, at place: SourceRange, isExact: Bool) -> Diagnostic {
    var diagnostic = Diagnostic(
      .unknownAttributeType, .error, "there is no type '\(name.abridged)'", place: place)
    if let meant = AttributeType.meant(by: name) {
      diagnostic.help = ["did you mean '\(meant.type.name)'?"]
      if isExact {
        diagnostic.fixIts = [
          FixIt(
            "write '\(meant.type.name)'", range: place, replacement: meant.type.name, isSafe: meant.isSafe)
        ]
      }
    } else {
      diagnostic.help = ["the types are \(AttributeType.allCases.map(\.name).joined(separator: ", "))"]
    }
    return diagnostic
  }

  /// - Parameter node: the value of `type` in the attribute's mapping.
  static func defaultInType(_ node: YAMLNode, of attribute: YAMLNode) -> Diagnostic {
    var diagnostic = Diagnostic(
      .unknownAttributeType, .error, "'type' holds a default", place: node.range,
      help: ["write the default as a key of its own: {type: integer16, default: 0}"])
    if let text = node.text, let form = try? AttributeShortForm(parsing: text), let value = form.defaultText,
      attribute["default"] == nil,
      let insertion = attribute.insertion(
        of: "default", AttributeType(name: form.typeName)?.isText == true ? .text(value) : .word(value))
    {
      let type = form.typeName + (form.isOptional ? "?" : "")
      diagnostic.fixIts = [
        FixIt("write '\(type)'", range: node.range, replacement: type, isSafe: true),
        insertion.fixIt("add the default", isSafe: true),
      ]
    }
    return diagnostic
  }

  static func badShortForm(
    _ failure: AttributeShortForm.Failure, _ name: String, at place: SourceRange
  ) -> Diagnostic {
    switch failure {
    case .noDefault:
      Diagnostic(
        .badDefault, .error, "attribute '\(name.abridged)' has '=' but no default", place: place,
        help: ["write '' for an empty text, or remove the '='"])
    case .unbalancedQuotes:
      Diagnostic(
        .badDefault, .error, "the quotes around the default of '\(name.abridged)' do not match", place: place,
        help: ["text that contains quotes needs the long form: {type: string, default: \"…\"}"])
    }
  }
}

extension AttributeType {
  /// The type that a misspelt or foreign name stands for.
  static func meant(by name: String) -> (type: AttributeType, isSafe: Bool)? {
    let bare = name.lowercased().filter { $0 != " " }
    let near = nearMatch(to: name, among: allCases.map(\.name))
    guard let meant = knownElsewhere[bare] ?? near?.name, let type = AttributeType(name: meant) else {
      return nil
    }
    // `Integer 16` is what Xcode calls it; `int` may have been meant for another size.
    return (type, bare == meant.lowercased() || (knownElsewhere[bare] == nil && near?.isObvious == true))
  }

  /// What a name that is not a type is taken for, so that it is not reported again as something else.
  static func standIn(for name: String) -> AttributeType { meant(by: name)?.type ?? .string }
}

/// What types are called here and elsewhere, in lower case.
private let knownElsewhere = Dictionary(
  firstOf: AttributeType.allCases.flatMap { type in
    ([type.name.lowercased()] + type.traits.otherNames).map { ($0, type.name) }
  })
