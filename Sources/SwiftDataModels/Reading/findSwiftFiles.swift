package import Foundation
package import ManagedModel

extension String {
  /// Whether the path is Swift source: a `.swift` file, or a folder in which one names something of SwiftData.
  package var isSwiftDataSource: Bool {
    if hasSuffix(".swift") { return true }
    var walk = SwiftFileWalk(below: self)
    while let file = walk.next() {
      if (try? readFile(URL(filePath: file), shownAs: file))?.namesSwiftData == true { return true }
    }
    return false
  }
}

extension SwiftReading {
  /// Reads the SwiftData models of a `.swift` file or of a folder of them.
  ///
  /// Files that name something of SwiftData are parsed, and then those that declare types which the models need: below
  /// the folder, or of a file in its own folder and then in its package. Tests, packages of others and what builds leave
  /// behind are passed over.
  ///
  /// - Returns: as `swiftDataModel(name:source:)`.
  package func readSource(at url: URL) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    let source = url.relativePath
    guard parsesSwift else { return (nil, [.withoutSwift(source)]) }
    let isFile = url.pathExtension == "swift"
    var search = SourceSearch(of: url, shownAs: source)
    var texts: [SwiftSourceText] = []
    if isFile {
      guard let text = SwiftSourceText(url.path) else { return (nil, [.unreadableSwift(source)]) }
      texts = [text]
    } else {
      search.look(below: url.path)
      texts = search.rest.map(\.text).filter(\.namesSwiftData)
      search.rest.removeAll { $0.text.namesSwiftData }
    }
    // Where a file needs more than its folder has, its package may have it.
    var folders = isFile ? url.areas : []
    let sources = SourceFiles(
      texts,
      declaring: { names in
        var chosen = search.choose(names)
        let isOfExtensions = names.allSatisfy { $0.hasPrefix(extensionWord) }
        // Extensions stand near by.
        while chosen.isEmpty, !folders.isEmpty, !isOfExtensions || folders.count == url.areas.count {
          search.look(below: folders.removeFirst(), except: url.path)
          chosen = search.choose(names)
        }
        return chosen
      }, findings: { search.found })
    let last = url.deletingPathExtension().lastPathComponent
    let name = last.hasPrefix(".") ? url.standardizedFileURL.lastPathComponent : last
    return SwiftSourceReader(self).read(
      sources, name: name.isEmpty || name == "/" ? "Models" : name, source: source,
      own: isFile ? source : nil, shown: search.shown)
  }
}

extension URL {
  /// The folders in which a file's types may be declared, nearest first: its own, and that of its package or repository.
  package var areas: [String] {
    let own = standardizedFileURL.deletingLastPathComponent()
    var folder = own
    for _ in 0..<12 where folder.path != "/" {
      let isTop =
        FileFacts(ofFileAt: join(folder.path, ".git")) != nil
        || directoryEntries(of: folder.path).contains {
          $0.name == "Package.swift" || $0.name.hasSuffix(".xcodeproj")
        }
      if isTop { return own == folder ? [own.path] : [own.path, folder.path] }
      folder.deleteLastPathComponent()
    }
    return [own.path]
  }
}

/// Files of source that are read as far as a model needs them.
private struct SourceSearch {
  /// Those that nothing asked for yet; their names are looked for only where a model needs a type that no file with
  /// SwiftData declares.
  var rest: [(text: SwiftSourceText, names: Set<String>?)] = []
  var found: [Diagnostic] = []
  /// A path as the user would write it.
  let shown: @Sendable (String) -> String
  private var known: Set<String> = []
  private let source: String

  init(of url: URL, shownAs source: String) {
    self.source = source
    let (top, own) = (url.path, url.pathExtension == "swift" ? url.standardizedFileURL.path : nil)
    let folder = own.map { $0.parentPath }
    let shownFolder = source.parentPath
    shown = { path in
      if path == top || path == own { return source }
      if let folder {
        guard path.hasPrefix(folder + "/") else { return path }
        return shownFolder.isEmpty
          ? String(path.dropFirst(folder.count + 1)) : shownFolder + path.dropFirst(folder.count)
      }
      guard path.hasPrefix(top) else { return source }
      let rest = path.dropFirst(top.count).drop { $0 == "/" }
      return source.hasSuffix("/") ? source + rest : "\(source)/\(rest)"
    }
  }

