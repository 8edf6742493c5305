package import ManagedModel

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
      "the value of '\(key)' of '\(entity)' is \(what), and was asked for as '\(wanted)'",
      help: isToMany ? ["`objects(forKey: \"\(key)\")` has the objects of any relationship"] : [])
  }

  static func severalForOne(_ key: String, of entity: String, _ count: Int) -> Self {
    Self(
      "the to-one '\(key)' of '\(entity)' would get \(count) objects", code: .severalForToOne,
      help: ["choose one of them in the expression, or in a policy"])
  }
}

/// Where in a migration something went wrong.
struct PolicyPlace {
  var mapping: String
  var callback: PolicyCallback
  var policy: String?
  /// The object that the callback was for.
  var object: ManagedObject.ID?

  var note: Diagnostic.Note {
    let what = policy.map { "policy '\($0)', " } ?? ""
    let object = object.map { ", for object \($0.primaryKey) of '\($0.entityName)'" } ?? ""
    return "mapping '\(mapping)', \(what)\(callback.rawValue)\(object)"
  }
}

extension Diagnostic {
  /// An error of a policy or of a value, with the place where it came up.
  static func failure(_ failure: ManagedObjectContext.Failure, at place: PolicyPlace) -> [Self] {
    let object = failure.object.map { Note("object \($0.primaryKey) of '\($0.entityName)'") }
    let subject = ModelSubject(
      entity: failure.object?.entityName ?? place.object?.entityName, property: failure.property)
    func placed(_ diagnostic: Self) -> Self {
      var diagnostic = diagnostic
      if diagnostic.subject == nil { diagnostic.subject = subject }
      diagnostic.notes += [place.note]
      if let object, failure.object != place.object { diagnostic.notes.append(object) }
      diagnostic.notes.append("the store is unchanged")
      return diagnostic
    }
    switch failure.error {
    case let error as DiagnosticsError: return error.diagnostics.map(placed)
    case let misuse as PolicyMisuse:
      return [
        placed(
          Self(misuse.code, .error, misuse.message, help: misuse.help, cocoaCode: 134170))
      ]
    default:
      return [placed(.policyThrew(failure.error, place))]
    }
  }
}

extension Diagnostic.Code {
  package static let policyFailed = Self("MC4302")
  package static let policyWroteToSource = Self("MC4303")
  package static let severalForToOne = Self("MC4305")
}

extension Diagnostic {
  fileprivate static func policyThrew(_ error: any Error, _ place: PolicyPlace) -> Self {
    let who = place.policy.map { "policy '\($0)'" } ?? "mapping '\(place.mapping)'"
    return Self(.policyFailed, .error, "\(who) failed: \(error)", cocoaCode: 134170)
  }

  static func writeToSource(_ entity: String, _ key: String? = nil) -> Self {
    Self(
      .policyWroteToSource, .error,
      key.map { "the policy sets '\($0)' of '\(entity)' in the source, which is read-only" }
        ?? "the policy changes objects of '\(entity)' in the source, which is read-only",
      subject: ModelSubject(entity: entity, property: key),
      help: ["set it on the destination's object"], cocoaCode: 134170)
  }

  static func sourceObjectInRelationship(_ key: String, of entity: String) -> Self {
    Self(
      .builtFromSource, .error,
      "'\(key)' of '\(entity)' would point to source objects",
      subject: ModelSubject(entity: entity, property: key),
      notes: ["a destination relationship can only point to destination objects"],
      help: ["look up their counterparts: destinationInstances(\"<mapping>\", …)"], cocoaCode: 134170)
  }
}
