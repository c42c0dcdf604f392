/**
 * The errors of a device's functions, range by range, compared with float64 and with the accuracy that core promises.
 *
 * @module
 */
import { type ArrayResults, type Device, map, type ParticleSet } from '@manybody/core'
import { evaluator, parse } from '@manybody/core/expression'
import { accuracyOn, bind, deviceNumbers, largestError } from '@manybody/core/judge'
import { type Arguments, type Edge, edges, type MeasuredFunction } from './arguments.ts'

/** The findings in one range of one function's arguments. */
export interface MeasuredErrors {
  readonly name: MeasuredFunction['name']
  readonly text: string
  /** The largest `|x|` of the range; infinite beyond the last one. */
  readonly upTo: number
  /** The largest error, absolute and relative to the value, in units of 2^-24, or 2^-53 in float64. */
  readonly absolute: number
  readonly relative: number
  /** The largest error as a fraction of the promised one, and its arguments. */
  readonly ofPromised: number
  readonly at: string
}

const names = ['x', 'y'] as const
const largestOf = { f32: (2 - 2 ** -23) * 2 ** 127, f64: Number.MAX_VALUE } as const
const units = { f32: 2 ** -24, f64: 2 ** -53 } as const

interface Exact extends Arguments {
  readonly value: Float64Array
}

const known = new Map<MeasuredFunction, Exact>()

/** Arguments with their exact values. They are the same for all devices and slow to compute, so they are kept. */
function exactValues(one: MeasuredFunction): Exact {
  const before = known.get(one)
  if (before) return before
  const given = one.arguments()
  const value = evaluator(parse(one.text, { names }), names)
  const exact = { ...given, value: given.x.map((x, n) => value(Float64Array.of(x, given.y[n] as number))) }
  known.set(one, exact)
  return exact
}

/** Computes an expression in x and y on a device. */
async function computed(device: Device, text: string, given: Arguments): Promise<ArrayLike<number>> {
  const workload = map({ value: text })
  const used = Object.fromEntries(
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((n) => [n, given[n]]),
  )
  const bound = bind(workload, used as unknown as ParticleSet)
  const { shape, bindings } = deviceNumbers(bound, device.info.precision)
  const program = await device.prepare(workload, shape)
  try {
    return ((await program.run(bindings)) as ArrayResults).value as ArrayLike<number>
  } finally {
    program.dispose()
  }
}

/** The errors of one function, by the ranges of its accuracy. */
export async function measuredErrors(device: Device, one: MeasuredFunction): Promise<readonly MeasuredErrors[]> {
  const { precision, kind } = device.info
  const { name, text, exponent } = one
  const given = exactValues(one)
  const out = await computed(device, text, given)
  const ends = [
    ...accuracyOn(kind, precision)[name].map(({ upTo = Number.POSITIVE_INFINITY }) => upTo),
    Number.POSITIVE_INFINITY,
  ]
  const found = new Map<number, MeasuredErrors>()
  for (let n = 0; n < out.length; n++) {
    const [x, y, value] = [given.x[n] as number, given.y[n] as number, given.value[n] as number]
    const promised = largestError(name, value, x, exponent ?? y, precision, kind)
    const error =
      promised === Number.POSITIVE_INFINITY
        ? withoutPromise(name, out[n] as number)
        : errorOf(out[n] as number, value, promised, largestOf[precision])
    const upTo = ends.find((end) => Math.abs(x) <= end) as number
    const was = found.get(upTo) ?? { name, text, upTo, absolute: 0, relative: 0, ofPromised: 0, at: '' }
    // Beyond the last range nothing is promised but the sign and the range of the value.
    const fraction = error === 0 || error === Number.POSITIVE_INFINITY ? error : error / promised
    // If the result may be 0, a relative error means nothing.
    const relative = Math.abs(value) < 2 ** -125 ? 0 : error / Math.abs(value)
    found.set(upTo, {
      ...was,
      absolute: Math.max(was.absolute, error / units[precision]),
      relative: Math.max(was.relative, relative / units[precision] || 0),
      ...(fraction > was.ofPromised
        ? { ofPromised: fraction, at: `x = ${x}, y = ${y}: ${out[n]}, exactly ${value}` }
        : {}),
    })
  }
  return [...found.values()].sort((a, b) => a.upTo - b.upTo)
}

/** Where no digit is promised: infinite for a number outside the function's range, and 0 otherwise. */
function withoutPromise(name: MeasuredFunction['name'], out: number): number {
  const most = name === 'tan' ? Number.MAX_VALUE : 1
  return Math.abs(out) <= most ? 0 : Number.POSITIVE_INFINITY
}

/** The error of a number. It is infinite for NaN. */
function errorOf(out: number, value: number, promised: number, largest: number): number {
  if (Object.is(out, value)) return 0
  // Numbers beyond float32 are infinite; close to its end they may be.
  if (Math.abs(value) + promised >= largest && out === Math.sign(value) * Number.POSITIVE_INFINITY) return 0
  const error = Math.abs(out - value)
  return Number.isNaN(error) ? Number.POSITIVE_INFINITY : error
}

/** The faults in the values at the edges, one sentence each. */
export async function edgeFaults(device: Device): Promise<readonly string[]> {
  const faults: string[] = []
  for (const text of new Set(edges.map((edge) => edge.text))) {
    const list = edges.filter((edge) => edge.text === text)
    const given = { x: Float64Array.from(list, ({ x }) => x), y: Float64Array.from(list, ({ y = 0 }) => y) }
    const out = await computed(device, text, given)
    for (const [n, edge] of list.entries()) {
      const got = out[n] as number
      if (!isRight(edge, got))
        faults.push(`${text} at x = ${edge.x}, y = ${edge.y}: expected ${edge.value}, got ${got}`)
    }
  }
  return faults
}

function isRight({ text, value }: Edge, got: number): boolean {
  if (Number.isFinite(value)) return Math.abs(got - value) <= 1e-6 * Math.abs(value)
  if (Number.isNaN(value) && /\(.*\(/.test(text)) return !Number.isFinite(got)
  return Object.is(got, value)
}
