/**
 * In a sequence, a map may read values of points by their index, as bonds do. It must read the values of the right points, and the values
 * that an earlier stage has written.
 *
 * @module
 */
import { type Device, type DeviceBuffer, type FloatArray, type MapWorkload, map, type Shape } from '@manybody/core'
import { randomOf } from '../random.ts'
import { type Check, differing, tolerance } from './check.ts'
import { count, points } from './problem.ts'

const axes = ['x', 'y', 'z'] as const

/** The pull of the point `other` on the point `own`, for each end of a bond. */
const pulls: MapWorkload = {
  ...map({ pull: axes.map((axis) => `strength*own_mass*(other_position_${axis} - own_position_${axis})`) }),
  gather: {
    own_mass: { of: 'mass', at: 'own' },
    own_position: { of: 'position', at: 'own' },
    other_position: { of: 'position', at: 'other' },
  },
}

const doubled = map({ twice: '2*strength' })
/** Adds the result of the other map for the end at index `next`. */
const added: MapWorkload = { ...map({ total: 'strength + more' }), gather: { more: { of: 'twice', at: 'next' } } }

/** Numbers in each result of an end. */
const widths = { pull: 3, twice: 1, total: 1 } as const

/** Fewer ends than points, as many, and more, so that indices repeat; one end more than a tile. */
const numbers = [1, 3, count, 129, 200]

type Names = 'own' | 'other' | 'next' | 'strength'
type Ends = Readonly<Record<Names, FloatArray>>

/** Ends with indices in no order, which reach the first and the last point. */
function endsOf(ends: number, device: Device): Ends {
  const indices = (step: number, start: number, below: number) =>
    Float64Array.from({ length: ends }, (_, n) => (start + step * n) % below)
  const given = (values: Float64Array) => (device.info.precision === 'f64' ? values : Float32Array.from(values))
  return {
    own: given(indices(11, 0, count)),
    other: given(indices(13, count - 1, count)),
    next: given(indices(7, ends - 1, ends)),
    strength: given(randomOf(81).array(ends, 0.5, 1.5)),
  }
}

const shapeOf = (targets: number, sources: number, vectors: readonly string[]): Shape => ({
  ...{ dimension: 3, targets, sources, sameSet: false, vectors },
})

/** A map of the ends, and the set that it reads by index. */
interface Step {
  readonly workload: MapWorkload
  readonly vectors: readonly string[]
  readonly sources: 'points' | 'ends'
}

/** The results of the steps, one after the other in one sequence; undefined if the device does not support maps like these. */
async function stepped(device: Device, ends: number, steps: readonly Step[], read: keyof typeof widths) {
  const shapes = steps.map(({ sources, vectors }) => shapeOf(ends, sources === 'points' ? count : ends, vectors))
  if (steps.some(({ workload }, n) => !device.supports(workload, shapes[n] as Shape).ok)) return undefined
  const owned: Record<string, DeviceBuffer> = {}
  const given = { ...points(device), ...endsOf(ends, device) }
  for (const [name, values] of Object.entries(given)) {
    owned[name] = await device.buffer(values.length)
    await owned[name].write(values)
  }
  for (const [name, each] of Object.entries(widths)) owned[name] = await device.buffer(each * ends)
  const arraysOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, owned[name] as DeviceBuffer]))
  const sets = {
    points: { count, arrays: arraysOf(['position', 'mass']) },
    ends: { count: ends, arrays: arraysOf(['own', 'other', 'next', 'strength', 'twice']) },
  }
  const programs = await Promise.all(steps.map(({ workload }, n) => device.prepare(workload, shapes[n] as Shape)))
  const sequence = await device.sequence(
    steps.map(({ workload, sources }, n) => ({
      program: programs[n] as (typeof programs)[number],
      bindings: { targets: sets.ends, sources: sets[sources], parameters: workload.parameters },
      outputs: arraysOf(workload.results),
    })),
  )
  await sequence.run(1)
  const values = await (owned[read] as DeviceBuffer).read()
  for (const one of [sequence, ...programs, ...Object.values(owned)]) one.dispose()
  return values
}

const vectors = ['own_position', 'other_position']

export const gatheringChecks: readonly Check[] = [
  {
    name: 'sequences: a map reads values of points by their index',
    async faults(device) {
      const { position, mass } = points(device)
      const allowed = tolerance[device.info.precision]
      const faults: string[] = []
      for (const ends of numbers) {
        const { own, other, strength } = endsOf(ends, device)
        const out = await stepped(device, ends, [{ workload: pulls, vectors, sources: 'points' }], 'pull')
        const expected = Array.from(strength, (s, n) => {
          const [i, j] = [own[n] as number, other[n] as number]
          return axes.map(
            (_, axis) =>
              s * (mass[i] as number) * ((position[3 * j + axis] as number) - (position[3 * i + axis] as number)),
          )
        }).flat()
        if (out) faults.push(...differing(`pulls of ${ends} ends`, out, expected, allowed))
      }
      return faults
    },
  },
  {
    name: 'sequences: a map reads by index what the stage before has written',
    async faults(device) {
      const allowed = tolerance[device.info.precision]
      const faults: string[] = []
      for (const ends of numbers) {
        const { next, strength } = endsOf(ends, device)
        const steps = [
          { workload: doubled, vectors: [], sources: 'ends' },
          { workload: added, vectors: [], sources: 'ends' },
        ] as const
        const out = await stepped(device, ends, steps, 'total')
        const expected = Array.from(strength, (s, n) => s + 2 * (strength[next[n] as number] as number))
        if (out) faults.push(...differing(`totals of ${ends} ends`, out, expected, allowed))
      }
      return faults
    },
  },
]
