// Made-up records of every kind, the same at every call, for tests of reports. Nothing in them was measured.

import { ways } from '../../bench/src/contenders/choices.ts'
import type { BenchmarkRecord, Environment, Kind, Machine, Measured, Row, Times, Who } from '../../bench/src/record.ts'
import type { MeasuredRow } from '../../bench/src/report/series.ts'

const sampleMachine: Machine = {
  cpu: 'Example CPU 3000',
  cores: 8,
  memoryGiB: 32,
  platform: 'linux x64',
  load: 0.12,
}

const node: Environment = {
  name: 'Node 20.20.2',
  isolated: true,
  threads: 8,
  timerResolution: 0.00004,
  versions: { node: '20.20.2', v8: '11.3.244.8', webgpu: '0.6.2' },
}
const chromium: Environment = {
  name: 'Chromium 147 (headless)',
  isolated: true,
  threads: 8,
  timerResolution: 0.005,
  versions: { chromium: '147.0.7727.15' },
}

/** Made-up milliseconds around a median. */
export function times(median: number, spread = 0.06): Times {
  return { samples: 7, median, lowerQuartile: median * (1 - 0.35 * spread), upperQuartile: median * (1 + 0.5 * spread) }
}

interface RowOptions extends Partial<Omit<Measured, 'error'>> {
  readonly ms?: number
  /** Points of both sides. */
  readonly n?: number
  readonly problem?: Partial<Row['problem']>
  readonly error?: Partial<Measured['error']>
}

/** A made-up row of one contender: gravity of 1000 points in a millisecond, unless it says otherwise. */
export function measuredRow(
  contender: Partial<Who>,
  { ms = 1, n = 1000, problem, error, ...outcome }: RowOptions = {},
): MeasuredRow {
  return {
    environment: node.name,
    problem: { name: 'gravity', workload: 'accelerations', targets: n, sources: n, dimension: 3, seed: 1, ...problem },
    contender: { name: '', rival: false, device: 'a device', kind: 'cpu', precision: 'f32', ...contender },
    interactions: n * n,
    outcome: {
      call: times(ms),
      interactionsPerSecond: (1000 * n * n) / ms,
      error: { max: 1e-7, median: 1e-8, p99: 1e-7, accumulation: 'block', bound: 1e-6, sampled: 8, ...error },
      ...outcome,
    },
  }
}

/** The speed of a made-up contender: a cost per call, and a limit of its rate. */
interface Pace {
  readonly who: Who
  readonly environment: string
  readonly overhead: number
  readonly rate: number
  readonly error: number
  readonly bound: number | null
  readonly approximate?: string
}

const who = (name: string, more: Partial<Who> = {}): Who => ({
  name,
  rival: false,
  device: 'Example CPU 3000',
  kind: 'cpu',
  precision: 'f32',
  ...more,
})

const ours: readonly Pace[] = [
  {
    who: who('webgpu', {
      device: 'Example RTX 9',
      kind: 'hardware',
      variant: 'split',
      sizes: { workgroup: 256 },
      driver: '1.2',
    }),
    environment: node.name,
    overhead: 0.35,
    rate: 4.1e11,
    error: 1.1e-7,
    bound: 1.2e-6,
  },
  {
    who: who('webgpu', { device: 'Example RTX 9', kind: 'hardware', variant: 'split', sizes: { workgroup: 256 } }),
    environment: chromium.name,
    overhead: 0.9,
    rate: 3.9e11,
    error: 1.3e-7,
    bound: 1.2e-6,
  },
  {
    who: who('webgl', {
      device: 'ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)',
      kind: 'software',
      variant: 'texture-loop',
    }),
    environment: chromium.name,
    overhead: 8,
    rate: 1.1e8,
    error: 1.9e-7,
    bound: 1.4e-6,
  },
  {
    who: who('cpu-wasm', { variant: 'pairs-once', threads: 8 }),
    environment: node.name,
    overhead: 0.02,
    rate: 9.6e9,
    error: 9.1e-8,
    bound: 5e-7,
  },
  {
    who: who('cpu-wasm', { variant: 'pairs-once', threads: 8, precision: 'f64' }),
    environment: node.name,
    overhead: 0.02,
    rate: 4.1e9,
    error: 3e-16,
    bound: 1e-13,
  },
  {
    who: who('reference', { precision: 'f64', variant: 'plain', threads: 1 }),
    environment: node.name,
    overhead: 0.001,
    rate: 6e6,
    error: 0,
    bound: 1e-13,
  },
]

