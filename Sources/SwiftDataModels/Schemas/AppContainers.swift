import ManagedModel

/// What the calls that make an app's containers say of its stores.
struct AppContainers {
  /// What each call names itself.
  private var uses: [Opening] = []
  /// Where stores are mirrored to CloudKit, and whether they always are.
  private(set) var mirroring: (place: SourceRange, isSure: Bool)?
  /// The classes that are mirrored; nil if all are.
  private(set) var mirrored: [ListedType]? = []
  /// The containers that keep their stores on disk.
  private(set) var openings: [Opening] = []
  /// Whether any container, also one in memory, is given a plan.
  private(set) var havePlans = false
  /// Every class that a call lists, also one of a container in memory; nil if one cannot be read, or there is no container.
  private(set) var listed: [ListedType]?
  /// The stores on disk, one for each container that opens it; nil where the source does not tell them all.
  private(set) var stores: [Store]?
  /// Whether the source has containers, and each of them has its objects in memory alone.
  private(set) var areInMemory = false
  /// Those of the containers whose files and classes the source tells.
  private(set) var toldStores: [Store] = []
  /// Classes of containers in memory that no container on disk lists; none where the source does not tell them all.
  var unstored: Set<[String]> {
    func paths(_ types: [ListedType]) -> Set<[String]> { Set(types.compactMap(\.entry?.path)) }
    return stores.map { paths(listed ?? []).subtracting(paths($0.flatMap(\.classes))) } ?? []
  }
  private let table: TypeTable
  /// Lists of classes, and URLs, that functions keep for themselves.
  private let locals: [ContainerCall]

  /// What a container opens its stores with, as far as the source tells: it may have a plan that cannot be read.
  typealias Opening = (
    place: SourceRange, plan: [String]?, hasPlan: Bool, schema: TypeEntry?, classes: [ListedType]?
  )

