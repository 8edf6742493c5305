import Foundation
import Migrations
import ModelCommands

exit(ModelcCommand.run(Array(CommandLine.arguments.dropFirst()), samplePolicies: policies))
