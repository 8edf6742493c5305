#if SwiftData
  import SwiftSyntax

  /// Finds the calls by which an app makes its containers. Previews, and what lives in memory alone, make no stores.
  final class ContainerFinder: SyntaxVisitor {
    private let reader: DeclarationReader
    private(set) var calls: [ContainerCall] = []

    init(_ reader: DeclarationReader) {
      self.reader = reader
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard containerCalls.contains(node.calledName), !isInMemory(node) else { return .visitChildren }
      let types = node.ancestors.compactMap { outer in
        outer.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
          ?? (outer.isProtocol((any DeclGroupSyntax).self)
            ? outer.asProtocol((any NamedDeclSyntax).self).map { name($0.name) } : nil)
      }
      // `let schema = try Schema(…)`
      let binding = node.ancestors.prefix(4).lazy.compactMap { $0.as(PatternBindingSyntax.self) }.first
      calls.append(
        ContainerCall(
          name: node.calledName, arguments: reader.arguments(node.arguments),
          variable: binding?.pattern.trimmedDescription, path: types.reversed(),
          place: reader.place(node.calledExpression)))
      return .visitChildren
    }

    /// By its own arguments, or by a configuration that is made beside it.
    private func isInMemory(_ node: FunctionCallExprSyntax) -> Bool {
      let list = node.ancestors.lazy.compactMap { $0.as(CodeBlockItemListSyntax.self) }.first
      let beside = list?.filter { $0.item.is(VariableDeclSyntax.self) }.map(\.description) ?? []
      return (beside + [node.arguments.description]).contains {
        $0.contains("nMemoryOnly: true") || $0.contains("inMemory: true")
      }
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
      let decider = ConditionReader(platform: reader.platform)
      let taken = node.clauses.first { $0.condition.map { decider.decide($0).value } ?? true }
      if let elements = taken?.elements { walk(elements) }
      return .skipChildren
    }
    // `#Preview { … }`
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  }

  private let containerCalls: Set = ["Schema", "ModelConfiguration", "ModelContainer", "modelContainer"]

  extension SyntaxProtocol {
    /// The node itself and what it stands in, from the inside.
    var ancestors: UnfoldFirstSequence<Syntax> { sequence(first: Syntax(self), next: \.parent) }
  }

  extension FunctionCallExprSyntax {
    /// The last part of what is called.
    var calledName: String {
      let last = calledExpression.as(MemberAccessExprSyntax.self)?.declName
      return (last ?? calledExpression.as(DeclReferenceExprSyntax.self))?.baseName.text ?? ""
    }
  }
#endif
