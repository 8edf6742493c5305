import Synchronization

/// Lines that say which model and mapping models a command has found. Each is printed once.
final class Notices: Sendable {
  /// Set while a command runs that says such things.
  @TaskLocal static var current: Notices?

  private let say: @Sendable (String) -> Void
  private let said = Mutex<Set<String>>([])

  init(_ say: @escaping @Sendable (String) -> Void) { self.say = say }

  static func say(_ line: String) {
    guard let current, current.said.withLock({ $0.insert(line).inserted }) else { return }
    current.say(line)
  }
}
