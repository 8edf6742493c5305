#if SwiftData
  import ManagedModel
  import SwiftParser
  import SwiftSyntax

  /// What a function does with stores, in the order of its source.
  private struct FunctionFacts {
    var name: String
    /// Whether callers learn from it that a store did not open.
    var tellsFailure = false
    var openings: [ManagedModel.SourceRange] = []
    var calls: [Call] = []
    /// Calls that remove or move files, wherever they stand; those of a store also in what it calls in its own file.
    var removals: [Call] = []
    /// The calls in code that runs where opening has failed.
    var afterFailure: [Call] = []

    struct Call {
      var name: String
      var place: ManagedModel.SourceRange
      /// What it is given, and over what it runs.
      var words: String

      /// Whether that looks like a store's file, or is the folder that holds it.
      var isOfStore: Bool {
        namesStore(name + words) || words.lowercased().contains("url")
          || words.hasSuffix(".applicationSupportDirectory")
      }
    }
  }

  struct WipeFinder {
    private var files: [(tree: SourceFileSyntax, lines: SourceLines)] = []

    mutating func read(_ text: String, _ lines: SourceLines) {
      files.append((Parser.parse(source: text), lines))
    }

    /// - Parameter openers: functions that open a store, beside those of the frameworks.
    private func functions(_ openers: Set<String> = []) -> [FunctionFacts] {
      files.flatMap { tree, lines in
        let reader = FunctionReader(lines, openers)
        reader.walk(tree)
        return reader.functions.map { function in
          var function = function
          let called = Set(function.calls.map(\.name)).subtracting([function.name])
          function.removals += reader.functions.filter { called.contains($0.name) }.flatMap(\.removals)
            .filter { namesStore($0.name + $0.words) }
          return function
        }
      }
    }

    var wipes: [StoreWipe] {
      let openers = self.functions().filter { $0.tellsFailure && !$0.openings.isEmpty }.map(\.name)
      let functions = self.functions(Set(openers))
      let callees = Dictionary(grouping: functions.filter { !$0.removals.isEmpty }, by: \.name)
      var found: [StoreWipe] = []
      for function in functions {
        guard let opening = function.openings.first else { continue }
        for call in function.afterFailure {
          var removal = call.isOfStore ? call : nil
          if !removingCalls.contains(call.name) {
            let callee = callees[call.name]?.first.flatMap { $0.name == function.name ? nil : $0 }
            // `resetStore()` removes a store whatever it calls its files.
            let isReset = callee.map { namesStore($0.name) } == true
            removal = callee?.removals.first(where: \.isOfStore) ?? (isReset ? callee?.removals.first : nil)
          }
          found += [removal].compactMap(\.self).map {
            StoreWipe(call: $0.name, place: $0.place, function: function.name, opening: opening)
          }
        }
      }
      return found.unique { $0.place }
    }
  }

  private let removingCalls: Set<String> = [
    "removeItem", "moveItem", "trashItem", "replaceItem", "replaceItemAt", "destroyPersistentStore",
    "replacePersistentStore",
  ]

  private let openingCalls: Set<String> = ["ModelContainer", "loadPersistentStores", "addPersistentStore"]

  /// Whether words speak of a store rather than of a cache or a picture.
  private func namesStore(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["store", "sqlite", "database", "container", "db", "configuration.url", "persist", "wal", "shm"]
      .contains { text.contains($0) }
  }

  /// Reads the bodies of functions; closures belong to the function around them.
  private final class FunctionReader: SyntaxVisitor {
    private let lines: SourceLines
    private(set) var functions: [FunctionFacts] = []
    private var places: [SyntaxIdentifier: Int] = [:]
    /// Nodes of code that runs where opening has failed.
    private var failing: Set<SyntaxIdentifier> = []
    private let openers: Set<String>

    init(_ lines: SourceLines, _ openers: Set<String>) {
      (self.lines, self.openers) = (lines, openers)
      super.init(viewMode: .sourceAccurate)
    }

    /// The function around a node; also `var container: ModelContainer = { … }()`, `lazy var`, `var body`.
    private func function(around node: some SyntaxProtocol) -> Int? {
      let outer = node.ancestors.first { outer in
        outer.is(FunctionDeclSyntax.self) || outer.is(InitializerDeclSyntax.self)
          || outer.is(VariableDeclSyntax.self) && outer.parent?.is(MemberBlockItemSyntax.self) == true
      }
      guard let outer = outer ?? node.ancestors.reversed().first(where: { $0.is(VariableDeclSyntax.self) })
      else { return nil }
      if let known = places[outer.id] { return known }
      let variable = outer.as(VariableDeclSyntax.self)?.bindings.first?.pattern.trimmedDescription
      let declared = outer.as(FunctionDeclSyntax.self)
      places[outer.id] = functions.count
      functions.append(
        FunctionFacts(
          name: declared?.name.text ?? variable ?? "init", tellsFailure: declared?.tellsFailure == true))
      return functions.count - 1
    }

    override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
      if opens(Syntax(node.body)) {
        failing.formUnion(node.catchClauses.map(\.id))
        failsAfter(Syntax(node), node.body)
      }
      return .visitChildren
    }

    // `if let error { … }` in the closure, `guard let container = try? ModelContainer(…) else { … }`.
    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
      let condition = node.conditions.trimmedDescription
      if isInLoading(Syntax(node)), condition.contains("error") { failing.insert(node.body.id) }
      if opens(Syntax(node.conditions)) {
        if let other = node.elseBody { failing.insert(other.id) }
        failsAfter(Syntax(node), node.body)
      }
      // `if container == nil { … }` after `try?`
      if condition.hasSuffix("== nil"), let index = function(around: node),
        !functions[index].openings.isEmpty,
        condition.lowercased().contains("container") || condition.lowercased().contains("store")
      {
        failing.insert(node.body.id)
      }
      return .visitChildren
    }
    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
      let condition = node.conditions.trimmedDescription
      let isOfError = isInLoading(Syntax(node)) && condition.contains("error")
      if opens(Syntax(node.conditions)) || isOfError { failing.insert(node.body.id) }
      return .visitChildren
    }
    // `(try? ModelContainer(…)) ?? makeAnew()`
    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
      let parts = Array(node.elements)
      let split = parts.firstIndex { $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "??" }
      if let split, parts[..<split].contains(where: { opens(Syntax($0)) }) {
        failing.formUnion(parts[split...].map(\.id))
      }
      return .visitChildren
    }
    /// `if let container = try? ModelContainer(…) { return container }`: what follows runs where that failed.
    private func failsAfter(_ node: Syntax, _ body: CodeBlockSyntax) {
      guard body.statements.last?.item.is(ReturnStmtSyntax.self) == true,
        let item = node.ancestors.first(where: { $0.is(CodeBlockItemSyntax.self) }),
        let list = item.parent?.as(CodeBlockItemListSyntax.self)
      else { return }
      failing.formUnion(list.map(\.id).drop { $0 != item.id }.dropFirst())
    }
    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let last = function(around: node) else { return .visitChildren }
      let name = node.calledName
      if removingCalls.contains(name), isTemporary(node) { return .visitChildren }
      if isOpening(node) { functions[last].openings.append(lines.range(of: node.calledExpression)) }
      let call = FunctionFacts.Call(
        name: name, place: lines.range(of: node.calledExpression), words: words(of: node))
      functions[last].calls.append(call)
      if removingCalls.contains(name) { functions[last].removals.append(call) }
      if node.ancestors.contains(where: { failing.contains($0.id) }) {
        functions[last].afterFailure.append(call)
      }
      return .visitChildren
    }

    /// Whether what it removes lies in the temporary folder: a copy of a store, not the store.
    private func isTemporary(_ node: FunctionCallExprSyntax) -> Bool {
      let file = node.arguments.first?.expression.trimmedDescription ?? ""
      let name = String(file.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      let variables = node.ancestors.compactMap { $0.as(CodeBlockItemListSyntax.self) }.flatMap { $0 }
        .compactMap { $0.item.as(VariableDeclSyntax.self) }.flatMap(\.bindings)
      let values = variables.filter { $0.pattern.trimmedDescription == name }.map(\.trimmedDescription)
      // `isTest ? temporary : support` may be either.
      return ([file] + values).contains { $0.lowercased().contains("temporarydirectory") }
        && values.allSatisfy {
          $0.lowercased().contains("temporarydirectory") && !$0.contains("? ") && !$0.contains("if ")
        }
    }

    private func words(of node: FunctionCallExprSyntax) -> String {
      let around = node.ancestors.prefix { !$0.is(FunctionDeclSyntax.self) && !$0.is(ClosureExprSyntax.self) }
      let loops = around.compactMap { $0.as(ForStmtSyntax.self)?.sequence.trimmedDescription }
      return ([node.arguments.trimmedDescription] + loops).joined()
    }

    private func opens(_ node: Syntax) -> Bool {
      node.as(FunctionCallExprSyntax.self).map(isOpening) == true
        || node.children(viewMode: .sourceAccurate).contains { opens($0) }
    }

    /// Also `let container: ModelContainer = try .init(for: Trip.self)`.
    private func isOpening(_ call: FunctionCallExprSyntax) -> Bool {
      let name = call.calledName
      return openingCalls.contains(name) || openers.contains(name)
        || name == "init" && call.arguments.first?.label?.text == "for"
    }

    /// Whether it stands in the closure of `loadPersistentStores`.
    private func isInLoading(_ node: Syntax) -> Bool {
      node.ancestors.prefix { !$0.is(FunctionDeclSyntax.self) }.contains { outer in
        outer.as(FunctionCallExprSyntax.self).map { openingCalls.contains($0.calledName) } ?? false
      }
    }
  }

  extension FunctionDeclSyntax {
    /// By its name or its result it opens a store, and it throws or returns nil.
    fileprivate var tellsFailure: Bool {
      let result = signature.returnClause?.type
      let fails =
        signature.effectSpecifiers?.throwsClause != nil || result?.is(OptionalTypeSyntax.self) == true
      return fails && namesStore(name.text + (result?.trimmedDescription ?? ""))
    }
  }
#endif
