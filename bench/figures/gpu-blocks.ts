/** The figures of WebGPU next to CUDA in the documentation, from the record of `npm run bench:gpu`. */

import { leavesPairsOut, onceVariant, plainVariants } from '../../packages/backend-webgpu/src/plans/variants.ts'
import { type BenchmarkRecord, isMeasured, type JudgedBackend } from '../src/record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { markdownTable } from '../src/report/markdown-table.ts'
import { type MeasuredRow, sizesIn } from '../src/report/series.ts'
import { boundOf, shareOfBound } from './gpu-bounds.ts'
import { chosen, deviceOf, fastestOf, lawOf, micro, ratio, rowsOf, sourceOf, timeOf } from './gpu-rows.ts'

const laws = [
  { law: 'gravity', name: 'gravity', contender: 'webgpu' },
  { law: 'gravity', name: 'the same law, typed by a user', contender: 'webgpu, typed law' },
  { law: 'coulomb', name: 'Coulomb', contender: 'webgpu' },
  { law: 'lennard-jones-box', name: 'Lennard-Jones, cutoff, box', contender: 'webgpu' },
]

/** Selects loops by the pairs that they meet. */
type Pairs = (row: MeasuredRow) => boolean

const variantOf = ({ contender }: MeasuredRow): string => contender.variant ?? ''
const pairsOnce: Pairs = (row) => [onceVariant, 'each pair once'].some((name) => variantOf(row).startsWith(name))
const allPairs: Pairs = (row) => !pairsOnce(row) && !leavesPairsOut(variantOf(row))

/** The tile of GPU Gems 3, which many readers know. */
const gems: Pairs = (row) => /gems/i.test(variantOf(row))

/** The fastest of a contender on the problem of a row. */
const fastest = (record: BenchmarkRecord, contender: string, row: MeasuredRow, how: Pairs): number | undefined =>
  fastestOf(rowsOf(record, { law: lawOf(row), n: row.problem.targets, contender }).filter(how))
const fastestCuda = (record: BenchmarkRecord, row: MeasuredRow, how: Pairs) =>
  fastest(record, 'CUDA', row, (one) => !gems(one) && how(one))

/** Compares each law with CUDA: its fastest loop over all pairs, and its fastest loop over each pair once. */
export function gpuBesideCuda(record: BenchmarkRecord, link: string): string {
  const rows = laws.flatMap(({ name, ...which }) =>
    chosen(record, which).map((row) => {
      const columns = [allPairs, pairsOnce].flatMap((how) => {
        const [theirs, ours] =
          which.contender === 'webgpu'
            ? [fastestCuda(record, row, how), fastest(record, 'webgpu', row, how)]
            : [undefined, how(row) ? timeOf(row) : undefined]
        return [micro(theirs), micro(ours), ratio(theirs, ours)]
      })
      const { problem, outcome } = row
      return [
        `${name}, ${problem.targets}${outcome.device ? '' : ' (wall)'}`,
        ...columns,
        scientific(outcome.error.max),
      ]
    }),
  )
  const columns = ['all pairs', 'each pair once'].flatMap((how) => [`CUDA, ${how}`, `WebGPU, ${how}`, 'CUDA/WebGPU'])
  const head = ['law, points', ...columns, 'error']
  return `${sourceOf(record, link)} ${unitOf(record)}\n\n${markdownTable(head, rows)}\n\n${inWords(record)}`
}

/** The same in two sentences: how many times as fast as CUDA each law is in the same loop, and in the plan that the backend chooses. */
export function gpuInShort(record: BenchmarkRecord, link: string): string {
  type Times = readonly [theirs: number | undefined, ours: number | undefined]
  const lines = (pairs: string, timesOf: (row: MeasuredRow) => Times): readonly (readonly string[])[] =>
    laws.flatMap(({ name, ...which }) => {
      if (which.contender !== 'webgpu') return []
      const found = chosen(record, which).flatMap((row) => {
        const relative = ratio(...timesOf(row))
        return relative ? [`${relative} (${row.problem.targets})`] : []
      })
      return found.length === 0 ? [] : [[name, pairs, found[0] ?? '', found.at(-1) ?? '']]
    })
  const same =
    (how: Pairs) =>
    (row: MeasuredRow): Times => [fastestCuda(record, row, how), fastest(record, 'webgpu', row, how)]
  const once = lines('each pair once', same(pairsOnce))
  const beside = (row: MeasuredRow): Times => [fastestCuda(record, row, allPairs), timeOf(row)]
  const rest = once.length > 0 ? once : lines('each pair once; CUDA: all pairs', beside)
  const where = `On graphics hardware (${deviceOf(record)}, ${record.date.slice(0, 10)}, [the record](${link}))`
  const said =
    'the speed of WebGPU divided by that of our fastest tuned CUDA kernel. Above 1, WebGPU is faster. The number of points is in brackets.'
  const head = ['law', 'loop', 'fewest points', 'most points']
  return `${where}: ${said}\n\n${markdownTable(head, [...lines('all pairs', same(allPairs)), ...rest])}`
}

