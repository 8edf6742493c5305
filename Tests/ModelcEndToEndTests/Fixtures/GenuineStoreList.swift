import Foundation
import TestSupport
import Testing

/// The 21 genuine stores of the fixtures, each with the version that its objects are read by.
struct ListedStore: Sendable, CustomTestStringConvertible {
  var path: String
  /// A version of a package where the store carries no model of its own.
  var package: String?
  /// Why nothing can be read by: the model is nowhere at hand.
  var lacksModel = false

  var testDescription: String { URL(filePath: path).lastPathComponent }

  static let all: [ListedStore] =
    GenuineModel.stores.map { store in
      let isOld = store.path.hasSuffix("Model1.sqlite")
      return ListedStore(path: store.path, package: isOld ? "\(store.package)#\(store.version)" : nil)
    }
    + [1, 2].map {
      ListedStore(
        path: "alemar11+CoreDataPlus/Tests/Resources/SampleModel2/Fixtures/SampleModel2_V\($0).sqlite")
    }
    + [
      "kodecocodes+cdt-materials/09-multiple-managed-object-contexts/projects/final/SurfJournal/SurfJournal/CoreDataSeed/SurfJournalModel.sqlite",
      "magicalpanda+MagicalRecord/Samples/iOS/Resources/RecipeData/Recipes.sqlite",
      "RestKit+RestKit/Examples/RKTwitterCoreData/RKSeedDatabase.sqlite",
    ].map { ListedStore(path: $0, lacksModel: true) }

  static let withModel = all.filter { !$0.lacksModel }

  /// What `modelc fixture` is told of the version.
  func version(copy: String) -> String { package.map { Fixtures.url($0).path } ?? copy }
}
