import PersistentStore

/// A question to the rows of one entity, and what it means if some fulfil the condition.
struct RowQuestion<Meaning> {
  var table: String
  /// The old number of the entity whose rows are asked about.
  var number: Int
  var condition: SQLCondition
  var meaning: Meaning
}

extension StoreDatabase {
  /// What rows say to questions, each table read once; those that no row answers are left out.
  ///
  /// - Parameter limit: how many primary keys of such rows are given, the first ones.
  func answers<Meaning>(
    to questions: [RowQuestion<Meaning>], examples limit: Int = 5
  ) throws -> [(meaning: Meaning, count: Int, keys: [Int64])] {
    var counts = questions.map { _ in 0 }
    for (table, asked) in Dictionary(grouping: questions.indices, by: { questions[$0].table }) {
      let found = try countRows(self, table: table, conditions: asked.map { questions[$0].condition })
      for (place, index) in asked.enumerated() {
        counts[index] = found[questions[index].number]?.matching[place] ?? 0
      }
    }
    return try zip(questions, counts).filter { $1 > 0 }.map { question, count in
      let rows = SQLCondition.all([.entity(in: [question.number]), question.condition])
      let keys = limit == 0 ? [] : try exampleKeys(table: question.table, where: rows, limit: limit)
      return (question.meaning, count, keys)
    }
  }
}
