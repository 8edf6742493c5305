package import GRDB
package import ManagedModel

/// A fetch request of a model with its SQL over this store, and how SQLite would carry it out.
package struct FetchExplanation: Hashable, Sendable {
  package var name: String
  package var entityName: String
  package var fetch: CompiledFetch
  /// The lines of `EXPLAIN QUERY PLAN`, indented by their depth.
  package var plan: [String]
}

extension ManagedObjectModel {
  /// Names by which ``fetchRequest(named:)`` finds a request: those of templates, and `Entity.property` for fetched
  /// properties.
  package var fetchRequestNames: [String] {
    fetchRequestTemplates.map(\.name)
      + entities.flatMap { entity in entity.fetchedProperties.map { "\(entity.name).\($0.name)" } }
  }

  package func fetchRequest(named name: String) -> FetchRequestDescription? {
    if let template = fetchRequestTemplates.first(where: { $0.name == name }) { return template }
    for entity in entities {
      for property in entity.fetchedProperties where "\(entity.name).\(property.name)" == name {
        var request = property.fetchRequest
        request.name = name
        return request
      }
    }
    return nil
  }
}

/// Compiles the request and asks SQLite for its plan; nothing is fetched.
package func explainFetch(
  _ db: Database, _ request: FetchRequestDescription, schema: StoreSchema, model: ManagedObjectModel
) throws -> FetchExplanation {
  let fetch = try compileFetchRequest(request, schema: schema, model: model)
  registerFetchFunctions(db)
  let nothing = Dictionary(firstOf: fetch.parameters.map { ($0, DatabaseValue.null) })
  let rows = try Row.fetchAll(
    db, sql: "EXPLAIN QUERY PLAN \(fetch.sql)", arguments: StatementArguments(nothing))
  var depths: [Int: Int] = [:]
  var plan: [String] = []
  for row in rows {
    let depth = (Int.fromDatabaseValue(row[1]).flatMap { depths[$0] } ?? -1) + 1
    if let id = Int.fromDatabaseValue(row[0]) { depths[id] = depth }
    plan.append(String(repeating: "  ", count: depth) + (String.fromDatabaseValue(row[3]) ?? ""))
  }
  return FetchExplanation(name: request.name, entityName: request.entityName, fetch: fetch, plan: plan)
}
