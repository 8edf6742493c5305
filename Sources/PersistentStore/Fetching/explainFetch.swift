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
  /// The fetch requests of templates, and those of fetched properties under the names `Entity.property`.
  package var namedFetchRequests: [FetchRequestDescription] {
    fetchRequestTemplates
      + entities.flatMap { entity in
        entity.fetchedProperties.map { property in
          var request = property.fetchRequest
          request.name = "\(entity.name).\(property.name)"
          return request
        }
      }
  }
}

extension Database {
  /// Compiles the request and asks SQLite for its plan; nothing is fetched.
  package func explain(_ request: FetchRequestDescription, schema: StoreSchema, model: ManagedObjectModel)
    throws -> FetchExplanation
  {
    let fetch = try request.compiled(schema: schema, model: model)
    registerFetchFunctions()
    let plan = try queryPlan(fetch.sql, parameters: fetch.parameters).map(\.line)
    return FetchExplanation(name: request.name, entityName: request.entityName, fetch: fetch, plan: plan)
  }

  func queryPlan(_ sql: String, parameters: [String] = []) throws -> [PlanStep] {
    let nothing = Dictionary(firstOf: parameters.map { ($0, DatabaseValue.null) })
    var depths: [Int: Int] = [:]
    return try Row.fetchAll(self, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: StatementArguments(nothing))
      .map { row -> PlanStep in
        let (id, parent) = (row.number(0) ?? 0, row.number(1) ?? 0)
        let (depth, detail) = ((depths[parent] ?? -1) + 1, row.text(3) ?? "")
        depths[id] = depth
        return (id: id, parent: parent, detail: detail, line: String(repeating: "  ", count: depth) + detail)
      }
  }
}

/// A line of `EXPLAIN QUERY PLAN`: the parent is 0 for a step of the query itself; the line is the indented detail.
typealias PlanStep = (id: Int, parent: Int, detail: String, line: String)
