import Foundation
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

private struct CardError: LocalizedError, Equatable {
  var errorDescription: String? { "The card has expired." }
  var recoverySuggestion: String? { "Ask at the desk." }
}

private class CardPolicy: EntityMigrationPolicy {
  class var error: (any Error)? { CardError() }
  override class var policyName: String { "CardPolicy" }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    if let error = Self.error { throw error }
  }
}

private final class BridgedPolicy: CardPolicy {
  override class var error: (any Error)? {
    NSError(domain: "App", code: 7, userInfo: [NSLocalizedDescriptionKey: "The card has expired."])
  }
}

private final class IdlePolicy: CardPolicy {
  override class var error: (any Error)? { nil }
}

@Suite("What errors say to users")
struct ErrorTextTests {
  private static let old = "entities:\n  Note: {attributes: {title: string?}}\n"

  private func failure(_ policy: EntityMigrationPolicy.Type) throws -> any Error {
    let trial = try CustomTrial(
      [Self.old, Self.old.replacing("{title", with: "{slug: string, title")],
      mappings: ["entityMappings:\n  NoteToNote: {source: Note, destination: Note, policy: CardPolicy}\n"],
      policies: [policy])
    return try #require(
      #expect(throws: (any Error).self) { try trial.run(objects("Note", ["title": .string("a")])) })
  }

  @Test func `a file that is not there is a finding of the library`() async throws {
    try await withTemporaryFolder { folder in
      let trial = try CustomTrial([Self.old])
      let (store, migrator) = (folder.appending(path: "none.sqlite"), StoreMigrator(models: [trial.model]))
      var errors: [any Error] = []
      func fails(_ body: () async throws -> Void) async {
        do { try await body() } catch { errors.append(error) }
      }
      await fails { _ = try migrator.status(of: store) }
      await fails { _ = try migrator.plan(for: store) }
      await fails { _ = try await migrator.migrate(store).report }
      await fails { _ = try migrator.recover(store) }
      await fails { _ = try inspectStore(at: store) }
      await fails { _ = try verifyStore(at: store) }
      await fails { try readObjects(at: store) { _ in } }
      #expect(errors.flatMap(refusalCodes) == Array(repeating: "MC0009", count: 7))
      #expect(errors.allSatisfy { $0.localizedDescription == "there is no file '\(store.path)'" })
    }
  }

  @Test func `what a policy throws is told as it says itself, and kept`() throws {
    let error = try #require(try failure(CardPolicy.self) as? DiagnosticsError)
    #expect(error.localizedDescription == "policy 'CardPolicy' failed: The card has expired.")
    #expect(error.recoverySuggestion == "Ask at the desk.")
    #expect("\(error)" == "MC4302: policy 'CardPolicy' failed: The card has expired.")
    #expect(error.underlyingError as? CardError == CardError())
    let bridged = try #require(try failure(BridgedPolicy.self) as? DiagnosticsError)
    #expect(bridged.localizedDescription == "policy 'CardPolicy' failed: The card has expired.")
    #expect((bridged.underlyingError as? NSError)?.code == 7)
  }

  @Test func `the same of post-processing`() throws {
    let step = PostProcessingStep(name: "cards", version: "V1") { _ in throw CardError() }
    let trial = try CustomTrial([Self.old], steps: [step])
    let error = #expect(throws: DiagnosticsError.self) { try trial.run(objects("Note", [:])) }
    #expect(
      error?.localizedDescription == "post-processing step 'cards' of 'V1' failed: The card has expired.")
    #expect(error?.recoverySuggestion == "Ask at the desk." && error?.underlyingError is CardError)
  }

  @Test func `a result that breaks a rule says which`() throws {
    let error = try #require(try failure(IdlePolicy.self) as? MigrationValidationError)
    #expect(error.diagnostics.first?.code.description == "MC6101")
    #expect(error.localizedDescription == error.diagnostics[1].message)
    #expect("\(error)".hasPrefix("MC6101: ") && "\(error)".contains(error.diagnostics[1].message))
    #expect(error.failureReason?.hasSuffix("the store is unchanged") == true)
    #expect(error.recoverySuggestion == error.diagnostics[1].recoverySuggestion)
  }
}
