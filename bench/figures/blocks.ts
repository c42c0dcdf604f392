/**
 * The figures of README and docs: blocks between `<!-- figures: <what> -->` and `<!-- /figures -->`, filled from
 * committed records. What can stand there:
 *
 * - `h200`, `h200-ladder`, `h200-workloads`: from the newest record in bench/gpu/records
 * - `<kind> <law or workload>`, as in `rivals gravity`: a table over sizes, from the newest record of that kind in bench/records;
 *   `sweep gravity of webgl` of one contender alone
 * - `rivals`: a line a problem, ours beside the fastest rival; `<kind>`: a line a problem, a column a contender
 */

import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readRecord } from '../src/node/record-file.ts'
import type { BenchmarkRecord } from '../src/record.ts'
import { gpuBesideCuda, gpuLadder, gpuWorkloads } from './gpu-blocks.ts'
import { newestGpuFigures } from './gpu-record.ts'
import { callsOf, ratesOf, rivalsOf } from './record-blocks.ts'

const block = /^(<!-- figures: ([^>]*?) -->)$[\s\S]*?(^<!-- \/figures -->$|(?=^<!-- figures:)|(?![\s\S]))/gm

/**
 * A page with its blocks filled.
 *
 * @param page path from `root`, which links start from
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
  const gpu = gpuBlocks[what]
  if (gpu) {
    const figures = newestGpuFigures(join(root, 'bench/gpu/records'))
    return figures
      ? gpu(figures, linkTo(join('bench/gpu/records', figures.file)))
      : missing('npm run bench:gpu -- --json bench/gpu/records/<date>-<gpu>.json')
  }
  const [, kind = '', law, contender] = /^(\S+)(?: (.+?))?(?: of (\S+))?$/.exec(what) ?? []
  if (!kinds.includes(kind))
    throw new RangeError(`expected ${Object.keys(gpuBlocks).join(', ')} or one of ${kinds.join(', ')}`)
  const newest = newestRecord(join(root, 'bench/records'), kind)
  if (!newest) return missing(`npm run bench -- ${kind} --json bench/records/<date>-${kind}.json`)
  const link = linkTo(join('bench/records', newest.name))
  if (law !== undefined) return ratesOf(of(newest.record, contender), law, link)
  return kind === 'rivals' ? rivalsOf(newest.record, link) : callsOf(newest.record, link)
}

const gpuBlocks: Readonly<Record<string, typeof gpuBesideCuda>> = {
  h200: gpuBesideCuda,
  'h200-ladder': gpuLadder,
  'h200-workloads': gpuWorkloads,
}
const kinds: readonly string[] = ['compare', 'sweep', 'scale', 'accuracy', 'transfer', 'workloads', 'rivals']

/** A record with the rows of one contender only, if one is named. */
function of(record: BenchmarkRecord, name: string | undefined): BenchmarkRecord {
  return name === undefined ? record : { ...record, rows: record.rows.filter((row) => row.contender.name === name) }
}

/** Said in place of figures, so that a page never has figures without their record. */
const missing = (command: string): string => `No record is committed yet; \`${command}\` makes one.`

function newestRecord(folder: string, kind: string): { name: string; record: BenchmarkRecord } | undefined {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  return names
    .map((name) => ({ name, record: readRecord(join(folder, name)) }))
    .filter(({ record }) => record.kind === kind)
    .sort((a, b) => b.record.date.localeCompare(a.record.date))[0]
}
