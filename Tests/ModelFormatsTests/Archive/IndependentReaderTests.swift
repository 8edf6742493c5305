import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

@Suite("A reader that shares no line with modelc", .needsFixtures, .needsPython)
struct IndependentReaderTests {
  /// The source that a genuine `.mom` was compiled from.
  private func source(of url: URL) throws -> ManagedObjectModel {
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let package = folder.appending(path: folder.lastPathComponent + ".xcdatamodeld")
    return try #require(readXcodeModelPackage(at: package).model?.version(named: name)?.model)
  }

  @Test(arguments: Fixtures.all(withExtension: "mom"))
  func `finds in what we compile the classes, keys and values of the genuine compiled model`(
    _ url: URL
  ) throws {
    let genuine = try ArchiveFacts.lines(of: Data(contentsOf: url))
    #expect(genuine.count > 40)
    #expect(try ArchiveFacts.lines(of: source(of: url).keyedArchive()) == genuine)
  }

  @Test func `finds the predicates of fetches, indexes, validation and derivations as objects`() throws {
    let lines = try ArchiveFacts.lines(of: ArchiveModelTests.full.keyedArchive())
    func value(_ fact: String) -> String? {
      lines.first { $0.hasPrefix(fact + " = ") }.map { String($0.dropFirst(fact.count + 3)) }
    }
    let request = try #require(value("B.f.NSFetchRequest"))
    #expect(
      request.contains(
        "NSPredicate: NSComparisonPredicate(NSLeftExpression: NSKeyPathExpression(NSArguments: "
          + "NSMutableArray[NSKeyPathSpecifierExpression(NSExpressionType: int 10, NSKeyPath: 'x')]"))
    #expect(request.contains("NSVariableExpression(NSExpressionType: int 2, NSVariable: 'X')"))
    let partial = try #require(value("B.NSFetchIndexDescriptions.i.NSPartialIndexPredicate"))
    #expect(partial.hasPrefix("NSComparisonPredicate("))
    #expect(partial.contains("NSEqualityPredicateOperator(NSModifier: int 0, NSNegate: bool True"))
    let elements = try #require(value("B.NSFetchIndexDescriptions.j.NSIndexElements"))
    #expect(elements.contains("NSSelectorName: 'add:to:'"))
    #expect(!lines.contains { $0.contains("ModelcPredicate") })
  }
}
