import Foundation
import TestSupport

/// Source of our own for the two stores of `swiftdata-facts`.
enum FactSource: String, CaseIterable {
  case drinks, resources

  /// What was read off the store.
  var facts: JSONDocument {
    get throws {
      try JSONDocument(String(contentsOf: Fixtures.url("swiftdata-facts/\(rawValue).json"), encoding: .utf8))
    }
  }

  var text: String { self == .drinks ? drinkSource : resourceSource }
}

private let drinkSource = """
  import Foundation
  import SwiftData

  enum Glass: String, Codable, CaseIterable { case coupe, rocks, highball = "tall glass" }
  enum Ice: String, Codable { case cubes, crushed, none = "no ice" }
  enum Book: Int, Codable { case house = 1, classic, modern }
  enum Era: Codable {
    case algonquin, alaska, betweenTheSheets, bloodAndSand, bramble, bobbyBurns, chocolateCocktail, elDiablo
    case fogCutter, ginFizz, gimlet, silverFizz, hotToddy, mexicanFiringSquad, modernCocktail
  }
  enum Unit: String, Codable { case ounce, dash, splash }
  enum Flavor: String, Codable { case sweet, sour, bitter }
  struct Author: Codable { var id = UUID(); let person: String; let place: String; let year: String }
  struct Tags: Codable {
    var flavors: [Flavor]?
    var profiles: [String]?
    var styles: [String]?
    var booze: [Booze]?
    var nA: Set<String>?
    static let none = Tags()
    var isEmpty: Bool { flavors == nil }
  }
  struct Booze: Codable { var name: String; var proof: Double?; var since: Date?; var strength: Strength }
  enum Strength: Codable { case weak, strong }
  struct Build: Codable { var instructions: [Step] }
  struct Step: Codable { var text: String; var parts: [Step] = [] }
  struct Prep: Codable { let id: UUID; let prepIngredientName: String; let prepRecipe: [Step] }

  @Model final class Cocktail {
    #Index<Cocktail>([\\.cocktailName], [\\.collectionName], [\\.cocktailName, \\.collectionName])
    @Attribute(.unique) var cocktailName: String
    var favorite: Bool
    @Relationship(inverse: \\Garnish.cocktails) var garnish: [Garnish]
    var glasswareType: Glass
    var historicSpec: Era?
    var collectionName: String
    var author: Author?
    @Relationship(deleteRule: .cascade) var spec: [Ingredient]
    var compiledTags: Tags = Tags()
    var ice: Ice?
    let id: UUID = UUID()
    var titleCocktail: Bool?
    var variation: Ice?
    var isCustomCocktail: Bool
    var notes: String?
    var buildOrder: Build?
    var collection: Book?
    var variationName: String?
    @Transient var isShown = false
    var title: String { cocktailName }
    init() {}
  }

  @Model final class Garnish {
    @Attribute(.unique) let name: String
    var cocktails: [Cocktail]?
    init(name: String) { self.name = name }
  }

  @Model final class Ingredient {
    let id: UUID
    var value: Double
    var unit: Unit
    var ingredientBase: IngredientBase
    init() {}
  }

  @Model final class IngredientBase {
    @Attribute(.unique) var name: String
    var prep: Prep?
    var specialtyCategory: String
    let id: UUID
    var tags: Tags?
    var umbrellaCategory: String
    var baseCategory: String
    var isCustom: Bool = false
    var info: String?
    init() {}
  }
  """

private let resourceSource = """
  import SwiftUI
  import SwiftData

  @Model final class Component {
    var id = UUID()
    var craftingRecipe: CraftingRecipe?
    var item: Item?
    var count: Int = 1
    init() {}
  }

  @Model final class CraftingRecipe {
    @Relationship(inverse: \\Component.craftingRecipe) var requiredComponents: [Component]
    var producedItem: Item?
    var producedItemCount = "1"
    init() {}
  }

  @Model final class Item {
    @Attribute(.unique) var name: String
    var craftingRecipe: CraftingRecipe?
    init() {}
  }
  """
