import Foundation
import ManagedModel

extension String {
  /// Whether git keeps no file there, by its own rules.
  package var isIgnoredByGit: Bool {
    let (folder, name) = existingFolder
    return gitAnswer(["check-ignore", "--", name], in: folder) != nil
  }

  /// Whether a revision has something there, as far as git tells.
  package func isHeld(by revision: String) -> Bool {
    (try? withRevision(revision, of: self) { _ in true }) ?? false
  }

  /// Whether today's commit, or one before it, has something there, as far as this clone goes back.
  package var isInHistory: Bool {
    guard let (repository, place) = try? GitRepository.holding(self) else { return false }
    let answer = gitAnswer(["rev-list", "-1", "HEAD", "--", ":(top,literal)\(place)"], in: repository.top)
    return answer?.isEmpty == false
  }

  /// The command that brings a file or folder back as it is at a revision. It runs in whatever folder it is typed.
  ///
  /// - Parameters:
  ///   - former: where it lay at the revision, as a path on disk that need not exist any more; nil if it has not
  ///     moved since. `git checkout` knows a file by its place alone.
  package func gitRestoring(from revision: String, lyingAt former: String? = nil) -> String {
    // Of a link git would bring back the link, and not what is behind it.
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: self)) != nil
    if isLink, !isHeld(by: revision) {
      return URL(filePath: self).resolvingSymlinksInPath().path.gitRestoring(from: revision, lyingAt: former)
    }
    var folder = parentPath
    // It may be gone with all that was in it.
    while !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) { folder = folder.parentPath }
    let place = folder.isEmpty ? "" : "-C \(folder.shellWord) "
    guard let former, let origin = pathInRepository(former), origin != pathInRepository(self) else {
      let name = folder.isEmpty ? self : String(dropFirst(folder == "/" ? 1 : folder.count + 1))
      return "`git \(place)checkout \(revision.shellWord) -- \(name.shellWord)`"
    }
    let isVersion = hasSuffix(".xcdatamodel")
    let content = isVersion ? "/contents" : ""
    let own = isVersion ? self : parentPath
    let isThere = own.isEmpty || FileManager.default.fileExists(atPath: own)
    let making = isThere ? "" : "mkdir -p \(own.shellWord) && "
    let show = "git \(folder.isEmpty ? "-C . " : place)show \("\(revision):\(origin)\(content)".shellWord)"
    // The shell empties a file before git says that it has none.
    let (file, new) = ((self + content).shellWord, (self + content + ".new").shellWord)
    return "`\(making)\(show) > \(new) && mv \(new) \(file)`"
  }
}
