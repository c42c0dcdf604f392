// Steps a simulation on a cluster and saves every step, for tests that kill it. Says after each how many steps are saved.
//   steps.ts SERVER SIMULATION STEPS POINTS

import { cluster, openCheckpoint } from '@manybody/cluster'
import { createEngine } from 'manybody'
import { moving } from './moving.ts'

const [servers = '', simulation = '', steps = '', points = ''] = process.argv.slice(2)
const kept = await openCheckpoint({ servers, simulation })
const engine = await createEngine({ backends: [cluster({ servers, always: true })] })
const running = kept.state ? await engine.resume(kept.state) : await engine.simulate(moving(Number(points)))
process.stdout.write(`epoch ${kept.epoch} begins at ${running.steps}\n`)
while (running.steps < Number(steps)) {
  await running.step()
  await kept.save(await running.snapshot())
  process.stdout.write(`saved ${running.steps}\n`)
}
process.exit()
