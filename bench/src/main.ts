/** The benchmark, which `npm run bench` runs: for now the float64 reference, the yardstick of all others. */

import { writeFile } from 'node:fs/promises'
import Table from 'cli-table3'
import { createEngine, type Engine } from 'manybody'
import { ArgumentError, type Arguments, argumentsOf, help } from './arguments.ts'
import { machine } from './machine.ts'
import { measure } from './measure.ts'
import type { Record, Result } from './record.ts'
import { type Case, cases } from './workloads.ts'

try {
  const argv = process.argv.slice(2)
  const options = argumentsOf(argv)
  if (options.help) console.log(help)
  else await bench(options, ['npm run bench --', ...argv].join(' '))
} catch (error) {
  const wrongArguments = error instanceof ArgumentError
  console.error(`bench: ${error instanceof Error ? error.message : error}${wrongArguments ? '; see --help' : ''}`)
  process.exitCode = wrongArguments ? 2 : 1
}

async function bench({ json, rounds }: Arguments, command: string): Promise<void> {
  const here = machine()
  await using engine = await createEngine({ backend: 'reference' })
  const results = await resultsOf(engine, rounds)
  console.log(`${here.cpu}, ${here.cores} cores, Node ${here.node}, load ${here.load}; median of ${rounds} runs\n`)
  console.log(table(results))
  const record: Record = { date: new Date().toISOString().slice(0, 10), command, machine: here, rounds, results }
  if (json !== undefined) await writeFile(json, `${JSON.stringify(record, null, 2)}\n`)
}

async function resultsOf(engine: Engine, rounds: number): Promise<readonly Result[]> {
  const tasks = await Promise.all(cases.map((one) => taskOf(engine, one)))
  const measured = await measure(tasks, rounds)
  return measured.map(({ task: { name, count, report }, times }) => {
    const { backend, device, kind, variant, precision, interactions } = report
    const interactionsPerSecond = Math.round(interactions / (times.median / 1000))
    return { name, count, backend, device, kind, variant, precision, interactions, interactionsPerSecond, times }
  })
}

async function taskOf(engine: Engine, { name, count, workload, particles }: Case) {
  const program = await engine.prepare(workload, { count })
  const { report } = await program.run(particles)
  return { name, count, report, run: () => program.run(particles) }
}

function table(results: readonly Result[]): string {
  const made = new Table({
    head: ['case', 'N', 'ran on', 'median, ms', 'quartiles', 'interactions/s'],
    colAligns: ['left', 'right', 'left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  })
  for (const { name, count, backend, precision, times, interactionsPerSecond } of results) {
    const { median, lowerQuartile, upperQuartile } = times
    made.push([
      name,
      count,
      `${backend}, ${precision}`,
      median.toFixed(1),
      `${lowerQuartile.toFixed(1)} to ${upperQuartile.toFixed(1)}`,
      `${(interactionsPerSecond / 1e6).toFixed(2)} M`,
    ])
  }
  return made.toString()
}
