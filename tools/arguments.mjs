// Parses the arguments of `npm run <command> --` for the scripts of this repository: `--help` prints the help, and anything
// unknown is reported in one line. Both end the process before anything starts.
// Plain JavaScript without dependencies: it also runs before anything is installed.

import { parseArgs } from 'node:util'

/**
 * @template {import('node:util').ParseArgsConfig['options'] & {}} T
 * @param {string} help first line: `Usage: npm run <command> ...`
 * @param {T} options as `parseArgs` takes them
 * @param {{ args?: readonly string[], positionals?: number }} [more] the typed words, and the most words without dashes
 */
export function argumentsFrom(help, options, { args = process.argv.slice(2), positionals: most = 0 } = {}) {
  const command = /** @type {string} */ (/^Usage: npm (?:run )?(\S+)/.exec(help)?.[1])
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    if (/** @type {{ help?: boolean }} */ (parsed.values).help) {
      console.log(help)
      process.exit(0)
    }
    const [extra] = parsed.positionals.slice(most)
    if (extra !== undefined) throw new Error(`Unexpected argument '${extra}'`)
    return parsed
  } catch (error) {
    console.error(`${command}: ${error instanceof Error ? error.message.split('. ')[0] : error}; see --help`)
    process.exit(2)
  }
}
