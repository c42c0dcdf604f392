/**
 * The request of a run: with the program and shape, it determines the memory layout. It is plain data, so that two runs can be
 * compared.
 *
 * @module
 */

import type { Bindings, FloatArray, Range, RunOptions, Shape, SourceRanges, TreeSetting } from '@manybody/core'
import { lengthOf } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import { unitTargets } from '../../design/loop-plan.ts'
import { HeldArray } from '../host/held-array.ts'
import type { Memory } from '../host/memory.ts'

/** An array of the device that receives a result. */
export interface Output {
  readonly address: number
  readonly length: number
}

export interface Request {
  readonly targets: Range
  readonly sources: Range
  /** Whether sources are the arrays of the targets. */
  readonly same: boolean
  /** By side and name: addresses of inputs that are on this device, and lengths of inputs that are copied. */
  readonly here: Readonly<Record<string, number>>
  readonly copied: Readonly<Record<string, number>>
  /** Lengths of the lists that a run brings along, in words, by name. */
  readonly words: Readonly<Record<string, number>>
  /** Number of entries in all lists of results together. */
  readonly listed: number
  /** Number of pairs in the ranges from the caller. */
  readonly givenPairs: number | undefined
  /** Whether earlier results are merged with the new ones. */
  readonly merge: boolean
  readonly outputs: Readonly<Record<string, Output>>
  /** How a tree approximates the sum. */
  readonly setting: TreeSetting | undefined
}

export interface RequestOptions extends Pick<RunOptions, 'targets' | 'sources' | 'initial'> {
  readonly outputs?: Readonly<Record<string, HeldArray>> | undefined
  readonly setting?: TreeSetting | undefined
}

/** The words of ranges that the caller gives, by the names of their regions, and how many pairs they have. */
export interface GivenRanges {
  readonly words: readonly (readonly [name: string, words: Uint32Array])[]
  readonly pairs: number
}

/** What only requests with ranges from the caller need. */
export interface RangesOfCaller {
  givenRanges(
    ranges: SourceRanges,
    run: { readonly targets: Range; readonly sources: Range },
    unitTargets: number,
  ): GivenRanges
}

/** What a request is made for. */
interface PlacedDesign {
  readonly design: ProgramDesign
  readonly shape: Shape
  readonly memory: Memory
  readonly parts?: RangesOfCaller | undefined
}

/** An array of the host that each run copies, and its region. */
export interface Copied {
  readonly side: 'targets' | 'sources'
  readonly name: string
  readonly region: string
  /** The numbers to copy. */
  readonly first: number
  readonly length: number
}

/** The ranges that the caller gives for a run, if any. */
export function givenIn(
  { ranges }: Bindings,
  { targets, sources }: RequestOptions,
  { design, shape, parts }: PlacedDesign,
): GivenRanges | undefined {
  const run = { targets: targets ?? [0, shape.targets], sources: sources ?? [0, shape.sources] } as const
  return ranges && parts?.givenRanges(ranges, run, unitTargets(design))
}

/** @throws TypeError for an array of another device */
export function requestOf(
  bindings: Bindings,
  { targets: wanted, sources: part, initial, outputs = {}, setting }: RequestOptions,
  { design, shape, memory }: PlacedDesign,
  given: GivenRanges | undefined,
): Request {
  const targets = wanted ?? [0, shape.targets]
  // With given ranges, sources are numbered among all sources.
  const sources = (!shape.ranged && part) || [0, shape.sources]
  const same = bindings.sources === bindings.targets
  const here: Record<string, number> = {}
  const copied: Record<string, number> = {}
  for (const input of design.arrays) {
    const { side, name } = input
    const array = bindings[`${side}s`].arrays[name]
    if (array instanceof HeldArray && array.isIn(memory)) here[`${side}.${name}`] = array.address
    else if (!isOnHost(array))
      throw new TypeError(`"${name}" expected a typed array or a buffer of this device, got a buffer of another device`)
    else if (!(side === 'source' && same && `target.${name}` in copied))
      copied[`${side}.${name}`] = side === 'target' || same ? array.length : lengthOf(sources) * input.components
  }
  const { tables, offsets } = bindings
  if (tables) copied.tables = tables.length
  const words = wordsOf(bindings, given)
  // Built in one literal, because V8 keeps a hidden class for each object made by a spread and further names.
  return {
    targets,
    sources,
    same,
    here,
    copied,
    words: Object.fromEntries(words.map(([name, { length }]) => [name, length])),
    listed: offsets?.[lengthOf(targets)] ?? 0,
    givenPairs: given?.pairs,
    merge: initial !== undefined,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { address, length }]) => [name, { address, length }]),
    ),
    setting,
  }
}

/** The lists of whole numbers that a run brings along, by region. */
export function wordsOf({ exclusions, offsets }: Bindings, given: GivenRanges | undefined): GivenRanges['words'] {
  if (!(exclusions || offsets || given)) return noWords
  return [
    ...(offsets ? [['finalStarts', offsets] as const] : []),
    ...(exclusions
      ? ([
          ['exclusionOffsets', exclusions.offsets],
          ['exclusionSources', exclusions.sources],
        ] as const)
      : []),
    ...(given?.words ?? []),
  ]
}

const noWords: GivenRanges['words'] = []

/** The arrays that runs with a request copy. */
export function copiesOf({ arrays }: ProgramDesign, { same, copied, sources }: Request): readonly Copied[] {
  return arrays.flatMap(({ side, name, components }) => {
    const region = `${side}.${name}`
    const length = copied[region]
    const first = side === 'target' || same ? 0 : sources[0] * components
    return length === undefined ? [] : { side: `${side}s`, name, region, first, length }
  })
}

/** Whether a request is for all points, with arrays on the host and nothing of the run's own. */
export function isWhole({ targets, sources, here, words, merge, outputs, setting }: Request, shape: Shape): boolean {
  const all = lengthOf(targets) === shape.targets && lengthOf(sources) === shape.sources
  return all && !merge && !setting && [here, words, outputs].every((names) => Object.keys(names).length === 0)
}

/** Whether a run after one with a whole request has the same request, told without making it. */
export function hasSameRequest(
  { same, copied }: Request,
  copies: readonly Copied[],
  bindings: Bindings,
  { targets, sources, initial, outputs, setting }: RequestOptions,
): boolean {
  if (targets || sources || initial || outputs || setting) return false
  if (bindings.exclusions || bindings.offsets || bindings.ranges) return false
  if ((bindings.sources === bindings.targets) !== same || bindings.tables?.length !== copied.tables) return false
  for (const { side, name, length } of copies) {
    const array = bindings[side].arrays[name]
    if (!isOnHost(array) || array.length !== length) return false
  }
  return true
}

const isOnHost = (array: unknown): array is FloatArray => array instanceof Float32Array || array instanceof Float64Array
