import SwiftData
import SwiftUI

@main
struct BookshelfApp: App {
  private let container: ModelContainer

  init() {
    do {
      container = try ModelContainer(
        for: Schema(versionedSchema: SchemaV3.self), migrationPlan: BookshelfMigrationPlan.self)
    } catch {
      fatalError("The library cannot be opened: \(error)")
    }
  }

  var body: some Scene {
    WindowGroup { BookList() }
      .modelContainer(container)
  }
}
