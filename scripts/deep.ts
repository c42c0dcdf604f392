// Runs in full the tests that `npm test` divides: every case of the suite in every environment, variant and plan, and random laws by the
// thousand.

import { spawnSync } from 'node:child_process'
import { argumentsFrom } from '../tools/arguments.mjs'

const { values, positionals } = argumentsFrom(
  `Usage: npm run deep -- [options] [test file ...]

Runs all tests with nothing left out: every case of the conformance suite in every environment, variant and plan, of which
npm test gives each its share, and thousands of random laws: hours. After work on expressions or loops, the random laws
alone (random/laws) are worth the wait.

  --seeds <first-last>  random laws (default: 1-2000)
  --project <name>      node, gpu, browser or environments (default: all)
  --help                print this text

Test files are named by parts of their names: npm run deep -- conformance.`,
  { seeds: { type: 'string', default: '1-2000' }, project: { type: 'string', default: '*' } },
  { positionals: Number.POSITIVE_INFINITY },
)
if (!/^\d+-\d+$/.test(values.seeds)) {
  console.error(`deep: --seeds expected two whole numbers as in 1-2000, got "${values.seeds}"; see --help`)
  process.exit(2)
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', values.project, ...positionals],
  { env: { ...process.env, DEEP: '1', SEEDS: values.seeds }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
