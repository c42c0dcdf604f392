/**
 * The figures of README and docs: blocks between `<!-- figures: <name> -->` and `<!-- /figures -->`, filled from committed records. The
 * names:
 *
 * - `h200`, `h200-short`, `h200-ladder`, `h200-workloads`, `h200-trees`, `gpu-near`: from the newest record in bench/gpu/records that has these
 *   laws; `gpu-calls`: from the newest record of each whole call there
 * - `cluster`: from all records in tests/cluster/records
 * - `tree`, `tree-short`: from the newest record of each law, set and number of points in bench/tree/records; `tree-errors`: from the
 *   newest record in bench/tree/errors
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
import { gpuNear, nearWorkload } from './gpu-near.ts'
import { gpuTrees, treeLaw } from './gpu-trees.ts'
import { callsOf, choicesOf, hasFigureOf, type Linked, nearOf, ratesOf, rivalsOf } from './record-blocks.ts'
import { treeCosts, treeErrors, treeInShort } from './tree-blocks.ts'

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
  const [, kind = '', law, contender] = /^(\S+)(?: (.+?))?(?: of (\S+))?$/.exec(what) ?? []
  const { folder, pick, table, law: own, ...block } = blocks[what] ?? blockOf(kind, law, contender)
  const all = recordsOf(join(root, folder), block.kind)
  const records = own === undefined ? all : all.filter(({ record }) => hasFigureOf(record, own))
  if (records.length === 0) return missing(`${block.command} --json ${folder}/<date>${block.name}.json`)
  return table(pick(records).map(({ name, record }) => ({ record, link: linkTo(join(folder, name)) })))
}

/** A block of figures: the records that it takes, the newest first, and their table. */
interface Block {
  readonly folder: string
  readonly kind: Kind
  /** A law that its records have. */
  readonly law?: string
  /** The command that makes its record, and the end of the record's name. */
  readonly command: string
  readonly name: string
  readonly pick: (records: readonly Named[]) => readonly Named[]
  readonly table: (records: readonly Linked[]) => string
}

const newest = (records: readonly Named[]): readonly Named[] => records.slice(0, 1)

const gpuBlock = (table: typeof gpuBesideCuda, args = '', more: Partial<Block> = {}): Block => ({
  folder: 'bench/gpu/records',
  kind: 'gpu',
  law: 'gravity',
  command: `npm run bench:gpu --${args}`,
  name: '-<gpu>',
  pick: newest,
  table: (records) => records.map(({ record, link }) => table(record, link)).join('\n\n'),
  ...more,
})

const treeBlock = (table: Block['table'], folder = 'records', args = ''): Block => ({
  folder: `bench/tree/${folder}`,
  kind: 'tree',
  command: `npm run bench -- tree${args}`,
  name: '',
  pick: (records) => records,
  table,
})

const errorArguments = ' --sizes 4000 --targets 4000 --precision f64 --tolerances 1e-2,3e-3,1e-3 --no-rivals'
const blocks: Readonly<Record<string, Block>> = {
  h200: gpuBlock(gpuBesideCuda),
  'h200-short': gpuBlock(gpuInShort),
  'h200-ladder': gpuBlock(gpuLadder),
  'h200-workloads': gpuBlock(gpuWorkloads),
  'h200-trees': gpuBlock(gpuTrees, ' --laws tolerance --judge trees', { law: treeLaw }),
  'gpu-near': gpuBlock(gpuNear, ' near', { law: nearWorkload }),
  'gpu-calls': gpuBlock(gpuCalls, ' calls', { kind: 'calls', pick: newestOfEach }),
  tree: treeBlock(treeCosts),
  'tree-short': treeBlock(treeInShort),
  'tree-errors': treeBlock(treeErrors, 'errors', errorArguments),
}

/** Kinds that take each problem from its newest record. */
const tables: Readonly<Record<string, Block['table']>> = { rivals: rivalsOf, near: nearOf, choice: choicesOf }

/** Another kind: a law over its sizes, by one contender alone if it is named, or a line for each problem. */
function blockOf(name: string, law: string | undefined, contender: string | undefined): Block {
  const kind = kinds.find((known) => known === name)
  if (!kind) throw new RangeError(`expected ${Object.keys(blocks).join(', ')}, cluster or one of ${kinds.join(', ')}`)
  const about = { folder: 'bench/records', kind, command: `npm run bench -- ${kind}`, name: `-${kind}` }
  const one = (table: (record: BenchmarkRecord, link: string) => string): Block['table'] => {
    return ([given]) => (given ? table(given.record, given.link) : '')
  }
  if (law !== undefined) {
    const pick = (records: readonly Named[]) => [
      ...records.filter(({ record }) => hasFigureOf(record, law)),
      ...newest(records),
    ]
    return { ...about, pick, table: one((record, link) => ratesOf(of(record, contender), law, link)) }
  }
  const table = tables[kind]
  if (!table) return { ...about, pick: newest, table: one(callsOf) }
  return { ...about, pick: (records) => newestOfEach(records).toReversed(), table }
}

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