const rivals: readonly Pace[] = [
  ['JavaScript', 1.6e8, 0, 2.1e-6, 'f32'],
  ['plain JavaScript, float64', 1.5e8, 0, 1e-16, 'f64'],
  ['gpu.js cpu', 9e7, 1, 1.2e-6, 'f32'],
  ['gpu.js webgl2', 3.2e7, 12, 5.7e-7, 'f32'],
  ['TensorFlow.js wasm', 6.1e7, 2, 3.1e-6, 'f32'],
  ['C, gcc -O3 128-bit', 1.1e10, 0.01, 4e-7, 'f32'],
  ['C, gcc -O3 AVX2', 2.4e10, 0.01, 4e-7, 'f32'],
].map(([name, rate, overhead, error, precision]) => ({
  who: who(String(name), { rival: true, precision: precision === 'f64' ? 'f64' : 'f32', threads: 1 }),
  environment: String(name).startsWith('gpu.js webgl') ? chromium.name : node.name,
  overhead: Number(overhead),
  rate: Number(rate),
  error: Number(error),
  bound: null,
}))

const barnesHut: Pace = {
  who: who('d3-force manyBody', { rival: true, precision: 'f64', threads: 1 }),
  environment: node.name,
  overhead: 0.1,
  rate: 5e8,
  error: 2.1e-2,
  bound: null,
  approximate: 'Barnes-Hut, theta 0.9',
}

function row({ who, environment, overhead, rate, error, bound, approximate }: Pace, n: number, law = gravity): Row {
  const call = overhead + (n * n * 1000) / rate
  const transfer = who.kind === 'cpu' ? (n * 28) / 8e6 : overhead / 4 + (n * 28) / 6e6
  return {
    environment,
    problem: { ...law, targets: n, sources: n, dimension: 3, seed: 1 },
    contender: who,
    interactions: n * n,
    outcome: {
      call: times(call + transfer),
      parts: { upload: times(transfer * 0.6), compute: times(call), readback: times(transfer * 0.4), compile: 12.3 },
      interactionsPerSecond: (n * n * 1000) / (call + transfer),
      error: {
        max: error * (1 + Math.log2(n) / 20),
        median: error / 3,
        p99: error * 0.9,
        accumulation: 'block',
        sampled: Math.min(n, 64),
        bound: bound === null ? null : bound * (1 + Math.sqrt(n) / 500),
        ...(approximate === undefined ? {} : { approximate }),
      },
    },
  }
}

const gravity = { name: 'gravity', workload: 'accelerations' }
const typed = { name: 'typed', expression: '-k*charge_i*charge_j/r; k = 2', workload: 'forces' }

function refuse(pace: Pace, n: number, refused: string, law = gravity): Row {
  return { ...row(pace, n, law), outcome: { refused } }
}

function record(
  kind: BenchmarkRecord['kind'],
  rows: readonly Row[],
  more: Partial<BenchmarkRecord> = {},
): BenchmarkRecord {
  return {
    command: `npm run bench -- ${kind}`,
    kind,
    date: '2026-11-20T10:15:00.000Z',
    machine: sampleMachine,
    environments: [node, chromium],
    rows,
    ...more,
  }
}

const sizes = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536]
const [webgpu, , webgl, cpuWasm, , reference] = ours as readonly [Pace, Pace, Pace, Pace, Pace, Pace]

/** The made-up record of a kind. */
export function sampleOf(kind: Kind): BenchmarkRecord {
  const record = sampleRecords().find((one) => one.kind === kind)
  if (!record) throw new Error(`expected a sample of ${kind}`)
  return record
}

/** One made-up record of each kind. */
export function sampleRecords(): readonly BenchmarkRecord[] {
  return [
    record('compare', [
      ...ours.map((pace) => row(pace, 4096)),
      row(cpuWasm, 4096, typed),
      refuse(webgl, 4096, 'Node has no WebGL: measure it in a browser'),
    ]),
    record('scale', [
      ...ours.flatMap((pace) => sizes.filter((n) => n * n < pace.rate).map((n) => row(pace, n))),
      ...[32768, 65536].map((n) => refuse(reference, n, `one call would take about ${n / 183} s, and there are 5 s`)),
    ]),
    record('sweep', sweepRows(), { partial: 'interrupted' }),
    record(
      'transfer',
      [1024, 4096, 16384].flatMap((n) => ours.map((pace) => row(pace, n))),
    ),
    record('workloads', [
      ...['matrix of exp(-r2)', 'argmin', 'logsumexp', 'nearest(8)', 'cellIndex', 'gradient'].flatMap((workload, i) =>
        ours
          .filter(({ who }) => who.precision === 'f32' || who.name === 'reference')
          .map((pace) => row({ ...pace, rate: pace.rate / (1 + i) }, 2048, { name: workload, workload })),
      ),
      refuse(webgl, 2048, 'reads nearest(32) with k above 16', { name: 'nearest(32)', workload: 'nearest(32)' }),
    ]),
    record('choice', [...choiceRows(1024, 'blocks'), ...choiceRows(4096, 'blocks'), ...choiceRows(64, 'pairs-once')]),
    record(
      'near',
      [1024, 4096].flatMap((n) =>
        [cpuWasm, { ...cpuWasm, who: who('SciPy cKDTree', { rival: true, precision: 'f64' }), bound: null }].map(
          (pace) => row(pace, n, { name: 'cube', workload: 'nearest(8)' }),
        ),
      ),
    ),
    record('tree', [
      ...toleranceRows,
      ...['gravity', 'layout'].map((law) => refusedSum(law, 'not installed')),
      refusedSum('gravity', 'wrong answer: off'),
    ]),
    record(
      'mesh',
      ['cpu-wasm, mesh', 'LAMMPS pppm'].flatMap((name) =>
        [1e-3, 1e-4].map((error) => {
          const rival = name !== 'cpu-wasm, mesh'
          const about = { ...cpuWasm.who, name: `${name}, tolerance ${error}`, variant: 'mesh (reach 0.1)', rival }
          return row({ ...cpuWasm, error, bound: null, who: about }, 4096, { name: 'box', workload: 'charges in box' })
        }),
      ),
    ),
    record(
      'gpu',
      [4096, 16384].flatMap((n) => [
        row({ ...webgpu, overhead: 0 }, n),
        row({ ...webgpu, who: who('CUDA', { rival: true, kind: 'hardware' }), overhead: 0, rate: 3e11 }, n),
      ]),
    ),
    record(
      'calls',
      [1024, 4096].flatMap((n) => [
        row({ ...webgpu, who: who('webgpu, whole call', { kind: 'hardware' }) }, n),
        row({ ...webgpu, who: who('CUDA, whole call', { rival: true, kind: 'hardware' }), rate: 3e11 }, n),
      ]),
    ),
    record('rivals', [
      ...[1024, 4096].flatMap((n) => [cpuWasm, webgpu, reference, ...rivals, barnesHut].map((pace) => row(pace, n))),
      refuse(
        { ...barnesHut, who: who('gpu.js webgpu', { rival: true }) },
        4096,
        'wrong answer: largest error 0.31, bound 1.2e-6',
      ),
      refuse(
        { ...barnesHut, who: who('ngraph.forcelayout', { rival: true }) },
        4096,
        'has no softened gravity: its law is fixed',
      ),
    ]),
  ]
}

