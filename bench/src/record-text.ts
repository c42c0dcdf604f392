/**
 * A record as the text of a file. Problems, devices and contenders stand once each, and rows name them by their places from 0.
 *
 * A row is a line: `[environment, problem, contender, outcome]`. Times are `[samples, median, lower quartile, upper quartile]`, and a
 * comparison with another contender is `[ratio, longer]`.
 */

import { type BenchmarkRecord, isMeasured, type Measured, type Row, type Times, type Who } from './record.ts'

/** The version of this format. */
export const schema = 2

/** A file. */
export interface PackedRecord extends Omit<BenchmarkRecord, 'rows'> {
  readonly schema: typeof schema
  readonly problems: readonly (Row['problem'] & Pick<Row, 'interactions'>)[]
  readonly devices: readonly Device[]
  readonly contenders: readonly PackedWho[]
  readonly rows: readonly (readonly [environment: number, problem: number, contender: number, outcome: object])[]
}

type Device = Pick<Who, 'device' | 'kind' | 'limits' | 'driver'>
/** With the place of its device. */
type PackedWho = Omit<Who, keyof Device> & { readonly on: number }

export function textOf({ rows, ...about }: BenchmarkRecord): string {
  const names = about.environments.map(({ name }) => name)
  const [problems, devices, contenders] = [new Places(), new Places(), new Places()]
  const lines = rows.map(({ environment, problem, contender, interactions, outcome }) => {
    const { device, kind, limits, driver, ...who } = contender
    const on = devices.of({ device, kind, limits, driver })
    const at = [names.indexOf(environment), problems.of({ ...problem, interactions }), contenders.of({ ...who, on })]
    return JSON.stringify(
      [...at, isMeasured(outcome) ? { ...outcome, interactionsPerSecond: undefined } : outcome],
      packed,
    )
  })
  const lists = { problems: problems.all, devices: devices.all, contenders: contenders.all, rows: lines }
  const head = JSON.stringify({ schema, ...about }, null, 2).replace(/\n}$/, '')
  return `${head},\n${Object.entries(lists)
    .map(([name, list]) => `  "${name}": [${list.map((line) => `\n    ${line}`).join(',')}\n  ]`)
    .join(',\n')}\n}\n`
}

/** The record in a file. @throws RangeError naming a part that is missing */
export function recordOf(file: PackedRecord): BenchmarkRecord {
  expectParts(file, parts.record, '')
  for (const list of ['environments', 'problems', 'devices', 'contenders'] as const)
    for (const [n, item] of file[list].entries()) expectParts(item, parts[list], `${list}[${n}].`)
  const { schema: _, problems, devices, contenders, rows, ...about } = file
  const unpackedRows = rows.map((row, n): Row => {
    expectKind(row, 'array', `rows[${n}]`)
    const [environment, problemAt, who, outcome] = row
    expectKind(outcome, 'object', `rows[${n}][3]`)
    const placed = <T>(list: readonly T[], place: number, name: string): T => {
      const found = list[place]
      if (found === undefined)
        throw new RangeError(`rows[${n}] expected a place in the ${list.length} ${name}, got ${place}`)
      return found
    }
    const { interactions, ...problem } = placed(problems, problemAt, 'problems')
    const { on, ...contender } = placed(contenders, who, 'contenders')
    const found = unpacked(outcome) as Row['outcome']
    if (isMeasured(found) ? !isComplete(found) : typeof found.refused !== 'string')
      throw new RangeError(
        `rows[${n}] expected a call of 4 numbers and an error, or a refusal, got ${JSON.stringify(outcome)}`,
      )
    const rate = isMeasured(found) ? { interactionsPerSecond: (1000 * interactions) / found.call.median } : {}
    return {
      environment: placed(about.environments, environment, 'environments').name,
      problem,
      contender: { ...contender, ...placed(devices, on, 'devices') },
      interactions,
      outcome: { ...found, ...rate },
    }
  })
  return { ...about, rows: unpackedRows }
}

/** The parts of a file that reports and comparisons always read. */
const parts = {
  record: {
    ...{ command: 'string', kind: 'string', date: 'string', machine: 'object' },
    ...{ environments: 'array', problems: 'array', devices: 'array', contenders: 'array', rows: 'array' },
  },
  environments: { name: 'string' },
  problems: { name: 'string', workload: 'string', targets: 'number', sources: 'number', interactions: 'number' },
  devices: { device: 'string', kind: 'string' },
  contenders: { name: 'string', rival: 'boolean', precision: 'string', on: 'number' },
} as const

function expectParts(value: unknown, expected: Readonly<Record<string, string>>, at: string): void {
  for (const [name, kind] of Object.entries(expected)) expectKind(Object(value)[name], kind, `${at}${name}`)
}

function expectKind(value: unknown, kind: string, at: string): void {
  const isNothing = value === undefined || value === null
  const found = Array.isArray(value) ? 'array' : isNothing ? 'nothing' : typeof value
  if (found !== kind) throw new RangeError(`${at} expected ${kind}, got ${found}`)
}

function isComplete({ call, error }: Measured): boolean {
  const { samples, median, lowerQuartile, upperQuartile } = Object(call) as Times
  return [samples, median, lowerQuartile, upperQuartile, Object(error).max].every(Number.isFinite)
}

/** Different values as text, in the order of their first use. */
class Places {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  of(value: object): number {
    const text = JSON.stringify(value)
    const place = this.#places.get(text) ?? this.all.push(text) - 1
    this.#places.set(text, place)
    return place
  }
}

/** Tables print two digits. */
const digits = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value

/** Times and comparisons as lists, and errors with few digits. */
function packed(name: string, value: unknown): unknown {
  if (name === 'first') return digits(name, value)
  if (typeof value !== 'object' || value === null) return value
  if (name === 'error') return JSON.parse(JSON.stringify(value, digits))
  const { samples, median, lowerQuartile, upperQuartile, ratio, longer } = value as Readonly<Record<string, number>>
  if (median !== undefined) return [samples, median, lowerQuartile, upperQuartile]
  return ratio === undefined ? value : [digits('', ratio), longer]
}

/** The reverse of {@link packed}. */
function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [samples, median, lowerQuartile, upperQuartile] = value
    if (value.length > 2) return { samples, median, lowerQuartile, upperQuartile }
    return { ratio: value[0], longer: value[1] } satisfies NonNullable<Measured['beside']>[string]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpacked(one)]))
}
