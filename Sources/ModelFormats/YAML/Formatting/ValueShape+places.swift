/// What the language knows of the parts of a value.
extension ValueShape {
  /// The keys of a mapping in the order of the reader's table; none where the file gives the names.
  var keys: [String] {
    switch self {
    case .keys(let keyed): keyed.keys.map(\.name)
    case .either(let shapes): shapes.lazy.map(\.keys).first { !$0.isEmpty } ?? []
    default: []
    }
  }

  /// The value of a key, or of a name that the file gives.
  func value(of key: String) -> ValueShape {
    switch self {
    case .keys(let keyed): keyed.keys.first { $0.name == key }?.shape ?? .unstated
    case .named(let element, _): element
    case .either(let shapes): shapes.first(where: \.isMapping)?.value(of: key) ?? .unstated
    default: .unstated
    }
  }

  /// An element of a list.
  var element: ValueShape {
    switch self {
    case .list(let element): element
    case .either(let shapes): shapes.lazy.map(\.element).first { $0 != .unstated } ?? .unstated
    default: .unstated
    }
  }

  private var isMapping: Bool {
    switch self {
    case .keys, .named: true
    case .either(let shapes): shapes.contains(where: \.isMapping)
    default: false
    }
  }
}
