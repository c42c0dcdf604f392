/**
 * The public names of `@manybody/core`, and nothing else.
 *
 * @module
 */

// What a backend implements and builds on.
export type * from './backend.ts'
export type { FloatArray } from './checks.ts'
export type { CandidateOptions } from './engine/candidates.ts'
export {
  createEngine,
  Engine,
  type EngineOptions,
  type PreparedProgram,
  type RunOptions as EngineRunOptions,
  type RunReport,
  type RunResult,
} from './engine/engine.ts'
export type { MatrixRows } from './engine/execute.ts'
export type { ParticleSet, Particles } from './engine/particles.ts'
// The truth, and the distance from it.
export { type Bound, bind } from './engine/particles.ts'
export type { PreparedShape } from './engine/shape.ts'
export { type Truth, truthOf } from './engine/truth.ts'
export type { Verification } from './engine/verify.ts'
export { type ErrorNorms, errorBound, errorNorms } from './error-norms.ts'
// What a caller may catch.
export {
  BackendUnavailableError,
  DeviceLostError,
  ExpressionError,
  NoBackendError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './errors.ts'
export { type Evaluator, evaluate, evaluator } from './expression/evaluate.ts'
export type { RootStyle } from './expression/expand-powers.ts'
export { type FunctionName, functions } from './expression/functions.ts'
export { type Infix, type InfixDialect, infixLanguage, toText } from './expression/infix.ts'
export { type Expr, type ExprKind, symbolsOf } from './expression/nodes.ts'
export { type Language, render } from './expression/render.ts'
export { type Binding, type Schedule, schedule } from './expression/schedule.ts'
export { attributeSum } from './interactions/attribute-sum.ts'
export { biotSavart } from './interactions/biot-savart.ts'
export { buckingham } from './interactions/buckingham.ts'
export { coulomb } from './interactions/coulomb.ts'
// What a user describes.
export { type LawOptions, pairForce, pairPotential, pairTerm } from './interactions/define.ts'
export { gaussian } from './interactions/gaussian.ts'
export { gravity } from './interactions/gravity.ts'
export type { Interaction, InteractionKind, Law, Sampling } from './interactions/interaction.ts'
export { inversePower, inversePowerLaw } from './interactions/inverse-power.ts'
export { lennardJones, lennardJonesLaws, type MixingRule } from './interactions/lennard-jones.ts'
export { morse } from './interactions/morse.ts'
export { yukawa } from './interactions/yukawa.ts'
export { reference } from './reference/backend.ts'
export { Selection, type Verdict } from './selection.ts'
export {
  type Integrator,
  type IntegratorStage,
  leapfrog,
  semiImplicitEuler,
  velocityVerlet,
  yoshida4,
} from './simulation/integrators.ts'
export type { Energy, Simulation, StepOptions } from './simulation/simulation.ts'
export type { SimulationOptions, SimulationState } from './simulation/state.ts'
// What a user runs.
export { type Boundary, type Cutoff, type Domain, type DomainOptions, open, periodic } from './workloads/domain.ts'
export { cellBody, type ElementBody, gridParameters, mapBody, stencilBody } from './workloads/element-body.ts'
export { type GridOptions, gradient, stencil } from './workloads/grid.ts'
export {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  potentials,
  type ReduceOperation,
  reduce,
  sum,
  virial,
} from './workloads/pair.ts'
export { type PairBody, type PairBodyOptions, pairBody } from './workloads/pair-body.ts'
export { cellIndex, map } from './workloads/particle.ts'
export { componentsOf, isSingular, type Term, termOf } from './workloads/quantity.ts'
export type {
  ArrayResults,
  CellIndexWorkload,
  Dimension,
  Grid,
  MapWorkload,
  PairWorkload,
  Quantity,
  Reduction,
  ResultOf,
  Results,
  Shape,
  StencilWorkload,
  Workload,
} from './workloads/workload.ts'
