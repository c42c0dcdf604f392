/**
 * The designs of a workload that was compiled ahead.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { requireFiledLoop } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import type { Designs, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import type { Shader } from '../../design/shader.ts'
import type { Versions } from '../../design/versions.ts'
import type { CompiledWebGpu, Filed, FiledDesign, FiledLoops } from '../../designs/compiled.ts'
import {
  blocksVariant,
  cellsVariant,
  choosePlan,
  foldDesigns,
  leastLimits,
  loopKey,
  onceKey,
} from '../../designs/loaded-at-once.ts'
import type { NearDesigns } from '../../designs/near-designs.ts'
import type { PairLoops } from '../../designs/pair-loops.ts'
import { accumulationOf } from '../../plans/accumulation.ts'
import type { PairPlan } from '../../plans/plan.ts'
import { filedText } from './filed-text.ts'

/**
 * @param near undefined if the file has no loops over near points
 * @throws RangeError if the file has no design for a run
 */
export function compiledDesigns(
  compiled: CompiledWebGpu,
  near: NearDesigns | undefined,
  workload: Workload,
  shape: Shape,
  host: LoopHost,
  planning?: Planning,
): Designs {
  const { split = false, scaled = false } = shape
  const form = compiled.forms.find((one) => one.split === split && one.scaled === scaled)
  if (!form)
    throw new RangeError(
      '"workload.compiled" expected programs for points that are very close to each other or very far apart, got none; compile it with far: true, or use precision "f64"',
    )
  const trees = async () => undefined
  const { design, loops } = form
  if (design)
    return {
      of(plan) {
        requireFiledLoop(plan, design.variant.split(' ')[0] as string)
        return designFrom(compiled, design, shape, host)
      },
      trees,
    }
  if (!loops || workload.loop !== 'pair') throw new TypeError('"workload.compiled" expected a loop, got none')
  return { ...foldDesigns(filedLoops(compiled, loops, near, shape), workload, shape, host, planning), trees }
}

/** A design for this number of points, and the limits of this device. */
function designFrom(compiled: CompiledWebGpu, design: FiledDesign, { sources }: Shape, { limits }: LoopHost) {
  const own =
    design.driver === 'matrix'
      ? {
          results: design.results.map((result) => ({ ...result, width: sources })),
          arrayBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
        }
      : design.driver === 'vector'
        ? { accumulation: accumulationOf(design.sizes.sources, sources) }
        : {}
  return { ...design, ...own, versions: versionsFrom(compiled, design.versions) } as ProgramDesign
}

function filedLoops(
  compiled: CompiledWebGpu,
  { pair, once, near, ...facts }: FiledLoops,
  designs: NearDesigns | undefined,
  shape: Shape,
): PairLoops {
  const { targets, sources } = shape
  const has = (plan: PairPlan) => Object.hasOwn(pair, loopKey(plan, targets))
  const byBlocksOrCells = (variant: string) => {
    if (!designs) throw lacking(variant)
    return designs
  }
  return {
    ...facts,
    available(plan, c) {
      // A file has the plans of cards with the least limits, and of software GPUs.
      const { maxComputeInvocationsPerWorkgroup: invocations, maxComputeWorkgroupStorageSize: memory } = leastLimits
      const least = { ...c, invocations: Math.min(c.invocations, invocations), memory: Math.min(c.memory, memory) }
      return [plan, choosePlan(least)].find(has) ?? choosePlan({ ...least, kind: 'software' })
    },
    pair: (plan) => versionsFrom(compiled, held(pair, loopKey(plan, targets), plan.variant)),
    once: {
      facts: once?.facts ?? { obstacle: 'the file holds no such loop', registers: 0 },
      versions: (plan) => versionsFrom(compiled, held(once?.versions, onceKey(plan), 'each-pair-once')),
    },
    blocks() {
      const { blocks: design, levelsOf } = byBlocksOrCells(blocksVariant)
      const { versions, ...loop } = held(near?.loops, `${levelsOf(sources).length}`, blocksVariant)
      return { ...loop, versions: versionsFrom(compiled, versions), design }
    },
    cells() {
      const { cells: design, targetsByCells } = byBlocksOrCells(cellsVariant)
      const { versions, ...loop } = held(near?.cells, `${targetsByCells(targets)}`, cellsVariant)
      return { ...loop, versions: versionsFrom(compiled, versions), design }
    },
    near: (each) => near && designs?.choice(near.facts, shape, each, () => shaderAt(compiled, near.chooser)),
  }
}

/** @throws RangeError */
function held<Key extends string, T>(loops: { readonly [K in Key]?: T } | undefined, key: Key, variant: string): T {
  const found = loops && Object.hasOwn(loops, key) ? loops[key] : undefined
  if (found === undefined) throw lacking(variant)
  return found
}

const lacking = (variant: string) =>
  new RangeError(`"plan" expected none, or one that the file holds, got ${variant} in sizes that it lacks`)

function versionsFrom<T extends { readonly shaders: object }>(
  compiled: CompiledWebGpu,
  versions: Versions<Filed<T>>,
): Versions<T> {
  const given = Object.entries(versions as Readonly<Record<string, Filed<T>>>)
  return Object.fromEntries(
    given.map(([guard, version]) => {
      const shaders = Object.entries(version.shaders as Readonly<Record<string, number>>)
      return [
        guard,
        { ...version, shaders: Object.fromEntries(shaders.map(([name, at]) => [name, shaderAt(compiled, at)])) },
      ]
    }),
  ) as Versions<T>
}

/** The shaders of each file that were needed so far, so that each is compiled once. */
const opened = new WeakMap<CompiledWebGpu, Map<number, Shader>>()

function shaderAt(compiled: CompiledWebGpu, at: number): Shader {
  const made = opened.get(compiled) ?? new Map<number, Shader>()
  opened.set(compiled, made)
  const known = made.get(at)
  if (known) return known
  const filed = compiled.shaders[at]
  if (!filed) throw new Error(`no shader ${at}; compile the law again`)
  const { code, ...rest } = filed
  const shader = { ...rest, code: filedText(compiled, code) }
  made.set(at, shader)
  return shader
}
