/** Runs a command and reports its errors in one line, with exit code 2 for invalid arguments. */

import { type Command, CommanderError } from 'commander'
import { BadInputError } from '../errors.ts'

/** Sets the exit code of the process. */
export async function runCommand(command: Command, args: readonly string[]): Promise<void> {
  for (const one of [command, ...command.commands]) one.exitOverride().configureOutput({ outputError: () => {} })
  try {
    await command.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof BadInputError) fail(error.message, 2)
    else if (error instanceof CommanderError) {
      if (error.exitCode !== 0)
        fail(
          `${error.message
            .replace(/^error: /, '')
            .replace(/\.$/, '')
            .replace(/\s+/g, ' ')}; see --help`,
          2,
        )
    } else fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
  }
}

function fail(message: string, code: number): void {
  console.error(`bench: ${message}`)
  process.exitCode = code
}
