// Workgroups of any size run, within the limits of the adapter and within the default limits. A size that does not fit is clipped, and the
// report gives the new size and the reason.

import { webgpu } from '@manybody/backend-webgpu'
import type { Particles } from '@manybody/core'
import {
  accelerations,
  cellIndex,
  gradient,
  gravity,
  map,
  matrix,
  nearest,
  type Plan,
  type Workload,
} from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { describe, expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'
import { inShare } from '../../support/share.ts'

const devices = { 'full limits': await webgpu().open(), 'default limits': await webgpu({ defaultLimits: true }).open() }
const count = 133
const particles = { position: numbers(3 * count, 1), mass: numbers(count, 2) }
const workload = accelerations(gravity({ softening: 0.05 }))

/** Both devices have the same limit of invocations, so the second needs only one size of each kind. */
const askedOf = { 'full limits': [1, 2, 3, 7, 1000, 1024], 'default limits': [7, 1024] }
// Unroll little, because a software GPU takes long to compile unrolled loops.
const pairPlans: readonly Plan[] = [
  { variant: 'naive' },
  { variant: 'grid-stride' },
  { variant: 'vectorised' },
  { variant: 'tiled' },
  { variant: 'tiled-unrolled', sizes: { unroll: 2 } },
  { variant: 'tiled-vectorised', sizes: { unroll: 2 } },
  { variant: 'register-blocked', sizes: { targets: 2, unroll: 1 } },
  { variant: 'split', sizes: { targets: 1, unroll: 1, parts: 3 } },
  { variant: 'sliced', sizes: { unroll: 1, slices: 4 } },
  { variant: 'subgroup-shuffle', sizes: { targets: 1, unroll: 1 } },
]

for (const limits of ['full limits', 'default limits'] as const)
  describe(limits, () => {
    const device = devices[limits]
    const asked = askedOf[limits]
    for (const { variant, sizes } of pairPlans)
      test(variant, async () => {
        // A clipped size compiles the same as 256, so it runs once for each variant. Each other size runs for half of the variants.
        for (const workgroup of asked.filter(
          (size) => size === 1000 || inShare(`${variant} ${limits} ${size}`, 0, 2),
        )) {
          const ran = await expectTruth(workload, particles, { variant, sizes: { ...sizes, workgroup } })
          const whole = variant === 'subgroup-shuffle' ? 4 : 1
          if (workgroup > 256) expect(ran).toContain(`workgroup 256 of ${workgroup}, the limit of the device`)
          else if (workgroup % whole) expect(ran).toContain(`workgroup 4 of ${workgroup}, whole subgroups of up to 4`)
          else expect(ran).toMatch(new RegExp(`workgroup ${workgroup}[,)]`))
        }
        const huge = device.prepare(workload, bind(workload, particles).shape, { variant, sizes: { workgroup: 4096 } })
        await expect(huge).rejects.toThrow('"workgroup" expected integer from 1 to 1024, got 4096')
      })

    const moving = { ...particles, velocity: numbers(3 * count, 3) }
    const elements: readonly [string, Workload, Particles][] = [
      ['staged', map({ position: 'position + 0.1*velocity' }), moving],
      ['staged', cellIndex({ cells: [3, 4, 5], spacing: 0.25 }), particles],
      ['direct', map({ twice: '2*mass' }), particles],
      ['marching', gradient({ cells: [4, 5, 6], spacing: 0.1 }), { field: numbers(120, 4) }],
    ]
    test.each(elements)('%s elements', async (variant, element, data) => {
      for (const workgroup of asked) {
        const ran = await expectTruth(element, data, { variant, sizes: { workgroup } })
        if (workgroup <= 7) expect(ran).toBe(`${variant} (workgroup ${workgroup})`)
        else expect(ran).toBe(`${variant} (workgroup 256 of ${workgroup}, the limit of the device)`)
      }
      const { shape } = bind(element, data)
      const plan = (sizes: Record<string, number>) => device.prepare(element, shape, { variant, sizes })
      await expect(plan({ workgroup: 4096 })).rejects.toThrow('expected integer from 1 to 1024, got 4096')
      await expect(plan({ unroll: 2 })).rejects.toThrow('"sizes" expected workgroup, got unroll')
    })

    test('a matrix rejects a plan', async () => {
      const all = matrix(gravity())
      await expect(device.prepare(all, bind(all, particles).shape, { variant: 'tiled' })).rejects.toThrow(
        'choose its loop',
      )
    })

    async function expectTruth(w: Workload, data: Particles, plan: Plan): Promise<string> {
      const { shape, bindings } = bind(w, data)
      const truth = truthOf(w, shape, bindings)
      const program = await device.prepare(w, shape, plan)
      const results = await program.run(bindings)
      for (const name of w.results) {
        const [got = [], expected = []] = [results[name], truth.results[name]]
        if (got instanceof Float32Array) {
          const { max } = errorNorms(got, expected, truth.scales[name] ?? [])
          expect(max).toBeLessThan(errorBound(program.report, shape.sources))
        } else expect([...got]).toEqual([...expected])
      }
      program.dispose()
      return program.report.variant
    }
  })

test('minima that do not fit one array are found in ranges of targets', async () => {
  const device = devices['default limits']
  const [targets, sources] = [12100, 3000]
  const data = { targets: { position: numbers(3 * targets, 5) }, sources: { position: numbers(3 * sources, 6) } }
  const { shape, bindings } = bind(nearest(3), data)
  // One group per source: 144 MB of minima, while an array can have 128 MiB.
  const minima = { variant: 'group-minima', sizes: { workgroup: 32, targets: 4, unroll: 2, group: 1, parts: 1 } }
  const [ranged, listed] = await Promise.all([
    device.prepare(nearest(3), shape, minima),
    device.prepare(nearest(3), shape, { variant: 'naive' }),
  ])
  const { index: expected = [] } = await listed.run(bindings)
  for (const range of [
    [0, targets],
    [50, targets - 9],
  ] as const) {
    const earlier = await ranged.run(bindings, { targets: range, sources: [0, 4] })
    const { index } = await ranged.run(bindings, { targets: range, sources: [4, sources], initial: earlier })
    expect(index?.join()).toBe(expected.slice(3 * range[0], 3 * range[1]).join())
  }
  for (const program of [ranged, listed]) program.dispose()
})
