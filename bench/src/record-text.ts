/**
 * A record as the text of a file. Problems, devices and contenders stand once each, and rows name them by their places from 0.
 *
 * A row is a line: `[environment, problem, contender, outcome]`. Times are `[samples, median, lower quartile, upper quartile]`.
 */

import {
  type BenchmarkRecord,
  type Environment,
  type ErrorFigures,
  isMeasured,
  type Measured,
  type Refused,
  type Row,
  type TimedParts,
  type Times,
  type Who,
} from './record.ts'

/** The version of this format. */
export const schema = 2

/** A file. */
export interface PackedRecord extends Omit<BenchmarkRecord, 'rows'> {
  readonly schema: typeof schema
  readonly problems: readonly PackedProblem[]
  readonly devices: readonly Device[]
  readonly contenders: readonly PackedWho[]
  readonly rows: readonly PackedRow[]
}

type PackedProblem = Row['problem'] & Pick<Row, 'interactions'>
type Device = Pick<Who, 'device' | 'kind' | 'limits' | 'driver'>
type PackedWho = Omit<Who, keyof Device> & {
  /** The place of its device. */
  readonly on: number
}
type PackedRow = readonly [environment: number, problem: number, contender: number, outcome: Packed | Refused]
type Packed = Omit<Measured, keyof AllTimes<Times> | 'beside' | 'interactionsPerSecond'> &
  AllTimes<PackedTimes> & { readonly beside?: Readonly<Record<string, readonly [ratio: number, longer: number]>> }
type PackedTimes = readonly [samples: number, median: number, lowerQuartile: number, upperQuartile: number]

/** The members of an outcome that hold times, as they are or packed. */
interface AllTimes<T> {
  readonly call: T
  readonly parts?: Omit<TimedParts, Part> & Readonly<Record<Part, T>>
  readonly device?: T
}
type Part = 'upload' | 'compute' | 'readback'

export function textOf({ rows, ...about }: BenchmarkRecord): string {
  const names = about.environments.map(({ name }) => name)
  const [problems, devices, contenders] = [new Places<PackedProblem>(), new Places<Device>(), new Places<PackedWho>()]
  const packed = rows.map(({ environment, problem, contender, interactions, outcome }): PackedRow => {
    const { device, kind, limits, driver, ...who } = contender
    const on = devices.of({ device, kind, ...(limits && { limits }), ...(driver !== undefined && { driver }) })
    return [
      names.indexOf(environment),
      problems.of({ ...problem, interactions }),
      contenders.of({ ...who, on }),
      isMeasured(outcome) ? packedOutcome(outcome) : outcome,
    ]
  })
  const lists = { problems: problems.all, devices: devices.all, contenders: contenders.all, rows: packed }
  const head = JSON.stringify({ schema, ...about }, null, 2).replace(/\n}$/, '')
  const lines = (list: readonly unknown[]) => list.map((one) => `\n    ${JSON.stringify(one)}`).join(',')
  return `${head},\n${Object.entries(lists)
    .map(([name, list]) => `  "${name}": [${lines(list)}\n  ]`)
    .join(',\n')}\n}\n`
}

/** The record in a file. */
export function recordOf({ schema: _, problems, devices, contenders, rows, ...about }: PackedRecord): BenchmarkRecord {
  const unpacked = rows.map(([environment, at, who, outcome]): Row => {
    const { interactions, ...problem } = problems[at] as PackedProblem
    const { on, ...contender } = contenders[who] as PackedWho
    return {
      environment: (about.environments[environment] as Environment).name,
      problem,
      contender: { ...contender, ...(devices[on] as Device) },
      interactions,
      outcome: 'refused' in outcome ? outcome : unpackedOutcome(outcome, interactions),
    }
  })
  return { ...about, rows: unpacked }
}

/** Different values in the order of their first use. */
class Places<T> {
  readonly all: T[] = []
  readonly #places = new Map<string, number>()

  of(value: T): number {
    const key = JSON.stringify(value)
    const place = this.#places.get(key) ?? this.all.push(value) - 1
    this.#places.set(key, place)
    return place
  }
}

function packedOutcome(outcome: Measured): Packed {
  const { call, first, parts, device, beside, error, interactionsPerSecond: _, ...more } = outcome
  const times = { call, ...(parts && { parts }), ...(device && { device }) }
  return {
    ...more,
    ...(first === undefined ? {} : { first: digits(first) }),
    ...eachTimes(times, packedTimes),
    ...(beside && { beside: each(beside, ({ ratio, longer }) => [digits(ratio), longer] as const) }),
    error: rounded(error),
  }
}

function unpackedOutcome({ call, parts, device, beside, ...more }: Packed, interactions: number): Measured {
  const times = { call, ...(parts && { parts }), ...(device && { device }) }
  const unpacked = eachTimes(times, unpackedTimes)
  return {
    ...more,
    ...unpacked,
    ...(beside && { beside: each(beside, ([ratio, longer]) => ({ ratio, longer })) }),
    interactionsPerSecond: (1000 * interactions) / unpacked.call.median,
  }
}

const each = <T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

function eachTimes<T, U>({ call, parts, device }: AllTimes<T>, change: (times: T) => U): AllTimes<U> {
  const changed = ({ upload, compute, readback, ...more }: NonNullable<typeof parts>) => ({
    ...more,
    upload: change(upload),
    compute: change(compute),
    readback: change(readback),
  })
  return {
    call: change(call),
    ...(parts && { parts: changed(parts) }),
    ...(device && { device: change(device) }),
  }
}

const packedTimes = ({ samples, median, lowerQuartile, upperQuartile }: Times): PackedTimes => [
  samples,
  median,
  lowerQuartile,
  upperQuartile,
]

const unpackedTimes = ([samples, median, lowerQuartile, upperQuartile]: PackedTimes): Times => ({
  samples,
  median,
  lowerQuartile,
  upperQuartile,
})

/** Tables print two digits. */
const digits = (value: number): number => Number(value.toPrecision(5))

function rounded(error: ErrorFigures): ErrorFigures {
  const text = JSON.stringify(error, (_, value) => (typeof value === 'number' ? digits(value) : value))
  return JSON.parse(text) as ErrorFigures
}
