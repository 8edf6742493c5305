import Foundation
import PersistentStore

// More of key-value coding, as ported code uses it.
extension MigratingObject {
  /// The values of several keys; `NSNull` if there is none.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys {
      let value = value(forKey: key)
      // Nobody is to look at all of them.
      if let ordered = value as? OrderedObjects { _ = ordered.objects }
      if let undecoded = value as? UndecodedValue { _ = undecoded.data }
      values[key] = value ?? NSNull()
    }
    return values
  }

  /// Sets the values of several keys; `NSNull` empties one.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { setValue(value, forKey: key) }
  }

  /// The accessors that Core Data makes for properties, by selector: `addAuthorsObject:`, `removeAuthorsObject:`,
  /// `addAuthors:`, `removeAuthors:`, `setTitle:`, and a key alone for its value.
  ///
  /// Any other selector ends the migration after the callback: methods of an app's classes are not there.
  @discardableResult
  public func perform(_ selector: String, with argument: Any? = nil) -> Any? {
    if shape.properties[selector] != nil { return value(forKey: selector) }
    managedObjectContext.recording(self, nil) {
      guard let (verb, key) = accessor(selector) else {
        throw PolicyMisuse(
          "'\(shape.name)' has no accessor '\(selector)'",
          help: ["objects have the accessors of their properties; call other code of the policy itself"])
      }
      switch verb {
      case .set: setValue(argument, forKey: key)
      case .add: for member in try members(argument, key) { try addMember(member, key) }
      case .remove:
        let gone = Set(try members(argument, key))
        setValue(objects(forKey: key).filter { !gone.contains($0) }, forKey: key)
      }
    }
    return nil
  }

  private enum Accessor: String, CaseIterable {
    case set, add, remove
  }

  private func accessor(_ selector: String) -> (Accessor, key: String)? {
    for verb in Accessor.allCases where selector.hasPrefix(verb.rawValue) && selector.hasSuffix(":") {
      let name = selector.dropFirst(verb.rawValue.count).dropLast()
      let names = verb != .set && name.hasSuffix("Object") ? [name.dropLast("Object".count), name] : [name]
      for name in names {
        let keys = [name.prefix(1).lowercased() + name.dropFirst(), String(name)]
        if let key = keys.first(where: { shape.properties[$0] != nil }) { return (verb, key) }
      }
    }
    return nil
  }
}
