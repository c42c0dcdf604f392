/**
 * Checks which workloads this backend cannot run, and says why: textures are limited in size and number, and indices are stored
 * as float32. Nothing here touches the device.
 *
 * @module
 */
import type { DeviceInfo, PairWorkload, Shape, Support, Workload } from '@manybody/core'
import { lawFact, mapArrays, resultArrays } from '@manybody/core/backend'
import { pagesFor, rowLength } from './design/layout.ts'
import { boundTextures, mostParts } from './design/shared-sheets.ts'

/** Neighbours per target: every texel keeps all of them in registers, and each page of four numbers repeats the search. */
const mostNeighbours = 16

/** Float32 holds every whole number up to this one. */
const mostIndices = 2 ** 24

/** Pages that the widest sheet may have. */
const mostPages = 8

export function supportOf(workload: Workload, shape: Shape, { limits, features }: DeviceInfo): Support {
  const size = limits.textureSize ?? 0
  const textures = boundTextures[features.includes('webgl2') ? 2 : 1]
  const ranges = shape.ranged
    ? 'its loops read no ranges, so they run range by range; cpu-wasm is faster for many'
    : undefined
  const reason =
    ranges ?? sizeGap(workload, shape, size) ?? gapOf(workload, shape) ?? sharingGap(workload, shape, textures, size)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function sizeGap(workload: Workload, shape: Shape, textureSize: number): string | undefined {
  const { targets, sources } = shape
  const elements = Math.max(targets, sources)
  if (elements > rowLength * textureSize)
    return `${elements} points need ${Math.ceil(elements / rowLength)} rows of a texture, but this device has ${textureSize}; use fewer points or webgpu`
  const excluded = workload.loop === 'pair' ? 2 * workload.domain.exclusions.length : 0
  const numbers = Math.max(elements * longestVector(shape), longestResult(workload, shape), excluded)
  const most = 4 * rowLength * textureSize
  return numbers > most
    ? `an array of ${numbers} numbers does not fit a texture of this device, which holds ${most}; use fewer points or webgpu`
    : undefined
}

/** How many numbers a point has in the longest array. */
const longestVector = ({ dimension, lengths = {} }: Shape): number => Math.max(dimension, ...Object.values(lengths))

/** How many numbers the longest result has. A matrix is computed in blocks, so its size does not count. */
function longestResult(workload: Workload, shape: Shape): number {
  if (workload.loop === 'pair' && workload.reduction === 'none') return shape.targets
  return Math.max(...[...resultArrays(workload, shape, 'f32').values()].map(({ length }) => length))
}

function gapOf(workload: Workload, shape: Shape): string | undefined {
  if (workload.loop === 'grid') return undefined
  if (workload.loop === 'particle') {
    if (workload.operation === 'map') return undefined
    const cells = workload.grid.cells.reduce((product, n) => product * n, 1)
    return cells > mostIndices
      ? `cell numbers up to ${cells} do not fit float32, which counts to ${mostIndices}; use fewer cells or another backend`
      : undefined
  }
  const { reduction, k = 0 } = workload
  if (reduction === 'list')
    return 'a fragment shader writes equally many numbers for each target, so it cannot write lists; use webgpu or cpu-wasm, or countWithin'
  if (k > mostNeighbours)
    return `${k} neighbours do not fit the registers of a fragment shader, which hold ${mostNeighbours}; use webgpu or cpu-wasm`
  if (reduction !== 'sum' && shape.sources > mostIndices)
    return `source numbers up to ${shape.sources} do not fit float32, which counts to ${mostIndices}; use another backend`
  const components = lawFact('components', workload, shape)[workload.results[0] ?? ''] ?? 1
  if (components > 4 * mostPages)
    return `terms have ${components} components, but this backend takes at most ${4 * mostPages}; split them into several sums`
  return undefined
}

/** Whether the arrays that share a sheet are too many for it, or the numbers of a source. */
function sharingGap(workload: Workload, shape: Shape, textures: number, textureSize: number): string | undefined {
  const { dimension } = shape
  if (workload.loop === 'pair') return pairSharingGap(workload, shape, textures, textureSize)
  if (workload.loop === 'grid' || workload.operation !== 'map') return undefined
  const { own, gathered } = mapArrays(workload, shape)
  return stackGap(
    own.length + gathered.length,
    0,
    dimension * Math.max(shape.targets, shape.sources),
    textures,
    textureSize,
  )
}

function pairSharingGap(
  workload: PairWorkload,
  shape: Shape,
  textures: number,
  textureSize: number,
): string | undefined {
  const { dimension } = shape
  const { targets, sources } = lawFact('reads', workload, shape)
  const width = rowLength * pagesFor(dimension + sources.length)
  if (width > textureSize)
    return `a source with ${sources.length} attributes takes ${width} texels of a row, but this device has ${textureSize}; use fewer attributes or another backend`
  const fixed = 2 + (workload.domain.exclusions.length > 0 ? 2 : 0) + (workload.law.tables ? 1 : 0)
  const longest = longestVector(shape)
  // Vectors of sources are read beside those of targets.
  const both = targets.length + sources.filter((name) => Object.hasOwn(shape.lengths ?? {}, name)).length
  return (
    stackGap(sources.length + 1, 0, longest * shape.sources, textures, textureSize) ??
    stackGap(
      both + 1,
      fixed,
      longest * Math.max(shape.targets, shape.lengths ? shape.sources : 0),
      textures,
      textureSize,
    )
  )
}

/** @param numbers in the longest array */
function stackGap(
  arrays: number,
  fixed: number,
  numbers: number,
  textures: number,
  textureSize: number,
): string | undefined {
  const parts = mostParts(arrays, fixed, textures)
  const rows = parts * Math.max(2, Math.ceil(numbers / (4 * rowLength)))
  return rows > textureSize
    ? `${parts} arrays share a texture of ${rows} rows, but this device has ${textureSize}; use fewer points, fewer attributes or another backend`
    : undefined
}
