// Compares each plan that the models choose with the other timed plans of the committed records.

import { join } from 'node:path'
import type { Plan } from '@manybody/core'
import { readRecord } from '../../bench/src/node/record-file.ts'
import { sketchOf } from '../../bench/src/problem.ts'
import { type BenchmarkRecord, isMeasured, type Row } from '../../bench/src/record.ts'
import { variantOf } from '../../bench/src/report/series.ts'
import { taskNames } from '../../bench/src/tasks.ts'
import { allParts } from '../../packages/backend-webgpu/src/compile/designs/all-parts.ts'
import { designsOf } from '../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { writtenLoops } from '../../packages/backend-webgpu/src/compile/designs/pair-loops.ts'
import type { LoopHost } from '../../packages/backend-webgpu/src/design/facts.ts'
import { caseOf } from '../../packages/backend-webgpu/src/plans/pair-case.ts'
import { rowFor } from '../../packages/backend-webgpu/src/plans/plan-model.ts'
import { onceRow, turnRow } from '../../packages/backend-webgpu/src/plans/thresholds.ts'
import { leavesPairsOut, onceVariant } from '../../packages/backend-webgpu/src/plans/variants.ts'
import { root } from '../../tools/pnpm.mjs'

/** A timed plan, in a unit that all plans of its record share. */
interface Timing {
  readonly plan: string
  readonly time: number
}

/** All plans of one problem on one device. */
interface TimedCase {
  readonly problem: Row['problem']
  readonly name: string
  readonly host: LoopHost
  readonly timings: readonly Timing[]
}

/** A row of a model, and how its plan fared in one case of a record. */
export interface Standing {
  readonly row: object
  readonly text: string
}

/** How the rows of WebGPU's models fared in the record at this path. It covers the cases that a row decides, if its plan was timed. */
export function standings(path: string): readonly Standing[] {
  const timed = casesOf(path)
  const noise = Math.max(0, ...timed.map(({ timings }) => repetition(timings)))
  return timed.flatMap(({ problem: { name: law, workload: task, targets: n, seed }, name, host, timings }) => {
    const what = taskNames.includes(task) ? { task } : { law }
    const { workload, shape } = sketchOf({ what, count: n, seed })
    // A matrix has one loop.
    if (workload.loop !== 'pair' || workload.reduction === 'none') return []
    const designs = designsOf(workload, shape, host)
    const meetsOnce = ({ plan }: Timing) => plan.startsWith(onceVariant)
    const found = (row: object, plan: string, beside: readonly Timing[]) =>
      standing(plan, timings, beside, noise).map((text): Standing => ({ row, text: `${name}: ${text}` }))
    const loops = writtenLoops(workload, shape, allParts)
    const plain = rowFor(caseOf(loops.law, host, shape))
    const ordered = timings.filter((timing) => !meetsOnce(timing))
    const all = found(plain, designs.folds?.plain().variant ?? '', ordered)
    if (!designs.folds?.once) return all
    const plan = designs.of().variant
    const targets = targetsOf(plan)
    const turns = timings.filter(
      (t) => meetsOnce(t) && targetsOf(t.plan) === targets && unrollOf(t.plan) !== unrollOf(plan),
    )
    return [
      ...all,
      ...found(onceRow(n, loops.once.facts.registers), plan, timings),
      ...found(turnRow(targets), plan, turns),
    ]
  })
}

/** All WebGPU plans that the record at this path timed; sizes of 1 are left out. */
export function timedPlans(path: string): readonly Plan[] {
  const texts = new Set(casesOf(path).flatMap(({ timings }) => timings.map(({ plan }) => plan)))
  return [...texts].map((text) => ({
    variant: text.split(' ')[0] ?? '',
    sizes: Object.fromEntries([...text.matchAll(/(\w+) (\d+)/g)].map(([, name = '', size]) => [name, Number(size)])),
  }))
}

const sizeOf = (name: string) => (plan: string) => Number(new RegExp(`${name} (\\d+)`).exec(plan)?.[1])
const [targetsOf, unrollOf] = [sizeOf('targets'), sizeOf('unroll')]

