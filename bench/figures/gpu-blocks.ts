/** The figures of WebGPU next to CUDA in the documentation, from the record of `npm run bench:gpu`. */

import { leavesPairsOut, onceVariant, plainVariants } from '../../packages/backend-webgpu/src/plans/variants.ts'
import type { JudgedBackend } from '../src/record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { boundOf, shareOfBound } from './gpu-bounds.ts'
import { type GpuFigure, type GpuFigures, sourceOf } from './gpu-record.ts'

export const micro = (value: number | undefined): string =>
  value === undefined ? '' : value < 1000 ? threeDigits(value) : String(Math.round(value))

/** Compares each law with CUDA: its fastest loop over all pairs, and its fastest loop over each pair once. */
export function gpuBesideCuda(figures: GpuFigures, link: string): string {
  const rows = laws.flatMap(({ name, ...which }) =>
    chosen(figures, which).map((row) => {
      const rival = 'contender' in which ? () => undefined : (how: Pairs) => fastestCuda(figures, row, how)
      const ours = (how: Pairs) =>
        'contender' in which ? (how(row) ? row.time : undefined) : fastest(figures, row, how)
      const columns = [allPairs, pairsOnce].flatMap((how) => {
        const [theirs, own] = [rival(how), ours(how)]
        return [micro(theirs), micro(own), ratio(theirs, own)]
      })
      return [`${name}, ${row.n}${row.clocked ? '' : ' (wall)'}`, ...columns, scientific(row.error)]
    }),
  )
  const columns = ['all pairs', 'each pair once'].flatMap((how) => [`CUDA, ${how}`, `WebGPU, ${how}`, 'CUDA/WebGPU'])
  const head = ['law, points', ...columns, 'error']
  return `${sourceOf(figures, link)} ${unitOf(figures)}\n\n${markdownTable(head, rows)}\n\n${inWords(figures)}`
}

/** The same in two sentences: how many times as fast as CUDA each law is in the same loop, and in the plan that the backend chooses. */
export function gpuInShort(figures: GpuFigures, link: string): string {
  type Times = readonly [theirs: number | undefined, ours: number | undefined]
  const lines = (pairs: string, timesOf: (row: GpuFigure) => Times): readonly (readonly string[])[] =>
    laws.flatMap(({ name, ...which }) => {
      if ('contender' in which) return []
      const found = chosen(figures, which).flatMap((row) => {
        const relative = ratio(...timesOf(row))
        return relative ? [`${relative} (${row.n})`] : []
      })
      return found.length === 0 ? [] : [[name, pairs, found[0] ?? '', found.at(-1) ?? '']]
    })
  const same =
    (how: Pairs) =>
    (row: GpuFigure): Times => [fastestCuda(figures, row, how), fastest(figures, row, how)]
  const once = lines('each pair once', same(pairsOnce))
  const beside = (row: GpuFigure): Times => [fastestCuda(figures, row, allPairs), row.time]
  const rest = once.length > 0 ? once : lines('each pair once; CUDA: all pairs', beside)
  const where = `On graphics hardware (${figures.device}, ${figures.record.date.slice(0, 10)}, [the record](${link}))`
  const head = ['law', 'loop', 'fewest points', 'most points']
  const said =
    'the speed of WebGPU divided by that of our fastest tuned CUDA kernel. Above 1, WebGPU is faster. The number of points is in brackets.'
  return `${where}: ${said}\n\n${markdownTable(head, [...lines('all pairs', same(allPairs)), ...rest])}`
}

/** How many times as fast the second is as the first. */
export const ratio = (time: number | undefined, other: number | undefined): string =>
  time === undefined || other === undefined ? '' : (time / other).toFixed(2)

/** The rows of WebGPU for a law. A contender is named unless it is the backend with its own plan. */
interface Which {
  readonly law: string
  readonly contender?: string
}

const laws: readonly (Which & { readonly name: string })[] = [
  { law: 'gravity', name: 'gravity' },
  { law: 'gravity', contender: 'webgpu, typed law', name: 'the same law, typed by a user' },
  { law: 'coulomb', name: 'Coulomb' },
  { law: 'lennard-jones-box', name: 'Lennard-Jones, cutoff, box' },
]

/**
 * Other workloads in the plans that the backend chooses, with and without the limits of the device: one column for each size.
 */
export function gpuWorkloads(figures: GpuFigures, link: string): string {
  const sizes = [...new Set(others.flatMap((law) => chosen(figures, { law })).map(({ n }) => n))].sort((a, b) => a - b)
  const line = (law: string, rows: readonly GpuFigure[], name = law) => [
    name,
    ...sizes.map((n) => {
      const row = rows.find((row) => row.n === n)
      return row ? `${micro(row.time)}${shareOfPairs(law, row)}` : ''
    }),
    boundOf(law),
  ]
  const lines = others.flatMap((law) => {
    const limited = chosen(figures, { law, contender: withDefaultLimits })
    return [
      line(law, chosen(figures, { law })),
      ...(limited.length > 0 ? [line(law, limited, `${law}, default limits`)] : []),
    ]
  })
  return `${sourceOf(figures, link)} ${unitOf(figures)} The number in brackets is the share of the bound that the run reaches, with the time of one dispatch in the bound. Runs that leave pairs out have none.\n\n${markdownTable(['workload', ...sizes.map(String), 'bound'], lines)}`
}

