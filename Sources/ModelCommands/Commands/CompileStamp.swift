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
    guard !sources.isEmpty, let cache = Self.cacheFolder, let tool = Self.tool else { return nil }
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
      let state = currentState(), stamp[..<end].elementsEqual(state.utf8)
    else { return nil }
    return String(data: stamp[stamp.index(after: end)...], encoding: .utf8)
  }

  /// Keeps what a compile without findings printed. A cache that cannot be written is none.
  func keep(_ text: String) {
    guard let state = currentState() else { return }
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data((state + "\n" + text).utf8).write(to: file, options: .atomic)
    Self.forgetOld(in: folder)
  }

  /// Projects come and go: of many stamps those go that nobody has renewed for a month.
  private static func forgetOld(in folder: URL) {
    let key = URLResourceKey.contentModificationDateKey
    let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [key])
    guard let files, files.count > 100 else { return }
    for file in files {
      let date = try? file.resourceValues(forKeys: [key]).contentModificationDate
      if let date, date.timeIntervalSinceNow < -30 * 86_400 { try? FileManager.default.removeItem(at: file) }
    }
  }

  /// Over the content of every source and of every file of the bundles; nil where one cannot be read.
  private func currentState() -> String? {
    var files: [(name: String, content: Data)] = []
    for folder in sources {
      guard let found = self.files(in: folder, where: { $0.hasSuffix(".yaml") }) else { return nil }
      // An included model stands elsewhere.
      if let list = found.first(where: { $0.0 == versionListFileName })?.1,
        list.range(of: Data("include".utf8)) != nil
      {
        return nil
      }
      files += found
    }
    for folder in mappings {
      guard let found = self.files(in: folder, where: { $0.hasSuffix(".yaml") }) else { return nil }
      files.append(("mappings", Data(folder.utf8)))
      files += found
    }
    for folder in bundles {
      guard let found = self.files(in: folder, where: { _ in true }) else { return nil }
      files += found
    }
    let digests = concurrentMap(files) { file in
      var digest = ContentDigest()
      digest.add(file.name, file.content)
      return digest.hexadecimal
    }
    var whole = ContentDigest()
    for digest in digests { whole.add("file", Data(digest.utf8)) }
    return whole.hexadecimal
  }

  private func files(in folder: String, where isWanted: (String) -> Bool) -> [(String, Data)]? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
    var files: [(String, Data)] = []
    for name in names.filter(isWanted).sorted() {
      let url = URL(filePath: join(folder, name))
      guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.sizeLimit,
        let content = try? Data(contentsOf: url, options: .mappedIfSafe)
      else { return nil }
      files.append((name, content))
    }
    return files
  }

  /// In bytes; larger files are refused by the readers anyway.
  private static let sizeLimit = 256 << 20

  /// `$XDG_CACHE_HOME`, else `~/.cache`, on macOS `~/Library/Caches`.
  static var cacheFolder: URL? {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      return URL(filePath: folder).appending(path: "modelc/compile")
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    #if os(macOS)
      let caches = "Library/Caches"
    #else
      let caches = ".cache"
    #endif
    return URL(filePath: home).appending(path: caches).appending(path: "modelc/compile")
  }

  /// The program's path, size and time.
  static var tool: String? {
    #if os(Linux)
      let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    #else
      let path = Bundle.main.executablePath
    #endif
    guard let path, let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? Int, let date = attributes[.modificationDate] as? Date
    else { return nil }
    return "\(path) \(size) \(date.timeIntervalSinceReferenceDate)"
  }
}
