import ArgumentParser

/// How the work of migrating many stores is divided.
struct FleetOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many stores are migrated at a time.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Migrate only every n-th of the stores, in the order of their names: 2/8 for the second of eight shares.",
      valueName: "i/n"))
  var shard: Shard?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs is 1 to 256") }
  }

  /// One share of several.
  struct Shard: ExpressibleByArgument {
    /// From 1.
    var number: Int
    var count: Int

    init?(argument: String) {
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let number = parts[0], let count = parts[1], count > 0,
        (1...count).contains(number)
      else { return nil }
      (self.number, self.count) = (number, count)
    }

    /// The share of a list, which does not depend on the order in which the stores are named.
    func share(of stores: [String]) -> [String] {
      stores.sorted().enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
    }
  }
}
