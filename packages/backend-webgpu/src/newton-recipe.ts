/**
 * The recipe that meets each pair once, and where it can be used. Offsets between blocks are visited in rounds: each
 * round fills as many slots as there is room for, and the second reduction adds them to the results.
 *
 * @module
 */
import type { Bindings, PairWorkload, Plan, RunOptions, Shape } from '@manybody/core'
import { isSingular, type PairBody, pairBody, termOf } from '@manybody/core/backend'
import { evaluate } from '@manybody/core/expression'
import { accumulationOf } from './accumulation.ts'
import { combine, combineGroups } from './combine.ts'
import { compile, type Pipeline } from './compile.ts'
import { foldOf } from './folds.ts'
import type { GpuHost, LoopHost } from './gpu-host.ts'
import { type NewtonShape, newtonFields, newtonFold, newtonLoop } from './newton-loop.ts'
import { hostText } from './operators.ts'
import { pairTexts } from './pair-texts.ts'
import { divisor, newtonVariant } from './plan.ts'
import { dispatchOf, type Recipe, type Step, type StepContext } from './recipe.ts'
import type { Field, Shader } from './shader.ts'

export interface NewtonPlan extends NewtonShape {
  /** Offsets of one workgroup: few, so that many workgroups end evenly. */
  readonly offsets: number
}

/** From how many points on it wins, and with many targets an invocation; see docs/backends/webgpu.md. */
const fewestPoints = 16384
const manyPoints = 65536
/** Numbers that the targets of an invocation may keep in registers, to have many. */
const registerBudget = 128
/** Targets of workgroups, one subgroup each, that end evenly on a large device. */
const wantedTargets = 65536
/** Offsets at the end of a round that have a workgroup each, so that all end at about the same time. */
const shortOffsets = 16
/** Bytes of the slots of one round. */
const slotBytes = 2 ** 29

/** The size that all subgroups of a device have, if they have one. */
function subgroupOf({ subgroups }: LoopHost): number | undefined {
  return subgroups && subgroups.least === subgroups.most && subgroups.least > 1 ? subgroups.least : undefined
}

/** Why a workload cannot meet each pair once; undefined if it can. */
function newtonObstacle(workload: PairWorkload, shape: Shape): string | undefined {
  const { law, reduction, domain } = workload
  if (!shape.sameSet) return 'targets and sources are two sets'
  if (reduction !== 'sum' || !law.symmetric) return `${law.name} is not summed symmetrically`
  if (domain.exclusions.length > 0) return 'exclusions are kept per target'
  return termOf(workload, shape.dimension).form === 'radial' ? undefined : 'its term is not radial'
}

/** Whether meeting each pair once is expected to be faster. Whether the device computes it rightly is another matter. */
export function newtonPays(workload: PairWorkload, shape: Shape, host: LoopHost): boolean {
  const large = host.info.kind === 'hardware' && shape.targets >= fewestPoints
  return large && subgroupOf(host) !== undefined && newtonObstacle(workload, shape) === undefined
}

/** @throws RangeError if the workload or the device cannot */
export function newtonPlanOf(workload: PairWorkload, shape: Shape, plan: Plan, host: LoopHost): NewtonPlan {
  const subgroup = subgroupOf(host)
  if (subgroup === undefined)
    throw new RangeError(`"variant" ${newtonVariant} needs subgroups of one size, which ${host.info.name} lacks`)
  const obstacle = newtonObstacle(workload, shape)
  if (obstacle) throw new RangeError(`"variant" ${newtonVariant} does not fit: ${obstacle}`)
  const usual = usualTargets(workload, shape)
  const { targets = usual, unroll = targets >= 16 ? 2 : 4, ...rest } = plan.sizes ?? {}
  const blocks = Math.ceil(shape.targets / (subgroup * targets))
  const wanted = Math.floor((blocks * blocks * targets) / 2 / wantedTargets)
  const { offsets = Math.max(1, Math.min(3, wanted)), ...unknown } = rest
  for (const name of Object.keys(unknown))
    throw new RangeError(`"sizes" expected targets, unroll, offsets, got ${name}`)
  for (const [name, value, most] of [
    ['targets', targets, 64],
    ['unroll', unroll, 64],
    ['offsets', offsets, 1024],
  ] as const)
    if (!Number.isInteger(value) || value < 1 || value > most)
      throw new RangeError(`"${name}" expected integer from 1 to ${most}, got ${value}`)
  return { subgroup, targets, unroll: divisor(subgroup, unroll), offsets }
}

/** Targets of an invocation, unless they are asked for: many where there are many points, and each keeps few numbers. */
function usualTargets(workload: PairWorkload, shape: Shape): number {
  const { targets, dimension } = shape
  if (targets < fewestPoints) return 2
  const registers = 2 * dimension + oneWayBody(workload, shape, true).target.length
  return targets >= manyPoints && 16 * registers < registerBudget ? 16 : 8
}

function oneWayBody(workload: PairWorkload, shape: Shape, guard: boolean): PairBody {
  return pairBody(workload, shape, { guard, reaction: true, factorOut: false })
}

/** A plan as reports and shaders show it. */
const describeNewton = ({ subgroup, targets, unroll, offsets }: NewtonPlan) =>
  `${newtonVariant} (subgroup ${subgroup}, targets ${targets}, unroll ${unroll}, offsets ${offsets})`

