/** What the documentation says of WebGPU beside CUDA, from the record of `npm run bench:gpu`. */

import { onceVariant, plainVariants } from '../../packages/backend-webgpu/src/plans/variants.ts'
import type { Judged } from '../gpu/record.ts'
import { scientific, threeDigits } from '../src/report/format.ts'
import { boundOf, shareOfBound } from './gpu-bounds.ts'
import type { CudaFigure, GpuFigure, GpuFigures } from './gpu-record.ts'
import { markdownTable } from './markdown.ts'

/** Device time where there is one. */
const timeOf = ({ gpu, wall }: GpuFigure): number => gpu ?? wall

const micro = (value: number | undefined): string =>
  value === undefined ? '' : value < 1000 ? threeDigits(value) : String(Math.round(value))

/** Each law as the backend chooses its plan, beside the fastest kernel in CUDA. */
export function gpuBesideCuda(figures: GpuFigures, link: string): string {
  const rows = chosen(figures, Object.keys(laws)).map((row) => {
    const cuda = fastestCuda(figures.cuda, row)
    return [
      `${laws[row.law]}, ${row.n}${row.gpu === undefined ? ' (wall)' : ''}`,
      micro(timeOf(row)),
      micro(cuda),
      cuda === undefined ? '' : (cuda / timeOf(row)).toFixed(2),
      row.maxError === undefined ? '' : scientific(row.maxError),
    ]
  })
  const head = ['law, points', 'WebGPU', 'CUDA', 'CUDA/WebGPU', 'error']
  return `${source(figures, link)}\n\n${markdownTable(head, rows)}\n\n${inWords(figures)}`
}

/** The same in one sentence: how many times as fast as CUDA each law is, from few points to many. */
export function gpuInShort(figures: GpuFigures, link: string): string {
  const { machine, date } = figures.record
  const perLaw = Object.entries(laws).flatMap(([law, name]) => {
    const times = chosen(figures, [law]).flatMap((row) => {
      const cuda = fastestCuda(figures.cuda, row)
      return cuda === undefined ? [] : [`${(cuda / timeOf(row)).toFixed(2)} at ${row.n}`]
    })
    return times.length === 0 ? [] : [`${name} ${times.join(', ')}`]
  })
  return `On graphics hardware (${machine.gpu}, ${date.slice(0, 10)}, [the record](${link})), one run of WebGPU beside the fastest of our tuned CUDA kernels; above 1, WebGPU is faster: ${perLaw.join('; ')}.`
}

const laws: Readonly<Record<string, string>> = {
  gravity: 'gravity',
  typed: 'the same law, typed by a user',
  coulomb: 'Coulomb',
  'lennard-jones': 'Lennard-Jones, cutoff, box',
}

/** Other workloads, in the plans that the backend chooses, with and without the limits of the device: a column a size. */
export function gpuWorkloads(figures: GpuFigures, link: string): string {
  const sizes = [...new Set(chosen(figures, others).map(({ n }) => n))].sort((a, b) => a - b)
  const line = (law: string, rows: readonly GpuFigure[], name = law) => [
    name,
    ...sizes.map((n) => {
      const row = rows.find((row) => row.law === law && row.n === n)
      return row ? `${micro(timeOf(row))} (${shareOfBound(law, n, timeOf(row))})` : ''
    }),
    boundOf(law),
  ]
  const limited = chosenWithinLimits(figures)
  const lines = others.flatMap((law) => [
    line(law, chosen(figures, others)),
    ...(limited.some((row) => row.law === law) ? [line(law, limited, `${law}, default limits`)] : []),
  ])
  return `${source(figures, link)} In brackets, the share of the bound, one dispatch included, that is reached.\n\n${markdownTable(['workload', ...sizes.map(String), 'bound'], lines)}`
}

const others = ['matrix', 'argmin', 'nearest(8)']

/** What the backend chose for these laws, by law and then size, within the limits of the device. */
function chosen({ rows }: GpuFigures, of: readonly string[]): readonly GpuFigure[] {
  return rows
    .filter((row) => row.chosen && !row.defaultLimits && of.includes(row.law))
    .toSorted((a, b) => of.indexOf(a.law) - of.indexOf(b.law) || a.n - b.n)
}

