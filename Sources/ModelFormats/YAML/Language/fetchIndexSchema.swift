import ManagedModel

/// The keys of a fetch index in the long form; the short one is the list of its elements.
private let fetchIndexSchema = Schema<FetchIndexDescription>(
  "a fetch index",
  [
    Field(required: "elements", \.elements, .list(of: .element)),
    Field("where", \.partialIndexPredicate, .text),
  ])

extension Form<[FetchIndexDescription]> {
  static let fetchIndexes = Form.named(
    \.name, layout: .block,
    shape: .either([.list(of: Form<FetchIndexElement>.element.shape()), fetchIndexSchema.shape])
  ) { name, node, subject, reading in
    var index = FetchIndexDescription(name: name, elements: [])
    if case .mapping = node.content {
      fetchIndexSchema.read(node, into: &index, about: subject, reading)
    } else {
      index.elements = Form<[FetchIndexElement]>.list(of: .element).read(node, subject, reading) ?? []
    }
    return index
  } write: { index in
    if index.partialIndexPredicate == nil {
      return Form<[FetchIndexElement]>.list(of: .element).write(index.elements)
    }
    return .mapping(fetchIndexSchema.write(index))
  }
}

private let elementSchema = Schema<FetchIndexElement>(
  "an index element",
  [
    Field("property", shape: .text) { node, element, subject, reading in
      if let name = reading.text(of: node, subject) { element.property = name }
    } write: {
      $0.isExpression ? nil : .text($0.property)
    },
    Field("expression", shape: .text) { node, element, subject, reading in
      if let text = reading.text(of: node, subject) { element.property = text }
      element.isExpression = true
    } write: {
      $0.isExpression ? .text($0.property) : nil
    },
    Field("kind", \.collation, .word(FetchIndexCollation.allCases.map { ("\($0)", $0) }), unless: .binary),
    Field("ascending", \.isAscending, .flag, unless: true),
  ],
  choices: [["property", "expression"]])

extension Form<FetchIndexElement> {
  fileprivate static let element = Form(.either([.text, elementSchema.shape])) { node, subject, reading in
    if case .mapping = node.content {
      let element = elementSchema.read(node, from: FetchIndexElement(property: ""), about: subject, reading)
      reading.requireOne(of: "property", or: "expression", in: node, "an index element")
      return element
    }
    return reading.text(of: node, subject).map {
      let (name, isAscending) = $0.orderedName
      return FetchIndexElement(property: name, isAscending: isAscending)
    }
  } write: { element in
    if !element.isExpression, element.collation == .binary,
      let text = element.property.ordered(isAscending: element.isAscending)
    {
      return .text(text)
    }
    return .mapping(elementSchema.write(element))
  }
}
