/// The keys of a key path: `address.street` is `address`, `street`.
package func keys(of keyPath: String) -> [String] { keyPath.split(separator: ".").map(String.init) }

/// Whether one of the names is the key path, or a composite that it leads through.
package func isNamed(_ keyPath: String, in names: Set<String>) -> Bool {
  if names.contains(keyPath) { return true }
  return keyPath.indices.contains { keyPath[$0] == "." && names.contains(String(keyPath[..<$0])) }
}

/// Whether a list of `Entity` and `Entity.property`, such as `retired:`, names the property, what it is a member of, or
/// its entity.
package func isListed(_ entity: String, _ property: String?, in names: Set<String>) -> Bool {
  names.contains(entity) || property.map { isNamed("\(entity).\($0)", in: names) } ?? false
}

/// Whether a value that is read by one of the paths is this one, contains it, or is a part of it.
package func reads(_ keyPath: String, _ paths: [[String]]) -> Bool {
  let wanted = keys(of: keyPath)
  return paths.contains { path in !path.isEmpty && zip(path, wanted).allSatisfy { $0 == $1 } }
}
