/**
 * The layout of a run in memory: the length of each region, and the addresses and counts that the module reads. It follows from
 * the design and the request alone, so runs with the same request have the same layout.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import { blockCount, lengthOf, nodeCount } from '@manybody/core/backend'
import type { OnceStore, PointStore, ResultLayout } from '../../design/design.ts'
import { nodeSetBytes } from '../../design/walk-layout.ts'
import type { OrderedPoints } from './order-table.ts'
import type { Ordering } from './point-ordering.ts'
import { type ProxyOptions, weightTable } from './proxies.ts'
import type { RegionTable } from './regions.ts'
import type { Output, Request } from './request.ts'

/** Options that all layouts of a placement share. */
export interface LayoutOptions extends OrderedPoints {
  readonly threads: number
  /** Whether threads share the memory. */
  readonly shared: boolean
  /** Present if the program visits blocks. */
  readonly ordering?: Ordering | undefined
  /** The attributes that proxies add up, if the program is a tree. */
  readonly weights?: readonly string[] | undefined
}

/** A result in memory. */
interface PlacedResult extends ResultLayout {
  /** How many numbers it has. */
  readonly length: number
  /** The array of the device that receives it, if it has numbers of the device's type. */
  readonly given?: Output | undefined
  /** The array of the device that receives it after a conversion from integers. */
  readonly converted?: Output | undefined
  /** Whether the loop writes to a region of its own, and not to the given array. */
  readonly own: boolean
  /** Whether numbers outside the range of sources stay as they are. */
  readonly partial: boolean
}

/**
 * Where pairs add up if each pair is visited once. The pairs of blocks are divided into parts, each with totals of its own, so
 * that sums do not depend on which thread computes a pair. Threads with copies of the memory have totals each instead.
 */
interface OnceTotals {
  /** Number of blocks of points. */
  readonly blocks: number
  /** Bytes of the totals of all blocks. */
  readonly totalBytes: number
  readonly parts: number
  /** Pairs of blocks in a part. */
  readonly partPairs: number
}

export interface MemoryLayout extends LayoutOptions {
  readonly request: Request
  /** Number of points of each side in the ranges of the run. */
  readonly counts: { readonly targets: number; readonly sources: number }
  readonly results: readonly PlacedResult[]
  /** Whether a result replaces its own input, so that the phase `copy` is needed. */
  readonly copies: boolean
  /** Whether points are put in order. */
  readonly ordered: boolean
  /** Present if each pair is visited once. */
  readonly once?: OnceTotals | undefined
  /** Bytes of the scratch of a thread. */
  readonly scratchBytes: number
  readonly regions: RegionTable
}

export function layoutOf(options: LayoutOptions, request: Request): MemoryLayout {
  const { design, shape, precision, threads, ordering } = options
  const counts = { targets: lengthOf(request.targets), sources: lengthOf(request.sources) }
  const { once, points, nodeSet, scratchBytes: own } = design
  const ordered = ordering !== undefined
  const copies = design.inPlace === 'copy' && design.results.some(({ name }) => replacesInput(request, name))
  const results = design.results.map((result) => placed(result, request, { counts, shape, alone: ordered || copies }))
  const totals = once && onceTotals(once, counts.targets, options)
  const scratchBytes = own + (nodeSet ? aligned(nodeSetBytes(nodeCount(shape.sources))) : 0)
  const number = bytesOf('number', precision)
  const lists = Object.entries(request.words).map(([name, words]) => [name, { bytes: 4 * words }])
  const regions: RegionTable = {
    block: { bytes: 8 * design.block.length },
    ...Object.fromEntries(Object.entries(request.copied).map(([name, length]) => [name, { bytes: number * length }])),
    ...(points && {
      targets: { bytes: storeBytes(points.target, counts.targets) },
      sources: { bytes: storeBytes(points.source, counts.sources) },
    }),
    ...Object.fromEntries(lists),
    ...resultTable(results, { precision, ordered, lends: design.recordBytes !== undefined }),
    ...ordering?.orderTable(options, request),
    ...(ordered && { evaluated: { bytes: 4 * blockCount(counts.targets) } }),
    ...(request.setting && weightTable(proxiesOf(options), request.setting)),
    ...(totals && { totals: { bytes: totals.parts * totals.totalBytes } }),
    scratchBase: { bytes: scratchBytes * threads },
  }
  return { ...options, request, counts, results, copies, ordered, once: totals, scratchBytes, regions }
}

function onceTotals(
  { blockPoints, blockBytes }: OnceStore,
  points: number,
  { threads, shared }: LayoutOptions,
): OnceTotals {
  const blocks = Math.max(1, Math.ceil(points / blockPoints))
  const pairs = (blocks * (blocks + 1)) / 2
  // With one part more than threads, a thread always finds a part where no other is.
  const parts = threads > 1 && shared ? threads + 1 : threads
  return { blocks, totalBytes: blocks * blockBytes, parts, partPairs: shared ? Math.ceil(pairs / parts) : pairs }
}

