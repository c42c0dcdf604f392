/**
 * A stage may carry neighbour lists and other data from round to round. This may change the last bits of its results, and nothing else.
 * However the points move between two rounds, each round must count the pairs of the moment, also in a box that has grown.
 *
 * @module
 */
import { type Device, type DeviceBuffer, type FloatArray, pairTerm, periodic, sum } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { atPrecision } from '../judging/at-precision.ts'
import { cloud } from '../points.ts'
import { type Check, differing } from './check.ts'

const [count, side, cutoff] = [800, 6.5, 0.9]
/** Sums of this term are counts. */
const ones = pairTerm('1', { name: 'one' })()
const near = sum(ones, { cutoff, boundary: periodic([side, side, side]) })

/** A box that is larger by so much. */
const growth = 1.03
const grown = sum(ones, { cutoff, boundary: periodic([growth * side, growth * side, growth * side]) })

/** The moves of the points between rounds, in order. */
const moves: readonly (readonly [name: string, move: (position: FloatArray) => FloatArray])[] = [
  ['points stay', (position) => position],
  ['points move a little', (position) => position.map((x, n) => x + 0.02 * cutoff * Math.sin(n * n))],
  ['points move a little more', (position) => position.map((x, n) => x - 0.03 * cutoff * Math.sin(n * n))],
  ['one point jumps', (position) => position.map((x, n) => (n === 30 ? x + 0.4 * side : x))],
  ['one point joins another', (position) => position.map((x, n) => (n < 3 ? (position[n + 600] as number) : x))],
  ['one point passes a face', (position) => position.map((x, n) => (n === 90 ? x + side : x))],
  ['points stay again', (position) => position],
  ['all points are others', (position) => position.map((_, n) => position[(n * 7 + 1) % position.length] as number)],
]

export const carryingChecks: readonly Check[] = [
  {
    name: 'sequences: what a stage carries keeps no pair out',
    async faults(device) {
      const start = cloud({ count, seed: 5, side })
      const { shape, bindings } = bind(near, { position: start })
      if (!device.supports(near, shape).ok) return []
      const program = await device.prepare(near, shape)
      const [position, value] = [await device.buffer(3 * count), await device.buffer(count)]
      const carried = program.carries === undefined ? undefined : await device.buffer(program.carries)
      const set = { count, arrays: { position } }
      const bound = { ...bindings, targets: set, sources: set }
      const stage = { program, outputs: { value }, carried }
      let sequence = await device.sequence([{ ...stage, bindings: bound }])
      const faults: string[] = []
      let now: FloatArray = start
      const countThrice = async (name: string, workload: typeof near) => {
        await position.write(now)
        const { value: expected = [] } = await program.run(bind(workload, { position: now }).bindings)
        // Later rounds may use data that the first round carries.
        for (const round of ['first', 'second', 'third']) {
          await sequence.run(1)
          faults.push(...differing(`${name}: counts of the ${round} round`, await value.read(), expected, 0))
        }
      }
      for (const [name, move] of moves) {
        now = rounded(device, move(now))
        await countThrice(name, near)
      }
      now = rounded(
        device,
        now.map((x) => growth * x),
      )
      const { parameters } = bind(grown, { position: now }).bindings
      const inBox = [{ ...stage, bindings: { ...bound, parameters } }]
      await carried?.write(new Float32Array(carried.length))
      if (!(await sequence.renumber?.(inBox))) {
        sequence.dispose()
        sequence = await device.sequence(inBox)
      }
      await countThrice('the box grows', grown)
      const owned: readonly (DeviceBuffer | { dispose(): void } | undefined)[] = [sequence, position, value, carried]
      for (const one of [...owned, program]) one?.dispose()
      return faults
    },
  },
]

const rounded = (device: Device, position: FloatArray): FloatArray =>
  (atPrecision({ position }, device.info.precision) as { readonly position: FloatArray }).position
