import Foundation
package import ManagedModel

/// Looks up where a model says which version is current, and where it lists each of them; where a file or a line is missing,
/// they are the beginning of what is there.
///
/// - Parameter path: the model's folder or package, as the user named it.
/// - Returns: the list's file, or the file in which Xcode names the current version, and the places in it.
package func versionListPlaces(
  ofModelAt path: String
) -> (file: String, current: SourceRange, versions: [String: SourceRange]) {
  let isPackage = ModelSourceKind(path) == .xcodePackage
  let name = isPackage ? ".xccurrentversion" : versionListFileName
  // What was compiled has no list.
  let file = ModelSourceKind(path) == .bundle ? path : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  var places = (file: file, current: SourceRange(startOf: file), versions: [String: SourceRange]())
  guard let data = try? readFile(URL(filePath: file), shownAs: file) else { return places }
  if isPackage {
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard let text = line.firstMatch(of: #/<string>(.*\.xcdatamodel)</string>/#) else { continue }
      let column = line[..<text.1.startIndex].unicodeScalars.count + 1
      places.current.start = SourceLocation(line: index + 1, column: column)
      places.current.end = SourceLocation(line: index + 1, column: column + text.1.unicodeScalars.count)
      break
    }
    return places
  }
  guard let node = readYAML(data, file: file).node else { return places }
  if let current = node["current"] { places.current = current.range }
  for element in node["versions"]?.elements ?? [] {
    let entry = element["name"] ?? element
    if let name = entry.text { places.versions[name] = entry.range }
  }
  return places
}