  /// A file and the classes that a container keeps in it.
  struct Store {
    var place: SourceRange
    /// As far as the source tells it: its name, or folders too, which begin with `~`, a group or a slash if all are told.
    var path: String
    var classes: [ListedType]
    var file: String { path.pathParts.last ?? path }
    /// The same for what opens the same file: an app on a watch, `Trips Watch App`, has files of its own, and `Stopwatch` is
    /// none.
    var key: String {
      let isOnWatch = place.file.pathParts.dropLast()
        .contains { $0.contains(#/^Watch$|Watch ?(App|Extension|Kit)|[Ww]atchOS/#) }
      return (isOnWatch ? "watch/" : "") + file
    }
  }

  init(_ found: [ContainerCall], _ table: TypeTable) {
    self.table = table
    locals = found.filter(\.name.isEmpty)
    let all = found.filter { !$0.name.isEmpty }
    let calls = all.filter { !$0.isInMemory }
    for call in calls where call.name != "ModelConfiguration" {
      func use(among calls: [ContainerCall]) -> Opening {
        let (types, schema) = contents(of: call, among: calls)
        let plan = table.entry(call["migrationPlan"]?.typeNamed, from: call.scope)?.path
        let hasPlan = call["migrationPlan"]?.isNil == false
        return (call.place, plan, hasPlan, schema, types)
      }
      uses.insert(use(among: []), at: 0)
      if call.name != "Schema", call["for"] != nil { openings.append(use(among: calls)) }
    }
    havePlans = all.contains { $0["migrationPlan"]?.isNil == false }
    let lists = all.filter { $0.name == "Schema" || $0["for"] != nil }.map {
      contents(of: $0, among: all).types
    }
    let types = lists.compactMap(\.self)
    if !openings.isEmpty, types.count == lists.count, types.joined().allSatisfy({ $0.entry != nil }) {
      listed = types.flatMap(\.self)
    }
    let opened = all.filter { !["Schema", "ModelConfiguration"].contains($0.name) && $0["for"] != nil }
      .map { stores(of: $0, all) }
    toldStores = opened.compactMap(\.self).flatMap(\.self)
    stores = opened.allSatisfy { $0 != nil } ? toldStores : nil
    areInMemory = !opened.isEmpty && stores?.isEmpty == true && !all.contains { $0.name == "DocumentGroup" }
    let configurations = calls.filter { $0.name == "ModelConfiguration" }
    func container(of configuration: ContainerCall) -> ContainerCall? {
      calls.first { call in
        call.configurations.contains { calls.made($0, for: call)?.place == configuration.place }
      }
    }
    for call in configurations {
      guard let isSure = call["cloudKitDatabase"]?.mirrors else { continue }
      let holder = container(of: call)
      // Which classes have one that is not mirrored, its container tells where it has no schema.
      let isShared = configurations.contains {
        $0["cloudKitDatabase"]?.isNone == true && $0["schema"] == nil
          && container(of: $0)?.place == holder?.place
      }
      mirroring = (call.place, !isShared && (isSure || mirroring?.isSure == true))
      // `schema: Schema([Trip.self])`, or a constant that is one; without it, what a container of its own has.
      let own = holder.flatMap { holder in
        holder.configurations.count > 1 ? nil : holder["for"].map { calls.made($0, for: holder) ?? holder }
      }
      let made = call["schema"].map { calls.made($0, for: call) } ?? own
      let types = made.flatMap { contents(of: $0, among: []).types }
      mirrored = types.flatMap { types in mirrored.map { $0 + types } }
    }
  }

  /// What a container keeps on disk; nil where the source does not tell it.
  private func stores(of call: ContainerCall, _ all: [ContainerCall]) -> [Store]? {
    guard !call.isInMemory else { return call.configurations.count > 1 ? nil : [] }
    let made = call.configurations.compactMap { all.made($0, for: call) }
    guard made.count == call.configurations.count else { return nil }
    var stores: [Store] = []
    for var own in made.isEmpty ? [call] : made where !own.isInMemory {
      let (given, scope) = (own, own.scope)
      let list = own["schema"].map { all.made($0, for: given) } ?? (own["for"] == nil ? call : own)
      let url = own["url"].flatMap { url -> SwiftExpression? in
        let local = locals.made(url, for: given)?.arguments.first?.value
        // A name alone may be a parameter's, or that of a local constant whose value nobody tells.
        let found = url.names?.count ?? 0 > 1 ? table.variable(named: url, from: scope) : nil
        return local.map { withConstants($0, from: scope) }
          ?? found?.variable.value.map { withConstants($0, from: found?.scope ?? scope, isInVariable: true) }
      }
      own.arguments.editEach { $0.value = withConstants($0.value, from: scope) }
      guard let path = url?.path ?? own.storePath,
        let types = list.flatMap({ contents(of: $0, among: all).types }),
        types.allSatisfy({ $0.entry != nil })
      else { return nil }
      stores.append(Store(place: call.place, path: path, classes: types))
    }
    return stores
  }

  /// With the texts of constants, as in `folder.appending(path: Files.name)`.
  ///
  /// - Parameter isInVariable: whether it is the value of one, where a name alone is no parameter's.
  private func withConstants(
    _ value: SwiftExpression, from scope: Scope, isInVariable: Bool = false
  ) -> SwiftExpression {
    func inner(_ value: SwiftExpression) -> SwiftExpression {
      withConstants(value, from: scope, isInVariable: isInVariable)
    }
    var value = value
    switch value.form {
    case .call(let called, let arguments):
      let texts = arguments.map { SwiftArgument(label: $0.label, value: inner($0.value)) }
      value.form = .call(inner(called), texts)
    case .member(of: let base?, let name) where value.names == nil:
      value.form = .member(of: inner(base), name)
    default:
      guard value.names?.count ?? 0 > (isInVariable ? 0 : 1) else { return value }
      let found = table.variable(named: value, from: scope)?.variable
      if let found, found.isConstant, let text = found.value, text.literal != nil { return text }
    }
    return value
  }

  /// Where a container with the plan has the schema, by name or by a class that is no other schema's.
  func use(of schema: SchemaDeclaration, by plan: PlanDeclaration, besides others: [ListedType])
    -> SourceRange?
  {
    // Without stages SwiftData infers one step, whatever the plan lists.
    guard uses.contains(where: { $0.plan == plan.entry.path }), !plan.stages.isEmpty else { return nil }
    let own = schema.models.filter { model in !others.contains { $0.identity == model.identity } }
    func lists(_ use: Opening) -> Bool {
      use.classes?.contains { type in own.contains { $0.entry?.path == type.entry?.path } } == true
    }
    let all = openings + uses
    return (all.first { $0.schema?.path == schema.entry.path } ?? all.first(where: lists))?.place
  }

  /// The classes that a call lists, nil if its source does not tell them, and the schema that it names.
  ///
  /// - Parameter calls: those by which a schema may be made that the call names.
  private func contents(
    of call: ContainerCall, among calls: [ContainerCall]
  ) -> (types: [ListedType]?, schema: TypeEntry?) {
    if let named = call["versionedSchema"] {
      var lists = ListReader(table: table)
      // `AppSchema.newest`, a constant, too.
      let schema = lists.types(named, from: call.scope)?.first?.entry
      return (schema.map { lists.schema($0).models }, schema)
    }
    let values = call.arguments.drop { $0.label != "for" && call.name != "Schema" }
    let more = values.dropFirst().prefix { $0.label == nil && call.name != "Schema" }
    var found: (types: [ListedType]?, schema: TypeEntry?) = ([], nil)
    for value in (values.prefix(1) + more).map(\.value) {
      let made = calls.filter { $0.name == "Schema" }.made(value, for: call).map {
        contents(of: $0, among: [])
      }
      let types = self.types(value, of: call) ?? made?.types
      found.types = types.flatMap { types in found.types.map { $0 + types } }
      found.schema = found.schema ?? made?.schema
      if case .member(of: let base?, "models") = value.form {
        found.schema = table.entry(base.asType, from: call.scope) ?? found.schema
      }
    }
    return found
  }

  /// The types that an argument of a call names; nil where it does not tell them all.
  private func types(_ value: SwiftExpression, of call: ContainerCall) -> [ListedType]? {
    if case .sum(let parts) = value.form {
      let types = parts.compactMap { self.types($0, of: call) }
      return types.count == parts.count ? types.flatMap(\.self) : nil
    }
    // `SchemaV2.models` is none of a function's.
    let mayBeLocal = value.typeNamed == nil && value.names?.count == 1
    let local = mayBeLocal ? locals.made(value, for: call)?.arguments.first : nil
    var lists = ListReader(table: table)
    return lists.types(local?.value ?? value, from: call.scope)
  }
}

extension [ContainerCall] {
  /// The call that a value is, or that what it names is made by: what is nearest to where it stands.
  fileprivate func made(_ value: SwiftExpression, for call: ContainerCall) -> ContainerCall? {
    var (names, isImplied) = (value.names ?? [], false)
    // `.local`, of an extension of what it is
    if case .member(of: nil, let name) = value.form { (names, isImplied) = ([name], true) }
    let types = names.dropLast().filter { $0 != "Self" && $0 != "self" }
    let all = filter { other in
      let isNear = other.place.file == call.place.file
      if isNear, other.place.start == value.place.start { return true }
      guard let name = other.variable, name == names.last else { return false }
      let path = isImplied ? [other.name] : types
      guard isNear, !isImplied else { return other.block == nil && other.path == path }
      return other.block.map { $0.start < value.place.start && value.place.start < $0.end }
        ?? (types.isEmpty || other.path.suffix(types.count) == types)
    }
    let near = all.filter { $0.place.file == call.place.file }
    // Each program of one source may have a type of that name.
    let found = near.isEmpty && all.count == 1 && (isImplied || !types.isEmpty) ? all : near
    func distance(_ other: ContainerCall) -> Int {
      other.block.map { $0.end.line - $0.start.line } ?? (other.path == call.path ? .max - 1 : .max)
    }
    return found.min { distance($0) < distance($1) }
  }
}

extension ContainerCall {
  /// What a container is given as its configurations.
  fileprivate var configurations: [SwiftExpression] {
    arguments.drop { $0.label != "configurations" }.flatMap { argument in
      if case .array(let elements) = argument.value.form { elements } else { [argument.value] }
    }
  }

