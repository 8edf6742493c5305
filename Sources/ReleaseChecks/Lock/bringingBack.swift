import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

extension BaseModel {
  /// How a file or folder of today's model becomes what it is here.
  func restoring(_ file: String, of subject: CheckedModel) -> String {
    if commit != nil {
      // A model may move alone, while its mapping files stay.
      let stays = !file.hasPrefix(subject.path) && file.isHeld(by: name)
      return file.gitRestoring(from: name, lyingAt: stays ? nil : subject.former(file, at: path))
    }
    guard ModelSourceKind(path) == .bundle, file.hasSuffix(".xcdatamodel"), stem(path) == stem(subject.path),
      file != subject.path
    else { return "copy it from '\(path)'" }
    let folder = subject.path.parentPath
    return "`modelc export --as xcdatamodeld \("\(path)#\(stem(file))".shellWord) "
      + "-o \(folder.isEmpty ? "." : folder.shellWord)`"
  }
}

extension CheckedModel {
  /// The content of a version when it was released: from the base of the check, the release's tag, the last commit, or
  /// the kept store, which lacks the facts that no hash covers.
  ///
  /// - Returns: nil if none of them has it; and how a file of the version is taken from there, where git has it.
  func releasedModel(_ name: String, _ entry: ReleaseLock.Entry) -> (
    model: ManagedObjectModel, restoring: ((String) -> String)?
  )? {
    func isReleased(_ version: ModelVersion) -> Bool { version.model.fingerprint == entry.fingerprint }
    if let base, let found = base.model.versions.first(where: isReleased) {
      return (found.model, { base.restoring($0, of: self) })
    }
    for revision in [entry.tag, "HEAD"].compactMap(\.self) {
      let reading = try? reader.readAnywhere(at: self.path, in: revision)
      if let found = reading?.model?.versions.first(where: isReleased) {
        return (found.model, { restoring($0, from: revision, at: reading?.path) })
      }
    }
    let store = places.store(of: name)
    guard FileManager.default.fileExists(atPath: store) else { return nil }
    let cached = try? StoreConnection(path: store).read { db in
      try readStoreModel(db, physical: db.readPhysicalSchema(), metadata: db.readStoreMetadata())
    }
    guard let model = cached ?? nil, model.versionChecksum == entry.checksum else { return nil }
    return (model, nil)
  }

  /// The file or folder of one version; nil if classes make it.
  func file(ofVersion name: String) -> String? {
    switch ModelSourceKind(path) {
    case .xcodePackage: path.hasSuffix(".xcdatamodel") ? path : "\(path)/\(name).xcdatamodel"
    case nil where !path.isSwiftSource: "\(path)/\(name).yaml"
    default: nil
    }
  }

  /// The file of an edited version that the edit is in: an included model's has its own.
  func file(of edit: VersionEdit) -> String? {
    let own = file(ofVersion: edit.version.name)
    return own?.hasSuffix(".yaml") == true ? edit.place?.file ?? own : own
  }

  /// Where a file of the model lay while the model was at another path, or another file of the project, if that was moved as a
  /// whole: as far as the two paths of the model end alike; nil of one that is elsewhere.
  func former(_ file: String, at formerPath: String) -> String? {
    if formerPath == path { return nil }
    if file == places.lockFile {
      return ReleasePlaces(modelAt: formerPath, isSource: path.isSwiftSource).lockFile
    }
    guard file.hasPrefix(path) else {
      let (new, old, own) = (path.pathParts, formerPath.pathParts, file.pathParts)
      let tail = zip(new.reversed(), old.reversed()).prefix { $0 == $1 }.count
      let place = old.dropLast(tail) + own.dropFirst(new.count - tail)
      return own.starts(with: new.dropLast(tail)) ? place.joined(separator: "/") : nil
    }
    // A model of one version became a package, or the other way round.
    let version = ".xcdatamodel"
    if file.hasSuffix(version), formerPath.hasSuffix(version) { return formerPath }
    if file == path, path.hasSuffix(version) { return join(formerPath, stem(file) + version) }
    return formerPath + file.dropFirst(path.count)
  }

  /// Where the model lay at a release's tag, or in today's commit; nil if that is not known.
  func formerPath(in revision: String) -> String? {
    (try? reader.readAnywhere(at: path, in: revision))??.path
  }

  /// How a file of the model becomes what it is at a revision, at which the model may have lain elsewhere.
  ///
  /// - Parameter origin: the file's name there, if that was another one.
  func restoring(
    _ file: String, from revision: String, at formerPath: String?, of origin: String? = nil
  ) -> String {
    file.gitRestoring(
      from: revision, lyingAt: formerPath.flatMap { former(origin ?? file, at: $0) } ?? origin)
  }

  /// How a version that is gone comes back.
  func bringingBack(_ name: String, by restoring: (String) -> String) -> String {
    guard let file = file(ofVersion: name) else { return "restore the version from version control" }
    let isListed = ModelSourceKind(path) != nil
    if !isListed, FileManager.default.fileExists(atPath: file) {
      return "list '\(name)' in versions.yaml again"
    }
    return "restore it: \(restoring(file))" + (isListed ? "" : ", and list it in versions.yaml again")
  }
}

extension VersionedModel {
  func currentAdvice(_ version: String) -> String {
    (versions.first?.notation ?? .language).currentAdvice(version)
  }
}

extension ModelNotation {
  /// What to do with an edit of a version that others have.
  ///
  /// - Parameter restoring: how the version becomes what it was; nil if nothing at hand has it.
  func movingAdvice(restoring: String?) -> [String] {
    [
      "make the change in a new version: \(newVersionAdvice)",
      "and revert it in this one" + (restoring.map { ": \($0)" } ?? ""),
    ]
  }
}
