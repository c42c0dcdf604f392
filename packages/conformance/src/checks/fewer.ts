/**
 * A program may run over fewer points than it was prepared for, and a buffer may get shorter and longer within its room. Both are
 * optional; a device that has them must agree with programs and buffers of the exact size.
 *
 * @module
 */
import { accelerations, type Device, gravity, map, pairTerm, reduce, type Workload } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { atPrecision } from '../judging/at-precision.ts'
import { cloud } from '../points.ts'
import { randomOf } from '../random.ts'
import { type Check, differing, tolerance, unless } from './check.ts'

const most = 300
const counts = [most, 2, 64, 129, 299] as const

const workloads: Readonly<Record<string, Workload>> = {
  'sums over pairs': accelerations(gravity({ softening: 0.1 })),
  'sums within a cutoff, without some pairs': accelerations(gravity(), { cutoff: 0.7, exclusions: [[0, 1]] }),
  minima: reduce('min', pairTerm('mass_j*r')()),
  'maps of points': map({ next: 'position + mass*position' }),
}

const pointsOf = (count: number) => ({
  position: cloud({ count: most, seed: 7, apart: 1e-3 }).subarray(0, 3 * count),
  mass: randomOf(8).array(most, 0.5, 1).subarray(0, count),
})

export const fewerChecks: readonly Check[] = [
  {
    name: 'sizes: a program runs over fewer points than it was prepared for',
    async faults(device) {
      const found: string[] = []
      for (const [name, workload] of Object.entries(workloads)) found.push(...(await sizesOf(device, name, workload)))
      return found
    },
  },
  {
    name: 'buffers: get shorter and longer, and keep some stretches',
    async faults(device) {
      const buffer = await device.buffer(400)
      if (!buffer.resize || !buffer.keep) return unless(!buffer.resize && !buffer.keep, 'resize and keep go together')
      const given = { position: randomOf(9).array(400, -1, 1) }
      const { position: numbers } = atPrecision(given, device.info.precision) as typeof given
      await buffer.write(numbers)
      await buffer.resize(300)
      const faults = [...differing('a shorter buffer', await buffer.read(), numbers.subarray(0, 300), 0)]
      const many = Array.from({ length: 100 }, (_, n) => [3 * n, 3 * n + 2] as const)
      let now = Array.from(numbers.subarray(0, 300))
      for (const stretches of [
        [[0, 300]],
        [
          [0, 290],
          [291, 300],
        ],
        [
          [5, 200],
          [203, 299],
        ],
        many,
        [[2, 4]],
        [],
      ] as const) {
        await buffer.resize(300)
        await buffer.write(numbers.subarray(0, 300))
        await buffer.keep(stretches)
        now = stretches.flatMap(([first, last]) => Array.from(numbers.subarray(first, last)))
        faults.push(...differing(`${stretches.length} stretches of a buffer`, await buffer.read(), now, 0))
      }
      await buffer.resize(400)
      await buffer.write(numbers)
      faults.push(...differing('a buffer as long as at first', await buffer.read(), numbers, 0))
      buffer.dispose()
      return faults
    },
  },
]

async function sizesOf(device: Device, name: string, workload: Workload): Promise<readonly string[]> {
  const { shape } = bind(workload, pointsOf(most))
  if (!device.supports(workload, shape).ok) return []
  const program = await device.prepare(workload, shape)
  const faults: string[] = []
  const [result = ''] = workload.results
  const [position, mass] = [await device.buffer(3 * most), await device.buffer(most)]
  const width = workload.loop === 'pair' && workload.reduction === 'min' ? 1 : 3
  const output = await device.buffer(width * most)
  for (const count of program.fewer && position.resize ? counts : []) {
    const points = atPrecision(pointsOf(count), device.info.precision) as ReturnType<typeof pointsOf>
    const bound = bind(workload, points)
    const exact = await device.prepare(workload, bound.shape)
    const { [result]: expected = [] } = await exact.run(bound.bindings)
    exact.dispose()
    const allowed = tolerance[device.info.precision]
    const { [result]: ran = [] } = await program.run(bound.bindings)
    faults.push(...differing(`${name} of ${count} of ${most} points`, ran, expected, allowed))
    const lengths = [
      [position, 3 * count],
      [mass, count],
      [output, width * count],
    ] as const
    for (const [buffer, length] of lengths) await buffer.resize?.(length)
    await position.write(points.position)
    await mass.write(points.mass)
    const set = { count, arrays: { position, mass } }
    const sequence = await device.sequence([
      { program, bindings: { ...bound.bindings, targets: set, sources: set }, outputs: { [result]: output } },
    ])
    await sequence.run(2)
    faults.push(
      ...differing(`${name} of ${count} of ${most} points in a sequence`, await output.read(), expected, allowed),
    )
    sequence.dispose()
  }
  for (const one of [position, mass, output, program]) one.dispose()
  return faults
}
