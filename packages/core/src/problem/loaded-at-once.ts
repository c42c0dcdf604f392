/**
 * The door to the parts of a problem that an engine or a device loads at once, for code that loads on demand. Some bundlers make a chunk for each set of
 * parts that such code imports. Through this door, all of it imports the same set, so these parts stay in one chunk.
 *
 * @module
 */

export { requireBufferLength } from '../ground/arrays/buffer-length.ts'
export { looksFinite } from '../ground/arrays/magnitudes.ts'
export { movedTogether } from '../ground/arrays/moved-together.ts'
export { nonzeroIn, numbersAt } from '../ground/arrays/some-numbers.ts'
export {
  describe,
  finite,
  hasNames,
  listOf,
  named,
  oneOf,
  onlyNamed,
  positive,
  unexpected,
  whole,
} from '../ground/checks.ts'
export { DeviceLostError } from '../ground/errors.ts'
export { held } from '../ground/held.ts'
export { nameOf, parseAttribute, record } from '../ground/names.ts'
export { Remembered } from '../ground/remember.ts'
export { functionOf, isOwnTable } from '../language/lookups.ts'
export { lengthsOf, listsFrom, listsIn, mergedLists } from './reductions/lists.ts'
export { isTermless, reduceOperations, reductions, ruleOf } from './reductions/table.ts'
export { bindChecked } from './workloads/bind.ts'
export { guardBy, guardsOf } from './workloads/bodies/guard.ts'
export { Guarded } from './workloads/bodies/guarded.ts'
export { mapArrays } from './workloads/bodies/load-place.ts'
export { resultArrays } from './workloads/bodies/result-arrays.ts'
export { inSquare, turnBack, unsheared } from './workloads/cell.ts'
export { checksumOf, open, withoutMethod } from './workloads/compiled.ts'
export { copiesIn, halfOf, hasOpenAxes, repeatsOf } from './workloads/domain.ts'
export { gridShape } from './workloads/grid-shape.ts'
export { lawFact } from './workloads/law-facts.ts'
export { exactPositions, inFloat32, inUnit, plainNumbers, withSets } from './workloads/numbers/float32-numbers.ts'
export { withBuffersRead } from './workloads/numbers/gpu-buffers.ts'
export { inertiaUnitOf } from './workloads/numbers/inertia-unit.ts'
export { largest, requireFloat32 } from './workloads/numbers/number-range.ts'
export { boxesIn } from './workloads/parameters.ts'
export { dimensionOf } from './workloads/particles.ts'
export { isSizeOfKind } from './workloads/rooms-of-kinds.ts'
export { shapeOfBindings } from './workloads/shape-of-bindings.ts'
export { scopeOf } from './workloads/tables/function-scope.ts'
export { kindsIn } from './workloads/tables/kinds.ts'
export { blocksOf } from './workloads/tables/layout.ts'
export { usualReach } from './workloads/usual-cutoff.ts'
export { workPerPair } from './workloads/work-per-pair.ts'
