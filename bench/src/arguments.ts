/** The command line of the benchmark. */

import { parseArgs } from 'node:util'

export interface Arguments {
  readonly help: boolean
  /** Where the record is written; undefined: nowhere. */
  readonly json: string | undefined
  readonly rounds: number
}

/** A command line that makes no sense. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

export const help = `Measures interactions per second, each case in turn, round after round; prints medians.

usage: npm run bench -- [options]

  --json <file>  write a record with all samples and the class of machine
  --rounds <n>   runs of each case after warming up (default 11)
  --help         this text`

/** @throws ArgumentError */
export function argumentsOf(argv: readonly string[]): Arguments {
  const { help, json, rounds } = parsed(argv)
  if (!/^[1-9]\d{0,3}$/.test(rounds))
    throw new ArgumentError(`--rounds expected a whole number from 1 to 9999, got "${rounds}"`)
  return { help, json, rounds: Number(rounds) }
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', default: false },
        json: { type: 'string' },
        rounds: { type: 'string', default: '11' },
      },
    }).values
  } catch (cause) {
    const [line = 'cannot be read'] = cause instanceof Error ? cause.message.split('. ') : []
    throw new ArgumentError(line, { cause })
  }
}
