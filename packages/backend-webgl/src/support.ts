/**
 * Checks which workloads this backend cannot run, and says why: textures are limited in size and number, and indices are stored
 * as float32. Nothing here touches the device.
 *
 * @module
 */
import type { DeviceInfo, Shape, Support, Workload } from '@manybody/core'
import { lawFact, mapArrays, resultArrays } from '@manybody/core/backend'
import { rowLength } from './design/layout.ts'

/** Neighbours per target: every texel keeps all of them in registers, and each page of four numbers repeats the search. */
const mostNeighbours = 16

/** Float32 holds every whole number up to this one. */
const mostIndices = 2 ** 24

/** Texture units that a pass can use: gpu.js keeps the 16th for itself. */
const mostTextures = ({ textures = 8 }: DeviceInfo['limits']): number => Math.min(textures, 15)

/** Pages that the widest sheet may have. */
const mostPages = 8

export function supportOf(workload: Workload, shape: Shape, { limits }: DeviceInfo): Support {
  const ranges = shape.ranged
    ? 'its loops read no ranges, so they run range by range; cpu-wasm is faster for many'
    : undefined
  const reason =
    ranges ?? sizeGap(workload, shape, limits.textureSize ?? 0) ?? gapOf(workload, shape, mostTextures(limits))
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function sizeGap(workload: Workload, shape: Shape, textureSize: number): string | undefined {
  const { targets, sources, dimension } = shape
  const elements = Math.max(targets, sources)
  if (elements > rowLength * textureSize)
    return `${elements} points need ${Math.ceil(elements / rowLength)} rows of a texture, but this device has ${textureSize}; use fewer points or webgpu`
  const excluded = workload.loop === 'pair' ? 2 * workload.domain.exclusions.length : 0
  const numbers = Math.max(elements * dimension, longestResult(workload, shape), excluded)
  const most = 4 * rowLength * textureSize
  return numbers > most
    ? `an array of ${numbers} numbers does not fit a texture of this device, which holds ${most}; use fewer points or webgpu`
    : undefined
}

/** How many numbers the longest result has. A matrix is computed in blocks, so its size does not count. */
function longestResult(workload: Workload, shape: Shape): number {
  if (workload.loop === 'pair' && workload.reduction === 'none') return shape.targets
  return Math.max(...[...resultArrays(workload, shape, 'f32').values()].map(({ length }) => length))
}

function gapOf(workload: Workload, shape: Shape, textures: number): string | undefined {
  if (workload.loop === 'grid') return undefined
  if (workload.loop === 'particle') {
    if (workload.operation === 'map') {
      const { own, gathered } = mapArrays(workload, shape)
      return textureGap(own.length + gathered.length, textures)
    }
    const cells = workload.grid.cells.reduce((product, n) => product * n, 1)
    return cells > mostIndices
      ? `cell numbers up to ${cells} do not fit float32, which counts to ${mostIndices}; use fewer cells or another backend`
      : undefined
  }
  const { reduction, k = 0 } = workload
  if (reduction === 'list')
    return 'a fragment shader writes equally many numbers for each target, so it cannot write lists; use webgpu or cpu-wasm, or countWithin'
  if (reduction === 'smallest' && k > mostNeighbours)
    return `${k} neighbours do not fit the registers of a fragment shader, which hold ${mostNeighbours}; use webgpu or cpu-wasm`
  if (reduction !== 'sum' && shape.sources > mostIndices)
    return `source numbers up to ${shape.sources} do not fit float32, which counts to ${mostIndices}; use another backend`
  const components = lawFact('components', workload, shape)[workload.results[0] ?? ''] ?? 1
  if (components > 4 * mostPages)
    return `terms have ${components} components, but this backend takes at most ${4 * mostPages}; split them into several sums`
  const read = lawFact('reads', workload, shape)
  const tables = workload.law.tables ? 1 : 0
  return textureGap(Math.max(read.targets.length + 5 + tables, read.sources.length + 1), textures)
}

function textureGap(needed: number, textures: number): string | undefined {
  return needed > textures
    ? `it reads ${needed} arrays at once, but this device has ${textures} textures; use fewer attributes or another backend`
    : undefined
}
