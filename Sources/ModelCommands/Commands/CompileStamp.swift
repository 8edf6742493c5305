import Foundation
import ManagedModel
import ModelFormats

/// What a compile of the same sources into the same bundles printed the last time.
///
/// It is kept in the user's cache folder, never beside the models or in a bundle; without it everything is compiled.
/// Sources and bundles are compared by content, not by time, and so is modelc itself: by its file's size and time.
/// Only a compile without findings leaves one, so that warnings come again until they are mended.
struct CompileStamp {
  private let file: URL
  private let sources: [String]
  private let mappings: [String]
  private let bundles: [String]

  /// - Parameters:
  ///   - sources: folders of YAML models.
  ///   - mappings: folders of their mapping models, where there are such.
  ///   - output: the folder of the bundles.
  /// - Returns: nil where there is no cache folder or modelc cannot find itself.
  init?(sources: [String], mappings: [String], output: String) {
    guard !sources.isEmpty, let cache = cacheFolder?.appending(path: "compile"), let tool = Self.tool else {
      return nil
    }
    self.sources = sources
    self.mappings = mappings.filter { FileManager.default.fileExists(atPath: $0) }
    bundles = sources.map { join(output, URL(filePath: $0).lastPathComponent + ".momd") }
    var key = ContentDigest()
    key.add("modelc", Data(tool.utf8))
    for path in sources + bundles { key.add("path", Data(URL(filePath: path).standardizedFileURL.path.utf8)) }
    file = cache.appending(path: key.hexadecimal)
  }

  /// The text of the last compile, if it would be the same again.
  func unchangedResult() -> String? {
    guard let stamp = try? Data(contentsOf: file), let end = stamp.firstIndex(of: UInt8(ascii: "\n")),
      let text = String(data: stamp[stamp.index(after: end)...], encoding: .utf8), let state = currentState(),
      stamp[..<end].elementsEqual(Self.seal(state, text).utf8)
    else { return nil }
    return text
  }

  /// Over the text too: a stamp of which the disk lost a part is none.
  private static func seal(_ state: String, _ text: String) -> String {
    var digest = ContentDigest()
    digest.add("state", Data(state.utf8))
    digest.add("text", Data(text.utf8))
    return digest.hexadecimal
  }

  /// Keeps what a compile without findings printed. A cache that cannot be written is none.
  func keep(_ text: String) {
    guard let state = currentState() else { return }
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: file)
    try? createFile(Data((Self.seal(state, text) + "\n" + text).utf8), at: file.path)
    Self.forgetOld(in: folder)
  }

  /// Projects come and go: of many stamps those go that nobody has renewed for a month.
  private static func forgetOld(in folder: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard names.count > 100 else { return }
    let oldest = Date.now.timeIntervalSince1970 - 30 * 86_400
    for path in names.map({ folder.appending(path: $0).path }) {
      guard let facts = FileFacts(ofFileAt: path), Double(facts.modified.tv_sec) < oldest else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Over the content of every source and of every file of the bundles; nil where one cannot be read.
  private func currentState() -> String? {
    var files: [(folder: String, name: String)] = []
    for folder in sources + mappings + bundles {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
      let isBundle = folder.hasSuffix(".momd")
      files += names.filter { isBundle || $0.hasSuffix(".yaml") }.sorted().map { (folder, $0) }
    }
    let lists = Set(sources.map { join($0, versionListFileName) })
    let digests = concurrentMap(files) { file -> String? in
      let path = join(file.folder, file.name)
      guard let content = Self.content(of: path) else { return nil }
      // An included model stands elsewhere.
      if lists.contains(path), content.range(of: Data("include".utf8)) != nil { return nil }
      var digest = ContentDigest()
      digest.add(URL(filePath: path).pathComponents.suffix(3).joined(separator: "/"), content)
      return digest.hexadecimal
    }
    var whole = ContentDigest()
    for digest in digests {
      guard let digest else { return nil }
      whole.add("file", Data(digest.utf8))
    }
    return whole.hexadecimal
  }

  private static func content(of path: String) -> Data? {
    guard let facts = FileFacts(ofFileAt: path), facts.size <= sizeLimit else { return nil }
    return try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
  }

  /// In bytes; larger files are refused by the readers anyway.
  private static let sizeLimit = 256 << 20

  /// The program's path, size and time.
  static var tool: String? {
    #if os(Linux)
      let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #else
      let path = Bundle.main.executablePath
    #endif
    guard let path, let facts = FileFacts(ofFileAt: path) else { return nil }
    return "\(path) \(facts.size) \(facts.modified.tv_sec).\(facts.modified.tv_nsec)"
  }
}