/** Only runs over all pairs have a share of the bound: a run over near points meets fewer pairs than the bound counts. */
const shareOfPairs = (law: string, { n, time, variant }: GpuFigure) =>
  leavesPairsOut(variant) ? '' : ` (${shareOfBound(law, n, time)})`

const others = ['matrix', 'argmin', 'nearest(8)']
const withDefaultLimits = 'webgpu, default limits'

/** The plans that the backend chose, by size. */
function chosen({ rows }: GpuFigures, { law, contender = 'webgpu' }: Which): readonly GpuFigure[] {
  return rows
    .filter((row) => row.chosen && row.law === law && row.contender === contender)
    .toSorted((a, b) => a.n - b.n)
}

/** Selects loops by the pairs that they meet. */
type Pairs = (row: GpuFigure) => boolean

const pairsOnce: Pairs = ({ variant }) => [onceVariant, 'each pair once'].some((name) => variant.startsWith(name))
const allPairs: Pairs = (row) => !pairsOnce(row) && !leavesPairsOut(row.variant)

const fastestOf = (rows: readonly GpuFigure[]): number | undefined =>
  rows.length === 0 ? undefined : Math.min(...rows.map(({ time }) => time))

function fastestCuda({ cuda }: GpuFigures, { law, n }: GpuFigure, how: Pairs): number | undefined {
  return fastestOf(
    cuda.filter(
      (row) => row.law === law && row.n === n && row.contender === 'CUDA' && !gems.test(row.variant) && how(row),
    ),
  )
}

/** The fastest plan of WebGPU. */
function fastest({ rows }: GpuFigures, { law, n }: GpuFigure, how: Pairs): number | undefined {
  return fastestOf(rows.filter((row) => row.law === law && row.n === n && row.contender === 'webgpu' && how(row)))
}

/** The tile of GPU Gems 3, which many readers know. */
const gems = /gems/i

/** The unit of a table's numbers, in words. */
const unitOf = ({ rows }: GpuFigures): string =>
  `Microseconds of one full evaluation on the device's clock${rows.every(({ clocked }) => clocked) ? '' : ', or of wall time where it says so'}.`

function inWords(figures: GpuFigures): string {
  const own = chosen(figures, { law: 'gravity' })
  const largest = own.at(-1)
  const once = own.filter(pairsOnce).flatMap((row) => {
    const plain = fastest(figures, row, allPairs)
    return plain === undefined
      ? []
      : [`${micro(row.time)} µs at ${row.n} points, ${ratio(plain, row.time)} times as fast`]
  })
  const limited = chosen(figures, { law: 'gravity', contender: withDefaultLimits })
  const tiles = figures.cuda.filter(({ law, variant }) => law === 'gravity' && gems.test(variant))
  const at = (rows: readonly GpuFigure[]) => rows.map(({ time, n }) => `${micro(time)} µs at ${n}`).join(', ')
  return [
    ...(figures.record.judged ?? []).map(judgedSentence),
    largest &&
      `${largest.n} bodies take ${threeDigits(largest.time / 1000)} ms: ${Math.round((largest.n ** 2 * 1e-3) / largest.time)} billion interactions a second.`,
    once.length > 0 && `Each pair once, gravity takes ${once.join('; ')} as the fastest plain plan.`,
    limited.length > 0 && `Within the limits that every WebGPU device has, gravity takes ${at(limited)}.`,
    tiles.length > 0 && `The tile of GPU Gems 3, chapter 31, in CUDA takes ${at(tiles)}.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

/** The results of a backend in the suite and in random laws, according to the record. */
function judgedSentence(judged: JudgedBackend): string {
  if ('refused' in judged) return `${judged.backend} was not judged: ${judged.refused}.`
  const { backend, cases, passed, laws, tolerances, simulations, faults } = judged
  const sums = tolerances ? `, ${tolerances.sums} sums with a tolerance, ${tolerances.trees} of them by a tree,` : ''
  const moved = simulations ? ` and ${simulations} simulations` : ''
  return `On this GPU the ${backend} backend passes ${passed} of ${cases} cases of the conformance suite and runs ${laws.few + laws.many} random laws${sums}${moved} with ${faults.length} faults.`
}

/** Every variant at every workgroup size, each with its best other sizes. */
export function gpuLadder({ rows }: GpuFigures): string {
  const n = 16384
  const parsed = rows.flatMap((row) => {
    const [, variant, workgroup] = /^(\S+) \(workgroup (\d+)[,)]/.exec(row.variant) ?? []
    const counts = row.law === 'gravity' && row.contender === 'webgpu' && row.n === n && workgroup !== undefined
    return counts && variant !== undefined ? [{ variant, workgroup: Number(workgroup), time: row.time }] : []
  })
  const workgroups = [...new Set(parsed.map(({ workgroup }) => workgroup))].sort((a, b) => a - b)
  const variants = plainVariants.filter((name) => parsed.some(({ variant }) => variant === name))
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
