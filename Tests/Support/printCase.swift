/// Prints a line of the table of cases from real life: number, situation, command, outcome. It stands at the end of the
/// test that plays the case.
package func printCase(_ number: Int, _ title: String, _ command: String, _ outcome: String) {
  print("\(number) | \(title) | \(command) | \(outcome)")
}
