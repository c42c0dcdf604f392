/**
 * The tools for writing a backend, and for judging one: checked bindings, the bodies of loops as scheduled expressions, the
 * true results and the distance from them. This is the entry `@manybody/core/backend`; the contract is in `backend.ts`.
 *
 * What `@manybody/core` has, too, is here for those whose pages load no engine: bundlers would load one with that entry.
 *
 * @module
 */

export { added } from './arrays/added.ts'
export { requireBufferLength } from './arrays/buffer-length.ts'
export {
  describe,
  finite,
  firstNotFinite,
  flag,
  listOf,
  oneOf,
  onlyNamed,
  positive,
  unexpected,
  whole,
} from './checks.ts'
export { disproof } from './engine/devices/proof.ts'
export { requireSupport } from './engine/require-support.ts'
export { rowsWithin, type SomeRows } from './engine/rows-within.ts'
export { type Truth, type TruthOptions, truthOf } from './engine/truth.ts'
export { type ErrorNorms, errorBound, errorNorms, steepFloor } from './error-analysis/error-norms.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './errors.ts'
// The language has it, too, but runtimes must not load that.
export { evaluate } from './expression/evaluate.ts'
export { accumulationIn, type ProgramReport, reportAfter, reportOf } from './fill-report.ts'
export { combine } from './folds/combine.ts'
export { held } from './held.ts'
export { pairForce } from './interactions/define.ts'
export { type Axis, axes, axesOf } from './interactions/interaction.ts'
export { makesLists, type PrepareOne, preparedOn, requireFixedLength } from './lists/prepared-on.ts'
export {
  type BlockTree,
  blockCount,
  blockPoints,
  blockTree,
  deepest,
  leastShare,
  nodeBytes,
  nodeCount,
  nodeLinks,
  treeBytes,
} from './ranges/block-tree.ts'
export { fitBoxes } from './ranges/boxes.ts'
export { type CutoffRule, type Take, walkWithin } from './ranges/cutoff-walk.ts'
export { prepareRanged } from './ranges/each-range.ts'
export { type BlockRanges, withRanges } from './ranges/given-ranges.ts'
export { nearLengths, nearShare, nearShareOf, nearTried, nearTries } from './ranges/near-share.ts'
export { walkNearest } from './ranges/nearest-walk.ts'
export { walkOpening } from './ranges/opening-walk.ts'
export { orderPoints, type Points } from './ranges/order.ts'
export {
  largestOf,
  type ReachLine,
  type ReachOptions,
  type ReachRule,
  reachLine,
  reachOf,
  reachTerms,
  surelyWithin,
} from './ranges/reach.ts'
export { lengthOf, type RunRanges, runRanges } from './ranges/run-ranges.ts'
export { pairsIn, rangesOf, rangesWithin } from './ranges/source-ranges.ts'
export type { Space } from './ranges/space.ts'
export { type Lists, lengthsOf, listAt, listsFrom, listsIn, listsTogether } from './reductions/lists.ts'
export { type NumbersFold, numbersFold, type StateChange } from './reductions/numbers.ts'
export type { NumbersRule } from './reductions/rule.ts'
export { keepsNumbers, type OtherReduction, picksSource, reduceOperations, reductions } from './reductions/table.ts'
export { type Fold, foldOf } from './reference/folds.ts'
export { eachField, eachReach, edgePower, fieldPower, type NodeWeights, unitOf, widest2 } from './tolerance/fields.ts'
export { flatGrid, gridAxis, gridScheme } from './tolerance/grid.ts'
export { nameOf as nameOfSetting } from './tolerance/ladder.ts'
export { type Attempt, type KnownSettings, type Met, meet, type Tried } from './tolerance/meet.ts'
export { proxiesOf, weightCentres } from './tolerance/proxies.ts'
export type { ProxyScheme, WeightedPoints } from './tolerance/proxy-scheme.ts'
export { type Sampled, sampled, spreadTargets } from './tolerance/sampled.ts'
export { groupsIn, simplexCorners, simplexFlat, simplexScheme } from './tolerance/simplex.ts'
export { type Separated, type SourceWeight, sourceWeights } from './tolerance/source-weights.ts'
export { requireTrees } from './tolerance/stage-tree.ts'
export { judged, reported, type TargetErrors, unmeasured } from './tolerance/target-errors.ts'
export { type Weighted, weightedWorkload } from './tolerance/weighted.ts'
export { byPlace, weightsOf } from './tolerance/weighted-points.ts'
export { type Learned, learnedOf } from './tuning/learned.ts'
export { sampleBindings } from './tuning/sample-bindings.ts'
export { createTuner, type Effort, type Tuner, tuningKey } from './tuning/tuning.ts'
export type { Bound } from './workloads/bind.ts'
export { bind } from './workloads/bind-given.ts'
export { guardRule, needsGuard } from './workloads/bodies/coincident.ts'
export {
  cellBody,
  type ElementBody,
  gridParameters,
  type LoadPlace,
  loadPlace,
  mapBody,
  stencilBody,
} from './workloads/bodies/element-body.ts'
export { type Guard, type GuardRule, guardBy } from './workloads/bodies/guard.ts'
export { Guarded } from './workloads/bodies/guarded.ts'
export { cancelsInertia } from './workloads/bodies/inertia.ts'
export { type PairBody, type PairBodyOptions, type PairShape, pairBody } from './workloads/bodies/pair-body.ts'
export { onceObstacle } from './workloads/bodies/pairs-once.ts'
export { type ResultArray, resultArrays } from './workloads/bodies/result-arrays.ts'
export { type Compiled, type CompiledWorkload, compiledFor, isCompiled } from './workloads/compiled.ts'
export { open, requireBox } from './workloads/domain.ts'
export { exclusionsOf } from './workloads/exclusions.ts'
export { workloadOf } from './workloads/from-data.ts'
export { keptPower } from './workloads/kept-power.ts'
export { deviceNumbers } from './workloads/numbers/device-numbers.ts'
export { inertiaUnitOf } from './workloads/numbers/inertia-unit.ts'
export { lowAxisOf } from './workloads/numbers/split.ts'
export { forces } from './workloads/pair.ts'
export { parametersOf, sameParameters } from './workloads/parameters.ts'
export type { ParticleSet, Particles } from './workloads/particles.ts'
export { attributesRead, componentsOf, type Term, termOf } from './workloads/quantity.ts'
