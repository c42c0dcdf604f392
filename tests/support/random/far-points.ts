// Points so far from a periodic box that float32 loses their place in it. A simulation that diverges has such points.

import { countWithin, type Device, periodic } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { numbers } from '../numbers.ts'

const lengths = [2.7, 2.1, 1.7] as const
const count = 3000

/** The faults of the loop by cells: it ends, and counts the same for any number of targets in a workgroup. */
export async function farFaults(device: Device): Promise<readonly string[]> {
  const workload = countWithin(0.3, { boundary: periodic(lengths) })
  const spread = numbers(3 * count, 1).map((x, n) => x * (lengths[n % 3] as number))
  const { shape, bindings } = bind(workload, { position: spread })
  const position = Float32Array.from(spread, (x, n) => (n < 2 * count ? x * 10 ** (7 + (n % 30)) : x))
  const near = bind(workload, { position: position.slice(2 * count) })
  const alone = await device.prepare(workload, near.shape, { variant: 'naive' })
  const fewest = (await alone.run(near.bindings)).count as Uint32Array
  alone.dispose()
  const set = { ...bindings.targets, arrays: { position } }
  const counts: Uint32Array[] = []
  for (const targets of [8, 64]) {
    const program = await device.prepare(workload, shape, { variant: 'cells', sizes: { targets } })
    counts.push((await program.run({ ...bindings, targets: set, sources: set })).count as Uint32Array)
    program.dispose()
  }
  const [few, many] = counts.map((all) => Array.from(all))
  const lost = fewest.findIndex((least, n) => (few?.[(2 * count) / 3 + n] ?? 0) < least)
  return [
    ...(JSON.stringify(few) === JSON.stringify(many) ? [] : ['far points: other counts in larger workgroups']),
    ...(lost < 0 ? [] : [`far points: point ${lost} near the box has lost neighbours`]),
  ]
}
