/**
 * What this backend cannot do, each with its reason: textures are limited in size and number, and indices travel as
 * float32. Answers without touching the device.
 *
 * @module
 */
import type { DeviceInfo, Shape, Support, Workload } from '@manybody/core'
import { componentsOf, pairBody, resultArrays } from '@manybody/core/backend'
import { rowLength } from '../glsl/layout.ts'
import { elementDesign } from './element-design.ts'

/** Neighbours per target: each texel keeps all of them in registers, and every four numbers cost a pass over them. */
const mostNeighbours = 16

/** Whole numbers beyond this are not all float32. */
const mostIndices = 2 ** 24

/** Texture units that a pass can use; of 16 or more, gpu.js keeps the 16th. */
const mostTextures = ({ textures = 8 }: DeviceInfo['limits']): number => Math.min(textures, 15)

/** Pages of the widest sheet. */
const mostPages = 8

export function supportOf(workload: Workload, shape: Shape, { limits }: DeviceInfo): Support {
  const reason = sizeGap(workload, shape, limits.textureSize ?? 0) ?? gapOf(workload, shape, mostTextures(limits))
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function sizeGap(workload: Workload, shape: Shape, textureSize: number): string | undefined {
  const { targets, sources, dimension } = shape
  const elements = Math.max(targets, sources)
  if (elements > rowLength * textureSize)
    return `${elements} points need ${Math.ceil(elements / rowLength)} rows of a texture, this device has ${textureSize}; use fewer points or webgpu`
  const excluded = workload.loop === 'pair' ? 2 * workload.domain.exclusions.length : 0
  const numbers = Math.max(elements * dimension, longestResult(workload, shape), excluded)
  const most = 4 * rowLength * textureSize
  return numbers > most
    ? `an array of ${numbers} numbers does not fit a texture of this device, ${most} do; use fewer points or webgpu`
    : undefined
}

/** Numbers of the longest result; those of a matrix come in blocks. */
function longestResult(workload: Workload, shape: Shape): number {
  if (workload.loop === 'pair' && workload.reduction === 'none') return shape.targets
  return Math.max(...[...resultArrays(workload, shape, 'f32').values()].map(({ length }) => length))
}

function gapOf(workload: Workload, shape: Shape, textures: number): string | undefined {
  if (workload.loop === 'grid') return undefined
  if (workload.loop === 'particle') {
    if (workload.operation === 'map') return textureGap(elementDesign(workload, shape).arrays.length, textures)
    const cells = workload.grid.cells.reduce((product, n) => product * n, 1)
    return cells > mostIndices
      ? `cell numbers up to ${cells} do not fit float32, ${mostIndices} do; use fewer cells or another backend`
      : undefined
  }
  const { reduction, k = 0 } = workload
  if (reduction === 'smallest' && k > mostNeighbours)
    return `${k} neighbours do not fit the registers of a fragment shader, ${mostNeighbours} do; use webgpu or cpu-wasm`
  if (reduction !== 'sum' && shape.sources > mostIndices)
    return `source numbers up to ${shape.sources} do not fit float32, ${mostIndices} do; use another backend`
  const components = componentsOf(workload, shape.dimension)
  if (components > 4 * mostPages)
    return `terms of ${components} components do not fit, ${4 * mostPages} do; split them into several sums`
  const { attributes } = pairBody(workload, shape, { guard: false })
  return textureGap(Math.max(attributes.targets.length + 5, attributes.sources.length + 1), textures)
}

function textureGap(needed: number, textures: number): string | undefined {
  return needed > textures
    ? `it reads ${needed} arrays at once, this device has ${textures} textures; use fewer attributes or another backend`
    : undefined
}
