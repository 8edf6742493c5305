#if SwiftData
  import SwiftSyntax

  extension SwiftPlatform {
    struct Decision {
      var value: Bool
      var isGuessed = false
    }

    /// Decides a condition of conditional compilation, as in a release build for the platform.
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
      func word(_ node: ExprSyntax) -> String? { node.as(BinaryOperatorExprSyntax.self)?.operator.text }
      guard Set(["&&", "||"]).isSuperset(of: sequence.elements.compactMap(word)) else {
        return Decision(value: false, isGuessed: true)
      }
      let alternatives = sequence.elements.split { word($0) == "||" }.map { part in
        part.filter { word($0) == nil }.map(decide).reduce(Decision(value: true)) {
          Decision(value: $0.value && $1.value, isGuessed: $0.isGuessed || $1.isGuessed)
        }
      }
      let sure = alternatives.contains { $0.value && !$0.isGuessed }
      return Decision(
        value: alternatives.contains(where: \.value),
        isGuessed: !sure && alternatives.contains(where: \.isGuessed))
    }

    private func decide(_ call: FunctionCallExprSyntax) -> Decision {
      let argument = call.arguments.first?.expression.trimmedDescription ?? ""
      switch call.calledExpression.trimmedDescription {
      case "os", "platform": return Decision(value: argument == "\(self)")
      case "canImport":
        let module = String(argument.prefix { $0 != "." })
        return canImport(module).map { Decision(value: $0) }
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
