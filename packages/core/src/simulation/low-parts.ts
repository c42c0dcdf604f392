/**
 * The state of float32 simulations in two floats: beside a position or a velocity lies the low part that float32 leaves out, so that
 * many short steps add up. Without it, a point far from the origin would not move at all.
 *
 * A map that adds to such an array adds to both floats. Arrays that maps change in other ways have no low part.
 *
 * @source T. J. Dekker, Numer. Math. 18 (1971) 224: the error of a sum, as the difference of two others
 * @module
 */
import { axesOf } from '../ground/axes.ts'
import type { FloatArray } from '../ground/checks.ts'
import type { Precision } from '../ground/precision.ts'
import { Remembered } from '../ground/remember.ts'
import { toText } from '../language/infix.ts'
import { type Expr, symbol, symbolsOf } from '../language/nodes.ts'
import { mapComponents } from '../problem/workloads/bodies/map-components.ts'
import { frozenOutputs } from '../problem/workloads/outputs.ts'
import { map } from '../problem/workloads/particle.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { lowArrays, type PointArrays, vectorsOf } from './arrays.ts'
import { workNames } from './forces/work-names.ts'
import type { Integrator } from './integrators.ts'
import type { IntegratorStage } from './kicks.ts'
import type { BoundSimulation } from './state.ts'

type Outputs = (IntegratorStage & { readonly kind: 'map' })['outputs']

/** The vectors and the dimension of the points. */
interface PointShape {
  readonly vectors: readonly string[]
  readonly dimension: Dimension
}

/** A stage reads and writes at most this many arrays beside low parts, because devices bind few to one program. */
const mostArrays = 6

/** The arrays that have a low part: maps only ever add to them. */
export function inTwoFloats({ stages, motion }: Integrator, shape: PointShape): readonly string[] {
  const maps = stages.flatMap((stage) => (stage.kind === 'map' ? [stage.outputs] : []))
  const turned = stages.some(({ kind }) => kind === 'turn')
  return Object.keys(lowArrays).filter((name) => {
    if (name === 'velocity' && (turned || motion === 'first-order')) return false
    const own = maps.filter((outputs) => outputs[name] !== undefined)
    const holds = (outputs: Outputs) => isFew(outputs, shape) && addends(outputs, name, shape) !== undefined
    return own.length > 0 && own.every((outputs) => known.holds.of(outputs, () => holds(outputs), keyOf([name], shape)))
  })
}

/** By the outputs of a map, which are frozen, because simulations share integrators. */
const known = { holds: new Remembered<Outputs, boolean>(), shown: new Remembered<Outputs, Outputs>() }

const keyOf = (names: readonly string[], { dimension, vectors }: PointShape): string =>
  `${names} ${dimension} ${vectors}`

/** Whether there is room for low parts. */
function isFew(outputs: Outputs, shape: PointShape): boolean {
  const read = [...mapComponents(map(outputs), shape).values()].flatMap((list) => [...symbolsOf(...list)])
  const arrays = read.map((name) => name.replace(/_[xyz]$/, ''))
  return new Set([...arrays, ...Object.keys(outputs)]).size <= mostArrays
}

/** What a map adds to each component of an array; undefined if it does something else. */
function addends(outputs: Outputs, name: string, shape: PointShape): readonly (readonly Expr[])[] | undefined {
  const components = mapComponents(map({ [name]: outputs[name] as Outputs[string] }), shape).get(name) ?? []
  const added = components.map((e, n) => {
    const own = `${name}_${axesOf(shape.dimension)[n]}`
    const terms = e.kind === 'sum' ? e.terms : [e]
    const others = terms.filter((term) => !(term.kind === 'symbol' && term.name === own))
    return others.length === terms.length - 1 ? others : undefined
  })
  return added.every((terms) => terms !== undefined) ? added : undefined
}

/**
 * The outputs of a map that adds to the arrays with low parts, in two floats. The map reads a parameter that is 1, which compilers do not
 * know. So they keep the order of the additions.
 */
export const addingLow = (outputs: Outputs, names: readonly string[], shape: PointShape): Outputs =>
  known.shown.of(outputs, () => withLow(outputs, names, shape), keyOf(names, shape))

function withLow(outputs: Outputs, names: readonly string[], shape: PointShape): Outputs {
  const own = names.filter((name) => outputs[name] !== undefined)
  const pairs = own.flatMap((name): [string, readonly string[]][] => {
    const added = addends(outputs, name, shape)
    if (!added) return []
    const low = lowArrays[name] as string
    const texts = added.map((terms, n) => {
      const axis = axesOf(shape.dimension)[n]
      const [high, rest] = [symbol(`${name}_${axis}`), symbol(`${low}_${axis}`)].map(toText)
      const further = `${workNames.one}*(${[rest, ...terms.map((term) => `(${toText(term)})`)].join(' + ')})`
      const sum = `${workNames.one}*(${high} + ${further})`
      return [sum, `${further} - ${workNames.one}*(${sum} - ${high})`] as const
    })
    return [
      [name, texts.map(([sum]) => sum)],
      [low, texts.map(([, error]) => error)],
    ]
  })
  return frozenOutputs({ ...outputs, ...Object.fromEntries(pairs) })
}

/** The parameter of such maps. */
export const one: Readonly<Record<string, number>> = { [workNames.one]: 1 }

/** The parts of numbers that float32 leaves out. @param known those of numbers that float32 holds, 0 by default */
export function lowPartOf(numbers: FloatArray, known?: FloatArray): Float32Array {
  // Several times as fast as a typed array made by a function.
  const lows = new Float32Array(numbers.length)
  for (let n = 0; n < lows.length; n++) {
    const x = numbers[n] as number
    lows[n] = x - Math.fround(x) || (known?.[n] ?? 0)
  }
  return lows
}

/** What is written beside numbers of some points: their low parts, if the simulation has them. */
export function lowOf<W extends { readonly name: string; readonly numbers: FloatArray }>(
  written: W,
  arrays: PointArrays,
): readonly W[] {
  const name = lowArrays[written.name]
  return name && Object.hasOwn(arrays, name) ? [{ ...written, name, numbers: lowPartOf(written.numbers) }] : []
}

/** A simulation as a device of this precision holds it: with low parts in float32, and without in float64. */
export function inPrecision(bound: BoundSimulation, precision: Precision): BoundSimulation {
  const { state } = bound
  const { integrator, dimension } = state
  const vectors = [...vectorsOf(state.arrays), ...(integrator.scratch ?? [])]
  const names = precision === 'f32' ? inTwoFloats(integrator, { vectors, dimension }) : []
  const arrays: Record<string, FloatArray> = { ...state.arrays }
  for (const [name, low] of Object.entries(lowArrays)) {
    const [high, rest] = [arrays[name] as FloatArray, arrays[low]]
    delete arrays[low]
    // A caller may have put float64 numbers in the place of a snapshot's. These have their own digits.
    const lows = lowPartOf(high, rest)
    if (names.includes(name)) arrays[low] = lows
    else if (rest && precision === 'f64')
      arrays[name] = Float64Array.from(high, (x, n) => Math.fround(x) + (lows[n] as number))
  }
  return { ...bound, state: { ...state, arrays: arrays as PointArrays } }
}
