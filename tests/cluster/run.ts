// `npm run cluster`: a cluster on this machine as a demonstration, or one with parts that are killed a thousand times.

import { argumentsFrom } from '../../tools/arguments.mjs'
import { attacked, heads } from './attacks/attacks.ts'
import { demo } from './demo.ts'
import { figureNames, figures } from './figures/figures.ts'
import { kills } from './kills/kills.ts'
import { natsServerProgram } from './nats-server.ts'

const { values, positionals } = argumentsFrom(
  `Usage: npm run cluster -- [kills | attacks | figures] [options]

Starts a NATS server and workers on this machine, and computes the energy of a Plummer sphere on them.
  --workers 3      how many workers
  --stars 50000    how many stars

kills: kills workers, coordinators and the server in the middle of a simulation, and compares every step with one that nobody killed.
  --seed 1         the order of the kills
  --kills 1000     how many: 90% workers, 5% coordinators, 5% the server
  --json <file>    writes the record

attacks: a worker and a coordinator with keys of their own attack others, and every run is compared with one that nobody attacked.
  --tries 100      how many runs with forged results, for each share of rechecks

figures: what a cluster costs beside the work of its workers, on simulated hosts.
  --only <name>    ${figureNames.join(', ')}
  --json <file>    writes the record`,
  {
    workers: { type: 'string' },
    stars: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '1000' },
    tries: { type: 'string', default: '100' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
  { positionals: 1 },
)
const [command = 'demo'] = positionals
if (!['demo', 'kills', 'attacks', 'figures'].includes(command))
  wrong(`unknown command ${JSON.stringify(command)}; expected kills, attacks or figures`)
if (values.only !== undefined && !figureNames.includes(values.only))
  wrong(`--only expected one of ${figureNames.join(', ')}, got ${JSON.stringify(values.only)}`)
const program = await natsServerProgram()
if ('missing' in program) {
  console.error(`cluster: ${program.missing}`)
  process.exit(1)
}
try {
  process.exitCode = await run(command, program.path)
} catch (error) {
  console.error(`cluster: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

function run(name: string, path: string): Promise<number> {
  if (name === 'figures') return figures(path, values.only, values.json)
  if (name === 'kills')
    return kills({
      program: path,
      seed: whole('seed', values.seed),
      count: whole('kills', values.kills),
      workers: whole('workers', values.workers ?? '6'),
      json: values.json,
    })
  if (name === 'attacks') return attack(path, whole('tries', values.tries))
  const workers = whole('workers', values.workers ?? '3')
  return demo({ program: path, workers, stars: whole('stars', values.stars) })
}

/** Prints a table. Returns the exit status. */
async function attack(path: string, tries: number): Promise<number> {
  console.log(`| ${heads.join(' | ')} |\n|${heads.map(() => ' --- |').join('')}`)
  const outcomes = await attacked(path, { tries, points: 2000 }, console.log)
  return outcomes.some(({ bad }) => bad > 0) ? 1 : 0
}

function whole(option: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  return wrong(`--${option} expected integer >= 1, got ${JSON.stringify(text)}`)
}

function wrong(message: string): never {
  console.error(`cluster: ${message}; see --help`)
  process.exit(2)
}
