import Foundation
import ManagedModel
import Testing

/// The codes of the refusal that the body throws; an empty list where it throws none.
func codes(_ body: () throws -> Void) -> [String] {
  do {
    try body()
    return []
  } catch let error as DiagnosticsError {
    return error.diagnostics.map { $0.code.description }
  } catch {
    return ["\(error)"]
  }
}

/// The one diagnostic that the body throws.
func refusal(_ body: () throws -> Void) throws -> Diagnostic {
  let error = try #require(throws: DiagnosticsError.self) { try body() }
  #expect(error.diagnostics.count == 1)
  return try #require(error.diagnostics.first)
}
