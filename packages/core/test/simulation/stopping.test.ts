// The state of a simulation after an abort and after its disposal, and the progress that it reports.

import { describe, expect, it } from 'vitest'
import { particles, setup } from '../support/eight-points.ts'
import { referenceEngine } from '../support/reference-engine.ts'

describe('an abort', () => {
  it('leaves the state of the step in `steps`, from which it continues', async () => {
    await using engine = await referenceEngine()
    const [controller, reason] = [new AbortController(), new Error('enough')]
    const simulation = await engine.simulate(setup)
    const onProgress = (fraction: number) => {
      if (fraction > 0.01) controller.abort(reason)
    }
    await expect(simulation.step(400, { signal: controller.signal, onProgress })).rejects.toBe(reason)
    const reached = simulation.steps
    expect(reached).toBeGreaterThan(0)
    expect(reached).toBeLessThan(400)
    const other = await engine.simulate(setup)
    await other.step(reached)
    expect(await simulation.read('position')).toEqual(await other.read('position'))
    await simulation.step(3)
    await other.step(3)
    expect(await simulation.read('velocity')).toEqual(await other.read('velocity'))
  })

  it('before the first step leaves the state unchanged', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate(setup)
    await expect(simulation.step(5, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    expect(simulation.steps).toBe(0)
    expect(await simulation.read('position')).toEqual(particles.position)
  })
})

it('progress of a run of steps rises to 1', async () => {
  await using engine = await referenceEngine()
  const seen: number[] = []
  await (await engine.simulate(setup)).step(30, { onProgress: (fraction) => seen.push(fraction) })
  expect(seen.at(-1)).toBe(1)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen[0]).toBeGreaterThan(0)
})

describe('a disposed simulation', () => {
  const refusal = 'Cannot continue: the simulation was disposed; resume a snapshot of it'

  it('rejects steps and reads, but an earlier snapshot of it can be resumed', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate(setup)
    await simulation.step(2)
    const snapshot = await simulation.snapshot()
    simulation.dispose()
    await expect(simulation.step()).rejects.toThrow(refusal)
    await expect(simulation.read('position')).rejects.toThrow(refusal)
    expect(simulation.steps).toBe(2)
    const resumed = await engine.resume(snapshot)
    await resumed.step(1)
    expect(resumed.steps).toBe(3)
  })

  it('ends its current calls', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate(setup)
    const onProgress = () => simulation.dispose()
    await expect(simulation.step(1000, { onProgress })).rejects.toThrow(refusal)
    expect(simulation.steps).toBeLessThan(1000)
  })
})

it('a disposed engine starts no simulation', async () => {
  const engine = await referenceEngine()
  const snapshot = await (await engine.simulate(setup)).snapshot()
  engine.dispose()
  const refusal = 'Cannot run: the engine was disposed; create a new one'
  await expect(engine.simulate(setup)).rejects.toThrow(refusal)
  await expect(engine.resume(snapshot)).rejects.toThrow(refusal)
})