/** Two loops and the choice between them. The rounds of blocks take 0.8 of those of all pairs, and choosing takes another ms. */
function choiceRows(n: number, chosen: string): readonly Row[] {
  const problem = { name: 'liquid', workload: 'forces near 55' }
  return ways.map((name, way) => {
    const variant = ['pairs-once', 'blocks (8 x 8)', chosen][way] ?? ''
    const milliseconds = [10, 8, chosen === 'blocks' ? 9 : 11]
    const ms = milliseconds[way] ?? 0
    const before = ways.slice(0, way).map((other, at) => [other, ms, milliseconds[at] ?? 0] as const)
    const beside = Object.fromEntries(before.map(([other, a, b]) => [other, { ratio: a / b, longer: a - b }]))
    return measuredRow({ name, variant, threads: 8 }, { n, ms, problem, ...(way > 0 && { beside }) })
  })
}

/** A sum with a tolerance, or beside it. */
const sampleSum = (
  name: string,
  variant: string,
  ms: number,
  p99: number,
  more: Partial<RowOptions> = {},
): MeasuredRow =>
  measuredRow(
    { name, variant, rival: name === 'ngraph' },
    {
      ...{ n: 4000, ms, problem: { name: 'cube', workload: 'coulomb in cube' } },
      error: { max: 3 * p99, p99, bound: 1e-2 },
      ...more,
    },
  )

const tree = 'tree (simplex, opening 0.4), 2 threads'
export const toleranceRows: readonly Row[] = [
  sampleSum('all pairs', 'pairs-once', 100, 1e-7),
  sampleSum('cpu-wasm, tolerance 0.01', tree, 5, 4e-3, { first: 300, evaluated: 4e5 }),
  sampleSum('cpu-wasm, tolerance 0.001', tree, 10, 4e-4),
  sampleSum('cpu-wasm, tolerance 0.000001', 'pairs-once', 100, 1e-7),
  sampleSum('cpu-wasm, mesh, tolerance 0.001', 'mesh (reach 0.2, cells 32), 2 threads', 4, 5e-4),
  sampleSum('manybody/d3, tolerance 0.01', tree, 6, 5e-3),
  sampleSum('ngraph', 'tree, theta 0.5', 80, 2e-2),
]

const refusedSum = (law: string, refused: string): Row => ({
  ...sampleSum('all pairs', '', 1, 0, { problem: { name: 'cube', workload: `${law} in cube` } }),
  outcome: { refused },
})

function sweepRows(): readonly Row[] {
  const variants = ['naive', 'grid-stride', 'tiled', 'tiled-unrolled', 'register-blocked', 'split', 'sliced']
  const blocks = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
  return variants.flatMap((variant, v) =>
    blocks.map((workgroup, b) => {
      const pace = {
        ...webgpu,
        rate: 4e11 / (1 + Math.abs(b - 8) * 0.6 + (6 - v) * 0.7),
        who: { ...webgpu.who, variant, sizes: { workgroup } },
      }
      if (variant === 'sliced' && workgroup > 256)
        return refuse(pace, 16384, 'workgroup memory: 48 KiB asked, 32 KiB there')
      return row(pace, 16384)
    }),
  )
}