  mutating func look(below folder: String, except file: String? = nil) {
    let own = file.map { URL(filePath: $0).standardizedFileURL.path }
    var walk = SwiftFileWalk(below: folder)
    while let file = walk.next() {
      guard file != own, known.insert(file).inserted else { continue }
      if let text = SwiftSourceText(file) {
        rest.append((text, nil))
      } else {
        found.append(.unreadableSwift(shown(file)))
      }
    }
    if walk.isCut {
      found.append(
        .noSwiftDataModel, .error,
        "'\(source.visible)' holds more than \(SwiftFileWalk.fileLimit) Swift files",
        place: SourceRange(startOf: source),
        help: ["name the folder of one target: `--models Sources/App`"])
    }
    for folder in walk.leftOut {
      var (inner, texts) = (SwiftFileWalk(below: folder), [SwiftSourceText]())
      while let file = inner.next() { texts += [SwiftSourceText(file)].compactMap(\.self) }
      let isTest = texts.contains { $0.text.contains("import XCTest") || $0.text.contains("import Testing") }
      let model = texts.first { $0.namesSwiftData && $0.text.contains("@Model") }
      guard let model, !isTest else { continue }
      found.append(
        .noSwiftDataModel, .warning,
        "'\(shown(folder).visible)' is not read because of its name, but has a @Model class",
        place: SourceRange(startOf: shown(model.path)),
        notes: [
          "folders named Previews, vendor or …Tests are not read: what happens to its rows is not checked"
        ],
        help: ["give the folder another name"])
    }
  }

  /// Takes those that declare one of the names.
  mutating func choose(_ names: Set<String>) -> [SwiftSourceText] {
    let all = concurrentMap(rest) { $0.names ?? declaredNames($0.text.text) }
    for index in rest.indices { rest[index].names = all[index] }
    defer { rest.removeAll { $0.names?.isDisjoint(with: names) == false } }
    return rest.filter { $0.names?.isDisjoint(with: names) == false }.map(\.text)
  }
}

/// Reads texts of Swift, and keeps what it made of each file: states of one source share most of their files.
package struct SwiftSourceReader: Sendable {
  let reading: SwiftReading
  private let parsed = NamedCache<ParsedFile>()
  private let declared = NamedCache<Set<String>>()

  private typealias ParsedFile = (file: SwiftFile, diagnostics: [Diagnostic])

  package init(_ reading: SwiftReading) { self.reading = reading }

  /// - Parameters:
  ///   - source: the path that a command would name.
  ///   - own: the file that was named, where one was.
  ///   - newestOnly: whether older schemas do not matter: only the newest one of a build makes stores.
  ///   - shown: how a path is shown.
  package func read(
    _ sources: SourceFiles, name: String, source: String, own: String? = nil, newestOnly: Bool = false,
    shown: @Sendable (String) -> String
  ) -> (model: VersionedModel?, diagnostics: [Diagnostic]) {
    var pending = sources.texts
    var files: [SwiftFile] = []
    var found: [Diagnostic] = []
    var seen = Set(pending.map(\.path))
    while !pending.isEmpty {
      let readings = concurrentMap(pending) { parse($0, shown($0.path)) }
      files += readings.map(\.file)
      found += readings.flatMap(\.diagnostics)
      let names = wantedNames(files)
      guard !names.isEmpty else { break }
      pending = sources.declaring(names).filter { seen.insert($0.path).inserted }
    }
    let (model, diagnostics) = files.swiftDataModel(
      name: name, source: source, own: own, plan: reading.plan, newestOnly: newestOnly)
    found += sources.findings()
    // Where nothing could be read, that says it all.
    if model == nil, found.hasErrors { return (nil, found.ordered) }
    return (model, (found + diagnostics).ordered)
  }

  private func parse(_ text: SwiftSourceText, _ path: String) -> ParsedFile {
    let key = text.key.map { "\($0) \(path)" }
    if let key, let known = parsed[key] { return known }
    let made = text.text.parseSwiftFile(path: path, platform: reading.platform)
    if let key { parsed[key] = made }
    return made
  }

  /// The types that a text declares, as far as words tell.
  package func declaredNames(_ text: SwiftSourceText) -> Set<String> {
    if let key = text.key, let known = declared[key] { return known }
    let names = SwiftDataModels.declaredNames(text.text)
    if let key = text.key { declared[key] = names }
    return names
  }
}

