import ManagedModel

/// Composites: values of several members, of which every one is drawn, renamed, retyped and dropped like an attribute.
extension RandomModel {
  mutating func addComposite() {
    guard let entity = random.pick(model.entities), let index = index(of: entity.name) else { return }
    if model.composites.isEmpty || random.chance(40) {
      let composite = CompositeDescription(
        name: "Spot\(model.composites.count)", elements: (0..<random.number(1...3)).map { _ in element() })
      model.composites.append(composite)
    }
    guard let composite = random.pick(model.composites) else { return }
    let name = freshPropertyName([entity.name])
    model.entities[index].attributes.append(
      AttributeDescription(
        name: name, type: .composite, isOptional: random.chance(50), compositeName: composite.name,
        userInfo: identity()))
    log.append("add \(entity.name).\(name): \(composite.name)")
  }

  /// A member whose name was never used.
  private mutating func element() -> AttributeDescription {
    let types: [AttributeType] = [.integer16, .integer64, .double, .decimal, .string, .boolean, .date, .uuid]
    let type = random.pick(types) ?? .string
    let isOptional = random.chance(50)
    let identity = identity()
    return AttributeDescription(
      name: "m\(identity["id"] ?? "")", type: type, isOptional: isOptional,
      defaultValue: !isOptional || random.chance(30) ? .text(defaultText(type)) : nil, userInfo: identity)
  }

  mutating func addCompositeAttribute() -> Bool {
    if model.composites.isEmpty { return false }
    addComposite()
    // Objects that exist have the defaults of its members.
    return true
  }

  mutating func addMember() -> Bool {
    guard let c = model.composites.indices.randomElement(using: &random) else { return false }
    model.composites[c].elements.append(element())
    log.append("add a member to \(model.composites[c].name)")
    return true
  }

  private mutating func someMember(
    where isWanted: (AttributeDescription) -> Bool = { _ in true }
  ) -> (composite: Int, member: Int)? {
    let places = model.composites.indices.flatMap { c in
      model.composites[c].elements.indices.filter { isWanted(model.composites[c].elements[$0]) }.map {
        (c, $0)
      }
    }
    return random.pick(places)
  }

  mutating func removeMember() -> Bool {
    guard let (c, m) = someMember(), model.composites[c].elements.count > 1 else { return false }
    let member = model.composites[c].elements.remove(at: m)
    log.append("remove \(model.composites[c].name).\(member.name)")
    return true
  }

  mutating func renameMember() -> Bool {
    guard let (c, m) = someMember() else { return false }
    let old = model.composites[c].elements[m]
    let name = "n\(identity()["id"] ?? "")"
    model.composites[c].elements[m].name = name
    model.composites[c].elements[m].renamingIdentifier = old.canonicalName
    log.append("rename \(model.composites[c].name).\(old.name) to \(name)")
    return true
  }

  mutating func retypeMember() -> Bool {
    guard let (c, m) = someMember(where: { $0.type.isNumeric }) else { return false }
    let old = model.composites[c].elements[m]
    let types: [AttributeType] = [.integer16, .integer32, .integer64, .decimal, .double, .float]
    guard let type = random.pick(types.filter { $0 != old.type }) else { return false }
    model.composites[c].elements[m].type = type
    if old.defaultValue != nil { model.composites[c].elements[m].defaultValue = .text(defaultText(type)) }
    log.append("\(model.composites[c].name).\(old.name) from \(old.type.name) to \(type.name)")
    return true
  }

  mutating func toggleOptionalMember() -> Bool {
    guard let (c, m) = someMember() else { return false }
    model.composites[c].elements[m].isOptional.toggle()
    let member = model.composites[c].elements[m]
    if !member.isOptional {
      let hasDefault = random.chance(85)
      model.composites[c].elements[m].defaultValue = hasDefault ? .text(defaultText(member.type)) : nil
      explained.insert("MC3101")
    }
    log.append("\(model.composites[c].name).\(member.name) optional: \(member.isOptional)")
    return true
  }
}
