/**
 * The figures of README and docs: blocks between `<!-- figures: <name> -->` and `<!-- /figures -->`, filled from committed records. The
 * names:
 *
 * - `h200`, `h200-short`, `h200-ladder`, `h200-workloads`, `h200-trees`: from the newest record in bench/gpu/records that has these
 *   laws; `gpu-calls`: from the newest record of each whole call there
 * - `cluster`: from all records in tests/cluster/records
 * - `tree`, `tree-short`: from the newest record of each law, set and number of points in bench/tree/records; `tree-errors`: from the
 *   newest record in bench/tree/errors
 * - `webgl-ladder`: from the newest record of each renderer in bench/webgl/records
 * - `<kind> <law or workload>`, as in `rivals gravity`: a table over sizes, from the newest record of that kind in
 *   bench/records; `sweep gravity of webgl` shows one contender alone
 * - `rivals`, `near`: one line for each problem, which compares our backends with the alternatives, from the newest record of each
 *   problem; `choice`: one line for each number of points; `<kind>`: one line for each problem and one column for each contender
 */

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readRecord } from '../src/node/record-file.ts'
import { type BenchmarkRecord, type Kind, kinds, type Row } from '../src/record.ts'
import { lawKey } from '../src/report/series.ts'
import { clusterFigures } from './cluster-blocks.ts'
import { gpuBesideCuda, gpuInShort, gpuLadder, gpuWorkloads } from './gpu-blocks.ts'
import { gpuCalls } from './gpu-calls.ts'
import { gpuFiguresOf } from './gpu-record.ts'
import { gpuTrees, treeLaw } from './gpu-trees.ts'
import { callsOf, choicesOf, hasFigureOf, nearOf, ratesOf, rivalsOf } from './record-blocks.ts'
import { treeCosts, treeErrors, treeInShort } from './tree-blocks.ts'
import { webglLadder } from './webgl-blocks.ts'

const clusterFolder = 'tests/cluster/records'

const block = /^(<!-- figures: ([^>]*?) -->)$[\s\S]*?(^<!-- \/figures -->$|(?=^<!-- figures:)|(?![\s\S]))/gm

/**
 * Fills the blocks of a page.
 *
 * @param page path from `root`, where links start
 * @throws RangeError naming the block that cannot be filled
 */
