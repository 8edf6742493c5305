#if SwiftData
  import ManagedModel
  import SwiftParser
  import SwiftSyntax

  extension DeclarationReader {
    func expression(_ node: ExprSyntax) -> SwiftExpression {
      SwiftExpression(form: form(of: node), text: text(of: node), place: place(node))
    }

    private func form(of node: ExprSyntax) -> SwiftExpression.Form {
      switch node.as(ExprSyntaxEnum.self) {
      case .stringLiteralExpr(let literal):
        literal.representedLiteralValue.map { .string($0) } ?? .typed(SwiftType("String"), nil)
      case .integerLiteralExpr(let literal): number(literal.literal.text).map { .integer($0) } ?? .other
      case .floatLiteralExpr(let literal): .floating(plain(literal.literal.text))
      case .booleanLiteralExpr(let literal): .boolean(literal.literal.tokenKind == .keyword(.true))
      case .nilLiteralExpr: .none
      case .dictionaryExpr(let dictionary): self.dictionary(dictionary)
      case .arrayExpr(let array): .array(array.elements.map { expression($0.expression) })
      case .declReferenceExpr(let reference): .name(name(reference.baseName))
      case _ where isOptionalChain(node): .other
      case .memberAccessExpr(let access):
        .member(of: access.base.map { expression($0) }, name(access.declName.baseName))
      case .functionCallExpr(let call): self.call(call)
      case .prefixOperatorExpr(let prefixed): prefixedForm(prefixed)
      case .keyPathExpr(let path): keyPath(path)
      case .sequenceExpr(let sequence): joined(Array(sequence.elements))
      // `{ _ in }` is a stage without work, as nil is.
      case .closureExpr(let closure): closure.statements.isEmpty ? .none : work(of: closure)
      case .tupleExpr(let tuple):
        tuple.elements.count == 1 ? tuple.elements.first.map { form(of: $0.expression) } ?? .other : .other
      case .genericSpecializationExpr(let generic): specialized(generic)
      case .forceUnwrapExpr(let unwrapped): .unwrapped(expression(unwrapped.expression))
      case .tryExpr(let tried) where tried.questionOrExclamationMark?.text != "?": form(of: tried.expression)
      default: .other
      }
    }

    /// `device.identifier?.text`: whatever its end is, the value may be nil.
    private func isOptionalChain(_ node: ExprSyntax) -> Bool {
      switch node.as(ExprSyntaxEnum.self) {
      case .optionalChainingExpr: true
      case .memberAccessExpr(let access): access.base.map(isOptionalChain) ?? false
      case .functionCallExpr(let call): isOptionalChain(call.calledExpression)
      case .subscriptCallExpr(let call): isOptionalChain(call.calledExpression)
      default: false
      }
    }

    private func dictionary(_ node: DictionaryExprSyntax) -> SwiftExpression.Form {
      // `[:]`
      guard case .elements(let list) = node.content, let first = list.first else { return .array([]) }
      return .dictionary(key: expression(first.key), expression(first.value))
    }

    private func specialized(_ node: GenericSpecializationExprSyntax) -> SwiftExpression.Form {
      let arguments = types(node.genericArgumentClause)
      switch form(of: node.expression) {
      case .name(let name): return .type(normal([SwiftType.Part(name, arguments: arguments)]))
      case .member(of: let base?, let name):
        guard case .name(let module) = base.form else { return .other }
        return .type(normal([SwiftType.Part(module), SwiftType.Part(name, arguments: arguments)]))
      default: return .other
      }
    }

    private func call(_ node: FunctionCallExprSyntax) -> SwiftExpression.Form {
      var found = arguments(node.arguments)
      if let closure = node.trailingClosure {
        found.append(SwiftArgument(label: nil, value: expression(ExprSyntax(closure))))
      }
      for closure in node.additionalTrailingClosures {
        found.append(
          SwiftArgument(label: name(closure.label), value: expression(ExprSyntax(closure.closure))))
      }
      return .call(expression(node.calledExpression), found)
    }

    func arguments(_ list: LabeledExprListSyntax) -> [SwiftArgument] {
      list.map { SwiftArgument(label: $0.label.map { name($0) }, value: expression($0.expression)) }
    }

    private func prefixedForm(_ node: PrefixOperatorExprSyntax) -> SwiftExpression.Form {
      let sign = node.operator.text == "-" ? "-" : ""
      switch (node.operator.text, form(of: node.expression)) {
      case ("!", _): return .typed(SwiftType("Bool"), nil)
      case ("-", .integer(let text)), ("+", .integer(let text)): return .integer(sign + text)
      case ("-", .floating(let text)), ("+", .floating(let text)): return .floating(sign + text)
      case ("-", _), ("+", _), ("~", _): return .mixed([expression(node.expression)])
      default: return .other
      }
    }

    private func keyPath(_ node: KeyPathExprSyntax) -> SwiftExpression.Form {
      var names: [String] = []
      for component in node.components {
        switch component.component {
        case .property(let property): names.append(name(property.declName.baseName))
        // `\.place?.latitude`
        case .optional: continue
        default: return .other
        }
      }
      return .keyPath(root: node.root.map { type($0) }, names)
    }

    /// Operators are not folded yet: operands and operators stand in turn.
    private func joined(_ elements: [ExprSyntax]) -> SwiftExpression.Form {
      if elements.count == 1 { return form(of: elements[0]) }
      let chosen = elements.compactMap { $0.as(UnresolvedTernaryExprSyntax.self)?.thenExpression }
      if !chosen.isEmpty {
        let last = elements.split { $0.is(UnresolvedTernaryExprSyntax.self) }.last ?? []
        let otherwise = last.first.map {
          SwiftExpression(form: joined(Array(last)), text: text(of: $0), place: place($0))
        }
        return .either(chosen.map { expression($0) } + [otherwise].compactMap(\.self))
      }
      var operators: Set<String> = []
      for element in elements.enumerated() where !element.offset.isMultiple(of: 2) {
        if let cast = element.element.as(UnresolvedAsExprSyntax.self) {
          guard cast.questionOrExclamationMark?.text != "?", elements.count == 3,
            let type = elements[2].as(TypeExprSyntax.self)
          else { return .other }
          return .typed(self.type(type.type), expression(elements[0]))
        }
        guard let found = element.element.as(BinaryOperatorExprSyntax.self) else { return .other }
        operators.insert(found.operator.text)
      }
      let operands = elements.enumerated().filter { $0.offset.isMultiple(of: 2) }.map {
        expression($0.element)
      }
      if operators == ["+"] { return .sum(operands) }
      if !operators.isDisjoint(with: comparisons) { return .typed(SwiftType("Bool"), nil) }
      return operators.isSubset(of: calculations) ? .mixed(operands) : .other
    }

    /// A whole number in base ten; nil if it is none of 64 bits.
    private func number(_ text: String) -> String? {
      let text = plain(text)
      for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
        return Int64(text.dropFirst(2), radix: radix).map(String.init)
      }
      return text
    }

    private func plain(_ text: String) -> String { text.filter { $0 != "_" } }

    private func types(_ clause: GenericArgumentClauseSyntax?) -> [SwiftType] {
      guard let clause else { return [] }
      return clause.arguments.map { argument in
        switch argument.argument {
        case .type(let node): type(node)
        case .expr(let node): .other(node.trimmedDescription)
        }
      }
    }

    func type(_ node: TypeSyntax) -> SwiftType {
      switch node.as(TypeSyntaxEnum.self) {
      case .identifierType(let named):
        return normal([SwiftType.Part(name(named.name), arguments: types(named.genericArgumentClause))])
      case .memberType(let member):
        guard case .named(let base) = type(member.baseType) else { return .other(node.trimmedDescription) }
        return normal(
          base + [SwiftType.Part(name(member.name), arguments: types(member.genericArgumentClause))])
      case .optionalType(let optional): return .optional(type(optional.wrappedType))
      case .implicitlyUnwrappedOptionalType(let optional): return .optional(type(optional.wrappedType))
      case .arrayType(let array): return .array(type(array.element))
      case .dictionaryType(let dictionary): return .dictionary(type(dictionary.key), type(dictionary.value))
      case .attributedType(let attributed): return type(attributed.baseType)
      case .someOrAnyType(let existential): return type(existential.constraint)
      case .tupleType(let tuple):
        if tuple.elements.count == 1, let only = tuple.elements.first { return type(only.type) }
        return .other(node.trimmedDescription)
      default: return .other(node.trimmedDescription)
      }
    }

    /// The long forms of optionals, arrays and dictionaries.
    private func normal(_ parts: [SwiftType.Part]) -> SwiftType {
      guard let last = parts.last, parts.count == 1 || (parts.count == 2 && parts[0].name == "Swift") else {
        return .named(parts)
      }
      switch (last.name, last.arguments.count) {
      case ("Optional", 1): return .optional(last.arguments[0])
      case ("Array", 1): return .array(last.arguments[0])
      case ("Dictionary", 2): return .dictionary(last.arguments[0], last.arguments[1])
      default: return .named(parts)
      }
    }
  }

  private let comparisons: Set<String> = ["==", "!=", "<", ">", "<=", ">=", "===", "!==", "&&", "||"]
  private let calculations: Set<String> = [
    "+", "-", "*", "/", "%", "&+", "&-", "&*", "<<", ">>", "&", "|", "^", "??",
  ]
#endif
