#if SwiftData
  import ManagedModel
  import SwiftSyntax

  extension SourceLines {
    func range(of node: some SyntaxProtocol) -> ManagedModel.SourceRange {
      range(
        node.positionAfterSkippingLeadingTrivia.utf8Offset, node.endPositionBeforeTrailingTrivia.utf8Offset)
    }
  }

  /// Turns the tree of a file into declarations; bodies of functions are passed over.
  struct DeclarationReader {
    let lines: SourceLines
    let platform: SwiftPlatform
    var imports: [String] = []
    var conditions: [SwiftCondition] = []

    func place(_ node: some SyntaxProtocol) -> ManagedModel.SourceRange { lines.range(of: node) }

    /// Its beginning, as it is written.
    func text(of node: some SyntaxProtocol) -> String {
      lines.text(
        node.positionAfterSkippingLeadingTrivia.utf8Offset, node.endPositionBeforeTrailingTrivia.utf8Offset)
    }

    mutating func read(_ item: CodeBlockItemSyntax.Item, into members: inout SwiftMembers) {
      if case .decl(let declaration) = item { read(declaration, into: &members) }
    }

    private mutating func read(_ declaration: DeclSyntax, into members: inout SwiftMembers) {
      switch declaration.as(DeclSyntaxEnum.self) {
      case .classDecl(let node): members.types.append(type(.class, node))
      case .structDecl(let node): members.types.append(type(.struct, node))
      case .enumDecl(let node): members.types.append(type(.enum, node))
      case .actorDecl(let node): members.types.append(type(.actor, node))
      case .protocolDecl(let node):
        members.types.append(
          SwiftDeclaration(
            kind: .protocol, name: [name(node.name)], inherited: inherited(node), place: place(node.name)))
      case .extensionDecl(let node): members.types.append(self.extension(node))
      case .typeAliasDecl(let node):
        members.aliases.append(
          SwiftAlias(
            name: name(node.name), isPrivate: node.modifiers.arePrivate,
            generics: names(node.genericParameterClause), type: type(node.initializer.value),
            place: place(node.name)))
      case .variableDecl(let node): members.variables += variables(node)
      case .functionDecl(let node):
        if let part = stagePart(node) { members.variables.append(part) }
        if let result = node.signature.returnClause?.type {
          var function = SwiftVariable(
            name: name(node.name), isPrivate: node.modifiers.arePrivate, type: type(result),
            place: place(node.name))
          function.isStatic = node.modifiers.areStatic
          members.functions.append(function)
        } else if name(node.name) == "encode",
          node.signature.parameterClause.parameters.first?.firstName.text == "to"
        {
          members.functions.append(coding("encode(to:)", at: node.name))
        }
      case .initializerDecl(let node):
        let first = node.signature.parameterClause.parameters.first
        if first?.firstName.text == "from", first?.type.trimmedDescription.hasSuffix("Decoder") == true {
          members.functions.append(coding("init(from:)", at: node.initKeyword))
        }
      case .enumCaseDecl(let node): members.cases += node.elements.map(self.case)
      case .macroExpansionDecl(let node):
        members.macros.append(
          SwiftAttribute(name: name(node.macroName), arguments: arguments(node.arguments), place: place(node))
        )
      case .importDecl(let node): imports += node.path.first.map { [name($0.name)] } ?? []
      case .ifConfigDecl(let node): read(taken(node), into: &members)
      default: break
      }
    }

    /// What a plan lists by a call, `toV2()`; and what a function does with the context of a stage where it is given nothing
    /// else, under a name that no variable has: `prepare(_:)`.
    private mutating func stagePart(_ node: FunctionDeclSyntax) -> SwiftVariable? {
      let parameters = node.signature.parameterClause.parameters
      guard let items = node.body?.statements, parameters.count < 2 else { return nil }
      var part = SwiftVariable(name: name(node.name), place: place(node.name))
      var lists: [String: SwiftExpression] = [:]
      if let given = parameters.first {
        guard given.type.trimmedDescription == "ModelContext" else { return nil }
        part.name += "(_:)"
        let form = work(items, name(given.secondName ?? given.firstName))
        part.value = SwiftExpression(form: form, text: part.name, place: part.place)
      } else if node.signature.returnClause?.type.trimmedDescription == "MigrationStage" {
        part.value = result(of: items, &lists)
      } else {
        return nil
      }
      (part.isPrivate, part.isStatic, part.isComputed) = (node.modifiers.arePrivate, true, true)
      return part
    }

    /// What a type says itself of how it is written and read.
    private func coding(_ name: String, at token: TokenSyntax) -> SwiftVariable {
      SwiftVariable(name: name, type: SwiftType("Void"), place: place(token))
    }

    private mutating func type(
      _ kind: SwiftDeclaration.Kind,
      _ node: some DeclGroupSyntax & NamedDeclSyntax & WithGenericParametersSyntax
    ) -> SwiftDeclaration {
      var declaration = SwiftDeclaration(
        kind: kind, name: [name(node.name)], attributes: attributes(node.attributes),
        modifiers: Set(node.modifiers.map { name($0.name) }), inherited: inherited(node),
        generics: names(node.genericParameterClause), place: place(node.name))
      for member in node.memberBlock.members { read(member.decl, into: &declaration.members) }
      return declaration
    }

    private func names(_ clause: GenericParameterClauseSyntax?) -> [String] {
      (clause?.parameters).map { $0.map { name($0.name) } } ?? []
    }

    private func inherited(_ node: some DeclGroupSyntax) -> [SwiftType] {
      // `protocol Stored where Self: Codable`
      let requirements = node.as(ProtocolDeclSyntax.self)?.genericWhereClause?.requirements.map(\.requirement)
      let required = (requirements ?? []).compactMap { requirement -> TypeSyntax? in
        guard case .conformanceRequirement(let own) = requirement,
          own.leftType.trimmedDescription == "Self"
        else { return nil }
        return own.rightType
      }
      let stated = node.inheritanceClause?.inheritedTypes.map(\.type) ?? []
      return (stated + required).flatMap { inherited -> [SwiftType] in
        guard let joined = inherited.as(CompositionTypeSyntax.self) else { return [type(inherited)] }
        return joined.elements.map { type($0.type) }
      }
    }

    private mutating func `extension`(_ node: ExtensionDeclSyntax) -> SwiftDeclaration {
      var parts: [String] = []
      if case .named(let named) = type(node.extendedType) { parts = named.map(\.name) }
      var declaration = SwiftDeclaration(
        kind: .extension, name: parts, inherited: inherited(node), place: place(node.extendedType))
      for member in node.memberBlock.members { read(member.decl, into: &declaration.members) }
      return declaration
    }

    /// The branch that the platform takes.
    private mutating func taken(_ node: IfConfigDeclSyntax) -> IfConfigClauseSyntax.Elements? {
      for clause in node.clauses {
        guard let condition = clause.condition else { return clause.elements }
        let decided = platform.decide(condition)
        conditions.append(
          SwiftCondition(
            text: condition.trimmedDescription, isTaken: decided.value, isGuessed: decided.isGuessed,
            isOfModel: node.isOfModel, place: place(condition)))
        if decided.value { return clause.elements }
      }
      return nil
    }

    private mutating func read(_ elements: IfConfigClauseSyntax.Elements?, into members: inout SwiftMembers) {
      switch elements {
      case .statements(let items): for item in items { read(item.item, into: &members) }
      case .decls(let declarations): for item in declarations { read(item.decl, into: &members) }
      default: break
      }
    }

    private mutating func variables(_ node: VariableDeclSyntax) -> [SwiftVariable] {
      let attributes = self.attributes(node.attributes)
      var type: SwiftType?
      // `var a, b: Int` says the type behind the last name.
      var found: [SwiftVariable] = []
      for binding in node.bindings.reversed() {
        // `var id = UUID(), name: String`
        type = binding.typeAnnotation.map { self.type($0.type) } ?? (binding.initializer == nil ? type : nil)
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
        var variable = SwiftVariable(name: name(pattern.identifier), place: place(pattern.identifier))
        variable.isPrivate = node.modifiers.arePrivate
        variable.attributes = attributes
        variable.isConstant = node.bindingSpecifier.tokenKind == .keyword(.let)
        // A plan lists a stage by an object too: `ToV2().stage`.
        variable.isStatic = node.modifiers.areStatic || type == SwiftType("MigrationStage")
        variable.isLazy = node.modifiers.contains { $0.name.text == "lazy" }
        variable.type = type
        variable.value = binding.initializer.map { expression($0.value) }
        if let block = binding.accessorBlock {
          variable.isComputed = isComputed(block)
          if variable.value == nil, variable.isStatic {
            let known = conditions.count
            variable.value = result(of: block)
            // Older systems may know a shorter plan; a schema is the same for all.
            if type?.description.contains("PersistentModel") != true { conditions.removeSubrange(known...) }
          }
        }
        found.append(variable)
        if binding.initializer != nil { type = nil }
      }
      return found.reversed()
    }

    /// A block of observers alone belongs to a stored property.
    private func isComputed(_ block: AccessorBlockSyntax) -> Bool {
      guard case .accessors(let accessors) = block.accessors else { return true }
      return !accessors.allSatisfy { ["willSet", "didSet"].contains(name($0.accessorSpecifier)) }
    }

    /// What a getter returns, where its body is one expression, or makes a list as the newest systems have it.
    private mutating func result(of block: AccessorBlockSyntax) -> SwiftExpression? {
      let body: CodeBlockItemListSyntax? =
        switch block.accessors {
        case .getter(let items): items
        case .accessors(let accessors):
          accessors.first { name($0.accessorSpecifier) == "get" }?.body?.statements
        }
      var lists: [String: SwiftExpression] = [:]
      return body.flatMap { result(of: $0, &lists) }
    }

    /// - Parameter lists: local variables, with what was added to each.
    private mutating func result(
      of items: CodeBlockItemListSyntax, _ lists: inout [String: SwiftExpression]
    ) -> SwiftExpression? {
      let items = statements(items)
      for item in items {
        let node = item.as(ExpressionStmtSyntax.self)?.expression ?? item.as(ExprSyntax.self)
        if let returned = item.as(ReturnStmtSyntax.self)?.expression {
          return lists[returned.trimmedDescription] ?? expression(returned)
        } else if let variable = item.as(VariableDeclSyntax.self)?.bindings.first {
          lists[variable.pattern.trimmedDescription] = variable.initializer.map { expression($0.value) }
        } else if let guarded = item.as(GuardStmtSyntax.self) {
          guard isAvailable(guarded.conditions) else { return nil }
        } else if let choice = node?.as(IfExprSyntax.self) {
          guard isAvailable(choice.conditions) else { return nil }
          if let value = result(of: choice.body.statements, &lists) { return value }
        } else if let call = node?.as(FunctionCallExprSyntax.self), call.calledName == "append",
          let list = call.calledExpression.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription,
          let former = lists[list], let added = arguments(call.arguments).first
        {
          var more = added.value
          if added.label == nil { more.form = .array([more]) }
          lists[list]?.form = .sum([former, more])
        } else if let parts = node?.as(SequenceExprSyntax.self).map({ Array($0.elements) }), parts.count == 3,
          parts[1].trimmedDescription == "+=", let former = lists[parts[0].trimmedDescription]
        {
          lists[parts[0].trimmedDescription]?.form = .sum([former, expression(parts[2])])
        } else {
          return items.count == 1 ? node.map { expression($0) } : nil
        }
      }
      return nil
    }

    /// Those of a list, with what the platform takes of `#if` in their place.
    private mutating func statements(_ list: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax.Item] {
      list.flatMap { entry -> [CodeBlockItemSyntax.Item] in
        guard let node = entry.item.as(IfConfigDeclSyntax.self) else { return [entry.item] }
        guard case .statements(let inner)? = taken(node) else { return [] }
        return statements(inner)
      }
    }

    /// Whether the newest systems go on behind it.
    private mutating func isAvailable(_ list: ConditionElementListSyntax) -> Bool {
      let found = list.compactMap { $0.condition.as(AvailabilityConditionSyntax.self) }
      guard found.count == list.count, found.allSatisfy({ $0.availabilityKeyword.text == "#available" })
      else { return false }
      conditions += found.map {
        SwiftCondition(text: $0.trimmedDescription, isTaken: true, isGuessed: true, place: place($0))
      }
      return true
    }

    private func `case`(_ node: EnumCaseElementSyntax) -> SwiftCase {
      let values = node.parameterClause.map { Array($0.parameters) } ?? []
      let payload = values.enumerated().map { index, value in
        let label = value.firstName.flatMap { $0.text == "_" ? nil : name($0) }
        return SwiftVariable(name: label ?? "_\(index)", type: type(value.type), place: place(value))
      }
      return SwiftCase(
        name: name(node.name), payload: payload, rawValue: node.rawValue.map { expression($0.value) })
    }

    private mutating func attributes(_ list: AttributeListSyntax) -> [SwiftAttribute] {
      list.flatMap { element -> [SwiftAttribute] in
        switch element {
        case .attribute(let node):
          var arguments: [SwiftArgument] = []
          if case .argumentList(let list)? = node.arguments { arguments = self.arguments(list) }
          guard case .named(let parts) = type(node.attributeName), let last = parts.last else { return [] }
          return [SwiftAttribute(name: last.name, arguments: arguments, place: place(node))]
        case .ifConfigDecl(let node):
          guard case .attributes(let list)? = taken(node) else { return [] }
          return attributes(list)
        }
      }
    }
  }

  extension IfConfigDeclSyntax {
    /// Whether it holds stored properties of a model or attributes of theirs, or a part of a list.
    fileprivate var isOfModel: Bool {
      if ancestors.contains(where: { $0.is(AccessorBlockSyntax.self) }) { return true }
      let outer = ancestors.lazy.compactMap { $0.as(ClassDeclSyntax.self) }.first
      guard outer?.attributes.description.contains("@Model") == true else { return false }
      return clauses.contains { clause in
        guard case .decls(let members)? = clause.elements else { return clause.elements != nil }
        return members.contains { member in
          member.decl.as(VariableDeclSyntax.self)?.bindings.contains { $0.accessorBlock == nil } == true
        }
      }
    }
  }

  extension DeclModifierListSyntax {
    /// `private(set)` hides nothing.
    fileprivate var arePrivate: Bool {
      contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
    }
    fileprivate var areStatic: Bool { contains { ["static", "class"].contains($0.name.text) } }
  }

  /// The text of a name, without the backticks that a keyword wants.
  func name(_ token: TokenSyntax) -> String {
    let text = token.text
    return text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
      ? String(text.dropFirst().dropLast()) : text
  }
#endif
