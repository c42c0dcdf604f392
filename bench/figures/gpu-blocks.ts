/** What the documentation says of WebGPU beside CUDA, from the record of `bench/gpu`. */

import { scientific, threeDigits } from '../src/report/format.ts'
import type { GpuRecord, GpuRow } from './gpu-record.ts'
import { markdownTable } from './markdown.ts'

/** Device time where there is one; a wall time is marked. */
const timeOf = ({ gpu, wall }: GpuRow): number => gpu ?? wall

const micro = (value: number | undefined): string =>
  value === undefined ? '' : value < 1000 ? threeDigits(value) : String(Math.round(value))

/** Each law as the model chooses its plan, beside the fastest kernel in CUDA. */
export function gpuBesideCuda(record: GpuRecord, link: string): string {
  const chosen = newest(record.rows.filter((row) => row.chosen && !row.defaultLimits && laws[row.law] !== undefined))
  const rows = chosen.map((row) => {
    const cuda = fastestCuda(record, row)
    return [
      `${laws[row.law]}, ${row.n}${row.gpu === undefined ? ' (wall)' : ''}`,
      micro(timeOf(row)),
      micro(cuda),
      cuda === undefined ? '' : (cuda / timeOf(row)).toFixed(2),
      row.error === undefined ? '' : scientific(row.error),
    ]
  })
  return `${source(record, link)}\n\n${markdownTable(['law, points', 'WebGPU', 'CUDA', 'CUDA/WebGPU', 'error'], rows)}\n\n${inWords(record)}`
}

const laws: Readonly<Record<string, string>> = {
  gravity: 'gravity',
  typed: 'the same law, typed by a user',
  coulomb: 'Coulomb',
  'lennard-jones': 'Lennard-Jones, cutoff, box',
}

/** The newest row of each law and size, by law and then size. */
function newest(rows: readonly GpuRow[]): readonly GpuRow[] {
  const kept = new Map<string, GpuRow>()
  for (const row of rows.toSorted((a, b) => a.date.localeCompare(b.date))) kept.set(`${row.law} ${row.n}`, row)
  const order = Object.keys(laws)
  return [...kept.values()].sort((a, b) => order.indexOf(a.law) - order.indexOf(b.law) || a.n - b.n)
}

function fastestCuda({ cuda }: GpuRecord, { law, n }: GpuRow): number | undefined {
  const times = cuda
    .filter((row) => row.law === law && row.n === n && !gems.test(row.kernel))
    .map((row) => row.microseconds)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The tile of GPU Gems 3, which is a yardstick of its own. */
const gems = /gems/i

function source({ gpu, driver, software, date }: GpuRecord, link: string): string {
  return `${gpu}, driver ${driver}, ${software}, ${date}; [the record](${link}) has every figure with its command. Microseconds of one full evaluation on the device's clock, or of wall time where it says so.`
}

function inWords(record: GpuRecord): string {
  const gravity = record.rows.filter(({ law, defaultLimits }) => law === 'gravity' && !defaultLimits)
  const chosen = newest(gravity.filter((row) => row.chosen))
  const largest = chosen.at(-1)
  const pairsOnce = ({ variant }: GpuRow) => variant.startsWith('each-pair-once')
  const once = chosen.filter(pairsOnce).flatMap((row) => {
    const plain = bestOf(gravity.filter((other) => other.n === row.n && !pairsOnce(other)))
    return plain === undefined
      ? []
      : [`${micro(timeOf(row))} µs at ${row.n} points, ${(plain / timeOf(row)).toFixed(2)} times as fast`]
  })
  const tiles = record.cuda.filter(({ law, kernel }) => law === 'gravity' && gems.test(kernel))
  const step = record.rows.find(({ law }) => law === 'stepping')
  return [
    largest &&
      `${largest.n} bodies take ${threeDigits(timeOf(largest) / 1000)} ms: ${Math.round((largest.n ** 2 * 1e-3) / timeOf(largest))} billion interactions a second.`,
    once.length > 0 && `Each pair once, gravity takes ${once.join('; ')} as the fastest plain plan.`,
    step && `A leapfrog step of ${step.n} bodies takes ${micro(timeOf(step))} µs, ${micro(step.wall)} µs of wall time.`,
    tiles.length > 0 &&
      `The tile of GPU Gems 3, chapter 31, in CUDA takes ${tiles.map(({ n, microseconds }) => `${micro(microseconds)} µs at ${n}`).join(', ')}.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

function bestOf(rows: readonly GpuRow[]): number | undefined {
  return rows.length === 0 ? undefined : Math.min(...rows.map(timeOf))
}

/** Every variant at every workgroup size, the best over its other sizes. */
export function gpuLadder({ rows }: GpuRecord): string {
  const n = 16384
  const parsed = rows.flatMap((row) => {
    const [, variant, workgroup] = /^(\S+) \(workgroup (\d+)[,)]/.exec(row.variant) ?? []
    const counts = row.law === 'gravity' && row.n === n && !row.defaultLimits && workgroup !== undefined
    return counts && variant !== undefined ? [{ variant, workgroup: Number(workgroup), time: timeOf(row) }] : []
  })
  const workgroups = [...new Set(parsed.map(({ workgroup }) => workgroup))].sort((a, b) => a - b)
  const variants = order.filter((name) => parsed.some(({ variant }) => variant === name))
  const table = variants.map((name) => [
    `\`${name}\``,
    ...workgroups.map((size) => {
      const times = parsed
        .filter(({ variant, workgroup }) => variant === name && workgroup === size)
        .map(({ time }) => time)
      return times.length === 0 ? '' : micro(Math.min(...times))
    }),
  ])
  return `Gravity, microseconds of device time:\n\n${markdownTable([`${n} points`, ...workgroups.map(String)], table)}`
}

const order = [
  'naive',
  'grid-stride',
  'vectorised',
  'subgroup-shuffle',
  'tiled',
  'tiled-unrolled',
  'tiled-vectorised',
  'register-blocked',
  'split',
  'sliced',
]
