// The naive-against-tuned ladder: gravity over the same points in the same page, whole calls, medians of interleaved runs.
// It prints its rows; with RECORD it keeps them, for the figures of the documentation. `-t WebGL1` runs one half alone.
//
//   RECORD=bench/webgl/records/<date>-<rasteriser>.json npx vitest run --config tests/browser/ladder.config.ts
//
// Rungs: `naive` is the kernel that gpu.js' documentation would have one write; `expert` is written by hand with gpu.js,
// see `expert.ts`; `texture-loop` is what this backend generates from the law.

import { accelerations, gravity } from '@manybody/core'
import { bind, errorBound, errorNorms, truthOf } from '@manybody/core/backend'
import { afterAll, expect, inject, test } from 'vitest'
import { commands } from 'vitest/browser'
import type { Gl } from '../src/host/adapter.ts'
import { webgl } from '../src/index.ts'
import { expert } from './expert.ts'
import type { LadderRecord, LadderRow, LadderTimes } from './ladder-record.ts'

const softening = 0.05
const workload = accelerations(gravity({ softening }))

const rows: LadderRow[] = []
let renderer = ''

const cases = ([2, 1] as const).flatMap((version) => [1024, 4096, 16384].map((points) => [version, points] as const))

afterAll(async () => {
  console.log(`${renderer}\n${rows.map((row) => JSON.stringify(row)).join('\n')}`)
  const { file, ...about } = inject('ladder')
  if (!file) return
  expect(rows, 'a record has every row').toHaveLength(cases.length)
  const [, browser = navigator.userAgent] = /(Chrome\/\d+)/.exec(navigator.userAgent) ?? []
  const record: LadderRecord = { ...about, browser, renderer, rows }
  await commands.writeFile(file, `${JSON.stringify(record, null, 2)}\n`)
})

test.for(cases)('gravity on WebGL%i among %i points', { timeout: 600_000 }, async ([version, points]) => {
  const context = () => new OffscreenCanvas(2, 2).getContext(version === 2 ? 'webgl2' : 'webgl') as Gl | null
  const noise = (n: number) => (Math.sin(12.9898 * (n + 1)) * 43758.5453) % 1
  const position = Float32Array.from({ length: 3 * points }, (_, n) => noise(n))
  const mass = Float32Array.from({ length: points }, (_, n) => 1 + 0.5 * noise(n + 7))
  const { shape, bindings } = bind(workload, { position, mass })
  const device = await webgl({ context }).open()
  renderer = device.info.name
  const tuned = await device.prepare(workload, shape)
  const naive = await device.prepare(workload, shape, { variant: 'naive' })
  const byHand = await expert(context() as Gl, version, points, softening)
  const sample = Array.from({ length: 64 }, (_, n) => Math.floor((n * points) / 64))
  const truth = truthOf(workload, shape, bindings, { targets: sample })
  const errorOf = (out: ArrayLike<number>) => {
    const sampled = sample.flatMap((t) => [0, 1, 2].map((k) => out[3 * t + k] as number))
    return errorNorms(sampled, truth.results.acceleration ?? [], truth.scales.acceleration ?? []).max
  }
  const parts: Part[] = []
  const rungs: Readonly<Record<string, Rung>> = {
    naive: rung(async () => (await naive.run(bindings)).acceleration ?? [], errorOf),
    expert: rung(async () => byHand(position, mass), errorOf),
    'texture-loop': rung(async () => {
      const { acceleration = [] } = await tuned.run(bindings)
      const { upload, compute, readback } = tuned.report.timings
      parts.push({ upload, compute, readback })
      return acceleration
    }, errorOf),
  }
  // The first rounds warm up: programs compile, and slices find their size.
  const [warming, rounds] = [2, points > 4096 ? 3 : points > 1024 ? 11 : 41]
  for (let round = 0; round < warming + rounds; round++) for (const { run } of Object.values(rungs)) await run()
  const later = <T>(all: readonly T[]) => all.slice(warming)
  const times = Object.fromEntries(
    Object.entries(rungs).map(([name, { samples, error }]) => [name, { ms: median(later(samples)), error: error() }]),
  ) as Record<keyof LadderTimes, { ms: number; error: number }>
  const part = (name: keyof Part) => median(later(parts).map((one) => one[name]))
  const bound = errorBound(tuned.report, points)
  rows.push({
    context: `WebGL${version}`,
    points,
    rounds,
    bound,
    times,
    parts: { upload: part('upload'), compute: part('compute'), readback: part('readback') },
  })
  device.dispose()
  expect(times['texture-loop'].error).toBeLessThan(bound)
})

type Part = LadderRow['parts']

interface Rung {
  readonly samples: readonly number[]
  run(): Promise<void>
  error(): number
}

/** Times whole calls, and keeps the latest answer. */
function rung(call: () => Promise<ArrayLike<number>>, errorOf: (out: ArrayLike<number>) => number): Rung {
  const samples: number[] = []
  let latest: ArrayLike<number> = []
  return {
    samples,
    async run() {
      const start = performance.now()
      latest = await call()
      samples.push(performance.now() - start)
    },
    error: () => errorOf(latest),
  }
}

const median = (sample: readonly number[]): number =>
  [...sample].sort((a, b) => a - b)[sample.length >> 1] ?? Number.NaN
