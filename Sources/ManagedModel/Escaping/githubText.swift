extension String {
  /// The message of a workflow command of GitHub, encoded as GitHub's toolkit does.
  package var githubMessage: String {
    lines.map(\.visible).joined(separator: "\n").escaped { scalar in
      switch scalar {
      case "%": "%25"
      case "\n": "%0A"
      default: nil
      }
    }
  }

  /// A property of a workflow command.
  package var githubProperty: String {
    githubMessage.escaped { scalar in
      switch scalar {
      case ":": "%3A"
      case ",": "%2C"
      default: nil
      }
    }
  }
}
