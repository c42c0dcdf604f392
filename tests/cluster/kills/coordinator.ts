// A coordinator that gets killed. It continues the simulation from its checkpoint, and prints a line when it begins a step and when it
// has saved one.
//   coordinator.ts SERVER

import { openCheckpoint } from '@manybody/cluster'
import { createEngine } from 'manybody'
import { advance, galaxy, spread } from './problem.ts'

const [servers = ''] = process.argv.slice(2)
const kept = await openCheckpoint({ servers, simulation: 'galaxy' })
const engine = await createEngine({ backends: [spread(servers)] })
const simulation = kept.state ? await engine.resume(kept.state) : await engine.simulate(galaxy)
for (;;) {
  process.stdout.write(`${JSON.stringify({ begins: simulation.steps + 1 })}\n`)
  const step = await advance(engine, simulation)
  await kept.save(await simulation.snapshot())
  process.stdout.write(`${JSON.stringify({ epoch: kept.epoch, ...step })}\n`)
}