/// The names of types that models and what they hold mention, and that none of the files declares; and extensions that
/// may add types and constants to those that are there.
private func wantedNames(_ files: [SwiftFile]) -> Set<String> {
  var mentioned = ReferencedTypes()
  for file in files { mentioned.gather(file.top, in: []) }
  // `Duration` may be the app's own, in a file that names nothing of SwiftData.
  return mentioned.missing.subtracting(attributeTypesBySwiftName.keys)
    .subtracting(["Array", "Set", "Dictionary"])
    .union(mentioned.extensible.map { extensionWord + $0 })
}

private let extensionWord = "extension "

/// Types by their paths: a nested `Kind` does not stand for another schema's.
private struct ReferencedTypes {
  /// Where names stand, each by its parts.
  private var mentions: [[String]: Set<[String]>] = [:]
  private var declared: Set<[String]> = []
  /// Types that properties of models are of, structs and enums that are not Codable where they are declared, and what
  /// extensions make Codable: `extension Address: Codable {}` may be in a file that nothing else asks for.
  private var storedByModels: Set<String> = []
  private var plain: Set<String> = []
  private var conforming: Set<String> = []
  /// Models, the types of what they store, and what values begin with whose type is not written.
  private(set) var extensible: Set<String> = []

  mutating func gather(_ members: SwiftMembers, in scope: [String]) {
    for alias in members.aliases {
      declared.insert(scope + [alias.name])
      mention(alias.type.mentions, in: scope)
    }
    for type in members.types {
      let own = scope + type.name
      if type.kind == .extension { mention([type.name], in: scope) } else { declared.insert(own) }
      let isModel = type.attributes.contains { $0.name == "Model" }
      let parents = Set(type.inherited.flatMap(\.mentions).compactMap(\.last))
      let conforms = !parents.isDisjoint(with: ["Codable", "Decodable"])
      let isStored = isModel || type.kind == .struct || type.kind == .class && conforms
      if let name = type.name.last {
        if type.kind == .extension, conforms { conforming.insert(name) }
        if [.struct, .enum].contains(type.kind), !conforms { plain.insert(name) }
      }
      let isListed = !parents.isDisjoint(with: ["VersionedSchema", "SchemaMigrationPlan"])
      for value in type.members.cases.flatMap(\.payload) { mention(value.type?.mentions ?? [], in: own) }
      for variable in type.members.variables {
        if variable.isStatic, isListed || type.kind == .extension {
          mention(variable.value?.mentions ?? [], in: own)
        } else if isStored, !variable.isStatic, !variable.isComputed {
          let types = variable.type?.mentions ?? variable.value?.mentions ?? []
          mention(types, in: own)
          let named = Set((types + (variable.value?.mentions ?? [])).joined() + (isModel ? own : []))
          extensible.formUnion(
            variable.type == nil ? named : named.subtracting(attributeTypesBySwiftName.keys))
          if isModel { storedByModels.formUnion(types.compactMap(\.last)) }
        }
      }
      gather(type.members, in: own)
    }
  }

  private mutating func mention(_ types: [[String]], in scope: [String]) {
    mentions[scope, default: []].formUnion(types.filter { !$0.isEmpty })
  }

  /// Of `Outer.Inner` the first part is looked up where it stands; that of no type is a module.
  var missing: Set<String> {
    let known = Set(declared.compactMap(\.last))
    var missing = storedByModels.intersection(plain).subtracting(conforming)
    for (scope, names) in mentions.flatMap({ scope, all in all.map { (scope, $0) } }) {
      let isDeclared = (0...scope.count).contains { declared.contains(scope.prefix($0) + [names[0]]) }
      if !isDeclared { missing.insert(names[0]) }
      for (index, name) in names.enumerated().dropFirst() {
        let isThere = index == 1 && !isDeclared ? declared.contains([name]) : known.contains(name)
        if !isThere { missing.insert(name) }
      }
    }
    return missing
  }
}

