import Foundation

/// What a page of modelc's embeds for its script.
package struct PageData {
  /// The object that the script reads.
  package let members: [String: Any]
  /// Scripts and closing tags of a page; each page has one for the data and one for its script.
  package let scriptTags: [Int]
  /// Its Content-Security-Policy.
  package let policy: String

  /// Nil if there is none, or it is not JSON.
  package init?(_ page: String) {
    func text(after start: String, to end: String) -> String? {
      guard let start = page.range(of: start)?.upperBound,
        let end = page.range(of: end, range: start..<page.endIndex)?.lowerBound
      else { return nil }
      return String(page[start..<end])
    }
    guard let data = text(after: "id=\"data\">", to: "</script>"),
      let policy = text(after: "Content-Security-Policy\" content=\"", to: "\""),
      let members = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    else { return nil }
    (self.members, self.policy) = (members, policy)
    scriptTags = ["<script", "</script>"].map { page.components(separatedBy: $0).count - 1 }
  }

  /// The value at a path of keys and places.
  package subscript<Value>(_ path: String...) -> Value? { self[path] }
  package subscript<Value>(_ path: [String]) -> Value? {
    var value: Any? = members
    for key in path {
      let list = value as? [Any] ?? []
      value =
        (value as? [String: Any])?[key] ?? Int(key).flatMap { list.indices.contains($0) ? list[$0] : nil }
    }
    return value as? Value
  }
}