/** The parts of the options that concern proxies. */
export const proxiesOf = ({ design, shape, precision, weights = [] }: LayoutOptions): ProxyOptions => ({
  ...{ shape, weights },
  recordBytes: design.recordBytes ?? 0,
  number: bytesOf('number', precision),
})

/** Rounds up, so that the scratch of the next thread starts at a register. */
const aligned = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** The addresses and counts of a layout, once its regions have addresses. */
export function entriesOf(
  layout: MemoryLayout,
  at: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const { design, shape, precision, threads, request, counts, results, ordered, once, scratchBytes } = layout
  const { targets, sources, same, here, copied, merge } = request
  const number = bytesOf('number', precision)
  const inputs = design.arrays.map(({ side, name, components }) => {
    const key = `${side}.${name}`
    const address = here[key] ?? at[key in copied ? key : `target.${name}`] ?? 0
    // A copy from a separate set of sources begins with the range. All other arrays begin with point 0.
    const whole = side === 'target' || same || key in here
    const [first] = side === 'target' ? targets : sources
    return [key, address + (whole ? first * components * number : 0)] as const
  })
  const loopResults = results.map(({ name, own, given }) => {
    return [`result.${name}`, (own ? at[`result.${name}`] : given?.address) ?? 0] as const
  })
  const finalResults = results.map(({ name, given }) => {
    return [`final.${name}`, given?.address ?? at[`${ordered ? 'final' : 'result'}.${name}`] ?? 0] as const
  })
  return {
    ...at,
    ...Object.fromEntries([...inputs, ...loopResults, ...finalResults]),
    targetCount: counts.targets,
    sourceCount: counts.sources,
    tableCount: copied.tables ?? 0,
    targetFirst: targets[0],
    sourceFirst: sources[0],
    columns: shape.sources,
    merge: merge ? 1 : 0,
    ...(layout.ordering?.orderEntries(layout, at) ?? { starts: at.finalStarts ?? 0 }),
    ...once,
    ...{ scratchBytes, threads },
  }
}

/** Bytes of a number of a result. */
export const bytesOf = (type: ResultLayout['type'], precision: Precision): number =>
  type === 'number' && precision === 'f64' ? 8 : 4

/** A result may have any name. */
const outputOf = (outputs: Request['outputs'], name: string): Output | undefined =>
  Object.hasOwn(outputs, name) ? outputs[name] : undefined

/** Whether a result goes to an array that it is computed from. */
const replacesInput = ({ here, outputs }: Request, name: string): boolean =>
  Object.entries(here).some(
    ([input, address]) => input.startsWith('target.') && address === outputOf(outputs, name)?.address,
  )

/** @param alone whether loops write to a region of their own, whatever array is given */
function placed(
  result: ResultLayout,
  { outputs, listed }: Request,
  { counts, shape, alone }: Pick<MemoryLayout, 'counts' | 'shape'> & { readonly alone: boolean },
): PlacedResult {
  const output = outputOf(outputs, result.name)
  const given = result.type === 'number' ? output : undefined
  return {
    ...result,
    ...{ given, converted: given ? undefined : output },
    length: result.listed ? listed : counts.targets * result.entries,
    own: alone || !given,
    partial: result.columns === true && counts.sources < shape.sources,
  }
}

/**
 * The regions of results. Where points are in order, loops write in that order, and a phase puts the results in the order of
 * points.
 *
 * @param lends whether the result may reuse the memory of inputs that are no longer needed. Only sums qualify, which have one
 *   result. A search for the nearest reads sources after the last one, and would count other pairs.
 */
function resultTable(
  results: readonly PlacedResult[],
  { precision, ordered, lends }: { readonly precision: Precision; readonly ordered: boolean; readonly lends: boolean },
): RegionTable {
  const table: Record<string, RegionTable[string]> = {}
  for (const { name, type, length, given, own } of results) {
    const bytes = length * bytesOf(type, precision)
    if (ordered && !given) table[`final.${name}`] = { bytes, within: lends ? 'sources' : undefined }
    // The next run copies positions again, unless they are on the device.
    if (own) table[`result.${name}`] = { bytes, within: ordered && lends && !given ? 'target.position' : undefined }
  }
  return table
}

/** Bytes of the prepared points of a side. A unit of the loop may reach past the last point, so this rounds up to the largest unit. */
const storeBytes = ({ lanes, bytes }: PointStore, count: number): number => (Math.ceil(count / 16) * 16 * bytes) / lanes
