#if SwiftData
  import SwiftSyntax

  /// Decides conditions of conditional compilation, as in a release build for a platform.
  struct ConditionReader {
    let platform: SwiftPlatform

    struct Decision {
      var value: Bool
      var isGuessed = false
    }

    func decide(_ node: ExprSyntax) -> Decision {
      switch node.as(ExprSyntaxEnum.self) {
      case .sequenceExpr(let sequence): return decide(sequence)
      case .prefixOperatorExpr(let prefixed) where prefixed.operator.text == "!":
        let inner = decide(prefixed.expression)
        return Decision(value: !inner.value, isGuessed: inner.isGuessed)
      case .tupleExpr(let tuple):
        return tuple.elements.first.map { decide($0.expression) } ?? Decision(value: false, isGuessed: true)
      case .booleanLiteralExpr(let literal):
        return Decision(value: literal.literal.tokenKind == .keyword(.true))
      case .functionCallExpr(let call): return decide(call)
      case .declReferenceExpr(let reference):
        // What ships is not a debug build; other flags are set by nobody that is seen here.
        return Decision(value: false, isGuessed: reference.baseName.text != "DEBUG")
      default: return Decision(value: false, isGuessed: true)
      }
    }

    /// `&&` binds tighter than `||`.
    private func decide(_ sequence: SequenceExprSyntax) -> Decision {
      var alternatives: [Decision] = []
      var current: Decision?
      for (index, element) in sequence.elements.enumerated() {
        if index.isMultiple(of: 2) {
          let next = decide(element)
          current =
            current.map {
              Decision(value: $0.value && next.value, isGuessed: $0.isGuessed || next.isGuessed)
            } ?? next
        } else if element.as(BinaryOperatorExprSyntax.self)?.operator.text == "||" {
          if let finished = current { alternatives.append(finished) }
          current = nil
        } else if element.as(BinaryOperatorExprSyntax.self)?.operator.text != "&&" {
          return Decision(value: false, isGuessed: true)
        }
      }
      if let current { alternatives.append(current) }
      let isTrue = alternatives.contains { $0.value }
      let sure = alternatives.contains { $0.value && !$0.isGuessed }
      return Decision(value: isTrue, isGuessed: !sure && alternatives.contains(where: \.isGuessed))
    }

    private func decide(_ call: FunctionCallExprSyntax) -> Decision {
      let argument = call.arguments.first?.expression.trimmedDescription ?? ""
      switch call.calledExpression.trimmedDescription {
      case "os", "platform": return Decision(value: argument == "\(platform)")
      case "canImport":
        let module = String(argument.prefix { $0 != "." })
        return platform.canImport(module).map { Decision(value: $0) }
          ?? Decision(value: true, isGuessed: true)
      // A compiler of today.
      case "swift", "compiler": return Decision(value: argument.hasPrefix(">"))
      case "arch": return Decision(value: argument == "arm64")
      case "targetEnvironment": return Decision(value: false)
      case "hasFeature", "hasAttribute": return Decision(value: true, isGuessed: true)
      default: return Decision(value: false, isGuessed: true)
      }
    }
  }
#endif
