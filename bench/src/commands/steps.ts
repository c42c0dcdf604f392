/**
 * `steps`: the overhead of a simulation's step beyond its forces, the cost of a frame drawn after each step on WebGPU, and the speed of a
 * sum on the device. It prints a table of medians and makes no record. Rounds alternate, so that a busy machine slows all columns alike.
 */

import {
  accelerations,
  coulomb,
  createEngine,
  type Device,
  externalPotential,
  gravity,
  langevin,
  type PairWorkload,
  type Sequence,
  type Simulation,
  type Stage,
} from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/judge'
import { type Command, Option } from 'commander'
import { backends } from 'manybody'
import { uniformBox } from 'manybody/initial'
import { wholeFrom } from '../arguments/options.ts'
import { framesOf } from '../contenders/frames.ts'

interface Options {
  readonly backend: string
  readonly size: number
  readonly rounds: number
}

export function steps(program: Command): Command {
  return program
    .command('steps')
    .description('what a step of a simulation costs beyond its forces, and how fast sums on the device are')
    .addOption(
      new Option('--backend <name>', 'where').choices(['cpu-wasm', 'webgpu', 'webgl', 'reference']).default('cpu-wasm'),
    )
    .addOption(new Option('--size <n>', 'points').argParser(wholeFrom('size', 1e6)).default(16_384))
    .addOption(new Option('--rounds <n>', 'rounds').argParser(wholeFrom('rounds', 1000)).default(7))
    .action(measure)
}

const softening = 0.05
const trap = externalPotential('mass*(position_x^2 + position_y^2 + position_z^2)/2', { inertia: 'mass' })

async function measure({ backend, size, rounds }: Options): Promise<void> {
  await using engine = await createEngine({ backends: backends(), backend, crossover: false })
  const { device } = engine
  const particles = {
    position: Float32Array.from(uniformBox({ count: size, seed: 1, lengths: [1, 1, 1] })),
    mass: new Float32Array(size).fill(1 / size),
    charge: Float32Array.from({ length: size }, (_, n) => (n % 2 ? 1e-4 : -1e-4)),
  }
  const law = gravity({ softening })
  const charged = { ...coulomb(), inertia: 'mass' }
  const dt = 1e-6
  const one = await engine.simulate({ law, particles, dt })
  const several = await engine.simulate({
    forces: [law, charged, trap()],
    particles,
    integrator: langevin({ temperature: 1, friction: 1, seed: 1 }),
    dt,
  })
  const alone = await forceOf(device, [accelerations(law)], particles)
  const both = await forceOf(device, [accelerations(law), accelerations(charged)], particles)
  const draw = backend === 'webgpu' ? framesOf(await one.gpuBuffer('position')) : undefined
  const contenders: Readonly<Record<string, (count: number) => Promise<void>>> = {
    'one law alone': (count) => alone.run(count),
    'leapfrog with it': (count) => one.step(count),
    ...(draw && { 'leapfrog, every step drawn': (count: number) => drawn(one, count, draw) }),
    'two laws alone': (count) => both.run(count),
    'Langevin with them and a trap': (count) => several.step(count),
  }
  const times = await medians(contenders, rounds, await stepsIn(() => one.step(1)))
  console.log(`${device.info.name}, ${backend}, ${size} points, medians of ${rounds} rounds`)
  for (const [name, time] of Object.entries(times)) console.log(`${name.padEnd(32)} ${time.toFixed(3)} ms`)
  const beyond = (step: string, force: string) =>
    `${(100 * ((times[step] as number) / (times[force] as number) - 1)).toFixed(1)} %`
  console.log(`a step beyond its force: ${beyond('leapfrog with it', 'one law alone')}`)
  console.log(`with two laws, a trap and a thermostat: ${beyond('Langevin with them and a trap', 'two laws alone')}`)
  await sums(device, rounds)
}

/** Steps of a simulation with a frame after each. The frame is submitted before the next step is asked for. */
async function drawn(simulation: Simulation, count: number, draw: () => void): Promise<void> {
  for (let n = 0; n < count; n++) {
    await simulation.step(1)
    draw()
  }
}

/** How many steps take about 20 ms, so that waiting for a graphics card counts little. */
async function stepsIn(step: () => Promise<void>): Promise<number> {
  await step()
  const start = performance.now()
  for (let n = 0; n < 5; n++) await step()
  return Math.ceil(100 / (performance.now() - start))
}

/** The forces alone, with their arrays on the device. */
async function forceOf(
  device: Device,
  workloads: readonly PairWorkload[],
  particles: Readonly<Record<string, Float32Array>>,
): Promise<Sequence> {
  const stages: Stage[] = []
  for (const workload of workloads) {
    const names = workload.law.name === 'gravity' ? ['position', 'mass'] : ['position', 'mass', 'charge']
    const given = Object.fromEntries(names.map((name) => [name, particles[name] as Float32Array]))
    const { shape, bindings } = deviceNumbers(bind(workload, given as never), device.info.precision)
    const arrays: Record<string, Awaited<ReturnType<Device['buffer']>>> = {}
    for (const [name, array] of Object.entries(bindings.targets.arrays)) {
      const buffer = await device.buffer(array.length)
      await buffer.write(array as Float32Array)
      arrays[name] = buffer
    }
    const set = { count: shape.targets, arrays }
    const acceleration = await device.buffer(3 * shape.targets)
    const program = await device.prepare(workload, shape)
    stages.push({ program, bindings: { ...bindings, targets: set, sources: set }, outputs: { acceleration } })
  }
  return device.sequence(stages)
}

const millions = 1e6

/** A sum over a million numbers, compared with the time that memory needs to move as many bytes. */
async function sums(device: Device, rounds: number): Promise<void> {
  const buffer = await device.buffer(millions)
  await buffer.write(Float32Array.from({ length: millions }, (_, n) => n % 7))
  if (!buffer.total) {
    console.log('sums are added up on the processor')
    return
  }
  const [from, to] = [new Float32Array(millions).fill(1), new Float32Array(millions)]
  const times = await medians(
    {
      sum: async () => void (await buffer.total?.()),
      copy: async () => to.set(from),
      read: async () => void (await buffer.read()),
    },
    20 * rounds,
    1,
  )
  const [sum, copy, read] = [times.sum, times.copy, times.read] as [number, number, number]
  console.log(`a sum over 1e6 numbers: ${sum.toFixed(3)} ms on the device, ${read.toFixed(3)} ms to read them all,`)
  console.log(`${(copy / 2).toFixed(3)} ms for as many bytes at the speed of a copy in this process`)
  buffer.dispose()
}

/** Median milliseconds per step of each contender, over rounds of `count` steps. */
async function medians(
  contenders: Readonly<Record<string, (count: number) => Promise<void>>>,
  rounds: number,
  count: number,
): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
  for (let round = -2; round < rounds; round++)
    for (const [name, run] of Object.entries(contenders)) {
      const start = performance.now()
      await run(count)
      if (round >= 0) times.get(name)?.push((performance.now() - start) / count)
    }
  return Object.fromEntries(
    [...times].map(([name, all]) => [name, all.sort((a, b) => a - b)[Math.floor(all.length / 2)] as number]),
  )
}
