/**
 * What a backend, or a suite that judges one, builds on beside the contract: checked bindings, the bodies of loops as
 * scheduled expressions, the truth and the distance from it. The entry `@manybody/core/backend`.
 *
 * @module
 */

export { finite, flag, listOf, oneOf, onlyNamed } from './checks.ts'
export { type Truth, truthOf } from './engine/truth.ts'
export { type ErrorNorms, errorBound, errorNorms, steepFloor } from './error-norms.ts'
export { type Learned, learnedOf } from './learned.ts'
export { combine } from './reductions/combine.ts'
export { accumulationIn, type ProgramReport, reportAfter, reportOf } from './report.ts'
export { createTuner, type Effort, sampleBindings, type Trial, type Tuner, tuningKey } from './tuning.ts'
export { type Bound, bind } from './workloads/bind.ts'
export { deviceNumbers } from './workloads/device-numbers.ts'
export { cellBody, type ElementBody, gridParameters, mapBody, stencilBody } from './workloads/element-body.ts'
export { Guarded, needsGuard } from './workloads/guarded.ts'
export { type PairBody, type PairBodyOptions, type PairShape, pairBody } from './workloads/pair-body.ts'
export type { ParticleSet, Particles } from './workloads/particles.ts'
export { componentsOf, type Term, termOf } from './workloads/quantity.ts'
export { describeWorkload, requireSupport } from './workloads/require-support.ts'
export { type ResultArray, resultArrays } from './workloads/result-arrays.ts'
export { lowAxisOf } from './workloads/split.ts'
