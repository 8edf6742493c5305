#if SwiftData
  import SwiftSyntax

  extension DeclarationReader {
    /// What a closure does with its context. `{ context in try prepare(context) }` is what that function does.
    func work(of closure: ClosureExprSyntax) -> SwiftExpression.Form {
      let named = closure.signature?.parameterClause?.tokens(viewMode: .sourceAccurate)
      let given = named?.first { $0.text != "(" }?.text ?? "$0"
      let only = closure.statements.count == 1 ? closure.statements.first.flatMap { tried($0.item) } : nil
      return only.flatMap { function($0.call, given) }?.form ?? work(closure.statements, given)
    }

    /// - Parameter context: the name under which a closure or a function is given it.
    func work(_ items: CodeBlockItemListSyntax, _ context: String) -> SwiftExpression.Form {
      let (emptied, isSaved) = emptied(by: items, context)
      let tokens = items.tokens(viewMode: .sourceAccurate)
      // Another context may have another schema, or another store.
      let isAlone = !tokens.contains { ["ModelContainer", "ModelContext"].contains($0.text) }
      let called = tokens.filter { isAlone && $0.text == context }.compactMap {
        function($0.parent?.parent?.parent?.parent?.as(FunctionCallExprSyntax.self), context)
      }
      let fetched = isAlone ? fetched(by: items, context) : []
      return .work(
        emptied: isAlone ? emptied : [], isSaved: isSaved, fetched: fetched, called: called,
        inserts: tokens.contains { $0.text == "insert" })
    }

    /// What is called with the context and nothing else.
    private func function(_ call: FunctionCallExprSyntax?, _ context: String) -> SwiftExpression? {
      guard let call, call.arguments.count == 1, call.trailingClosure == nil,
        call.arguments.first?.expression.trimmedDescription == context
      else { return nil }
      return expression(call.calledExpression)
    }

    /// The classes whose objects a stage deletes, all of them and whatever comes: `try context.delete(model: Trip.self)`, or one
    /// by one after a fetch without a condition; also functions that may. Only the context that saves deletes from the store
    /// what it has fetched.
    private func emptied(
      by list: CodeBlockItemListSyntax, _ given: String
    ) -> (classes: [SwiftExpression], isSaved: Bool) {
      let items = list.map(\.item)
      // What may pass over an object, or make one.
      let escapes: Set = ["return", "insert", "break", "continue"]
      if list.tokens(viewMode: .sourceAccurate).contains(where: { escapes.contains($0.text) }) {
        return ([], false)
      }
      let save = items.lastIndex { tried($0)?.call?.calledName == "save" }
      let context = save.flatMap { tried(items[$0])?.call?.receiver } ?? given
      var fetched: [String: SwiftExpression] = [:]
      let classes = items[..<(save ?? items.endIndex)].compactMap { item -> SwiftExpression? in
        if let function = function(tried(item)?.call, context) { return function }
        if let variable = item.as(VariableDeclSyntax.self), let binding = variable.bindings.first {
          let value = variable.bindingSpecifier.text == "let" ? binding.initializer?.value : nil
          fetched[binding.pattern.trimmedDescription] = value.flatMap { all(in: $0, of: context, [:]) }
        } else if let loop = item.as(ForStmtSyntax.self) {
          let name = loop.pattern.trimmedDescription
          return loop.whereClause == nil && loop.body.statements.delete(name, from: context)
            ? all(in: loop.sequence, of: context, fetched) : nil
        } else if let call = (tried(item) ?? item.as(ExprSyntax.self))?.call {
          let model = call.arguments.first
          if call.calledName == "delete", call.arguments.count == 1, model?.label?.text == "model" {
            guard call.receiver == context else { return nil }
            return tried(item).flatMap { _ in model.map { expression($0.expression) } }
          }
          let list = call.calledExpression.as(MemberAccessExprSyntax.self)?.base
          guard call.calledName == "forEach", let list, let each = call.trailingClosure else { return nil }
          let name = each.signature?.parameterClause?.trimmedDescription ?? "$0"
          return each.statements.delete(name, from: context) ? all(in: list, of: context, fetched) : nil
        }
        return nil
      }
      return (classes, save != nil)
    }

    /// The classes that a stage fetches, and whose objects it inserts; none of one with another context than it is given, which
    /// may have another schema.
    private func fetched(by items: CodeBlockItemListSyntax, _ given: String) -> [SwiftExpression] {
      let tokens = items.tokens(viewMode: .sourceAccurate)
      let calls: Set = ["fetch", "fetchCount", "fetchIdentifiers", "enumerate"]
      let contexts = tokens.filter { calls.contains($0.text) }.map {
        $0.parent?.parent?.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
      }
      guard contexts.allSatisfy({ $0 == given }) else { return [] }
      return tokens.compactMap { token -> SwiftExpression? in
        guard let node = token.parent?.parent?.as(ExprSyntax.self) else { return nil }
        if token.text == "insert" { return insertedClass(node, items, into: given) }
        return token.text == "FetchDescriptor" && !contexts.isEmpty ? fetchedClass(node) : nil
      }
    }

    /// `V2.Trip.self` of `context.insert(V2.Trip(…))`, also if a constant has the object.
    private func insertedClass(
      _ insert: ExprSyntax, _ items: CodeBlockItemListSyntax, into context: String
    ) -> SwiftExpression? {
      guard let call = insert.parent?.as(FunctionCallExprSyntax.self),
        insert.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription == context,
        let object = call.arguments.first?.expression
      else { return nil }
      let patterns = items.tokens(viewMode: .sourceAccurate).filter {
        $0.text == object.trimmedDescription && $0.parent?.is(IdentifierPatternSyntax.self) == true
      }
      // Of several it may be any.
      guard patterns.count < 2 else { return nil }
      let value = patterns.first?.parent?.parent?.as(PatternBindingSyntax.self)?.initializer?.value ?? object
      return (value.call?.calledExpression).map { expression($0).metatype }
    }

    /// `Trip.self` of `FetchDescriptor<Trip>`.
    private func fetchedClass(_ descriptor: ExprSyntax) -> SwiftExpression? {
      guard case .type(.named(let parts)) = expression(descriptor).form,
        parts.last?.name == "FetchDescriptor", let type = parts.last?.arguments.first
      else { return nil }
      return SwiftExpression(form: .type(type), text: type.description, place: place(descriptor)).metatype
    }

    /// What a statement tries, and goes no further where it fails: `try!` stops the app.
    private func tried(_ item: some SyntaxProtocol) -> ExprSyntax? {
      item.as(TryExprSyntax.self).flatMap { $0.questionOrExclamationMark?.text != "?" ? $0.expression : nil }
    }

    /// The class of which a value is every object: `context.fetch(FetchDescriptor<Trip>())`, or a constant that is.
    private func all(
      in value: ExprSyntax, of context: String, _ fetched: [String: SwiftExpression]
    ) -> SwiftExpression? {
      let value = tried(value) ?? value
      guard let fetch = value.call, fetch.calledName == "fetch", fetch.receiver == context,
        fetch.arguments.count == 1,
        let descriptor = fetch.arguments.first?.expression.call,
        descriptor.arguments.allSatisfy({ $0.label?.text == "sortBy" }),
        let found = fetchedClass(descriptor.calledExpression)
      else { return fetched[value.trimmedDescription] }
      return found
    }
  }

  extension CodeBlockItemListSyntax {
    /// Whether they delete the object of a name, whatever it is.
    fileprivate func delete(_ name: String, from context: String) -> Bool {
      contains { item in
        let call = item.item.as(ExprSyntax.self)?.call
        return call?.calledName == "delete" && call?.receiver == context
          && call?.arguments.map(\.expression.trimmedDescription) == [name]
      }
    }
  }

  extension ExprSyntax {
    fileprivate var call: FunctionCallExprSyntax? { self.as(FunctionCallExprSyntax.self) }
  }

  extension FunctionCallExprSyntax {
    fileprivate var receiver: String? {
      calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription
    }
  }
#endif
