public import ManagedModel

/// Which objects a context fetches (`NSFetchRequest`). They are always ``MigratingObject``s. The generic parameter serves
/// `FetchRequest<ManagedObject>(entityName:)` in ported code.
public final class FetchRequest<Result> {
  /// The entity whose objects are wanted.
  public var entityName: String
  /// What ``entityName`` names, for requests that are made without a name: `request.entity = description`.
  public var entity: EntityDescription? {
    didSet { if let entity { entityName = entity.name } }
  }
  /// Nil for all objects.
  public var predicate: FetchPredicate?
  /// The first decides, the next where it leaves a tie.
  public var sortDescriptors: [SortDescription] = []
  /// 0 for all.
  public var fetchLimit = 0
  /// Whether objects of sub-entities come too.
  public var includesSubentities = true

  /// A request for the objects of an entity.
  public init(
    entityName: String, predicate: FetchPredicate? = nil, sortDescriptors: [SortDescription] = [],
    fetchLimit: Int = 0, includesSubentities: Bool = true
  ) where Result == MigratingObject {
    self.entityName = entityName
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.fetchLimit = fetchLimit
    self.includesSubentities = includesSubentities
  }

  /// A request whose entity is set later; one without an entity is refused when it is fetched.
  public init() { entityName = "" }

  /// A request for all objects of an entity.
  public init(entityName: String) { self.entityName = entityName }
}

/// The result of a request (`NSFetchRequestResult`), for `FetchRequest<any FetchRequestResult>` in ported code.
public protocol FetchRequestResult {}

extension MigratingObject: FetchRequestResult {}

extension ManagedObjectContext {
  /// The objects that a request asks for, as what it says they are; see ``fetch(_:)``.
  public func fetch<Result>(_ request: FetchRequest<Result>) throws -> [Result] {
    try flush()
    return try rows.fetch(objectFetch(request)).compactMap { object($0).flatMap { $0 as? Result } }
  }

  /// How many objects a request finds.
  public func count<Result>(for request: FetchRequest<Result>) throws -> Int {
    try flush()
    return try rows.count(objectFetch(request))
  }
}

/// A condition with its values (`NSPredicate(format:)`), with the meaning of a fetch: a comparison with nil is neither
/// true nor false.
public struct FetchPredicate {
  /// With a variable for each value: `name == $v0`.
  let format: String
  let arguments: [String: Any]

  /// - Parameters:
  ///   - format: in Core Data's words. `%@`, `%d`, `%ld`, `%lld`, `%f` stand for values, `%K` for a key path.
  ///   - values: in the order of the placeholders; nil is a null.
  public init(format: String, _ values: Any?...) { self.init(format: format, argumentArray: values) }

  /// A condition whose `%@` and `%K` take the values in order.
  public init(format: String, argumentArray values: [Any?]) {
    var text = ""
    var arguments: [String: Any] = [:]
    var rest = values[...]
    var place = format.startIndex
    var quote: Character?
    while place < format.endIndex {
      let character = format[place]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "%", let (token, end) = placeholder(in: format, at: place) {
        let value = rest.popFirst() ?? nil
        if token == "K" {
          text += value.map { "\($0)" } ?? ""
        } else {
          let name = "modelc_value\(arguments.count)"
          arguments[name] = .some(value as Any)
          text += "$\(name)"
        }
        place = end
        continue
      }
      text.append(character)
      place = format.index(after: place)
    }
    self.format = text
    self.arguments = arguments
  }

  /// - Parameters:
  ///   - format: values stand in it as variables: `numericISO3166Code == $code`.
  ///   - variables: by name, without the dollar sign.
  public init(format: String, variables: [String: Any]) {
    self.format = format
    self.arguments = variables
  }
}

/// The letter of the placeholder that begins there, and where it ends.
private func placeholder(in format: String, at place: String.Index) -> (Substring, String.Index)? {
  let rest = format[format.index(after: place)...]
  for token in ["@", "K", "lld", "llu", "ld", "lu", "d", "i", "u", "lf", "f"] where rest.hasPrefix(token) {
    return (Substring(token), format.index(rest.startIndex, offsetBy: token.count))
  }
  return nil
}
