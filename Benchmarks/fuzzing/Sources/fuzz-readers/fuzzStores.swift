import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import PersistentStore

/// The model that stores and mapping models of the corpus are made with.
let huts: VersionedModel = {
  let versions = hutTexts.map { name, text in
    ModelVersion(
      name: name, model: readModel(yaml: Data(text.utf8), file: name).model ?? ManagedObjectModel())
  }
  return VersionedModel(name: "Huts", versions: versions, currentVersionName: "V2")
}()

let hutTexts: [(name: String, text: String)] = {
  let first = """
    entities:
      Hut:
        attributes:
          name: string
          elevation: double?
        relationships:
          visits: {toMany: Visit, inverse: hut, deleteRule: cascade}
      Visit:
        attributes:
          date: date
          picture: {type: binary?, externalStorage: true}
        relationships:
          hut: {to: Hut, inverse: visits}
    """
  let second = first.replacingOccurrences(
    of: "elevation: double?", with: "height: {type: double?, renamingIdentifier: elevation}")
  return [("V1", first), ("V2", second)]
}()

/// What is read and written again says the same.
func readMetadata(_ data: Data) {
  guard let list = data.readPropertyList() else { return }
  // By bytes: a number that is none equals nothing.
  let written = list.encoded()
  precondition(
    written.readPropertyList()?.encoded() == written, "the list is another one when written and read")
  guard case .dictionary(let values) = list, let metadata = StoreMetadata(uuid: "", values: values) else {
    return
  }
  _ = recogniseStore(metadata: metadata, among: [huts])
  _ = metadata.updated(for: huts.versions[1])
}

/// Ends the run without a finding: it is the machine that is not fit for it, not the input.
func giveUp(_ reason: String) -> Never {
  FileHandle.standardError.write(Data("given up: \(reason)\n".utf8))
  // An ordinary exit would be libFuzzer's finding.
  _exit(75)
}

private let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")

/// Opens, plans and migrates a copy; the file and its folder are afterwards what they were.
func openStore(_ data: Data) {
  let store = folder.appending(path: "Huts.sqlite")
  try? FileManager.default.removeItem(at: folder)
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: store)
  } catch {
    giveUp("the store cannot be written: \(error)")
  }
  _ = try? planMigration(ofStoreAt: store.path, models: [huts])
  var options = MigrationOptions()
  options.route = .clone
  _ = try? migrateStore(at: store.path, models: [huts], to: .nowhere, options: options)
  precondition((try? Data(contentsOf: store)) == data, "the store was changed")
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  precondition(names == ["Huts.sqlite"], "left in the folder: \(names)")
}
