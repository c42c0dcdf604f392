// A design is plain data: it survives a copy and JSON, and the copy runs with the same bits.

import {
  accelerations,
  cellIndex,
  countWithin,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  type Precision,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Workload,
} from '@manybody/core'
import type { Guard } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { describe, expect, it } from 'vitest'
import { designsOf } from '../src/compile/designs/compiler.ts'
import type { Designs } from '../src/design/designs.ts'
import { cpuWasm } from '../src/index.ts'
import { Host } from '../src/run/host/host.ts'
import { Memory } from '../src/run/host/memory.ts'
import { nearCode } from '../src/run/programs/near-code.ts'
import { WasmProgram } from '../src/run/programs/program.ts'
import { Executor } from '../src/run/threads/executor.ts'
import { spread } from './support/points.ts'

const count = 700
const points = { position: spread(3 * count, 1), mass: spread(count, 2), velocity: spread(3 * count, 3) }
const grid = { cells: [6, 5, 4], spacing: [0.2, 0.2, 0.3], origin: [0, 0, 0] }
const box = periodic([1, 1, 1])

const workloads: readonly (readonly [name: string, workload: Workload, variant: string | undefined])[] = [
  ['all pairs', accelerations(gravity()), 'simd'],
  ['each pair once', accelerations(gravity()), 'pairs-once'],
  ['a potential with a guard for some pairs', potentials(gravity({ softening: 0.1 })), undefined],
  ['blocks', forces(lennardJones({ epsilon: 1, sigma: 0.02 }), { cutoff: 0.1, boundary: box }), 'blocks'],
  ['the nearest', nearest(8), 'blocks'],
  ['counts', countWithin(0.1), 'blocks'],
  ['a matrix', matrix(pairTerm('exp(-r2)')()), undefined],
  ['logsumexp', reduce('logsumexp', pairTerm('-r2')()), undefined],
  ['a map', map({ position: 'position + 0.1*velocity' }), undefined],
  ['cells', cellIndex(grid), undefined],
]

/** The design as a file would hold it, with the bytes of the module as text. */
function throughJson<T extends { readonly module: Uint8Array<ArrayBuffer> }>({ module, ...design }: T): T {
  const text = btoa(String.fromCharCode(...module))
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  return { ...JSON.parse(JSON.stringify(structuredClone(design))), module: bytes }
}

async function bothRun(workload: Workload, data: object, precision: Precision, variant: string | undefined) {
  const { info } = await cpuWasm().open({ threads: 1, precision })
  const memory = new Memory()
  const host = new Host(info, memory, new Executor())
  const { shape, bindings } = bind(workload, data as Parameters<typeof bind>[1])
  const target = { precision, shared: memory.shared }
  const designs = await designsOf(workload, shape, target, true)
  const copied: Designs = {
    ...designs,
    facts: JSON.parse(JSON.stringify(designs.facts)),
    of(options) {
      const design = designs.of(options)
      expect(throughJson(design)).toEqual(design)
      return throughJson(design)
    },
    async tree() {
      const { of, ...rest } = await designs.tree()
      return { ...JSON.parse(JSON.stringify(rest)), of: (guard: Guard) => throughJson(of(guard)) }
    },
  }
  return [designs, copied]
    .map(
      (given) =>
        new WasmProgram(host, workload, shape, given, { plan: variant ? { variant } : undefined, near: nearCode }),
    )
    .map((program) => ({ program, bindings }))
}

const rounded = (data: object) =>
  Object.fromEntries(Object.entries(data).map(([name, numbers]) => [name, Float32Array.from(numbers)]))

describe.each(['f32', 'f64'] as const)('in %s', (precision) => {
  const data = precision === 'f32' ? rounded(points) : points

  it.each(workloads)('%s', async (_, workload, variant) => {
    const { position, mass } = data
    const read =
      workload.loop === 'particle'
        ? data
        : JSON.stringify(workload).includes('mass')
          ? { position, mass }
          : { position }
    const given = workload.loop === 'particle' && workload.operation === 'cellIndex' ? { position } : read
    const [own, copy] = await bothRun(workload, given, precision, variant)
    expect(await copy?.program.run(copy.bindings)).toEqual(await own?.program.run(own.bindings))
  })

  it('a stencil', async () => {
    const field = Float32Array.from(spread(120, 4))
    const [own, copy] = await bothRun(gradient(grid), { field }, precision, undefined)
    expect(await copy?.program.run(copy.bindings)).toEqual(await own?.program.run(own.bindings))
  })

  it('a tree', async () => {
    const setting = { proxies: 3, opening: 0.7 } as const
    const given = { position: data.position, mass: data.mass }
    const runs = await bothRun(accelerations(gravity({ softening: 0.1 })), given, precision, 'simd')
    const [own, copy] = await Promise.all(
      runs.map(async ({ program, bindings }) => (await program.tree?.())?.run(bindings, setting)),
    )
    expect(own?.acceleration).toHaveLength(3 * count)
    expect(copy).toEqual(own)
  })

  it.each(['open', 'with exclusions'])('a tree knows no number of points, %s', async (name) => {
    const exclusions = name === 'open' ? undefined : ([[0, 1]] as const)
    const workload = accelerations(gravity({ softening: 0.1 }), exclusions && { exclusions })
    const designAt = async (points: number) => {
      const shape = { dimension: 3, targets: points, sources: points, sameSet: true, vectors: ['position'] } as const
      const { of } = await (await designsOf(workload, shape, { precision, shared: false }, false)).tree()
      return of(false)
    }
    const [few, some, many] = await Promise.all([20, 1000, 100_000].map(designAt))
    expect(few).toEqual(some)
    expect(many).toEqual(some)
    expect(some?.nodeSet).toBe(name === 'open' ? undefined : true)
  })
})
