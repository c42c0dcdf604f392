// Sequences move points as separate runs do, convert whole numbers, and refuse arrays that do not fit.

import {
  accelerations,
  cellIndex,
  countWithin,
  type Device,
  type DeviceBuffer,
  gravity,
  map,
  nearest,
  pairTerm,
  reduce,
  reference,
  stencil,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points, spread } from './support/points.ts'

const law = gravity({ softening: 0.05 })
let device: Device
beforeEach(async () => {
  device = await cpuWasm().open({ threads: 2 })
})
afterEach(() => device.dispose())
describe('a sequence', () => {
  it('moves points as separate runs do', async () => {
    const { position, velocity, mass } = points(300)
    const forces = accelerations(law)
    const kick = map({ velocity: 'velocity + dt*acceleration' }, { dt: 0.01 })
    const drift = map({ position: 'position + dt*velocity' }, { dt: 0.01 })
    const shape = {
      dimension: 3,
      targets: 300,
      sources: 300,
      sameSet: true,
      vectors: ['position', 'velocity', 'acceleration'],
    } as const
    const programs = await Promise.all([forces, kick, drift].map((w) => device.prepare(w, shape)))
    const [force, kicked, drifted] = programs
    if (!force || !kicked || !drifted) throw new Error('three programs were prepared')

    let [x, v] = [position, velocity]
    for (let step = 0; step < 5; step++) {
      const run = async (
        program: typeof force,
        parameters: Record<string, number>,
        arrays: Record<string, Float32Array>,
      ) => {
        const set = { count: 300, arrays }
        return program.run({ targets: set, sources: set, parameters })
      }
      const { acceleration } = await run(force, law.parameters, { position: x, mass })
      v = (await run(kicked, { dt: 0.01 }, { velocity: v, acceleration: acceleration as Float32Array }))
        .velocity as Float32Array
      x = (await run(drifted, { dt: 0.01 }, { position: x, velocity: v })).position as Float32Array
    }

    const buffers = {
      position: await device.buffer(900),
      velocity: await device.buffer(900),
      acceleration: await device.buffer(900),
      mass: await device.buffer(300),
    }
    await buffers.position.write(position)
    await buffers.velocity.write(velocity)
    await buffers.mass.write(mass)
    const set = { count: 300, arrays: buffers }
    const stage = (
      program: typeof force,
      parameters: Readonly<Record<string, number>>,
      name: keyof typeof buffers,
    ) => ({
      program,
      bindings: { targets: set, sources: set, parameters },
      outputs: { [name]: buffers[name] },
    })
    const sequence = await device.sequence([
      stage(force, law.parameters, 'acceleration'),
      stage(kicked, { dt: 0.01 }, 'velocity'),
      stage(drifted, { dt: 0.01 }, 'position'),
    ])
    await sequence.run(5)
    expect(await buffers.position.read()).toEqual(x)
    expect(await buffers.velocity.read()).toEqual(v)
    sequence.dispose()
  })

  it('may overwrite a field with its stencil', async () => {
    const cells = [9, 4]
    const blur = stencil({ field: '(c + xm + xp + ym + yp)/5' }, { cells, spacing: 1 })
    const shape = { dimension: 2, targets: 36, sources: 36, sameSet: true, vectors: [] } as const
    const program = await device.prepare(blur, shape)
    let field = spread(36, 5)
    const buffer = await device.buffer(36)
    await buffer.write(field)
    for (let step = 0; step < 3; step++) {
      const set = { count: 36, arrays: { field } }
      field = (await program.run({ targets: set, sources: set, parameters: {} })).field as Float32Array
    }
    const set = { count: 36, arrays: { field: buffer } }
    const sequence = await device.sequence([
      { program, bindings: { targets: set, sources: set, parameters: {} }, outputs: { field: buffer } },
    ])
    await sequence.run(3)
    expect(await buffer.read()).toEqual(field)
  })

  it('refuses arrays of another device', async () => {
    const { bindings, shape } = bind(accelerations(law), points(10))
    const program = await device.prepare(accelerations(law), shape)
    const other = await cpuWasm().open({ threads: 1 })
    const mass = await other.buffer(10)
    const set = { count: 10, arrays: { ...bindings.targets.arrays, mass } }
    await expect(program.run({ ...bindings, targets: set, sources: set })).rejects.toThrow(/of this device/)
    const outputs = { acceleration: await other.buffer(30) }
    await expect(device.sequence([{ program, bindings, outputs }])).rejects.toThrow(/of this device/)
    other.dispose()
  })

  describe.each(['f32', 'f64'] as const)('converts integer results to floats in %s', (precision) => {
    it.each([
      ['argmin', reduce('argmin', pairTerm('dx^2 + dy')()), ['index', 'value']],
      ['nearest', nearest(3), ['index', 'distance']],
      ['nearest with some missing', nearest(3, { cutoff: 0.2 }), ['index']],
      ['countWithin', countWithin(0.4), ['count']],
      ['cellIndex', cellIndex({ cells: [5, 4, 3], spacing: [0.2, 0.25, 0.3] }), ['index']],
    ] as const)('for %s, like the reference', async (_, workload, names) => {
      const { bindings, shape } = bind(workload, { position: points(50).position })
      const outcomes = [cpuWasm(), reference()].map(async (backend) => {
        const opened = await backend.open({ precision, threads: 2 })
        const program = await opened.prepare(workload, shape)
        const results = await program.run(bindings)
        const outputs: Record<string, DeviceBuffer> = {}
        for (const name of names) outputs[name] = await opened.buffer(results[name]?.length ?? 0)
        const sequence = await opened.sequence([{ program, bindings, outputs }])
        await sequence.run(2)
        const kept = await Promise.all(names.map(async (name) => Array.from((await outputs[name]?.read()) ?? [])))
        expect(kept).toEqual(names.map((name) => Array.from(results[name] ?? [])))
        opened.dispose()
        return kept[0]
      })
      const [ours, exact] = await Promise.all(outcomes)
      expect(ours?.length).toBeGreaterThan(0)
      expect(ours).toEqual(exact)
    })
  })

  it('refuses integers that float32 cannot represent exactly', async () => {
    const workload = cellIndex({ cells: [300, 300, 300], spacing: 1 / 300 })
    const { bindings, shape } = bind(workload, { position: points(10).position })
    const program = await device.prepare(workload, shape)
    const outputs = { index: await device.buffer(10) }
    await expect(device.sequence([{ program, bindings, outputs }])).rejects.toThrow(/27000000; use precision: 'f64'/)
  })

  it('refuses results that the program does not have, and buffers of another length', async () => {
    const { bindings, shape } = bind(nearest(2), points(10))
    const program = await device.prepare(nearest(2), shape)
    const sequence = async (name: string, length: number) =>
      device.sequence([{ program, bindings, outputs: { [name]: await device.buffer(length) } }])
    await expect(sequence('count', 20)).rejects.toThrow(/"outputs" expected index or distance, got "count"/)
    await expect(sequence('index', 10)).rejects.toThrow(/"outputs.index" expected a buffer of length 20, got 10/)
  })
})