extension SwiftExpression {
  fileprivate var mentions: [[String]] {
    switch form {
    case .array(let elements), .sum(let elements), .mixed(let elements), .either(let elements):
      elements.flatMap(\.mentions)
    case .unwrapped(let value): value.mentions
    case .typed(let type, let value): type.mentions + (value?.mentions ?? [])
    case .type(let type): type.mentions
    case .dictionary(let key, let value): key.mentions + value.mentions
    case .member(of: let base?, _): base.names.map { [$0] } ?? base.mentions
    case .name(let name): [[name]]
    case .call(let called, let arguments):
      (called.names.map { [$0] } ?? called.mentions) + arguments.flatMap(\.value.mentions)
    default: []
    }
  }
}

/// The texts that are read, and what finds others that declare types which those need.
package struct SourceFiles {
  let texts: [SwiftSourceText]
  let declaring: (Set<String>) -> [SwiftSourceText]
  /// What was found wrong while others were looked for.
  let findings: () -> [Diagnostic]

  package init(
    _ texts: [SwiftSourceText], declaring: @escaping (Set<String>) -> [SwiftSourceText] = { _ in [] },
    findings: @escaping () -> [Diagnostic] = { [] }
  ) { (self.texts, self.declaring, self.findings) = (texts, declaring, findings) }
}

/// A file's text.
package struct SwiftSourceText: Sendable {
  package var path: String
  package var text: String
  /// By which its content is known; nil for a file that is read once.
  package var key: String?
  package var namesSwiftData: Bool

  /// - Returns: nil if there is no such file, or a huge one.
  init?(_ path: String) {
    guard let facts = FileFacts(ofFileAt: path), facts.isRegular, facts.size <= Self.sizeLimit,
      let data = try? Data(contentsOf: URL(filePath: path))
    else { return nil }
    self.init(data, path: path)
  }

  package init(_ data: Data, path: String, key: String? = nil) {
    (self.path, self.key) = (path, key)
    namesSwiftData = data.namesSwiftData
    text = String(decoding: data, as: UTF8.self)
  }

  /// Nobody writes more by hand.
  private static let sizeLimit = 4_000_000
}

/// The words behind `struct`, `enum`, `class` and their kin, wherever they stand; and extensions, where something of
/// them can matter to a model.
private func declaredNames(_ text: String) -> Set<String> {
  let bytes = Array(text.utf8)
  var names: Set<String> = []
  var (isName, isExtension, hasMembers) = (false, false, false)
  var start: Int?
  for index in 0...bytes.count {
    if index < bytes.count, bytes[index].isOfWord || bytes[index] >= 0x80 {
      if start == nil { start = index }
      continue
    }
    guard let begin = start else { continue }
    start = nil
    let word = bytes[begin..<index]
    if isName { names.insert(String(decoding: word, as: UTF8.self)) }
    if isExtension { names.insert(extensionWord + String(decoding: word, as: UTF8.self)) }
    // Few words are long enough, and begin like one of them, to be looked at.
    let kind = (4...9).contains(word.count) ? declaringWords.firstIndex { word.elementsEqual($0) } : nil
    (isExtension, isName) = (kind == 0, kind.map { $0 < 5 } ?? false)
    if kind ?? 0 > 0 { hasMembers = true }
  }
  return hasMembers ? names : names.filter { !$0.hasPrefix(extensionWord) }
}

private let declaringWords = ["extension", "struct", "enum", "class", "typealias", "static"].map {
  Array($0.utf8)
}

extension Diagnostic {
  fileprivate static func unreadableSwift(_ path: String) -> Diagnostic {
    Diagnostic(
      .noSwiftDataModel, .error, "'\(path.visible)' cannot be read, or is larger than any source",
      place: SourceRange(startOf: path),
      help: ["name a .swift file, or a folder of them"])
  }
}
