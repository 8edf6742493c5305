/// Which plan of a program with several is meant.
package enum SwiftDataPlan {
  /// What a command was told with `--plan`; of the task that reads, never of the whole process.
  @TaskLocal package static var current: String?
}
