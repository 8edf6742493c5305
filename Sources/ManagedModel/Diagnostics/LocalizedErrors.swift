public import Foundation

// What an app shows its users: the first error's message, what it means, and how to fix it.

extension Diagnostic: LocalizedError {
  /// What is wrong.
  public var errorDescription: String? { message }
  /// What it means for the data.
  public var failureReason: String? { notes.isEmpty ? nil : notes.map(\.message).joined(separator: "\n") }
  /// How to fix it.
  public var recoverySuggestion: String? { help.isEmpty ? nil : help.joined(separator: "\n") }
}

extension DiagnosticsError: LocalizedError, CustomStringConvertible {
  /// The errors in one line, for a log: `MC5305: 'Notes.sqlite' is in use by another program`.
  public var description: String {
    let errors = diagnostics.filter { $0.severity == .error }.map { "\($0.code): \($0.message)" }
    return errors.isEmpty ? first?.message ?? "no finding" : errors.joined(separator: "; ")
  }
  private var first: Diagnostic? { diagnostics.first { $0.severity == .error } ?? diagnostics.first }
  /// What is wrong.
  public var errorDescription: String? { first?.message }
  /// What it means for the data.
  public var failureReason: String? { first?.failureReason }
  /// How to fix it.
  public var recoverySuggestion: String? { first?.recoverySuggestion }
}
