import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

/// Which of many stores are worked on, in which order, where they come from, and when it is enough.
struct FleetOptions: ParsableArguments {
  @Option(help: .text("How many stores are worked on at a time.", "n"))
  var jobs: Int?

  @Option(
    help: .text(
      "The memory for all of them together, as 500M or 2G: it limits the stores at a time to one for each 100 MB.",
      "size"))
  var memory: MemorySize?

  @Option(
    help: .text(
      """
      Take only one of n shares of the stores, chosen by their names: 2/8 for the second of eight; 'job' or 'job/8' for the \
      one that Slurm, AWS Batch or a Kubernetes indexed Job says.
      """, "i/n"))
  var shard: Shard?

  @Option(
    help: .text(
      "A file with the path of a store on each line, or - for standard input; in addition to the stores that are named.",
      "file"))
  var list: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "The paths of --list end with a zero byte, as `find -print0` writes them.")
  var null = false

  @Option(
    help: .text(
      "Start with this many stores, or percent of them: 20 or 1%. If one of them fails, no other is started.",
      "n"))
  var canary: Canary?

  @Option(help: .text("Start no more stores once this many have failed.", "n"))
  var maxFailures: Int?

  @Flag(help: "Skip stores that are done according to the file of --report jsonl=FILE.")
  var resume = false

  @Option(
    help: .text(
      "'jsonl' or 'jsonl=FILE': a line for each store as it ends; with `migrate` also FILE for the run's record as "
        + "JSON, or html=FILE for a page about one store.",
      "file"))
  var report: String?

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs is 1 to 256") }
    if let maxFailures, maxFailures < 1 { throw ValidationError("--max-failures is 1 or more") }
    try refuse(null && list == nil, "--null is about --list")
    if case .percent? = canary, list == "-" {
      throw ValidationError("--canary with % must count the stores: give --list a file, or a number")
    }
  }

  /// Whether anything about many stores is asked for.
  var isGiven: Bool {
    jobs != nil || memory != nil || shard != nil || list != nil || canary != nil || maxFailures != nil
      || resume || linesFile != nil
  }

  /// `--report jsonl` writes the lines to standard output, `--report jsonl=FILE` adds them to a file.
  var linesFile: String? {
    guard let report, report == "jsonl" || report.hasPrefix("jsonl=") else { return nil }
    return String(report.dropFirst("jsonl=".count))
  }

  /// How many stores are worked on at a time.
  var atOnce: Int {
    min(jobs ?? (memory == nil ? 1 : 256), memory.map { max(1, $0.bytes / 100_000_000) } ?? 256)
  }

  /// Whether there may be more than one store.
  ///
  /// - Throws: where there is none, and where options do not go together.
  func areSeveral(_ stores: [String]) throws -> Bool {
    try refuse(stores.isEmpty && list == nil, "name a store, or a list of them with --list")
    try refuse(
      resume && linesFile?.isEmpty != false, "--resume reads what is done from a file: --report jsonl=FILE")
    return stores.count > 1 || list != nil
  }

  /// The same for a command that changes no store.
  func areSeveralRead(_ stores: [String]) throws -> Bool {
    try refuse(
      report != nil && linesFile == nil,
      "--report takes 'jsonl' or 'jsonl=FILE' here; --format json is for one store")
    return try areSeveral(stores)
  }

  /// An amount of memory, as `500M` or `2G`.
  struct MemorySize: ExpressibleByArgument {
    var bytes: Int

    init?(argument: String) {
      let units: [Character: Int] = ["M": 1_000_000, "G": 1_000_000_000]
      guard let unit = argument.uppercased().last.flatMap({ units[$0] }),
        let number = Int(argument.dropLast()), (1...1_000_000).contains(number)
      else { return nil }
      bytes = number * unit
    }
  }

  /// One share of several.
  struct Shard: ExpressibleByArgument {
    /// From 1.
    var number: Int
    var count: Int

    init?(argument: String) {
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      if parts.first == "job" {
        self.init(parts.count == 2 ? Int(parts[1]) : nil, environment: ProcessInfo.processInfo.environment)
        return
      }
      let numbers = parts.map { Int($0) }
      guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else { return nil }
      self.init(number: number, count: count)
    }

    private init?(number: Int, count: Int) {
      guard count > 0, (1...count).contains(number) else { return nil }
      (self.number, self.count) = (number, count)
    }

    /// What a scheduler tells the job: Slurm an array with any first number, AWS Batch and Kubernetes an index from 0.
    /// Kubernetes does not tell how many there are.
    private init?(_ count: Int?, environment: [String: String]) {
      func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
      let slurm = number("SLURM_ARRAY_TASK_ID").map { $0 &- (number("SLURM_ARRAY_TASK_MIN") ?? 0) }
      let candidates: [(index: Int?, count: Int?)] = [
        (slurm, number("SLURM_ARRAY_TASK_COUNT")),
        (number("AWS_BATCH_JOB_ARRAY_INDEX"), number("AWS_BATCH_JOB_ARRAY_SIZE")),
        (number("JOB_COMPLETION_INDEX"), nil),
      ]
      guard let found = candidates.first(where: { $0.index != nil }), let index = found.index,
        let count = count ?? found.count, (0..<Int.max).contains(index)
      else { return nil }
      self.init(number: index + 1, count: count)
    }

    /// Whether a store belongs to the share: by its name alone, so that a list may grow, and be read as it comes.
    func holds(_ store: String) -> Bool {
      // FNV-1a.
      let hash = store.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      // The low bits of names that differ in one digit are not spread.
      return (hash ^ hash >> 32) % UInt64(count) == UInt64(number - 1)
    }
  }

  /// The stores that go first.
  enum Canary: ExpressibleByArgument {
    case count(Int)
    case percent(Double)

    init?(argument: String) {
      if argument.hasSuffix("%") {
        guard let percent = Double(argument.dropLast()), percent > 0, percent <= 100 else { return nil }
        self = .percent(percent)
      } else {
        guard let count = Int(argument), count > 0 else { return nil }
        self = .count(count)
      }
    }

    /// - Parameter all: how many stores there are.
    func count(of all: () throws -> Int) rethrows -> Int {
      switch self {
      case .count(let count): count
      case .percent(let percent): Int((Double(try all()) * percent / 100).rounded(.up))
      }
    }
  }
}

