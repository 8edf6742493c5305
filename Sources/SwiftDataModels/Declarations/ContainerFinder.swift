#if SwiftData
  import SwiftSyntax

  /// Finds the calls by which an app makes its containers. Previews make no stores.
  final class ContainerFinder: SyntaxVisitor {
    private let reader: DeclarationReader
    private(set) var calls: [ContainerCall] = []

    init(_ reader: DeclarationReader) {
      self.reader = reader
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      // `let url = folder.appending(path: "Trips.store")`
      if node.calledName == "URL" || node.calledName.hasPrefix("append") { addConstant(ExprSyntax(node)) }
      guard makers.contains(node.calledName) else { return .visitChildren }
      // `struct Trips_Previews: PreviewProvider { … }`
      let inherited = node.ancestors.flatMap { outer in
        outer.asProtocol((any DeclGroupSyntax).self)?.inheritanceClause?.inheritedTypes
          .map(\.type.trimmedDescription) ?? []
      }
      // `QLPreviewProvider` is an extension of an app.
      if inherited.contains(where: { $0.contains(#/^(SwiftUI\.)?Preview(Provider|Modifier)$/#) }) {
        return .skipChildren
      }
      add(node.calledName, reader.arguments(node.arguments), ExprSyntax(node))
      return .visitChildren
    }

    /// `let models: [any PersistentModel.Type] = [Trip.self]` of a function, which calls name.
    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
      if node.elements.allSatisfy({ $0.expression.trimmedDescription.contains(".self") }) {
        addConstant(ExprSyntax(node))
      }
      return .visitChildren
    }

    private func addConstant(_ node: ExprSyntax) {
      let variable = node.ancestors.prefix(5).lazy.compactMap { $0.as(VariableDeclSyntax.self) }.first
      if node.parent?.is(InitializerClauseSyntax.self) == true, variable?.bindingSpecifier.text == "let" {
        add("", [SwiftArgument(label: nil, value: reader.expression(node))], node)
      }
    }

    private func add(_ called: String, _ arguments: [SwiftArgument], _ node: ExprSyntax) {
      let types = node.ancestors.compactMap { outer in
        outer.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
          ?? (outer.isProtocol((any DeclGroupSyntax).self)
            ? outer.asProtocol((any NamedDeclSyntax).self).map { name($0.name) } : nil)
      }
      // `let schema = try Schema(…)`
      let binding =
        node.ancestors.prefix(4).lazy.compactMap { $0.as(PatternBindingSyntax.self) }.first
        // `static var local: ModelConfiguration { ModelConfiguration(…) }`
        ?? node.parent?.parent?.parent?.as(AccessorBlockSyntax.self)?.parent?.as(PatternBindingSyntax.self)
      let members = binding?.ancestors.first {
        $0.is(CodeBlockItemListSyntax.self) || $0.is(MemberBlockSyntax.self)
      }
      let block = members?.as(CodeBlockItemListSyntax.self).flatMap {
        $0.parent?.is(SourceFileSyntax.self) == true ? nil : reader.place($0)
      }
      if called.isEmpty, block == nil { return }
      let call = node.as(FunctionCallExprSyntax.self)
      calls.append(
        ContainerCall(
          name: called, arguments: arguments, variable: binding?.pattern.trimmedDescription, block: block,
          isInMemory: call.map(isInMemory) ?? false, path: types.reversed(),
          place: reader.place(call?.calledExpression ?? node)))
    }

    /// By its own arguments, or by a configuration that is made beside it; not where only a run tells.
    private func isInMemory(_ node: FunctionCallExprSyntax) -> Bool {
      let list = node.ancestors.lazy.compactMap { $0.as(CodeBlockItemListSyntax.self) }.first
      let own = node.arguments.tokens(viewMode: .sourceAccurate).map(\.text)
      let variables = list?.compactMap { $0.item.as(VariableDeclSyntax.self) }.flatMap(\.bindings) ?? []
      let named = variables.filter { own.contains($0.pattern.trimmedDescription) }
        .map { $0.tokens(viewMode: .sourceAccurate).map(\.text) }
      return ([own] + named).contains { words in
        let isChosen = words.contains("?") || words.contains("if")
        return !isChosen
          && zip(words, words.dropFirst(2)).contains {
            ["isStoredInMemoryOnly", "inMemory"].contains($0) && $1 == "true"
          }
      }
    }

    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
      let taken = node.clauses.first { $0.condition.map { reader.platform.decide($0).value } ?? true }
      if let elements = taken?.elements { walk(elements) }
      return .skipChildren
    }
    // `#Preview { … }`
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  }

  /// A `DocumentGroup` makes its containers itself: it may have the plan, and the source does not say which files.
  private let makers = ["Schema", "ModelConfiguration", "ModelContainer", "modelContainer", "DocumentGroup"]

  extension SyntaxProtocol {
    /// The node itself and what it stands in, from the inside.
    var ancestors: UnfoldFirstSequence<Syntax> { sequence(first: Syntax(self), next: \.parent) }
  }

  extension FunctionCallExprSyntax {
    /// The last part of what is called; of `ModelContainer.init(…)` the type, and of `.init(…)` what its labels tell.
    var calledName: String {
      let member = calledExpression.as(MemberAccessExprSyntax.self)
      let last = member?.declName ?? calledExpression.as(DeclReferenceExprSyntax.self)
      guard last?.baseName.text == "init" else { return last?.baseName.text ?? "" }
      let labels = arguments.compactMap(\.label?.text)
      return member?.base.map { String($0.trimmedDescription.split(separator: ".").last ?? "") }
        ?? (labels.contains("migrationPlan")
          ? "ModelContainer" : labels.contains("cloudKitDatabase") ? "ModelConfiguration" : "init")
    }
  }
#endif