const others = ['matrix', 'argmin', 'nearest(8)']
const withDefaultLimits = 'webgpu, default limits'

/**
 * Other workloads in the plans that the backend chooses, with and without the limits of the device: one column for each size.
 */
export function gpuWorkloads(record: BenchmarkRecord, link: string): string {
  const sizes = sizesIn(others.flatMap((law) => chosen(record, { law })))
  const line = (law: string, rows: readonly MeasuredRow[], name = law) => [
    name,
    ...sizes.map((n) => {
      const row = rows.find(({ problem }) => problem.targets === n)
      return row ? `${micro(timeOf(row))}${shareOfPairs(law, row)}` : ''
    }),
    boundOf(law),
  ]
  const lines = others.flatMap((law) => {
    const limited = chosen(record, { law, contender: withDefaultLimits })
    return [
      line(law, chosen(record, { law })),
      ...(limited.length > 0 ? [line(law, limited, `${law}, default limits`)] : []),
    ]
  })
  return `${sourceOf(record, link)} ${unitOf(record)} The number in brackets is the share of the bound that the run reaches, with the time of one dispatch in the bound. Runs that leave pairs out have none.\n\n${markdownTable(['workload', ...sizes.map(String), 'bound'], lines)}`
}

/** Only runs over all pairs have a share of the bound: a run over near points meets fewer pairs than the bound counts. */
const shareOfPairs = (law: string, row: MeasuredRow): string =>
  leavesPairsOut(variantOf(row)) ? '' : ` (${shareOfBound(law, row.problem.targets, timeOf(row))})`

/** The unit of a table's numbers, in words. */
function unitOf({ rows }: BenchmarkRecord): string {
  const clocked = rows.every(({ contender, outcome }) => contender.rival || !isMeasured(outcome) || outcome.device)
  return `Microseconds of one full evaluation on the device's clock${clocked ? '' : ', or of wall time where it says so'}.`
}

function inWords(record: BenchmarkRecord): string {
  const own = chosen(record, { law: 'gravity' })
  const largest = own.at(-1)
  const once = own.filter(pairsOnce).flatMap((row) => {
    const plain = fastest(record, 'webgpu', row, allPairs)
    return plain === undefined ? [] : [`${at([row])} points, ${ratio(plain, timeOf(row))} times as fast`]
  })
  const limited = chosen(record, { law: 'gravity', contender: withDefaultLimits })
  const tiles = rowsOf(record, { law: 'gravity', contender: 'CUDA' }).filter(gems)
  return [
    ...(record.judged ?? []).map(judgedSentence),
    largest &&
      `${largest.problem.targets} bodies take ${threeDigits(timeOf(largest) / 1000)} ms: ${Math.round((largest.problem.targets ** 2 * 1e-3) / timeOf(largest))} billion interactions a second.`,
    once.length > 0 && `Each pair once, gravity takes ${once.join('; ')} as the fastest plain plan.`,
    limited.length > 0 && `Within the limits that every WebGPU device has, gravity takes ${at(limited)}.`,
    tiles.length > 0 && `The tile of GPU Gems 3, chapter 31, in CUDA takes ${at(tiles)}.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

const at = (rows: readonly MeasuredRow[]): string =>
  rows.map((row) => `${micro(timeOf(row))} µs at ${row.problem.targets}`).join(', ')

/** The results of a backend in the suite and in random laws, according to the record. */
function judgedSentence(judged: JudgedBackend): string {
  if ('refused' in judged) return `${judged.backend} was not judged: ${judged.refused}.`
  const { backend, cases, passed, laws, tolerances, simulations, faults } = judged
  const sums = tolerances ? `, ${tolerances.sums} sums with a tolerance, ${tolerances.trees} of them by a tree,` : ''
  const moved = simulations ? ` and ${simulations} simulations` : ''
  return `On this GPU the ${backend} backend passes ${passed} of ${cases} cases of the conformance suite and runs ${laws.few + laws.many} random laws${sums}${moved} with ${faults.length} faults.`
}

/** Every variant at every workgroup size, each with its best other sizes. */
export function gpuLadder(record: BenchmarkRecord): string {
  const n = 16384
  const parsed = rowsOf(record, { law: 'gravity', n }).flatMap((row) => {
    const [, variant, workgroup] = /^(\S+) \(workgroup (\d+)[,)]/.exec(variantOf(row)) ?? []
    return workgroup === undefined ? [] : [{ variant, workgroup: Number(workgroup), row }]
  })
  const workgroups = [...new Set(parsed.map(({ workgroup }) => workgroup))].sort((a, b) => a - b)
  const table = plainVariants
    .map((name) => parsed.filter(({ variant }) => variant === name))
    .filter((rows) => rows.length > 0)
    .map((rows) => [
      `\`${rows[0]?.variant}\``,
      ...workgroups.map((size) =>
        micro(fastestOf(rows.flatMap(({ workgroup, row }) => (workgroup === size ? [row] : [])))),
      ),
    ])
  return `Gravity, microseconds of device time:\n\n${markdownTable([`${n} points`, ...workgroups.map(String)], table)}`
}
