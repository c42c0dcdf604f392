// Frames of a simulation: when they come, their contents, and how they end.

import { expect, it } from 'vitest'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Simulation } from '../../src/simulation/simulation.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const pair = {
  position: Float64Array.of(-0.5, 0, 0, 0.5, 0, 0),
  velocity: Float64Array.of(0, -0.5, 0, 0, 0.5, 0),
  mass: Float64Array.of(0.5, 0.5),
}
const engine = await referenceEngine()
const begun = (): Promise<Simulation<'f64'>> =>
  engine.simulate({ law: gravity(), particles: pair, dt: 0.01 }) as Promise<Simulation<'f64'>>

it('gives the fields each time the given number of steps has run', async () => {
  const [simulation, other] = [await begun(), await begun()]
  const seen: number[] = []
  for await (const frame of simulation.frames({ every: 3, fields: ['position', 'velocity_y'] })) {
    await other.step(3)
    expect(frame.position).toEqual(await other.read('position'))
    expect(frame.velocity_y).toEqual(await other.read('velocity_y'))
    expect(frame.time).toBeCloseTo(0.01 * frame.steps)
    expect(frame.dimension).toBe(3)
    seen.push(frame.steps)
    if (seen.length === 3) break
  }
  expect(seen).toEqual([3, 6, 9])
  expect(simulation.steps).toBe(9)
})

it('stands still between frames, so that the loop may change the state', async () => {
  const simulation = await begun()
  for await (const { steps, position } of simulation.frames()) {
    if (steps === 1) await simulation.write('velocity', new Float64Array(6))
    if (steps === 2) {
      expect(Math.abs(position[1] as number)).toBeLessThan(0.006)
      break
    }
  }
})

it('reads each frame into the arrays of the one before, if it may', async () => {
  const [simulation, other] = [await begun(), await begun()]
  const seen: (readonly unknown[])[] = []
  for await (const { position, velocity_y, steps } of simulation.frames({
    fields: ['position', 'velocity_y'],
    reuse: true,
  })) {
    await other.step()
    expect(position).toEqual(await other.read('position'))
    expect(velocity_y).toEqual(await other.read('velocity_y'))
    seen.push([position, velocity_y])
    if (steps === 3) break
  }
  for (const frame of seen) for (const [n, array] of frame.entries()) expect(array).toBe(seen[0]?.[n])
  const fresh = (await other.frames().next()).value?.position
  expect((await other.frames().next()).value?.position).not.toBe(fresh)
})

it('takes the next steps while the body works, if it may', async () => {
  const [simulation, other] = [await begun(), await begun()]
  for await (const { position, steps } of simulation.frames({ every: 2, ahead: true })) {
    await other.step(2)
    expect(position).toEqual(await other.read('position'))
    // Waits for the steps that are under way.
    await simulation.read('position')
    expect(simulation.steps).toBe(steps + 2)
    if (steps === 6) break
  }
  await other.step(2)
  expect(await simulation.read('position')).toEqual(await other.read('position'))
})

it('reports a failure of the steps ahead in the next frame, even if nobody asks for it', async () => {
  const [simulation, controller] = [await begun(), new AbortController()]
  const frames = simulation.frames({ ahead: true, signal: controller.signal })
  controller.abort('enough')
  await expect(frames.next()).rejects.toBe('enough')
  const disposed = await begun()
  for await (const { steps } of disposed.frames({ ahead: true, every: 5 })) {
    expect(steps).toBe(5)
    disposed.dispose()
    break
  }
})

it('ends with the reason of the signal, before the next step', async () => {
  const [simulation, controller] = [await begun(), new AbortController()]
  const watch = async () => {
    for await (const { steps } of simulation.frames({ every: 2, signal: controller.signal }))
      if (steps === 4) controller.abort('enough')
  }
  await expect(watch()).rejects.toBe('enough')
  expect(simulation.steps).toBe(4)
})

it('reads all fields of a frame at one moment, even if other calls wait', async () => {
  const simulation = await begun()
  const frames = simulation.frames({ fields: ['position', 'velocity'] })
  const [{ value }] = await Promise.all([frames.next(), simulation.step(5)])
  const other = await begun()
  await other.step(value?.steps as number)
  expect(value?.position).toEqual(await other.read('position'))
  expect(value?.velocity).toEqual(await other.read('velocity'))
})

it.each([
  [{ every: 0 }, '"every" expected integer >= 1, got 0'],
  [{ fields: ['speed'] }, '"name" expected one of position, velocity, acceleration, previous, mass, got "speed"'],
  [{ fields: 'position' }, '"fields" expected a list of names'],
  [{ reuse: 1 }, '"reuse" expected true or false, got 1'],
  [{ ahead: 'yes' }, '"ahead" expected true or false, got "yes"'],
  [{ each: 1 }, '"each" is not an option of frames'],
])('refuses %j before anything moves', async (options, message) => {
  const simulation = await begun()
  expect(() => simulation.frames(options as object)).toThrow(message)
  expect(simulation.steps).toBe(0)
})

it('reports the fraction done and the seconds left', async () => {
  const simulation = await begun()
  const told: (readonly [number, number])[] = []
  await simulation.step(40, { onProgress: (done, left) => told.push([done, left]) })
  expect(told.length).toBeGreaterThan(1)
  expect(told.at(-1)).toEqual([1, 0])
  expect(told.slice(0, -1).every(([done, left]) => done < 1 && left > 0)).toBe(true)
})

it('rescales velocities to a temperature', async () => {
  const simulation = await begun()
  await simulation.rescale(3, { boltzmann: 2 })
  expect(await simulation.temperature({ boltzmann: 2 })).toBeCloseTo(3, 12)
  const [, vy] = await simulation.read('velocity')
  expect(vy).toBeLessThan(0)
  await expect(simulation.rescale(-1)).rejects.toThrow('"temperature" expected finite number >= 0, got -1')
  await simulation.rescale(0)
  await expect(simulation.rescale(1)).rejects.toThrow('Cannot rescale velocities: no point moves')
})
