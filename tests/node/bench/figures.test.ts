// The figures in README and docs must come from the committed records: none is typed by hand, none outlives its record. The pages
// themselves show that each kind of block finds its records and prints them; the other tests have records that the pages lack.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filled } from '../../../bench/figures/blocks.ts'
import { readRecord } from '../../../bench/src/node/record-file.ts'
import type { BenchmarkRecord } from '../../../bench/src/record.ts'
import { textOf } from '../../../bench/src/record-text.ts'
import { groups, type MeasuredRow, measured } from '../../../bench/src/report/series.ts'
import { pages } from '../../../scripts/pages/pages.ts'
import { root } from '../../../tools/pnpm.mjs'
import { measuredRow, sampleOf } from '../../support/sample-records.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('the figures of the records, which `npm run figures` inserts, are in', () => {
  test.for(pages)('%s', (page) => {
    const text = readFileSync(join(root, page), 'utf8')
    expect(filled(text, page, root)).toBe(text)
  })
})

test('the pages have a block of each kind', () => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('')
  const blocks =
    'h200 h200-short h200-ladder h200-workloads h200-trees gpu-near gpu-calls tree tree-short tree-errors cluster'
  const named = `${blocks} rivals near choice workloads`.split(' ')
  expect(named.filter((name) => !text.includes(`<!-- figures: ${name} -->`))).toEqual([])
})

test('the page of WebGL quotes its kernels as the records have them', () => {
  const ways = ['swiftshader', 'llvmpipe'].flatMap((driver) => {
    const { rows } = readRecord(join(root, `bench/webgl/records/2026-11-27-${driver}.json`))
    const version = ({ contender, problem }: MeasuredRow) => `${contender.name.slice(-6)}, ${problem.targets}`
    return [...groups(measured(rows), version).values()].map((same) => {
      const time = (variant: string) =>
        same.find(({ contender }) => contender.variant === variant)?.outcome.call.median ?? 0
      const [naive, byHand, ours] = [time('naive'), time('expert'), time('texture-loop')]
      return { points: same[0]?.problem.targets ?? 0, naive: naive / ours, byHand: ours / byHand }
    })
  })
  expect(ways).toHaveLength(12)
  const naive = ways.map(({ naive }) => naive)
  const byHand = (isCounted: (points: number) => boolean) =>
    ways.filter(({ points }) => isCounted(points)).map(({ byHand }) => byHand)
  const [few, many] = [byHand((points) => points === 1024), byHand((points) => points > 1024)]
  expect(Math.max(...many)).toBeLessThan(1)
  const text = readFileSync(join(root, 'docs/backends/webgl.md'), 'utf8').replaceAll(/\s+/g, ' ')
  for (const part of [
    `it is ${Math.min(...naive).toPrecision(2)} to ${Math.max(...naive).toPrecision(2)} times as fast as \`naive\`.`,
    `is at most ${Math.max(...few).toPrecision(2)} times as fast as \`texture-loop\` for 1024 points, and slower for 4096 and 16384`,
  ])
    expect(text).toContain(part)
})

const folder = temporaryFolder('figures')
mkdirSync(join(folder, 'bench/gpu/records'), { recursive: true })

const fill = (what: string): string =>
  filled(`a\n<!-- figures: ${what} -->\nold\n<!-- /figures -->\nb`, 'docs/page.md', folder)

/** Writes a record, and returns its path. */
function put(file: string, record: BenchmarkRecord): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, textOf(record))
  return path
}

test.each([
  ['scale gravity', 'bench -- scale --json bench/records/'],
  ['h200-trees', 'bench:gpu -- --laws tolerance --judge trees --json bench/gpu/records/'],
  ['gpu-near', 'bench:gpu -- near --json bench/gpu/records/'],
  ['gpu-calls', 'bench:gpu -- calls --json bench/gpu/records/'],
  ['tree-errors', 'bench -- tree --sizes 4000 --targets 4000 .* --no-rivals --json bench/tree/errors/'],
])('a block of %s without a record says how to make one, and has no figures', (what, command) => {
  expect(fill(what)).toMatch(new RegExp(`No record is committed yet; \`npm run ${command}`))
  expect(fill(what)).not.toContain('old')
})

test('a block has rates by size and crossovers, with source and link, and quotes doubts about its record', () => {
  const sample = sampleOf('scale')
  put('bench/records/older.json', { ...sample, date: '2026-11-19T00:00:00.000Z' })
  put('bench/records/scale.json', { ...sample, partial: 'interrupted', machine: { ...sample.machine, load: 9 } })
  const scale = fill('scale gravity')
  expect(scale).toContain(
    'Example CPU 3000, 8 cores, 32 GiB, Node 20.20.2 and Chromium 147 (headless), 2026-11-20: `npm run bench -- scale`, in [the record](../bench/records/scale.json). Incomplete: interrupted. The machine was busy: load 9.',
  )
  expect(scale).toContain('From about 2000 points webgpu, Node is faster than cpu-wasm, f32.')
  expect(scale).toMatch(/\| webgl \(software GPU\) +\| 6\.18 M +\|/)
  expect(scale).toMatch(/^a\n<!-- figures: scale gravity -->\n\n[\s\S]*\n\n<!-- \/figures -->\nb$/)
})

test('each problem comes from its newest record, and the newest comes last', () => {
  const rivals = sampleOf('rivals')
  const rows = rivals.rows.map((row) => ({ ...row, problem: { ...row.problem, name: 'coulomb', workload: 'forces' } }))
  put('bench/records/rivals.json', rivals)
  put('bench/records/newer.json', { ...rivals, date: '2026-12-24T00:00:00.000Z', rows })
  const text = fill('rivals')
  const order = ['records/newer.json)', 'records/rivals.json)', '| forces of coulomb, ', '| accelerations of gravity, ']
  const places = order.map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
})

test('half a measurement is not quoted', () => {
  const error = { max: 8e-3, p99: 4e-3, told: 6e-3, accumulation: 'block', bound: 1e-2, sampled: 512 } as const
  const problem = { name: 'cube', workload: 'gravity in cube', targets: 4000, sources: 4000 }
  const rows = [measuredRow({ name: 'cpu-wasm, tolerance 0.01' }, { problem, error })]
  put('bench/tree/errors/some.json', { ...sampleOf('tree'), rows })
  expect(() => fill('tree-errors')).toThrow(
    'expected the errors of all 4000 targets of gravity in cube, got 512; make it with --targets 4000',
  )
})

test.each([
  [
    'nonsense',
    'expected h200, h200-short, h200-ladder, h200-workloads, h200-trees, gpu-near, gpu-calls, tree, tree-short, tree-errors, cluster or one of compare, ',
  ],
  ['scale magnetism', 'has no figure of "magnetism"'],
])('a block that asks for %s is refused', (what, reason) => {
  expect(() => fill(what)).toThrow(reason)
  expect(() => fill(what)).toThrow(`docs/page.md: cannot fill "${what}"`)
})

test('a block without an end, and a file that is not a record, are refused', () => {
  expect(() => filled('<!-- figures: h200 -->\ntext', 'docs/page.md', folder)).toThrow('has no end')
  const broken = join(folder, 'bench/records/broken.json')
  writeFileSync(broken, '{}')
  expect(() => fill('scale gravity')).toThrow('is not a record of this benchmark')
  rmSync(broken)
})
