// The ladder: every variant of the pair loop by number of points and block size, timed on one GPU and checked against
// float64; then the model's own plan beside the best found. Prints as it goes; writes JSON with --out.
//
//   tsx bench/gpu/main.ts [--sizes 4096,16384] [--laws gravity,coulomb] [--set chosen|best|ladder] [--rounds 5]
//                         [--sample 40] [--out record.json]

import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { webgpu } from '@manybody/backend-webgpu'
import type { Device, Plan } from '@manybody/core'
import { sizes as allSizes, bestPlans, ladderPlans } from './ladder.ts'
import { type Case, cases } from './laws.ts'
import { type Prepared, prepare, truthFor, upload } from './measure.ts'
import { timeInRounds } from './rounds.ts'
import { prepareStepping } from './stepping.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: allSizes.join() },
    laws: { type: 'string', default: 'gravity' },
    set: { type: 'string', default: 'best' },
    rounds: { type: 'string', default: '5' },
    sample: { type: 'string', default: '40' },
    out: { type: 'string' },
    'default-limits': { type: 'boolean', default: false },
  },
})

interface Row {
  readonly law: string
  readonly n: number
  readonly asked: string
  readonly variant: string
  readonly microseconds: { readonly gpu: number | undefined; readonly wall: number }
  readonly gigapairs: number
  readonly spread: number
  readonly maxError: number
  readonly compileMilliseconds: number
}

const plansOf = (n: number): readonly (Plan | undefined)[] => {
  if (options.set === 'chosen') return [undefined]
  return [undefined, ...(options.set === 'ladder' ? ladderPlans(n) : bestPlans(n))]
}

async function measureCase(device: Device, { name, workload, points }: Case, n: number): Promise<Row[]> {
  const data = points(n)
  const arrays = await upload(device, data)
  const truth = truthFor(workload(n), data)
  const programs: Prepared[] = []
  const asked: string[] = []
  if (name === 'stepping') {
    programs.push(await prepareStepping(device, data))
    asked.push('chosen')
  }
  for (const plan of name === 'stepping' ? [] : plansOf(n)) {
    try {
      programs.push(await prepare(device, workload(n), data, arrays, truth, plan))
      asked.push(plan ? JSON.stringify(plan) : 'chosen')
    } catch (error) {
      console.log(`  ${name} ${n} ${plan?.variant}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const timings = await timeInRounds(programs, Number(options.rounds), Number(options.sample))
  const rows: Row[] = []
  for (const [index, timing] of timings.entries()) {
    const program = programs[index]
    if (!program) continue
    const best = timing.microseconds.gpu ?? timing.microseconds.wall
    const gigapairs = (n * n) / best / 1000
    const maxError = await program.maxError()
    rows.push({
      law: name,
      n,
      asked: asked[index] ?? '',
      ...timing,
      gigapairs,
      maxError,
      compileMilliseconds: program.compileMilliseconds,
    })
    program.dispose()
  }
  for (const array of Object.values(arrays)) array.dispose()
  return rows
}

function print(row: Row): void {
  const { gpu, wall } = row.microseconds
  const columns = [
    row.law.padEnd(14),
    String(row.n).padStart(8),
    (gpu?.toFixed(2) ?? '-').padStart(12),
    wall.toFixed(2).padStart(12),
    row.gigapairs.toFixed(1).padStart(9),
    row.maxError.toExponential(1).padStart(9),
    `${(100 * row.spread).toFixed(0)}%`.padStart(5),
    `${row.asked === 'chosen' ? '* ' : '  '}${row.variant}`,
  ]
  console.log(columns.join(' '))
}

const device = await webgpu({ defaultLimits: options['default-limits'] }).open()
const machine = {
  device: device.info.name,
  kind: device.info.kind,
  limits: device.info.limits,
  features: device.info.features,
  node: process.version,
  driver: await readFile('/proc/driver/nvidia/version', 'utf8').catch(() => undefined),
  date: new Date().toISOString(),
  arguments: process.argv.slice(2),
}
console.log(`${machine.device} (${machine.kind}), node ${machine.node}, ${machine.date}`)
console.log(
  'law                   N       gpu us      wall us   Gpairs/s   error spread  variant (* chosen by the model)',
)
const rows: Row[] = []
for (const law of options.laws.split(','))
  for (const n of options.sizes.split(',').map(Number)) {
    const found = cases.find(({ name }) => name === law)
    if (!found) throw new Error(`"--laws" expected ${cases.map((c) => c.name).join(', ')}, got ${law}`)
    const measured = await measureCase(device, found, n)
    measured.sort((a, b) => b.gigapairs - a.gigapairs).forEach(print)
    rows.push(...measured)
    if (options.out) await writeFile(options.out, `${JSON.stringify({ machine, rows }, undefined, 1)}\n`)
  }
device.dispose()
process.exit(0)
