/**
 * The request of a run: with the program and shape, it determines the memory layout. It is plain data, so that two runs can be
 * compared.
 *
 * @module
 */
import type { Bindings, FloatArray, Range, RunOptions, Shape, SourceRanges, TreeSetting } from '@manybody/core'
import { lengthOf } from '@manybody/core/backend'
import type { InputArray, ProgramDesign } from '../../design/design.ts'
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

/** A request, together with the numbers that a run copies for it. */
export interface Requested {
  readonly request: Request
  readonly numbers: ReadonlyMap<string, FloatArray>
  readonly words: ReadonlyMap<string, Uint32Array>
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

/** @throws TypeError for an array of another device */
export function requestOf(
  bindings: Bindings,
  { targets: wanted, sources: part, initial, outputs = {}, setting }: RequestOptions,
  { design, shape, memory, parts }: PlacedDesign,
): Requested {
  const targets = wanted ?? [0, shape.targets]
  // With given ranges, sources are numbered among all sources.
  const sources = (!shape.ranged && part) || [0, shape.sources]
  const same = bindings.sources === bindings.targets
  const [numbers, words] = [new Map<string, FloatArray>(), new Map<string, Uint32Array>()]
  const here: Record<string, number> = {}
  for (const input of design.arrays) {
    const { side, name } = input
    const array = bindings[`${side}s`].arrays[name]
    if (array instanceof HeldArray && array.isIn(memory)) here[`${side}.${name}`] = array.address
    else if (!(array instanceof Float32Array || array instanceof Float64Array))
      throw new TypeError(`"${name}" expected a typed array or a buffer of this device, got a buffer of another device`)
    else if (!(side === 'source' && same && numbers.has(`target.${name}`)))
      numbers.set(`${side}.${name}`, side === 'target' || same ? array : partOf(array, input, sources))
  }
  const { tables, exclusions, offsets, ranges } = bindings
  if (tables) numbers.set('tables', tables)
  if (offsets) words.set('finalStarts', offsets)
  if (exclusions) {
    words.set('exclusionOffsets', exclusions.offsets)
    words.set('exclusionSources', exclusions.sources)
  }
  const given = ranges && parts?.givenRanges(ranges, { targets, sources: part ?? sources }, unitTargets(design))
  for (const [name, list] of given?.words ?? []) words.set(name, list)
  // Built in one literal, because V8 keeps a hidden class for each object made by a spread and further names.
  const request: Request = {
    targets,
    sources,
    same,
    here,
    copied: lengthsIn(numbers),
    words: lengthsIn(words),
    listed: offsets?.[lengthOf(targets)] ?? 0,
    givenPairs: given?.pairs,
    merge: initial !== undefined,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, { address, length }]) => [name, { address, length }]),
    ),
    setting,
  }
  return { request, numbers, words }
}

function lengthsIn(lists: ReadonlyMap<string, ArrayLike<number>>): Readonly<Record<string, number>> {
  const lengths: Record<string, number> = {}
  for (const [name, { length }] of lists) lengths[name] = length
  return lengths
}

/** Most targets that one unit of the phase `pairs` meets. */
export const unitTargets = ({ phases }: ProgramDesign): number => phases.find(({ pairs }) => pairs)?.points ?? 1

const partOf = (array: FloatArray, { components }: InputArray, [first, last]: Range): FloatArray =>
  array.subarray(first * components, last * components)
