import Foundation
package import ManagedModel
import PersistentStore

/// What a policy asked for and cannot have; the migration tells it with mapping, callback, object and property.
package struct PolicyMisuse: Error {
  var code: Diagnostic.Code
  package var message: String
  var help: [String]

  init(_ message: String, code: Diagnostic.Code = .policyFailed, help: [String] = []) {
    self.code = code
    self.message = message
    self.help = help
  }

  static func wrongValue(_ key: String, of entity: String, type: AttributeType) -> Self {
    Self("the value for '\(key)' of '\(entity)' does not fit the type \(type.name)")
  }

  static func otherType(_ key: String, of entity: String, _ value: Any, wanted: Any.Type) -> Self {
    let isToMany = value is OrderedObjects || value is Set<MigratingObject>
    let what =
      switch value {
      case is OrderedObjects: "an ordered set of objects"
      case is Set<MigratingObject>: "a set of objects without an order"
      case is UndecodedValue: "a value that cannot be decoded here"
      default: "of the type '\(Swift.type(of: value))'"
      }
    return Self(
      "the value of '\(key)' of '\(entity)' is \(what), but the policy asks for '\(wanted)'",
      help: isToMany ? ["`objects(forKey: \"\(key)\")` has the objects of any relationship"] : [])
  }
}

extension MigrationManager {
  /// An error of a policy or of a value, with the place where it came up.
  func error(of failure: ManagedObjectContext.Failure) -> DiagnosticsError {
    let called = calledShape.map { ManagedObject.ID(entityName: $0.name, primaryKey: calledKey) }
    let (mapping, policy) = (currentWork.mapping.name, currentWork.policyName.map { "policy '\($0)'" })
    let object = called.map { ", for object \($0.primaryKey) of '\($0.entityName)'" } ?? ""
    let place = "mapping '\(mapping)', \(policy.map { $0 + ", " } ?? "")\(callback.rawValue)\(object)"
    let found: [Diagnostic] =
      switch failure.error {
      case let error as DiagnosticsError: error.diagnostics
      case let misuse as PolicyMisuse:
        [Diagnostic(misuse.code, .error, misuse.message, help: misuse.help, cocoaCode: 134170)]
      case let error:
        [Diagnostic](
          .policyFailed, .error, "\(policy ?? "mapping '\(mapping)'") failed: \(error.wording)",
          help: error.suggestion, cocoaCode: 134170)
      }
    return DiagnosticsError(
      found.map { diagnostic in
        diagnostic.with {
          if $0.subject == nil {
            $0.subject = ModelSubject(
              entity: failure.object?.entityName ?? called?.entityName, property: failure.property)
          }
          $0.notes.append(Diagnostic.Note(place))
          if let object = failure.object, object != called {
            $0.notes.append("object \(object.primaryKey) of '\(object.entityName)'")
          }
          $0.notes.append("the store is unchanged")
        }
      }, underlying: failure.underlyingError)
  }
}

extension Error {
  private var asNSError: NSError? { type(of: self) is NSError.Type ? self as NSError : nil }

  /// What an error of the program's says to users; what it is, where it says nothing.
  var wording: String {
    (self as? DiagnosticsError)?.diagnostics.first?.message ?? (self as? PolicyMisuse)?.message
      ?? (self as? any LocalizedError)?.errorDescription ?? asNSError?.localizedDescription ?? "\(self)"
  }

  /// What users can do, where it says that.
  var suggestion: [String] {
    let text = (self as? any LocalizedError)?.recoverySuggestion ?? asNSError?.localizedRecoverySuggestion
    return text.map { [$0] } ?? []
  }
}

extension Diagnostic.Code {
  package static let policyFailed = Self("MC4302")
  package static let policyWroteToSource = Self("MC4303")
  package static let severalForToOne = Self("MC4305")
}

extension Diagnostic {
  static func noKeyLeft(_ entity: String) -> Self {
    Self(
      .entityNumbersInconsistent, .error, "no primary key is left for a new object of '\(entity)'",
      subject: ModelSubject(entity: entity), notes: ["the highest key is nearly the largest, \(Int64.max)"],
      help: ["in a copy, correct Z_MAX in 'Z_PRIMARYKEY' and the table's highest Z_PK"])
  }

  static func writeToSource(_ entity: String, _ key: String? = nil) -> Self {
    Self(
      .policyWroteToSource, .error,
      key.map { "the policy sets '\($0)' of '\(entity)' in the source, which is read-only" }
        ?? "the policy changes objects of '\(entity)' in the source, which is read-only",
      subject: ModelSubject(entity: entity, property: key),
      help: key.map { _ in ["set it on the destination's object"] } ?? [
        "to drop an object, create nothing from it (no 'super'); 'groupBy:' in the mapping merges duplicates"
      ], cocoaCode: 134170)
  }
}