  /// The file that it names, or its `url:`; nil where only a run tells. A name is one in the app's folder, or in that of the
  /// group that the app is entitled to.
  fileprivate var storePath: String? {
    if let url = self["url"] { return url.path }
    let given = arguments.first.flatMap { $0.label == nil && !$0.value.isNil ? $0.value : nil }
    guard let name = given == nil ? "default" : given?.literal else { return nil }
    var folder = self["groupContainer"]?.isNone == true ? "~/" : ""
    if case .call(_, let named)? = self["groupContainer"]?.form, let group = named.first?.value.literal {
      folder = "\(group)/"
    }
    return folder + "Library/Application Support/\(name).store"
  }

  fileprivate var scope: Scope { Scope(path: path, file: place.file) }
  fileprivate subscript(label: String) -> SwiftExpression? { arguments.first { $0.label == label }?.value }
}

extension String {
  /// Whether it may be the same file as another one, as far as the source tells both.
  package func mayBeFile(_ other: String) -> Bool {
    "/\(self)".hasSuffix("/\(other)") || "/\(other)".hasSuffix("/\(self)")
  }
}

/// Where the folders of `URL` lie in that of an app.
private let systemFolders = [
  "homeDirectory": "~", "documentsDirectory": "~/Documents", "libraryDirectory": "~/Library",
  "applicationSupportDirectory": "~/Library/Application Support", "cachesDirectory": "~/Library/Caches",
]

extension SwiftExpression {
  /// Of a URL, the path as far as the source tells it.
  fileprivate var path: String? {
    switch form {
    case .unwrapped(let inner): return inner.path
    case .member(of: let base, let name): return base?.text ?? "URL" == "URL" ? systemFolders[name] : nil
    case .call(let called, let arguments):
      guard let first = arguments.first, let text = first.value.literal, !called.text.hasSuffix("Extension"),
        first.label != "components"
      else { return nil }
      if first.label == "forSecurityApplicationGroupIdentifier" { return text }
      guard case .member(of: let base?, _) = called.form, let folder = base.path else {
        return text.hasPrefix("/") ? text : text.pathParts.last
      }
      return ([folder] + text.pathParts.filter { !$0.isEmpty }).joined(separator: "/")
    default: return nil
    }
  }

  fileprivate var isNone: Bool { if case .member(of: _, "none") = form { true } else { false } }

  /// Whether stores with it as `cloudKitDatabase` are always mirrored; nil if they are not, or only a run tells.
  fileprivate var mirrors: Bool? {
    switch form {
    case .call(let called, _): if case .member(of: _, "private") = called.form { true } else { nil }
    // Where the app has the entitlement.
    case .member(of: _, "automatic"): false
    case .either(let parts): parts.contains { $0.mirrors != nil } ? false : nil
    default: nil
    }
  }
}
