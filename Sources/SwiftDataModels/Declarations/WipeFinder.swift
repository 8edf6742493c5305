#if SwiftData
  import ManagedModel
  import SwiftParser
  import SwiftSyntax

  /// What a function does with stores, in the order of its source.
  private struct FunctionFacts {
    var name: String
    var openings: [ManagedModel.SourceRange] = []
    /// Calls that remove or move files, wherever they stand.
    var removals: [Call] = []
    /// The calls in code that runs where opening has failed.
    var afterFailure: [Call] = []

    struct Call {
      var name: String
      var place: ManagedModel.SourceRange
      /// Whether what it is given looks like a store's file.
      var isOfStore: Bool
    }
  }

  struct WipeFinder {
    private var functions: [FunctionFacts] = []

    mutating func read(_ text: String, _ lines: SourceLines) {
      let reader = FunctionReader(lines)
      reader.walk(Parser.parse(source: text))
      functions += reader.functions
    }

    var wipes: [StoreWipe] {
      var callees: [String: [FunctionFacts]] = [:]
      for function in functions where !function.removals.isEmpty {
        callees[function.name, default: []].append(function)
      }
      var found: [StoreWipe] = []
      for function in functions {
        guard let opening = function.openings.first else { continue }
        for call in function.afterFailure {
          if removingCalls.contains(call.name) {
            guard call.isOfStore else { continue }
            found.append(
              StoreWipe(call: call.name, place: call.place, function: function.name, opening: opening))
          } else if let callee = callees[call.name]?.first, callee.name != function.name,
            let removal = callee.removals.first(where: \.isOfStore)
              // `resetStore()` removes a store whatever it calls its files.
              ?? (namesStore(callee.name) ? callee.removals.first : nil)
          {
            found.append(
              StoreWipe(call: removal.name, place: removal.place, function: function.name, opening: opening))
          }
        }
      }
      var seen: Set<ManagedModel.SourceRange> = []
      return found.filter { seen.insert($0.place).inserted }
    }
  }

  private let removingCalls: Set<String> = [
    "removeItem", "moveItem", "trashItem", "replaceItem", "replaceItemAt", "destroyPersistentStore",
    "replacePersistentStore",
  ]

  private let openingCalls: Set<String> = [
    "ModelContainer", "loadPersistentStores", "addPersistentStore",
  ]

  /// Whether words speak of a store rather than of a cache or a picture.
  private func namesStore(_ text: String) -> Bool {
    let text = text.lowercased()
    return ["store", "sqlite", "database", "container", "db", "configuration.url", "persist", "wal", "shm"]
      .contains {
        text.contains($0)
      }
  }

  /// Reads the bodies of functions; closures belong to the function around them.
  private final class FunctionReader: SyntaxVisitor {
    private let lines: SourceLines
    private(set) var functions: [FunctionFacts] = []
    private var open: [(node: SyntaxIdentifier, index: Int)] = []
    /// How deep in code that runs where opening has failed.
    private var failures = 0
    /// Nodes that begin such code.
    private var failing: Set<SyntaxIdentifier> = []

    init(_ lines: SourceLines) {
      self.lines = lines
      super.init(viewMode: .sourceAccurate)
    }

    private func begin(_ name: String, _ node: SyntaxIdentifier) -> SyntaxVisitorContinueKind {
      functions.append(FunctionFacts(name: name))
      open.append((node, functions.count - 1))
      return .visitChildren
    }
    private func end(_ node: SyntaxIdentifier) { if open.last?.node == node { open.removeLast() } }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      begin(node.name.text, node.id)
    }
    override func visitPost(_ node: FunctionDeclSyntax) { end(node.id) }
    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { begin("init", node.id) }
    override func visitPost(_ node: InitializerDeclSyntax) { end(node.id) }
    // `var container: ModelContainer = { … }()`, `lazy var`, `var body`
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
      let isMember = node.parent?.is(MemberBlockItemSyntax.self) == true || open.isEmpty
      return isMember ? begin(node.bindings.first?.pattern.trimmedDescription ?? "", node.id) : .visitChildren
    }
    override func visitPost(_ node: VariableDeclSyntax) { end(node.id) }

    override func visit(_ node: DoStmtSyntax) -> SyntaxVisitorContinueKind {
      if opens(Syntax(node.body)) {
        failing.formUnion(node.catchClauses.map(\.id))
        failsAfter(Syntax(node), node.body)
      }
      return .visitChildren
    }
    override func visit(_ node: CatchClauseSyntax) -> SyntaxVisitorContinueKind { enter(node.id) }
    override func visitPost(_ node: CatchClauseSyntax) { leave(node.id) }

    // `if let error { … }` in the closure, `guard let container = try? ModelContainer(…) else { … }`.
    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
      let condition = node.conditions.trimmedDescription
      if isInLoading(Syntax(node)), condition.contains("error") { failing.insert(node.body.id) }
      if opens(Syntax(node.conditions)) {
        if let other = node.elseBody { failing.insert(other.id) }
        failsAfter(Syntax(node), node.body)
      }
      // `if container == nil { … }` after `try?`
      if let last = open.last?.index, !functions[last].openings.isEmpty, condition.hasSuffix("== nil"),
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
    /// `if let container = try? ModelContainer(…) { return container }`: what follows runs where that failed.
    private func failsAfter(_ node: Syntax, _ body: CodeBlockSyntax) {
      guard body.statements.last?.item.is(ReturnStmtSyntax.self) == true else { return }
      var parent = node.parent
      while let current = parent, !current.is(CodeBlockItemSyntax.self) { parent = current.parent }
      guard let item = parent, let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return }
      failing.formUnion(list.map(\.id).drop { $0 != item.id }.dropFirst())
    }
    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind { enter(node.id) }
    override func visitPost(_ node: CodeBlockItemSyntax) { leave(node.id) }

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { enter(node.id) }
    override func visitPost(_ node: CodeBlockSyntax) { leave(node.id) }

    private func enter(_ id: SyntaxIdentifier) -> SyntaxVisitorContinueKind {
      if failing.contains(id) { failures += 1 }
      return .visitChildren
    }
    private func leave(_ id: SyntaxIdentifier) { if failing.contains(id) { failures -= 1 } }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      guard let last = open.last?.index else { return .visitChildren }
      let name = called(node)
      if openingCalls.contains(name) {
        functions[last].openings.append(lines.range(of: node.calledExpression))
      }
      let call = FunctionFacts.Call(
        name: name, place: lines.range(of: node.calledExpression), isOfStore: isOfStore(node, name))
      if removingCalls.contains(name) { functions[last].removals.append(call) }
      if failures > 0 { functions[last].afterFailure.append(call) }
      return .visitChildren
    }

    /// What the call is given, and over what it runs, speaks of a store.
    private func isOfStore(_ node: FunctionCallExprSyntax, _ name: String) -> Bool {
      if name.hasSuffix("PersistentStore") { return true }
      var text = node.arguments.trimmedDescription
      var parent = node.parent
      while let current = parent, !current.is(FunctionDeclSyntax.self), !current.is(ClosureExprSyntax.self) {
        if let loop = current.as(ForStmtSyntax.self) { text += loop.sequence.trimmedDescription }
        parent = current.parent
      }
      return namesStore(text) || text.lowercased().contains("url")
    }

    private func called(_ node: FunctionCallExprSyntax) -> String {
      if let member = node.calledExpression.as(MemberAccessExprSyntax.self) {
        return member.declName.baseName.text
      }
      return node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
    }

    private func opens(_ node: Syntax) -> Bool {
      openingCalls.contains { node.description.contains("\($0)(") }
        || node.description.contains("loadPersistentStores")
    }

    /// Whether it stands in the closure of `loadPersistentStores`.
    private func isInLoading(_ node: Syntax) -> Bool {
      var parent = node.parent
      while let current = parent {
        if let call = current.as(FunctionCallExprSyntax.self), openingCalls.contains(called(call)) {
          return true
        }
        if current.is(FunctionDeclSyntax.self) { return false }
        parent = current.parent
      }
      return false
    }
  }
#endif
