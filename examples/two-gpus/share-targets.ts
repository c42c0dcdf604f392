/**
 * Two processes, each with a GPU of its machine, share the targets of one problem. Dawn always takes the first of two equal cards, so each
 * process must see only one. A mount namespace hides the device file of the other (Linux, root, NVIDIA's driver). On other machines, both
 * processes use any device that they find.
 */

import { fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { accelerations, createEngine, gravity } from 'manybody'
import { randomFrom } from '../support/random.ts'

interface Half {
  readonly device: string
  readonly milliseconds: number
  readonly acceleration: Float32Array
}

const [half] = process.argv.slice(2)
const count = Number(process.env.POINTS ?? 4096)
const random = randomFrom(1)
const position = Float32Array.from({ length: 3 * count }, random)
const mass = Float32Array.from({ length: count }, () => 1 / count)
const law = accelerations(gravity({ softening: 0.01 }))

const firstOf = (part: number): number => Math.floor((part * count) / 2)

if (half === undefined) await share()
else await compute(Number(half))

/** Starts both processes, and compares their results with one process. */
async function share(): Promise<void> {
  const halves = await Promise.all([0, 1].map(answerOf))
  for (const { device, milliseconds } of halves) console.log(`half on ${device}: ${milliseconds.toFixed(1)} ms`)
  await using engine = await createEngine()
  const { acceleration } = await engine.run(law, { position, mass })
  const joined = new Float32Array(3 * count)
  for (const [part, one] of halves.entries()) joined.set(one.acceleration, 3 * firstOf(part))
  const largest = (numbers: Float32Array) => numbers.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  const off = largest(joined.map((a, n) => a - (acceleration[n] as number))) / largest(acceleration)
  console.log(`both halves differ from one process by ${off.toExponential(0)} of the largest acceleration`)
}

/** Starts a process that sees one of the GPUs. Returns its results. */
async function answerOf(gpu: number): Promise<Half> {
  const hidden = `/dev/nvidia${1 - gpu}`
  const own = fileURLToPath(import.meta.url)
  const options: SpawnOptions = { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' }
  const hide = ['--mount', 'sh', '-c', `mount --bind /dev/null ${hidden} && exec "$@"`, 'sh']
  const child = existsSync('/dev/nvidia1')
    ? spawn('unshare', [...hide, process.execPath, ...process.execArgv, own, String(gpu)], options)
    : fork(own, [String(gpu)], options)
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit').then(ended)])
  return answer as Half
}

function ended([code]: unknown[]): never {
  throw new Error(`a process ended with code ${code} before it answered`)
}

/** Computes one half of the targets with all sources. */
async function compute(part: number): Promise<void> {
  await using engine = await createEngine()
  const [first, last] = [firstOf(part), firstOf(part + 1)]
  const targets = { position: position.subarray(3 * first, 3 * last), mass: mass.subarray(first, last) }
  const given = { targets, sources: { position, mass } }
  await engine.run(law, given)
  const start = performance.now()
  const { acceleration } = await engine.run(law, given)
  const answer: Half = { device: engine.device.info.name, milliseconds: performance.now() - start, acceleration }
  process.send?.(answer, () => process.disconnect())
}
