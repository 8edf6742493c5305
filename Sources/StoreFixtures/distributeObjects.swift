extension FixtureShape {
  /// How many objects each concrete entity gets: evenly, as far as required relationships and unique values allow.
  ///
  /// Members of to-manys that may not be empty get a larger share, or every list would have the least that it may.
  ///
  /// - Parameter limits: the most objects that stretches of entities can have together.
  /// - Returns: by place in `shape.entityNames`; fewer than `total` in all where the model allows no more.
  func distribute(_ total: Int, limits: [(kinds: Range<Int>, most: Int)]) -> [Int] {
    guard !entityNames.isEmpty, total > 0 else { return entityNames.map { _ in 0 } }
    let rules =
      countRules(self)
      + limits.map { CountRule(smaller: $0.kinds, larger: 0..<0, factor: 0, base: $0.most) }
    let weights = weights(self)
    func evenly(_ share: Int) -> [Int] { cut(weights.map { $0 * share }, by: rules) }
    // The largest even share that does not go beyond the total once the rules have cut it.
    var (low, high) = (0, total)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if evenly(middle).reduce(0, +) <= total { low = middle } else { high = middle - 1 }
    }
    var counts = evenly(low)
    fill(&counts, to: total, rules)
    return counts
  }
}

/// `weight * count(smaller) <= factor * count(larger) + base`; without a factor: some of `smaller` only where there
/// are `presence` of `larger`.
private struct CountRule {
  var smaller: Range<Int>
  var weight = 1
  var larger: Range<Int>
  var factor: Int?
  var base = 0
  var presence = 1

  /// The most that `smaller` may have.
  func limit(_ counts: [Int]) -> Int {
    let others = larger.reduce(0) { $0 + counts[$1] }
    guard let factor else { return others >= presence ? .max : 0 }
    let (product, overflow) = others.multipliedReportingOverflow(by: factor)
    return overflow ? .max : (product + base) / max(1, weight)
  }

  func isKept(_ counts: [Int]) -> Bool { smaller.reduce(0) { $0 + counts[$1] } <= limit(counts) }
}

private func weights(_ shape: FixtureShape) -> [Int] {
  var weights = Array(repeating: 1, count: shape.entityNames.count)
  for link in shape.references
  where link.owners.isDemanded && !link.isOneToOne && link.sources != link.destinations {
    for place in link.sources { weights[place] = max(weights[place], min(3 * link.owners.least, 12)) }
  }
  return weights
}

private func countRules(_ shape: FixtureShape) -> [CountRule] {
  var rules: [CountRule] = []
  for link in shape.references where !link.isOwnInverse {
    let owners = link.owners
    if link.isRequired {
      let most = link.isInjective ? 1 : owners.most
      rules.append(
        CountRule(smaller: link.sources, larger: link.destinations, factor: most == .max ? nil : most))
    }
    // Each owner needs members for itself alone.
    if owners.isDemanded {
      rules.append(
        CountRule(
          smaller: link.destinations, weight: owners.least, larger: link.sources, factor: 1))
    }
  }
  for link in shape.joins {
    // Members may be shared: there must be as many as one owner needs.
    for (bounds, owners, members) in [
      (link.sourceBounds, link.sources, link.destinations),
      (link.inverseBounds, link.destinations, link.sources),
    ] where bounds.isDemanded {
      let needed = link.isOwnInverse ? bounds.least + 1 : bounds.least
      rules.append(CountRule(smaller: owners, larger: members, presence: needed))
    }
  }
  return rules
}

/// Lowers counts until every rule is kept; none at all keeps them all.
private func cut(_ counts: [Int], by rules: [CountRule]) -> [Int] {
  var counts = counts
  for _ in 0..<10_000 {
    guard let rule = rules.first(where: { !$0.isKept(counts) }) else { return counts }
    let sum = rule.smaller.reduce(0) { $0 + counts[$1] }
    var rest = rule.limit(counts)
    // What is left is shared in proportion, the remainder by one each.
    var shares: [(place: Int, count: Int)] = []
    for place in rule.smaller {
      let (high, low) = counts[place].multipliedFullWidth(by: min(rest, sum))
      let share = sum == 0 ? 0 : sum.dividingFullWidth((high, low)).quotient
      shares.append((place, min(counts[place], share)))
    }
    rest -= shares.reduce(0) { $0 + $1.count }
    for (place, count) in shares {
      let more = rest > 0 && count < counts[place] ? 1 : 0
      counts[place] = count + more
      rest -= more
    }
  }
  return Array(repeating: 0, count: counts.count)
}

/// Adds objects one by one, each with those that it needs, to the entities that have the fewest.
private func fill(_ counts: inout [Int], to total: Int, _ rules: [CountRule]) {
  while counts.reduce(0, +) < total {
    let before = counts
    let order = before.indices.sorted { (before[$0], $0) < (before[$1], $1) }
    guard let filled = order.lazy.compactMap({ added($0, to: before, total, rules) }).first else { return }
    counts = filled
  }
}

/// The counts with one more object of an entity, and whatever that one demands; nil if it cannot be.
private func added(_ place: Int, to counts: [Int], _ total: Int, _ rules: [CountRule]) -> [Int]? {
  var counts = counts
  counts[place] += 1
  for _ in 0..<256 {
    guard counts.reduce(0, +) <= total else { return nil }
    guard let rule = rules.first(where: { !$0.isKept(counts) }) else { return counts }
    guard let next = rule.larger.min(by: { (counts[$0], $0) < (counts[$1], $1) }) else { return nil }
    counts[next] += 1
  }
  return nil
}