/** How a plan compared with others, in words, if it was timed. @param noise the relative difference within which times count as equal */
function standing(
  plan: string,
  timings: readonly Timing[],
  beside: readonly Timing[],
  noise: number,
): readonly [text: string] | [] {
  const own = Math.min(...timings.filter((t) => t.plan === plan).map(({ time }) => time))
  if (own === Infinity) return []
  const others = beside.filter((t) => t.plan !== plan)
  const best = others.toSorted((a, b) => a.time - b.time)[0]
  if (!best) return ['no other plan beside it']
  const count = new Set(others.map(({ plan }) => plan)).size + 1
  const behind = own / best.time - 1
  if (behind <= noise) return [`fastest of ${count}${behind > 0 ? ', within noise' : ''}`]
  return [`${(100 * behind).toFixed(1)} % behind ${best.plan}, of ${count}`]
}

/** The largest relative difference between two timings of the same plan. */
function repetition(timings: readonly Timing[]): number {
  const times = new Map<string, number[]>()
  for (const { plan, time } of timings) times.set(plan, [...(times.get(plan) ?? []), time])
  return Math.max(0, ...[...times.values()].map((same) => Math.max(...same) / Math.min(...same) - 1))
}

const recordAt = (path: string): BenchmarkRecord => readRecord(join(root, path))

function casesOf(path: string): readonly TimedCase[] {
  const byName = new Map<string, TimedCase>()
  const { rows, environments } = recordAt(path)
  for (const row of rows) {
    const { environment, problem, contender, outcome } = row
    const [backend, special] = contender.name.split(', ')
    // Steps of a simulation run other programs.
    if (backend !== 'webgpu' || special === 'simulate' || !isMeasured(outcome)) continue
    const subject = taskNames.includes(problem.workload) ? problem.workload : problem.name
    const name = [`${subject} ${problem.targets}`, special ?? [], environments.length > 1 ? environment : []]
      .flat()
      .join(', ')
    const { kind, limits = {} } = contender
    const host = hostOf(kind === 'hardware' ? kind : 'software', { ...least, ...limits })
    const before = byName.get(name) ?? { problem, name, host, timings: [] }
    // No model of plans chooses near points: they are faster in every case with a cutoff and many points.
    if (leavesPairsOut(variantOf(row) ?? '')) continue
    const timing = { plan: variantOf(row) ?? '', time: (outcome.device ?? outcome.call).median }
    byName.set(name, { ...before, timings: [...before.timings, timing] })
  }
  return [...byName.values()]
}

/** Limits that every WebGPU device meets. */
const least = {
  workgroupInvocations: 256,
  workgroupBytes: 16384,
  bindingBytes: 2 ** 27,
  bufferBytes: 2 ** 28,
  arraysPerProgram: 8,
}

function hostOf(kind: 'hardware' | 'software', limits: Readonly<Record<keyof typeof least, number>>): LoopHost {
  return {
    info: { name: 'of a record', kind },
    limits: {
      maxComputeInvocationsPerWorkgroup: limits.workgroupInvocations,
      maxComputeWorkgroupSizeX: limits.workgroupInvocations,
      maxComputeWorkgroupStorageSize: limits.workgroupBytes,
      maxStorageBufferBindingSize: limits.bindingBytes,
      maxBufferSize: limits.bufferBytes,
      maxStorageBuffersPerShaderStage: limits.arraysPerProgram,
    },
    subgroups: { least: 32, most: 32 },
  }
}

/** How often a model's choice between two variants of the CPU backend was right, over all problems with at least some number of points. */
export function oftenFaster(
  path: string,
  [variant, other]: readonly [string, string],
  sizes: readonly number[],
): string {
  const { rows } = recordAt(path)
  const timesOf = (wanted: string) =>
    new Map(
      rows.flatMap(({ environment, problem, contender: { name, precision, variant }, outcome }) => {
        const compared = name.startsWith('cpu-wasm') && variant === wanted && sizes.includes(problem.targets)
        if (!compared || !isMeasured(outcome)) return []
        return [[`${problem.name} ${problem.targets}, ${name}, ${precision}, ${environment}`, outcome.call.median]]
      }),
    )
  const others = timesOf(other)
  const runs = [...timesOf(variant)].flatMap(([run, time]) => {
    const beside = others.get(run)
    return beside === undefined ? [] : [{ run, ratio: time / beside }]
  })
  const slower = runs.filter(({ ratio }) => ratio > 1)
  const list = slower.map(({ run, ratio }) => `${run}: ${(100 * (ratio - 1)).toFixed(0)} % slower`)
  return [`faster in ${runs.length - slower.length} of ${runs.length} runs`, ...list].join('; ')
}