export function filled(text: string, page: string, root: string): string {
  return text.replace(block, (_, open: string, what: string, close: string) => {
    if (close === '') throw new RangeError(`${page}: the block "${what}" has no end`)
    try {
      return `${open}\n\n${content(what, page, root)}\n\n${close}`
    } catch (cause) {
      throw new RangeError(`${page}: cannot fill "${what}": ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      })
    }
  })
}

function content(what: string, page: string, root: string): string {
  const linkTo = (file: string) => relative(dirname(page), file)
  if (what === 'cluster') return clusterFigures(join(root, clusterFolder), (file) => linkTo(join(clusterFolder, file)))
  if (what === 'webgl-ladder') return webglLadders(root, linkTo)
  const tree = treeBlocks[what]
  if (tree) {
    const { table, folder, command = '' } = tree
    const records = recordsOf(join(root, folder), 'tree')
    if (records.length === 0) return missing(`npm run bench -- tree ${command}--json ${folder}/<date>.json`)
    return table(records.map(({ name, record }) => ({ record, link: linkTo(join(folder, name)) })))
  }
  const gpu = gpuBlocks[what]
  if (gpu) {
    const { table, kind = 'gpu', law = 'gravity', command = '', each = false } = gpu
    const records = recordsOf(join(root, 'bench/gpu/records'), kind).filter(({ record }) => hasFigureOf(record, law))
    if (records.length === 0)
      return missing(`npm run bench:gpu -- ${command}--json bench/gpu/records/<date>-<gpu>.json`)
    return (each ? newestOfEach(records) : records.slice(0, 1))
      .map(({ name, record }) => table(gpuFiguresOf(record), linkTo(join('bench/gpu/records', name))))
      .join('\n\n')
  }
  const [, kind = '', law, contender] = /^(\S+)(?: (.+?))?(?: of (\S+))?$/.exec(what) ?? []
  if (!kinds.some((known) => known === kind))
    throw new RangeError(
      `expected ${[gpuBlocks, treeBlocks].flatMap(Object.keys).join(', ')}, cluster, webgl-ladder or one of ${kinds.join(', ')}`,
    )
  const records = recordsOf(join(root, 'bench/records'), kind)
  const [newest] = records
  if (!newest) return missing(`npm run bench -- ${kind} --json bench/records/<date>-${kind}.json`)
  const link = (name: string) => linkTo(join('bench/records', name))
  if (law !== undefined) {
    const { record, name } = records.find(({ record }) => hasFigureOf(record, law)) ?? newest
    return ratesOf(of(record, contender), law, link(name))
  }
  const table = tables[kind]
  if (!table) return callsOf(newest.record, link(newest.name))
  return table(
    newestOfEach(records)
      .toReversed()
      .map(({ name, record }) => ({ record, link: link(name) })),
  )
}

/** The newest record of each device, the oldest first. */
function webglLadders(root: string, linkTo: (file: string) => string): string {
  const folder = 'bench/webgl/records'
  const ladders = recordsOf(join(root, folder), 'ladder').toReversed()
  const newest = new Map(ladders.map((named) => [named.record.rows[0]?.contender.device, named]))
  return newest.size === 0
    ? missing(`npm run bench -- ladder --json ${folder}/<date>-<rasteriser>.json`)
    : [...newest.values()].map(({ name, record }) => webglLadder(record, linkTo(join(folder, name)))).join('\n\n')
}

interface GpuBlock {
  readonly table: typeof gpuBesideCuda
  /** The kind of its record; `gpu` if left out. */
  readonly kind?: Kind
  /** A law that its record has; gravity if left out. */
  readonly law?: string
  /** The arguments that make its record, except its path. */
  readonly command?: string
  /** Whether each problem comes from its newest record, which has a table of its own. */
  readonly each?: boolean
}

const gpuBlocks: Readonly<Record<string, GpuBlock>> = {
  h200: { table: gpuBesideCuda },
  'h200-short': { table: gpuInShort },
  'h200-ladder': { table: gpuLadder },
  'h200-workloads': { table: gpuWorkloads },
  'h200-trees': { table: gpuTrees, law: treeLaw, command: '--laws tolerance --judge trees ' },
  'gpu-calls': { table: gpuCalls, kind: 'calls', command: 'calls ', each: true },
}

interface TreeBlock {
  readonly table: typeof treeCosts
  readonly folder: string
  /** The arguments that make its record, except its path. */
  readonly command?: string
}

const treeBlocks: Readonly<Record<string, TreeBlock>> = {
  tree: { table: treeCosts, folder: 'bench/tree/records' },
  'tree-short': { table: treeInShort, folder: 'bench/tree/records' },
  'tree-errors': {
    table: treeErrors,
    folder: 'bench/tree/errors',
    command: '--sizes 4000 --targets 4000 --precision f64 --tolerances 1e-2,3e-3,1e-3 --no-rivals ',
  },
}

/** Kinds that take each problem from its newest record. */
const tables: Readonly<Record<string, typeof nearOf>> = { rivals: rivalsOf, near: nearOf, choice: choicesOf }

/** A record with the rows of one contender only, if one is named. */
function of(record: BenchmarkRecord, name: string | undefined): BenchmarkRecord {
  return name === undefined ? record : { ...record, rows: record.rows.filter((row) => row.contender.name === name) }
}

/** Stands for the figures of a missing record, so that a page never has figures without their record. */
const missing = (command: string): string => `No record is committed yet; \`${command}\` makes one.`

interface Named {
  readonly name: string
  readonly record: BenchmarkRecord
}

/** The newest first. */
export function recordsOf(folder: string, kind: string): readonly Named[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return names
    .map((name) => ({ name, record: readRecord(join(folder, name)) }))
    .filter(({ record }) => record.kind === kind)
    .sort((a, b) => b.record.date.localeCompare(a.record.date))
}

/** A problem of one size, which may have a newer record than another size. Choices are recorded by threads. */
const sizeKey = (kind: string, row: Row): string =>
  `${lawKey(row)} ${row.problem.targets} ${row.problem.sources} ${kind === 'choice' ? row.contender.threads : ''}`

/** Each record with the problems that no newer record has, except records that have no such problem. */
function newestOfEach(records: readonly Named[]): readonly Named[] {
  const known = new Set<string>()
  return records.flatMap(({ name, record }) => {
    const rows = record.rows.filter((row) => !known.has(sizeKey(record.kind, row)))
    for (const row of rows) known.add(sizeKey(record.kind, row))
    return rows.length === 0 ? [] : [{ name, record: { ...record, rows } }]
  })
}
