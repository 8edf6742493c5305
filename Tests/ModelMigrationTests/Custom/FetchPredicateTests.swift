import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("Values of fetch predicates")
struct FetchPredicateTests {
  private static let old = """
    entities:
      Note: {attributes: {title: string?, canton: string?, number: integer64 = 0, day: date?, code: uuid?}}
    """
  private static let new = old.replacing("{title", with: "{log: string?, title")
  private static let code = UUID()

  /// What a step writes down of three notes: `a` without a canton, `b` and `c` with a number of 61 bits.
  private func log(_ work: @escaping @Sendable (ManagedObjectContext) throws -> [Any]) throws -> String? {
    let step = PostProcessingStep(name: "log", version: "V2") { context in
      let text = try work(context).map { "\($0)" }.joined(separator: " ")
      try context.first("Note", having: ["title": "a"])?.setValue(text, forKey: "log")
    }
    return try CustomTrial([Self.old, Self.new], steps: [step]).run(
      objects(
        "Note", ["title": .string("a"), "day": .date(0), "code": .uuid(Self.code)],
        ["title": .string("b"), "canton": .string("VS"), "number": .integer(1_189_616_834_230_194_177)],
        ["title": .string("c"), "canton": .string("BE"), "number": .integer(1_189_616_834_230_194_176)])
    ).texts("Note", "log").first
  }

  private static func count(_ predicate: FetchPredicate, _ context: ManagedObjectContext) throws -> Int {
    try context.count(for: FetchRequest(entityName: "Note", predicate: predicate))
  }

  @Test func `nil and NSNull are the null that is written as nil`() throws {
    let log = try log { context in
      let none: String? = nil
      let made = try (0..<2).map { _ in
        try context.findOrCreate("Note", having: ["title": "new", "canton": NSNull()]).objectID.primaryKey
      }
      return [
        try Self.count(FetchPredicate(format: "canton == %@ AND title == \"a\"", none), context),
        try Self.count(FetchPredicate(format: "canton != %@", NSNull()), context), made,
      ]
    }
    #expect(log == "1 2 [4, 4]")
  }

  @Test func `a number keeps all its bits, whatever holds it`() throws {
    let log = try log { context in
      try context.fetch("Note", where: "title != \"a\"").map { note in
        let number = note.value(forKey: "number") as? NSNumber ?? 0
        return [
          try Self.count(FetchPredicate(format: "number == %@", number), context),
          try Self.count(FetchPredicate(format: "number == %lld", note["number"] as Int64?), context),
          try Self.count(FetchPredicate(format: "number > %@", NSNumber(value: 0.5)), context),
        ]
      }
    }
    #expect(log == "[1, 1, 2] [1, 1, 2]")
  }

  @Test func `lists, objects and their IDs are values too`() throws {
    let log = try log { context in
      let notes = try context.fetch("Note")
      let predicates = [
        FetchPredicate(format: "title IN %@", ["a", "b"]),
        FetchPredicate(format: "title IN %@", NSSet(array: ["a", "b", "x"])),
        FetchPredicate(format: "NOT title IN %@", [String]()),
        FetchPredicate(format: "title BETWEEN %@", ["a", "b"]),
        FetchPredicate(format: "SELF IN %@", Set(notes.dropFirst())),
        FetchPredicate(format: "SELF IN %@", notes.map(\.objectID)),
        FetchPredicate(format: "SELF == %@", notes[0].objectID),
        FetchPredicate(format: "code IN %@", [Self.code, UUID()]),
        FetchPredicate(format: "day IN %@", [Date(timeIntervalSinceReferenceDate: 0)]),
      ]
      return try predicates.map { predicate in
        let count = try Self.count(predicate, context)
        return notes.filter(predicate.evaluate).count == count ? count : -1
      }
    }
    #expect(log == "2 2 3 2 2 3 1 1 1")
  }

  @Test func `predicates are joined, and hold in memory as in a fetch`() throws {
    let log = try log { context in
      func title(_ text: String) -> FetchPredicate {
        FetchPredicate(format: "title == $t", variables: ["t": text])
      }
      let either = FetchPredicate(orPredicateWithSubpredicates: [title("a"), title("b")])
      let predicates = [
        either, FetchPredicate(notPredicateWithSubpredicate: either),
        FetchPredicate(andPredicateWithSubpredicates: [either, FetchPredicate(format: "canton == %@", "VS")]),
        FetchPredicate(andPredicateWithSubpredicates: []), FetchPredicate(value: false),
      ]
      return try predicates.map { predicate in
        let count = try Self.count(predicate, context)
        return try context.fetch("Note").filter(predicate.evaluate).count == count ? count : -1
      }
    }
    #expect(log == "2 1 1 3 0")
  }

  @Test func `a value that is none says of which type it is`() throws {
    let error = #expect(throws: DiagnosticsError.self) {
      try log { context in [try Self.count(FetchPredicate(format: "title == %@", ["a": 1]), context)] }
    }
    #expect(
      error?.diagnostics.first?.message.contains("a value that the policy passes is of the type '(") == true)
  }
}