/** The generated shaders of a workload that meets each pair once. */
export function newtonShaders(
  workload: PairWorkload,
  shape: Shape,
  plan: NewtonPlan,
  guard: boolean,
): { readonly body: PairBody; readonly loop: Shader; readonly combine: Shader } {
  const { dimension } = shape
  const oneWay = oneWayBody(workload, shape, guard)
  const body: PairBody = { ...oneWay, terms: [...oneWay.terms, ...oneWay.reaction] }
  const options = { body, dimension, fold: newtonFold(dimension), sameSet: true, exclusions: false }
  const tail = pairTexts({ ...options, within: (r) => `max(there, at_${r}) < run.targetCount` })
  const run = body.run.map(({ name, expr }): Field => ({ name, type: 'f32', note: hostText(expr) }))
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describeNewton(plan)}`
  const whole = pairTexts(options)
  return {
    body,
    loop: newtonLoop(label, { whole, tail }, dimension, plan, run),
    combine: combine(`${label}: second reduction`, whole, foldOf(workload, dimension), [...newtonFields, ...run]),
  }
}

/**
 * @param plain does what this recipe cannot: ranges, and going on from earlier results
 */
export async function newtonRecipe(
  host: GpuHost,
  workload: PairWorkload,
  shape: Shape,
  plan: NewtonPlan,
  plain: () => Promise<Recipe>,
): Promise<Recipe> {
  const term = termOf(workload, shape.dimension)
  const singular = (parameters: Readonly<Record<string, number>>) => isSingular(term, parameters)
  const compiled = new Map<boolean, Promise<Compiled>>()
  const compiledFor = (guard: boolean): Promise<Compiled> => {
    const known = compiled.get(guard)
    if (known !== undefined) return known
    const { body, loop, combine } = newtonShaders(workload, shape, plan, guard)
    const made = Promise.all([compile(host, loop), compile(host, combine)]).then(([first, second]) => {
      return { body, loop: first, combine: second }
    })
    compiled.set(guard, made)
    return made
  }
  await compiledFor(singular(workload.law.parameters))
  let other: Promise<Recipe> | undefined
  const fallback = () => {
    other ??= plain()
    return other
  }
  const [name = ''] = workload.results
  const { loop } = newtonShaders(workload, shape, plan, true)
  return {
    variant: describeNewton(plan),
    accumulation: accumulationOf(plan.offsets * plan.subgroup * plan.targets, shape.targets),
    inputs: loop.resources.map((r) => r.key).filter((key) => key !== 'partial'),
    results(bindings, { targets = [0, bindings.targets.count] }) {
      const length = (targets[1] - targets[0]) * shape.dimension
      return [{ name, type: 'f32', length, held: length }]
    },
    interactions(bindings, { targets, sources }) {
      const n = bindings.targets.count
      return (targets ? targets[1] - targets[0] : n) * (sources ? sources[1] - sources[0] : n)
    },
    ready: async (bindings) => {
      await compiledFor(singular(bindings.parameters))
    },
    async *steps(context, results) {
      if (isWhole(context.bindings, context.options)) {
        yield* rounds(context, await compiledFor(singular(context.bindings.parameters)), plan, shape.dimension, name)
      } else yield* (await fallback()).steps(context, results)
    },
  }
}

interface Compiled {
  readonly body: PairBody
  readonly loop: Pipeline
  readonly combine: Pipeline
}

function isWhole({ targets: { count } }: Bindings, { targets, sources, initial }: RunOptions): boolean {
  const all = (range: RunOptions['targets']) => !range || (range[0] === 0 && range[1] === count)
  return all(targets) && all(sources) && !initial
}

/** Workgroups of a block in a round: long ones first, then one for each of the last offsets. */
function partsOf(offsets: number, perPart: number): { readonly longParts: number; readonly parts: number } {
  const longParts = perPart > 1 ? Math.max(0, Math.floor((offsets - shortOffsets) / perPart)) : offsets
  return { longParts, parts: longParts + offsets - longParts * perPart }
}

async function* rounds(
  context: StepContext,
  program: Compiled,
  plan: NewtonPlan,
  width: number,
  result: string,
): AsyncGenerator<Step> {
  const { bindings, buffers, lease, host } = context
  const { count } = bindings.targets
  const parameters = Object.fromEntries(program.body.run.map((b) => [b.name, evaluate(b.expr, bindings.parameters)]))
  const block = plan.subgroup * plan.targets
  const blocks = Math.ceil(count / block)
  const offsets = Math.floor(blocks / 2) + 1
  const slots = Math.min(slotBytes, host.info.limits.bindingBytes ?? 0) / (4 * width * count)
  // A slot an offset, and one a workgroup.
  const room = Math.floor((slots * plan.offsets) / (plan.offsets + 1)) - 1 - shortOffsets
  const perRound = Math.max(1, Math.min(offsets, room))
  buffers.set('partial', await lease.array(4 * width * count * (perRound + partsOf(perRound, plan.offsets).parts)))
  for (let first = 0; first < offsets; ) {
    // Each offset is two blocks of ordered pairs per block.
    const fits = Math.max(1, Math.floor(context.budget() / (2 * block * block * blocks)))
    const last = Math.min(offsets, first + Math.min(perRound, fits))
    const { longParts, parts: groups } = partsOf(last - first, plan.offsets)
    const values = {
      ...parameters,
      targetFirst: 0,
      targetCount: count,
      parts: last - first + groups,
      carry: first > 0 ? 1 : 0,
      blocks,
      offsetFirst: first,
      offsetLast: last,
      perPart: plan.offsets,
      longParts,
    }
    const done = last === offsets
    yield {
      dispatches: [
        await dispatchOf(context, program.loop, values, [blocks, groups, 1]),
        await dispatchOf(context, program.combine, values, combineGroups(count)),
      ],
      interactions: Math.round((count * count * (last - first)) / offsets),
      done: done ? 1 : last / offsets,
      reads: done ? [{ name: result, at: 0, length: width * count }] : [],
    }
    first = last
  }
}
