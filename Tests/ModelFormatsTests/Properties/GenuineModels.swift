import Foundation
import ManagedModel
import ModelFormats
import TestSupport

/// Every genuine model with its hashes, read once.
struct GenuineModel: Sendable {
  let name: String
  let model: ManagedObjectModel
  let hashes: [String: VersionHash]

  init(name: String, model: ManagedObjectModel) {
    self.name = name
    self.model = model
    hashes = model.entityVersionHashesByName
  }

  static let all: [GenuineModel] = Fixtures.all(withExtension: "xcdatamodel").compactMap { url in
    guard let model = readXcodeModelPackage(at: url).model?.versions.first?.model else { return nil }
    let name = url.path.dropFirst(Fixtures.root.path.count + 1)
    return GenuineModel(name: String(name), model: model)
  }
}
