// Runs in the page: one attempt of one fault at a time.

import { randomOf } from '../../packages/conformance/src/random.ts'
import type { Outcome } from './fault.ts'
import { faults } from './list.ts'
import { watch } from './spies.ts'
import { pause } from './work.ts'

watch()
const unhandled: string[] = []
addEventListener('unhandledrejection', ({ reason }) => unhandled.push(String(reason)))
addEventListener('error', ({ message }) => unhandled.push(message))

async function attempt(name: string, seed: number): Promise<Outcome> {
  const fault = faults.find((one) => one.name === name)
  if (!fault) throw new RangeError(`"name" expected that of a fault, got "${name}"`)
  const random = randomOf(seed)
  let outcome: Outcome
  try {
    outcome = await fault.attempt(() => random.uniform(0, 1))
  } catch (error) {
    outcome = { kind: 'bad', note: `outside of the work: ${error}` }
  }
  // Unhandled rejections are reported a little later.
  await pause(0)
  const [first] = unhandled.splice(0)
  return first === undefined ? outcome : { kind: 'bad', note: `unhandled: ${first}` }
}

Object.assign(globalThis, { attempt, ready: true })
