package import Foundation
import ManagedModel

/// When each version of a package first appeared in the history that leads to today's commit: a number that grows with
/// time; nil if git does not tell, or not of all.
package func firstAppearances(of names: [String], inPackageAt url: URL) -> [String: Int]? {
  let (folder, rest) = existingFolder(of: url.path)
  guard
    let log = try? readGitLog(
      of: rest, in: folder, limits: HistoryLimits(seconds: 15), takesAll: false),
    !log.isCut, !log.commits.isEmpty
  else { return nil }
  var appearances: [String: Int] = [:]
  for (age, commit) in log.commits.enumerated() {
    for file in commit.files {
      let parts = pathParts(file.path)
      guard parts.count >= 2, parts[parts.count - 1] == "contents" else { continue }
      let name = parts[parts.count - 2]
      appearances[String(name.dropLast(".xcdatamodel".count))] = log.commits.count - age
    }
  }
  // What git does not have yet came last.
  return appearances.isEmpty
    ? nil
    : Dictionary(uniqueKeysWithValues: names.map { ($0, appearances[$0] ?? log.commits.count + 1) })
}
