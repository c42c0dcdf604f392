/**
 * Bodies that merge. Masses add up, and the merged body has the centre of mass and the momentum of its parts; other attributes follow
 * rules.
 *
 * All bodies that pairs connect become one. It takes the place of the part with the lowest index, or of the one that is fixed. The
 * others join it in the order of their indices.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Written } from '../stepping/written.ts'
import { displacement, pairValue, ruleLaw, type System } from './conditions.ts'
import { type PairEvent, ruleNames } from './events.ts'
import type { TouchingPair } from './touching.ts'

/** The parts of each merged body: first the one that stays, then the others, ascending. Two fixed points never merge. */
export function bodiesOf(pairs: readonly TouchingPair[], fixed: ReadonlySet<number>): readonly (readonly number[])[] {
  const bodies = new Map<number, { parts: number[]; held: number }>()
  const bodyOf = (point: number) => {
    const known = bodies.get(point) ?? { parts: [point], held: fixed.has(point) ? point : -1 }
    bodies.set(point, known)
    return known
  }
  for (const [i, j] of pairs) {
    const [one, other] = [bodyOf(i), bodyOf(j)]
    if (one === other || (one.held >= 0 && other.held >= 0)) continue
    one.parts.push(...other.parts)
    one.held = Math.max(one.held, other.held)
    for (const part of other.parts) bodies.set(part, one)
  }
  return [...new Set(bodies.values())]
    .filter(({ parts }) => parts.length > 1)
    .map(({ parts, held }) => {
      const first = held >= 0 ? held : Math.min(...parts)
      return [first, ...parts.filter((part) => part !== first).sort((a, b) => a - b)]
    })
    .sort(([a = 0], [b = 0]) => a - b)
}

interface Merging extends System {
  readonly event: PairEvent
  readonly inertia: string
  readonly fixed: ReadonlySet<number>
}

/** The numbers of the bodies that stay. @throws RangeError for a rule that gives no number */
export function mergedNumbers(bodies: readonly (readonly number[])[], merging: Merging): readonly Written[] {
  const { arrays, dimension, event, inertia, fixed } = merging
  const count = arrays.position.length / dimension
  const moves = bodies.filter(([first = 0]) => !fixed.has(first))
  const numbersOf = new Map(bodies.map((parts) => [parts, joined(parts, merging)]))
  const own = (parts: readonly number[], name: string) => [...(numbersOf.get(parts)?.[name] ?? [])]
  return ['position', 'velocity', inertia, ...Object.keys(event.rules ?? {})].flatMap((name) => {
    const written = name === 'position' || name === 'velocity' ? moves : bodies
    if (written.length === 0) return []
    const width = (arrays[name] as FloatArray).length / count
    const numbers = Float64Array.from(written.flatMap((parts) => own(parts, name)))
    const stray = numbers.findIndex((x) => !Number.isFinite(x))
    if (stray >= 0)
      throw new RangeError(
        `"rules.${name}" expected a finite number for the merged points ${written[Math.floor(stray / width)]?.map((part) => merging.points[part]).join(', ')}, got ${numbers[stray]}`,
      )
    return [{ name, width, numbers, points: written.map(([first = 0]) => merging.points[first] as number) }]
  })
}

/** The numbers of one body: its parts join the first one after the other. */
function joined(parts: readonly number[], merging: Merging): Readonly<Record<string, Float64Array>> {
  const { arrays, dimension, event, inertia } = merging
  const { rules = {}, parameters = {} } = event
  const count = arrays.position.length / dimension
  // The body so far is point 0 of these.
  const own = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => {
      const width = array.length / count
      return [name, Float64Array.from(parts.flatMap((part) => [...array.subarray(part * width, (part + 1) * width)]))]
    }),
  ) as Record<string, Float64Array> & { position: Float64Array; velocity: Float64Array }
  const system = { ...merging, arrays: own }
  const laws = Object.fromEntries(
    Object.entries(rules).flatMap(([name, rule]) =>
      (ruleNames as readonly string[]).includes(rule) ? [] : [[name, pairValue(ruleLaw(rule, parameters), system)]],
    ),
  )
  const masses = own[inertia] as Float64Array
  for (let part = 1; part < parts.length; part++) {
    const [mass, other] = [masses[0] as number, masses[part] as number]
    const share = mass + other > 0 ? other / (mass + other) : 1 / (part + 1)
    const moved = Array.from({ length: dimension }, (_, axis) => share * displacement(system, 0, part, axis))
    const next = Object.entries({ velocity: 'mean', [inertia]: 'sum', ...rules }).map(([name, rule]) => {
      const array = own[name] as Float64Array
      const width = array.length / parts.length
      const law = laws[name]
      const join = folds[rule as keyof typeof folds] ?? (() => law?.(0, part) ?? Number.NaN)
      const numbers = Array.from({ length: width }, (_, axis) =>
        join(array[axis] as number, array[part * width + axis] as number, share),
      )
      return [array, numbers] as const
    })
    for (const [array, numbers] of next) array.set(numbers)
    for (const [axis, by] of moved.entries()) own.position[axis] = (own.position[axis] as number) + by
  }
  return Object.fromEntries(
    Object.entries(own).map(([name, array]) => [name, array.subarray(0, array.length / parts.length)]),
  )
}

/** The numbers of two parts become one. @param share the share of the second in their mass */
const folds: Readonly<Record<(typeof ruleNames)[number], (a: number, b: number, share: number) => number>> = {
  sum: (a, b) => a + b,
  mean: (a, b, share) => a * (1 - share) + b * share,
  first: (a) => a,
  max: (a, b) => Math.max(a, b),
  min: (a, b) => Math.min(a, b),
}
