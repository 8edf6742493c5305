import Foundation
import ManagedModel

/// Where a model lay that was moved on disk and not yet in git's index, by its path from the repository's top.
///
/// Git's own detection of renames sees only what it keeps. So the files that are gone from disk are taken, folder by folder,
/// and the folder of which most files are in the model, with the same content or else under the same name, is the one.
///
/// - Parameter place: the model's path from the top.
/// - Returns: nil for a model that git keeps where it lies, and where nothing is gone that is like it.
func unstagedFormerPlace(of path: String, at place: String, top: String) -> String? {
  guard place.isGitName, let tracked = try? gitFiles([place], kind: "--cached", in: top), tracked.isEmpty,
    let gone = try? gitFiles(modelFiles, kind: "--deleted", in: top), !gone.isEmpty
  else { return nil }
  let isPackage = ModelSourceKind(path) == .xcodePackage
  let folders = Dictionary(grouping: gone.compactMap { formerFile($0, isPackage: isPackage) }, by: \.folder)
  let present = filesOnDisk(in: URL(filePath: path).standardizedFileURL.path)
  let scores = folders.mapValues { files in
    files.count { file in
      guard let here = present[file.name] else { return present.values.contains(file.blob) }
      // A version that was edited too has its name; a list of versions alone says nothing.
      return here == file.blob || file.name.hasSuffix("contents")
    }
  }
  return scores.filter { $0.value > 0 }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
}

/// A file that is gone from a model's folder.
private struct FormerFile {
  var folder: String
  /// From the folder.
  var name: String
  var blob: String
}

private let modelFiles = [":(glob)**/*.xcdatamodeld/**", ":(glob)**/*.yaml"]

/// - Parameter kind: of git's lists.
/// - Returns: paths from the top, each with the number of its content.
private func gitFiles(
  _ paths: [String], kind: String, in top: String
) throws(DiagnosticsError) -> [(path: String, blob: String)] {
  let literal = kind == "--cached" ? ["--literal-pathspecs"] : []
  let run = try runGit(
    literal + ["ls-files", kind, "-z", "--format=%(objectname) %(path)", "--"] + paths, input: "", in: top,
    limit: GitLimits.listBytes, seconds: 10)
  guard run.status == 0, !run.isCut else { return [] }
  return run.output.split(separator: 0).compactMap { line in
    let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
    return words.count == 2 ? (String(words[1]), String(words[0])) : nil
  }
}

private func formerFile(_ file: (path: String, blob: String), isPackage: Bool) -> FormerFile? {
  let parts = file.path.pathParts
  let end =
    isPackage
    ? parts.lastIndex { ModelSourceKind($0) == .xcodePackage && $0.hasSuffix("d") } : parts.count - 2
  guard let end, end >= 0, end + 1 < parts.count else { return nil }
  return FormerFile(
    folder: parts[...end].joined(separator: "/"), name: parts[(end + 1)...].joined(separator: "/"),
    blob: file.blob)
}

/// The files of a model, a few hundred at most, with the numbers that git would give to their content.
private func filesOnDisk(in folder: String) -> [String: String] {
  let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  let files = names.filter { $0.hasSuffix("contents") || $0.hasSuffix(".yaml") }.sorted().prefix(400)
  let paths = files.map { "\(folder)/\($0)" }.filter(\.isGitName)
  guard
    let run = try? runGit(
      ["hash-object", "--no-filters", "--stdin-paths"], input: paths.map { $0 + "\n" }.joined(), in: folder),
    run.status == 0
  else { return [:] }
  let blobs = run.output.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  let found = zip(paths, blobs).map { (String($0.dropFirst(folder.count + 1)), $1) }
  return Dictionary(firstOf: found)
}
