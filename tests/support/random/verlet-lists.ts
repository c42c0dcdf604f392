// Random points in random periodic boxes that move between the rounds of a sequence, a little or far, alone or together. In each round, lists
// that last must count as many pairs as the loop over all pairs; pairs at the cutoff count or not, as a driver rounds in each shader.

import { type Device, pairTerm, periodic, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { randomOf } from '../../../packages/conformance/src/random.ts'

/** Sums of it are counts, which have the same value in any order. */
const one = pairTerm('1')()
const rounds = 12

/**
 * The rounds of one problem with other counts than all pairs.
 *
 * @param share how far a cutoff may be rounded, as a share of the largest coordinate
 */
export async function verletFaults(device: Device, seed: number, share = 2 ** -21): Promise<readonly string[]> {
  const random = randomOf(seed)
  const among = (low: number, high: number) => random.array(1, low, high)[0] as number
  const dimension = among(0, 1) < 0.3 ? 2 : 3
  const count = Math.floor(among(50, 1500))
  const lengths = Array.from({ length: dimension }, () => among(1, 3))
  const cutoff = among(0.05, 0.43) * Math.min(...lengths)
  const boundary = periodic(lengths)
  const exclusions =
    among(0, 1) < 0.2
      ? ([
          [0, 1],
          [2, count - 1],
        ] as const)
      : undefined
  const counting = (reach: number) => sum(one, { cutoff: reach, boundary, ...(exclusions && { exclusions }) })
  const workload = counting(cutoff)
  const place = () => Float32Array.from({ length: count * dimension }, (_, n) => among(0, lengths[n % dimension] ?? 1))
  let position = place()
  const { bindings, shape } = bind(workload, { position, dimension })
  const sizes = { targets: [8, 16, 64][seed % 3] as number }
  const [program, all] = await Promise.all([
    device.prepare(workload, shape, { variant: 'cells', sizes }),
    device.prepare(workload, shape, { variant: 'naive' }),
  ])
  /** The counts of all pairs within another cutoff. */
  const counted = async (reach: number) => {
    const now = { ...bindings.targets, arrays: { position } }
    const { parameters } = bind(counting(reach), { position, dimension }).bindings
    return (await all.run({ ...bindings, parameters, targets: now, sources: now })).value ?? []
  }
  const [points, value] = [await device.buffer(position.length), await device.buffer(count)]
  const carried = await device.buffer(program.carries as number)
  const set = { count, arrays: { position: points } }
  const sequence = await device.sequence([
    { program, bindings: { ...bindings, targets: set, sources: set }, outputs: { value }, carried },
  ])
  const faults: string[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      await points.write(position)
      await sequence.run(1)
      const rounding = share * position.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
      const [low, high] = [await counted(cutoff - rounding), await counted(cutoff + rounding)]
      const wrong = Array.from(await value.read()).findIndex(
        (found, n) => !(found >= (low[n] ?? NaN) && found <= (high[n] ?? NaN)),
      )
      if (wrong >= 0) faults.push(`round ${round}: point ${wrong} of ${count} in ${lengths} with cutoff ${cutoff}`)
      const [kind, step] = [among(0, 1), among(0, 0.05) * cutoff]
      const far = Math.floor(among(0, count)) * dimension
      if (kind < 0.1) position = place()
      else
        position = position.map((x, n) => {
          const length = lengths[n % dimension] ?? 1
          if (kind < 0.3 && n >= far && n < far + dimension) return among(-2, 3) * length
          if (kind < 0.4) return x + length
          return x + among(-step, step)
        })
    }
  } finally {
    for (const owned of [sequence, points, value, carried, program, all]) owned.dispose()
  }
  return faults
}
