import ModelCommands
import Testing

@Suite("Colour modes")
struct ColorModeTests {
  @Test(arguments: [
    (ColorMode.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, true, ["TERM": "dumb"], false),
    (.always, false, ["NO_COLOR": "1"], true),
    (.never, true, [:], false),
  ])
  func `what was asked for comes first, then NO_COLOR, then the terminal`(
    _ mode: ColorMode, _ isTerminal: Bool, _ environment: [String: String], _ expected: Bool
  ) {
    #expect(mode.usesColor(isTerminal: isTerminal, environment: environment) == expected)
  }
}