const chosenWithinLimits = ({ rows }: GpuFigures): readonly GpuFigure[] =>
  rows.filter((row) => row.chosen && row.defaultLimits)

function fastestCuda(cuda: readonly CudaFigure[], { law, n }: GpuFigure): number | undefined {
  const times = cuda.filter((row) => row.law === law && row.n === n && !gems.test(row.kernel)).map(({ gpu }) => gpu)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** The tile of GPU Gems 3, which is a yardstick of its own. */
const gems = /gems/i

function source({ record: { machine, date, command, partial }, rows }: GpuFigures, link: string): string {
  const { gpu, driver, webgpu, node } = machine
  const where = `${gpu}, driver ${driver ?? 'unknown'}, webgpu ${webgpu} (Dawn), Node ${node}, ${date.slice(0, 10)}`
  const clock = rows.every((row) => row.gpu !== undefined) ? '' : ', or of wall time where it says so'
  const doubt = partial === undefined ? '' : ` Incomplete: ${partial}.`
  return `${where}: \`${command}\`, in [the record](${link}).${doubt} Microseconds of one full evaluation on the device's clock${clock}.`
}

function inWords(figures: GpuFigures): string {
  const gravity = figures.rows.filter(({ law }) => law === 'gravity')
  const own = chosen(figures, ['gravity'])
  const largest = own.at(-1)
  const once = own.filter(pairsOnce).flatMap((row) => {
    const plain = fastest(gravity.filter((other) => other.n === row.n && !other.defaultLimits && !pairsOnce(other)))
    return plain === undefined
      ? []
      : [`${micro(timeOf(row))} µs at ${row.n} points, ${(plain / timeOf(row)).toFixed(2)} times as fast`]
  })
  const limited = chosenWithinLimits(figures).filter(({ law }) => law === 'gravity')
  const tiles = figures.cuda.filter(({ law, kernel }) => law === 'gravity' && gems.test(kernel))
  const step = figures.rows.find(({ law }) => law === 'stepping')
  const at = (rows: readonly (GpuFigure | CudaFigure)[]) =>
    rows.map((row) => `${micro('wall' in row ? timeOf(row) : row.gpu)} µs at ${row.n}`).join(', ')
  return [
    ...(figures.record.judged ?? []).map(judgedSentence),
    largest &&
      `${largest.n} bodies take ${threeDigits(timeOf(largest) / 1000)} ms: ${Math.round((largest.n ** 2 * 1e-3) / timeOf(largest))} billion interactions a second.`,
    once.length > 0 && `Each pair once, gravity takes ${once.join('; ')} as the fastest plain plan.`,
    step && `A leapfrog step of ${step.n} bodies takes ${micro(timeOf(step))} µs, ${micro(step.wall)} µs of wall time.`,
    limited.length > 0 && `Within the limits that every WebGPU device has, gravity takes ${at(limited)}.`,
    tiles.length > 0 && `The tile of GPU Gems 3, chapter 31, in CUDA takes ${at(tiles)}.`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

/** What the record says of a backend that was held to the suite and to random laws. */
function judgedSentence(judged: Judged): string {
  if ('refused' in judged) return `${judged.backend} was not judged: ${judged.refused}.`
  const { backend, cases, passed, laws, faults } = judged
  return `On this GPU the ${backend} backend passes ${passed} of ${cases} cases of the conformance suite and runs ${laws.few + laws.many} random laws with ${faults.length} faults.`
}

const pairsOnce = ({ variant }: GpuFigure): boolean => variant.startsWith(onceVariant)

function fastest(rows: readonly GpuFigure[]): number | undefined {
  return rows.length === 0 ? undefined : Math.min(...rows.map(timeOf))
}

/** Every variant at every workgroup size, the best over its other sizes. */
export function gpuLadder({ rows }: GpuFigures): string {
  const n = 16384
  const parsed = rows.flatMap((row) => {
    const [, variant, workgroup] = /^(\S+) \(workgroup (\d+)[,)]/.exec(row.variant) ?? []
    const counts = row.law === 'gravity' && row.n === n && !row.defaultLimits && workgroup !== undefined
    return counts && variant !== undefined ? [{ variant, workgroup: Number(workgroup), time: timeOf(row) }] : []
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
