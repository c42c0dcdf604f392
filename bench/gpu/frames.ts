/**
 * The command `npm run bench:gpu -- frames`: prints how long the frames of two simulations take on a graphics card: of test particles
 * around ten bodies, and of soft balls in a box, where ten leave and ten come in each frame. It makes no record.
 */

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, type Engine, gravity, pairPotential, periodic } from '@manybody/core'
import { Command, Option } from 'commander'
import { wholeFrom } from '../src/arguments/options.ts'
import { randomFrom } from '../src/random.ts'
import { loadDawn } from './dawn.ts'
import { dawnOption, type Places } from './options.ts'

interface Options extends Pick<Places, 'dawn'> {
  readonly particles: number
  readonly points: number
  readonly frames: number
}

type Frame = (n: number) => Promise<unknown>

const most = 2 ** 24
const bodies = 10

export const framesCommand = (): Command =>
  new Command('frames')
    .description('prints how long frames take: of test particles around ten bodies, and of points that come and go')
    .addOption(
      new Option('--particles <n>', 'number of test particles').argParser(wholeFrom('particles', most)).default(1e6),
    )
    .addOption(
      new Option('--points <n>', 'number of points that come and go').argParser(wholeFrom('points', most)).default(1e5),
    )
    .addOption(new Option('--frames <n>', 'frames that are timed').argParser(wholeFrom('frames', 1e5)).default(300))
    .addOption(dawnOption())
    .action(async ({ particles, points, frames, dawn }: Options) => {
      await loadDawn(dawn)
      await using engine = await createEngine({ backends: [webgpu()] })
      console.log(`${engine.device.info.name}, ${engine.device.info.kind}`)
      await timeTestParticles(engine, particles, frames)
      await timeComingAndGoing(engine, points, frames)
    })

async function timeTestParticles(engine: Engine<'f32'>, count: number, frames: number): Promise<void> {
  const random = randomFrom(1)
  const all = bodies + count
  await using simulation = await engine.simulate({
    law: gravity({ softening: 0.01 }),
    particles: {
      position: Float32Array.from({ length: 3 * all }, () => 2 * random() - 1),
      mass: Float32Array.from({ length: all }, (_, n) => (n < bodies ? 1 / bodies : 0)),
    },
    ...{ sources: bodies, dt: 1e-3 },
  })
  const together = await timed(1, () => simulation.step(frames))
  console.log(`${count} test particles around ${bodies} bodies: ${(together / frames).toFixed(3)} ms a step`)
}

async function timeComingAndGoing(engine: Engine<'f32'>, count: number, frames: number): Promise<void> {
  const random = randomFrom(2)
  const edge = Math.cbrt(count)
  const born = (some: number) => ({
    position: Float32Array.from({ length: 3 * some }, () => edge * random()),
    mass: new Float32Array(some).fill(1),
  })
  const soft = pairPotential('10*(1 - r)^2', { inertia: 'mass' })
  await using simulation = await engine.simulate({
    particles: born(count),
    forces: [{ law: soft(), boundary: periodic([edge, edge, edge]), cutoff: 1 }],
    ...{ dt: 0.005, capacity: count + bodies },
  })
  const leaving = Array.from({ length: bodies }, (_, n) => n)
  const frame = async (coming: number) => {
    await simulation.remove(leaving)
    await simulation.add(born(coming))
    await simulation.step(1)
  }
  const kinds: Readonly<Record<string, Frame>> = {
    'without changes': () => simulation.step(1),
    [`${bodies} leave and ${bodies} come`]: () => frame(bodies),
    'their number changes, too': (n) => frame(bodies + (n % 2 === 0 ? 1 : -1)),
  }
  for (const [name, work] of Object.entries(kinds))
    console.log(`${count} points, ${name}: ${(await timed(frames, work)).toFixed(3)} ms a frame`)
}

/** Milliseconds of a frame: the least of three means, after as many frames that do not count. */
async function timed(frames: number, frame: Frame): Promise<number> {
  const means: number[] = []
  for (let round = 0; round < 4; round++) {
    const start = performance.now()
    for (let n = 0; n < frames; n++) await frame(n)
    if (round > 0) means.push((performance.now() - start) / frames)
  }
  return Math.min(...means)
}
