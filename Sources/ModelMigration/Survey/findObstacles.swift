import ManagedModel
import PersistentStore

/// Any answer but none stops the migration: the finding is made from the number of rows and the keys of the first of them.
typealias Obstacle = RowQuestion<@Sendable (_ count: Int, _ keys: [Int64]) -> Diagnostic>

extension StoreTransition {
  /// What the last step requires of its rows: values where it allows no null, and no rows where it has no place.
  ///
  /// - Parameters:
  ///   - step: the mapping of this step alone.
  ///   - previous: the model that this step starts from.
  func obstacles(
    in tables: [TablePlan], step: MappingModel, previous before: EntityHierarchy, version: String
  ) -> [Obstacle] {
    var obstacles: [Obstacle] = []
    for table in tables {
      for name in table.entities {
        guard let number = oldNumber(ofDestination: name), let entity = destination.entity(named: name)
        else { continue }
        let own = step.mappings(toEntity: name).first
        if entity.isAbstract {
          obstacles.append(
            Obstacle(table: table.source.name, number: number, condition: .all([])) { count, keys in
              .objectsOfAbstract(name, version, count, keys)
            })
        }
        var found: Set<String> = []
        for recipe in table.recipes {
          guard let value = recipe.values[name] else { continue }
          if !value.isNeverNull,
            let attribute = requiredAttribute(recipe.column.role, entity: name, mapping: own, before: before),
            found.insert(attribute.name).inserted
          {
            obstacles.append(
              Obstacle(table: table.source.name, number: number, condition: .isNull(value)) { count, keys in
                .missingValues(attribute, entity: name, version: version, count: count, keys: keys)
              })
          }
          obstacles += storageObstacles(recipe, entity: name, table.source.name, number, version)
        }
      }
    }
    return obstacles
  }

  /// The attribute of a column, where the step requires a value of it.
  private func requiredAttribute(
    _ role: ColumnRole, entity: String, mapping: EntityMapping?, before: EntityHierarchy
  ) -> AttributeDescription? {
    guard let mapping, case .attribute(let reference) = role,
      var attribute = destination.attribute(named: reference.property, of: entity),
      let requirement = mapping.requirement(of: attribute, from: before)
    else { return nil }
    if case .evaluated? = attribute.defaultValue, attribute.name.contains(".") {
      // An app makes a new struct as a whole, and none of the members of one that is there.
      if requirement.past == .computed {
        attribute.name = String(attribute.name.prefix { $0 != "." })
      } else {
        attribute.defaultValue = nil
      }
    }
    return attribute
  }

  /// Bytes in files beside the store, where the new version allows no files: SQL cannot bring them back.
  private func storageObstacles(
    _ recipe: ColumnRecipe, entity: String, _ table: String, _ number: Int, _ version: String
  ) -> [Obstacle] {
    guard case .attribute(let reference) = recipe.column.role,
      let new = destination.attribute(named: reference.property, of: entity),
      let sourceName = sourceName(ofEntity: entity),
      let name = property(new.name, of: entity)?.value.sourceName,
      let old = source.attribute(named: name, of: sourceName),
      old.allowsExternalBinaryDataStorage, !new.allowsExternalBinaryDataStorage,
      let past = source.reference(to: name, seenFrom: sourceName),
      let column = schema.table(ofEntity: sourceName)?.column(for: .attribute(past))
    else { return [] }
    return [
      Obstacle(table: table, number: number, condition: .isExternal(.column(column.name))) { count, keys in
        Diagnostic(
          .storageFormChanged, .error,
          "'\(entity).\(new.name)' loses external storage and \(count) \(count == 1 ? "object has its value" : "objects have their values") in a file next to the store",
          subject: ModelSubject(version: version, entity: entity, property: new.name),
          notes: [.examples(keys, count: count)],
          help: ["leave external storage as it is, or map the attribute: then the files are read"])
      }
    ]
  }
}

extension Diagnostic {
  /// - Parameter isCertain: whether nothing else of the step can leave fewer objects.
  static func objectsOfAbstract(
    _ entity: String, _ version: String, _ count: Int, _ keys: [Int64], isCertain: Bool = true
  ) -> Self {
    Self(
      .abstractEntityWithRows, isCertain ? .error : .warning,
      "'\(entity)' is abstract in '\(version)' and the store has \(count == 1 ? "1 object" : "\(count) objects") of it",
      subject: ModelSubject(version: version, entity: entity, key: "abstract"),
      notes: [.examples(keys, count: count)]
        + (isCertain
          ? []
          : [
            "a filter, a policy or a cascade may drop them; if any is left, the migration fails at its end, and the store is unchanged"
          ]),
      help: ["keep '\(entity)' concrete until no store holds objects of it, or map them to a sub-entity"],
      cocoaCode: 134110)
  }

  /// - Parameter mapping: what a person wrote for the step; nil where it is inferred.
  static func missingValues(
    _ attribute: AttributeDescription, entity: String, version: String, count: Int, keys: [Int64],
    mapping: EntityMapping? = nil
  ) -> Self {
    let name = attribute.name
    let isEvaluated = if case .evaluated? = attribute.defaultValue { true } else { false }
    return Self(
      .missingAttributeValues, .error,
      "\(count == 1 ? "1 object has" : "\(count) objects have") no value for '\(entity).\(name)', which '\(version)' requires",
      subject: ModelSubject(version: version, entity: entity, property: name),
      notes: [.examples(keys, count: count)]
        + (isEvaluated
          ? ["the app computes its default and migrates the store; modelc does not have the value"] : []),
      help: [
        mapping.map {
          "give them a value in mapping '\($0.name)'"
            + ($0.propertyMapping(named: name)?.value.sourceName.map {
              ", as in 'coalesce($source.\($0), …)'"
            } ?? "") + ", or exclude them"
        }
          ?? (isEvaluated
            ? "let the app migrate the store, or give the value in a mapping model"
            : "give '\(name)' a default, or make it optional")
      ], cocoaCode: isEvaluated ? nil : 134110)
  }
}
