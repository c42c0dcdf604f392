/**
 * The pair loop in WGSL: all variants but the one that meets each pair once. There is one template for each place that can hold
 * sources: `storage-loop.ts`, `tiled-loop.ts` and `subgroup-loop.ts`, and for laws of vectors `component-loop.ts` and `number-loop.ts`. This
 * file fills the holes of the template.
 *
 * Each invocation keeps `targets` targets in registers. A workgroup visits its part of the sources. If the grid splits the
 * sources, workgroups write partial folds, and `combine.ts` merges these.
 *
 * @module
 */

import { type LoopShape, targetsPerGroup } from '../../design/loop-shape.ts'
import type { Field, Resource, Shader } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import { type Fold, range } from '../folds/fold.ts'
import { finish } from '../parts/finish.ts'
import { gatheringOf } from '../parts/gathering.ts'
import type { LookTexts } from '../parts/looks.ts'
import type { LoopParts, PairTemplate } from '../parts/loop-parts.ts'
import { excludedFunction, type PairTexts, sourceBytes } from '../parts/pair-texts.ts'
import { members, type Sharing, sharingOf } from '../parts/slices.ts'
import { pairs } from '../parts/source-texts.ts'
import { shader } from '../wgsl/shader.ts'
import { packedArray } from './pack.ts'
import { storageLoop } from './storage-loop.ts'
import { subgroupLoop } from './subgroup-loop.ts'
import { tiledLoop } from './tiled-loop.ts'

/** Fields of the uniform block of every pair loop, before the bindings of the run. */
export const pairFields: readonly Field[] = [
  { name: 'targetFirst', type: 'u32', note: 'targets [targetFirst, targetFirst + targetCount)' },
  { name: 'targetCount', type: 'u32' },
  { name: 'sourceFirst', type: 'u32', note: 'sources [sourceFirst, sourceLast)' },
  { name: 'sourceLast', type: 'u32' },
  { name: 'chunk', type: 'u32', note: 'number of sources of one workgroup' },
  { name: 'parts', type: 'u32', note: 'number of parts into which the grid splits the sources' },
  { name: 'carry', type: 'u32', note: '1 if the results contain earlier ones to continue from' },
]

const nothing = (): number => 0

/** The templates of most loops. The caller brings the one for laws of vectors, `component-loop.ts`. */
const templates: Readonly<Record<LoopShape['staging'], PairTemplate | undefined>> = {
  storage: { text: storageLoop, bytes: nothing },
  workgroup: { text: tiledLoop, bytes: (texts, { workgroup }) => workgroup * sourceBytes(texts) },
  subgroup: { text: subgroupLoop, bytes: nothing },
  components: undefined,
  numbers: undefined,
}

/** How a loop differs from most. */
interface OtherLoop {
  readonly template: PairTemplate
  /** The texts that visit the sources of earlier results again. */
  readonly earlier: PairTexts
}

/** @throws TypeError if the loop needs a template that the caller brings */
export function pairLoop(
  label: string,
  texts: PairTexts,
  fold: Fold,
  shape: LoopShape,
  run: readonly Field[],
  exclusions: boolean,
  look?: LookTexts,
  other?: OtherLoop,
): Shader {
  const { workgroup, slices, staging } = shape
  const { template = templates[staging], earlier = texts } = other ?? {}
  if (!template) throw new TypeError(`a loop over ${staging} needs its template`)
  const each = range(shape.targets)
  const sharing = sharingOf(fold, shape)
  const { declare, inBlocks, open, close, total } = gatheringOf(fold, shape)
  const parts: LoopParts = {
    ...{ texts, look, shape, sharing, each },
    functions: exclusions ? excludedFunction : '',
    targets: each.map((r) => target(texts, shape, sharing, exclusions, r, declare(r))),
    inBlocks,
    open: each.map(open),
    close: each.map(close),
    visit: pairs(texts, each),
    finish: [
      ...each.map(total),
      ...finish({ texts: earlier, fold, shape, each, exclusions, look, sharing, resumes: true }),
    ],
  }
  return shader(
    {
      label,
      resources: [...texts.resources, packedArray('read'), ...outputsOf(fold, shape.split)],
      fields: [...pairFields, ...run],
      workgroup,
      subgroups: staging === 'subgroup',
      memory: template.bytes(texts, shape) + (slices > 1 ? 4 * workgroup * fold.words : 0),
    },
    template.text(parts),
    fold.revisits ? earlier.functions : texts.functions,
  )
}

function target(
  texts: PairTexts,
  shape: LoopShape,
  { member }: Sharing,
  exclusions: boolean,
  r: number,
  gathered: string,
): string {
  const place = r > 0 ? `${r * members(shape)}u + ${member}` : member
  const cursor = exclusions ? `var cursor_${r} = exclusions_offsets[i_${r}];` : ''
  return wgsl`// Target ${r} of this invocation: at_${r} is its place among the results, i_${r} its index among the points.
let at_${r} = block * ${targetsPerGroup(shape)}u + ${place};
let i_${r} = run.targetFirst + min(at_${r}, run.targetCount - 1u);
${texts.loadTarget(r)}
${cursor}
${gathered}`
}

/** The arrays of a fold: its inputs for appending, its results, and the partial folds of a split loop. */
export function outputsOf(fold: Fold, split: boolean): readonly Resource[] {
  const results = fold.results.map(
    ({ name, type }): Resource => ({ key: `result.${name}`, access: 'read_write', type }),
  )
  const arrays = [...(fold.appends ?? []), ...results]
  return split ? [{ key: 'partial', access: 'read_write', type: 'u32' }, ...arrays] : arrays
}
