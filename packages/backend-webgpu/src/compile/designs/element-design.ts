/**
 * The designs of loops that visit each element once: maps, cell indices and stencils. One dispatch, one step.
 *
 * @module
 */

import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import {
  cellBody,
  type ElementBody,
  gridParameters,
  guardRule,
  mapBody,
  namedTape,
  stencilBody,
} from '@manybody/core/expression'
import type { ElementDesign, ElementVersion } from '../../design/design.ts'
import type { LoopLimits } from '../../design/facts.ts'
import type { DesignedMap } from '../../design/map.ts'
import type { Shader } from '../../design/shader.ts'
import { keysOf } from '../../design/shared-arrays.ts'
import { type Size, spread } from '../../design/spread.ts'
import { type GridVariant, gridLoop, marchLength } from '../loops/grid-loop.ts'
import { mapTexts } from '../loops/map-texts.ts'
import { type ParticleVariant, particleLoop } from '../loops/particle-loop.ts'

type ElementWorkload = Exclude<Workload, PairWorkload>

interface ElementPlan {
  readonly variant: ParticleVariant | GridVariant
  readonly workgroup: number
  /** The requested workgroup, if it does not fit the device. */
  readonly asked?: number
}

/** @throws RangeError with the variants and sizes of the loop */
export function elementDesign(
  workload: ElementWorkload,
  shape: Shape,
  plan: Plan | undefined,
  limits: LoopLimits,
): ElementDesign {
  const problem = { workload, shape, body: elementBodyOf(workload, shape) }
  return designOf(problem, planOf(problem, plan, limits))
}

interface ElementProblem {
  readonly workload: ElementWorkload
  readonly shape: Shape
  readonly body: ElementBody
}

function elementBodyOf(workload: ElementWorkload, shape: Shape): ElementBody {
  if (workload.loop === 'grid') return stencilBody(workload)
  return workload.operation === 'map' ? mapBody(workload, shape) : cellBody(workload.grid)
}

function planOf(problem: ElementProblem, plan: Plan | undefined, limits: LoopLimits): ElementPlan {
  const known: readonly ElementPlan['variant'][] =
    problem.workload.loop === 'grid' ? ['direct', 'marching'] : ['direct', 'staged']
  const variant = known.find((name) => name === (plan?.variant ?? 'direct'))
  if (!variant) throw new RangeError(`"variant" expected ${known.join(' or ')}, got ${JSON.stringify(plan?.variant)}`)
  const { workgroup: asked = 64, ...others } = plan?.sizes ?? {}
  const [other] = Object.keys(others)
  if (other !== undefined) throw new RangeError(`"sizes" expected workgroup, got ${other}`)
  if (!Number.isInteger(asked) || asked < 1 || asked > 1024)
    throw new RangeError(`"workgroup" expected integer from 1 to 1024, got ${asked}`)
  // A workgroup of one invocation shows how much workgroup memory each invocation needs.
  const { memory } = elementShader(problem, { variant, workgroup: 1 })
  const workgroup = Math.min(
    asked,
    limits.maxComputeInvocationsPerWorkgroup,
    limits.maxComputeWorkgroupSizeX,
    Math.floor(limits.maxComputeWorkgroupStorageSize / Math.max(1, memory)),
  )
  return workgroup < asked ? { variant, workgroup, asked } : { variant, workgroup }
}

function elementShader({ workload, shape, body }: ElementProblem, { variant, workgroup }: ElementPlan): Shader {
  const operation = workload.loop === 'grid' ? 'stencil' : workload.operation === 'map' ? 'map' : 'cell index'
  const label = `${operation}: ${workload.results.join(', ')}, ${variant} (workgroup ${workgroup})`
  if (workload.loop === 'grid') return gridLoop(label, body, workload.grid, variant as GridVariant, workgroup)
  const options = { body, shape, variant: variant as ParticleVariant, workgroup }
  const { gather } = workload.operation === 'map' ? workload : {}
  const more = workload.operation === 'cellIndex' ? { grid: workload.grid } : { ...(gather && { gather }) }
  return particleLoop(label, { ...options, ...more })
}

function designOf(problem: ElementProblem, plan: ElementPlan): ElementDesign {
  const { workload, shape, body } = problem
  const loop = elementShader(problem, plan)
  const { cells = [] } = 'grid' in workload ? workload.grid : {}
  const version: ElementVersion = {
    shaders: { loop },
    run: namedTape(body.run),
    known: 'grid' in workload ? gridParameters(workload.grid) : {},
    ...(plan.variant === 'marching' && { size: marchSize(cells, plan.workgroup) }),
  }
  const cell = workload.loop === 'particle' && workload.operation === 'cellIndex'
  const most = cells.reduce((product, n) => product * n, 1)
  const inOrder = workload.loop === 'particle' && workload.operation === 'map' && !workload.gather
  const design: ElementDesign = {
    driver: 'element',
    variant: `${plan.variant} (workgroup ${plan.workgroup}${plan.asked ? ` of ${plan.asked}, the limit of the device` : ''})`,
    accumulation: 'none',
    inputs: keysOf(loop.resources).filter((key) => /^(points|sources)\./.test(key)),
    results: Object.entries(body.outputs).map(([name, components]) =>
      cell ? { name, type: 'i32', width: 1, most } : { name, type: 'f32', width: components.length },
    ),
    guard: guardRule(workload, shape),
    versions: { false: version },
  }
  if (!inOrder || plan.variant !== 'direct') return design
  let map: DesignedMap | undefined
  return {
    ...design,
    get map() {
      map ??= mapTexts(body, shape, plan.workgroup)
      return map
    },
  }
}

/** Each invocation marches along the last axis. */
function marchSize(cells: readonly number[], workgroup: number): Size {
  const plane = cells.slice(0, -1).reduce((product, n) => product * n, 1)
  const [x, z] = spread(Math.ceil(plane / workgroup))
  return [x, Math.ceil((cells.at(-1) ?? 1) / marchLength), z]
}
