/// The names of versions on one line: all of a few, else the latest ones, which are meant most often, and how many there are
/// before them.
package func listedNames(_ names: [String]) -> String {
  let limit = 8
  guard names.count > limit + 1 else { return names.joined(separator: ", ") }
  return "\(names.count - limit) older ones, \(names.suffix(limit).joined(separator: ", "))"
}
