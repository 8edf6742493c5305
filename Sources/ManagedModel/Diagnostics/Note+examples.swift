extension Diagnostic.Note {
  /// Primary keys, never values: what users keep in their stores stays out of messages.
  package static func examples(_ keys: [Int64], count: Int) -> Self {
    let list = keys.map(String.init).joined(separator: ", ")
    return Self("primary key\(count == 1 ? "" : "s") \(list)\(count > keys.count ? ", …" : "")")
  }
}
