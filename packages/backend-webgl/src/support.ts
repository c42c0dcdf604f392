/**
 * What this backend cannot do, each with its reason: textures are limited in size and number, and indices travel as
 * float32. Answers without touching the device.
 *
 * @module
 */
import type { DeviceInfo, Shape, Support, Workload } from '@manybody/core'
import { componentsOf, mapBody, pairBody } from '@manybody/core/backend'
import { rowLength } from './layout.ts'

/** Neighbours per target: each texel keeps all of them in registers, and every four numbers cost a pass over them. */
const mostNeighbours = 16

/** Whole numbers beyond this are not all float32. */
const mostIndices = 2 ** 24

/** One of the 16 texture units that every device has is gpu.js' own. */
const mostTextures = 15

/** Pages of the widest sheet. */
const mostPages = 8

export function supportOf(workload: Workload, shape: Shape, { limits }: DeviceInfo): Support {
  const reason = elementLimit(shape, limits.textureSize ?? 0) ?? gapOf(workload, shape)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function elementLimit({ targets, sources, dimension }: Shape, textureSize: number): string | undefined {
  const most = Math.floor((rowLength * textureSize * 4) / dimension)
  const elements = Math.min(most, rowLength * textureSize)
  const count = Math.max(targets, sources)
  return count > elements
    ? `${count} points need ${Math.ceil(count / rowLength)} rows of a texture, this device has ${textureSize}; use fewer points or webgpu`
    : undefined
}

function gapOf(workload: Workload, shape: Shape): string | undefined {
  if (workload.loop === 'grid') return undefined
  if (workload.loop === 'particle') {
    if (workload.operation === 'map') return textureGap(mapBody(workload, shape).loads.length)
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
  const { attributes } = pairBody(workload, shape.dimension, shape.sameSet, { guard: false })
  return textureGap(Math.max(attributes.targets.length + 5, attributes.sources.length + 1))
}

function textureGap(textures: number): string | undefined {
  return textures > mostTextures
    ? `it reads ${textures} arrays at once, WebGL gives ${mostTextures} textures; use fewer attributes or another backend`
    : undefined
}