/// Stores in the order in which they are named, those of a list as they are read.
struct StoreNames {
  private var named: [String]
  private var lines: LineReader?
  /// Of a list; open as long as it is read.
  private let handle: FileHandle?
  /// By their bytes: two strings are also equal where an accent is written in two ways, and two files have such names.
  private var seen: Set<[UInt8]> = []

  /// - Throws: MC0009 where there is no such list.
  init(_ named: [String], list: String?, isNullSeparated: Bool) throws {
    self.named = named.reversed()
    guard let list else {
      (lines, handle) = (nil, nil)
      return
    }
    if list != "-" { try list.requireFile() }
    let handle = list == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: list))
    self.handle = handle
    lines = LineReader(of: handle.fileDescriptor, limit: 64 << 10, separator: isNullSeparated ? 0 : 0x0A)
  }

  /// The next store that was not named before. Of a very long list only the first million names are remembered: what comes
  /// twice behind them is found to be done.
  mutating func next() -> String? {
    while let name = nextName() {
      if name.isEmpty || seen.contains(Array(name.utf8)) { continue }
      if seen.count < 1_000_000 { seen.insert(Array(name.utf8)) }
      return name
    }
    return nil
  }

  private mutating func nextName() -> String? {
    if let name = named.popLast() { return name }
    guard let line = lines?.next() else { return nil }
    // No path has a zero byte: such a name is refused, and not taken for a shorter one.
    guard let line else { return "a line of more than 65,536 bytes\0" }
    let name = String(decoding: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
    // Editors of Windows begin a file with a byte order mark.
    return name.utf8.starts(with: "\u{FEFF}".utf8) ? String(name.unicodeScalars.dropFirst()) : name
  }
}

extension Diagnostic {
  /// Of a line of a list: `find -print0` wrote it, and `-0` is missing, or it is something else than a list.
  static func noPath(_ name: String) -> Self {
    Self(
      .fileUnreadable, .error,
      "'\(name.abridged)' is not a path: it has a zero byte, begins with a hyphen, or is too long for one",
      notes: ["stores that it should name were not changed"],
      help: ["read a list that `find -print0` wrote with `-0`"])
  }
}
