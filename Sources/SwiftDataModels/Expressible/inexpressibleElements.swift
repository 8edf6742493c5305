import ManagedModel
import ModelRules

/// What elements of composites say beside name, type, optionality and default: members of a struct have no more.
func inexpressibleElements(of model: ManagedObjectModel) -> [InexpressibleFact] {
  model.composites.flatMap { composite in
    composite.elements.compactMap { element -> InexpressibleFact? in
      let plain = AttributeDescription(
        name: plainSwiftName(element.name, taken: takenMembers), type: element.type,
        isOptional: element.isOptional,
        defaultValue: hasExpressibleDefault(element) ? element.defaultValue : nil,
        usesScalarValueType: element.usesScalarValueType, compositeName: element.compositeName)
      let isExpressible =
        isExpressible(element.type) && element.type != .transformable && !element.isTransient
      guard !isExpressible || plain != element else { return nil }
      let part = "'\(composite.name).\(element.name)'"
      return InexpressibleFact(
        subject: ModelSubject(key: "composites").part(composite.name).part(element.name),
        what: isExpressible ? "all settings of \(part)" : "\(part) as a member of a struct",
        instead: isExpressible
          ? "a member of a struct has a name, a type and a default" : "it is left out"
      ) { model in
        for place in model.composites.indices where model.composites[place].name == composite.name {
          let index = model.composites[place].elements.firstIndex { $0.name == element.name }
          guard let index else { continue }
          if isExpressible {
            model.composites[place].elements[index] = plain
          } else {
            model.composites[place].elements.remove(at: index)
          }
        }
      }
    }
  }
}
