// Random laws by the thousand, on the processor and on the software GPU: what `npm test` tries a few of.

import { spawnSync } from 'node:child_process'
import { argumentsFrom } from './arguments.mjs'

const { values } = argumentsFrom(
  `Usage: npm run deep -- [options]

Tries thousands of random laws in random workloads: hours. After work on expressions or loops.

  --seeds <first-last>  which ones (default: 1-2000)
  --project <name>      node, gpu or browser (default: all)
  --help                print this text`,
  { seeds: { type: 'string', default: '1-2000' }, project: { type: 'string', default: '*' } },
)
if (!/^\d+-\d+$/.test(values.seeds)) {
  console.error(`deep: --seeds expected two whole numbers as in 1-2000, got "${values.seeds}"; see --help`)
  process.exit(2)
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', values.project, 'random-laws'],
  { env: { ...process.env, SEEDS: values.seeds }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
