/**
 * The library for users: describe interactions and workloads, run them, and catch errors. Backends import two more entries:
 * `@manybody/core/backend` and `@manybody/core/expression`.
 *
 * @module
 */

// Interactions: the built-in laws, and how to make your own.

export type { Curve, Curves, Outside } from './ground/curves.ts'
export type { Table, TableInput, Tables } from './ground/table.ts'
export { attributeSum } from './problem/interactions/attribute-sum.ts'
export { biotSavart } from './problem/interactions/biot-savart.ts'
export { buckingham } from './problem/interactions/buckingham.ts'
export { sumOf } from './problem/interactions/composed/sum-of.ts'
export { coulomb } from './problem/interactions/coulomb.ts'
export { type LawOptions, pairForce, pairPotential, pairTerm } from './problem/interactions/define.ts'
export { gaussian } from './problem/interactions/gaussian.ts'
export { gravity } from './problem/interactions/gravity.ts'
export type { Interaction, InteractionKind, Law, ParameterInput, Sampling } from './problem/interactions/interaction.ts'
export { inversePower, inversePowerLaw } from './problem/interactions/inverse-power.ts'
export {
  type LennardJonesOptions,
  lennardJones,
  lennardJonesLaws,
  type MixingRule,
} from './problem/interactions/lennard-jones.ts'
export { morse } from './problem/interactions/morse.ts'
export { type MixedException, type Mixing, mixedTable } from './problem/interactions/tables/mixed-table.ts'
export { yukawa } from './problem/interactions/yukawa.ts'

// Workloads: the quantity to compute, the domain of the pairs, and permission to approximate.

export { type Fast, fast } from './problem/reductions/fast.ts'
export { type Mesh, mesh } from './problem/reductions/mesh.ts'
export { type Tree, tree } from './problem/reductions/tree.ts'
export type { BoxVectors } from './problem/workloads/box-vectors.ts'
export type { Compiled, CompiledWorkload } from './problem/workloads/compiled.ts'
export { open, periodic } from './problem/workloads/define-domain.ts'
export type { Boundary, Cutoff, Domain, DomainOptions } from './problem/workloads/domain.ts'
export { type GridOptions, gradient, stencil } from './problem/workloads/grid.ts'
export {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  potentials,
  reduce,
  type SumOptions,
  sum,
  virial,
} from './problem/workloads/pair.ts'
export { cellIndex, map } from './problem/workloads/particle.ts'
export type {
  ArrayResults,
  CellIndexWorkload,
  Dimension,
  Grid,
  MapWorkload,
  PairWorkload,
  Quantity,
  ReduceOperation,
  Reduction,
  ResultOf,
  Results,
  Shape,
  StencilWorkload,
  Workload,
} from './problem/workloads/workload.ts'

// The engine: running workloads, simulating, and reporting each run.

export type { CandidateOptions } from './engine/devices/candidates.ts'
export { createEngine, type Engine, type EngineOptions } from './engine/engine.ts'
export {
  type LinkedLaw,
  type LinkedPairs,
  type LinkReduction,
  type LinkResult,
  type LinkWorkload,
  overLinks,
} from './engine/links/over-links.ts'
export {
  type RadialDistribution,
  type RadialDistributionOptions,
  radialDistribution,
} from './engine/measures/radial-distribution.ts'
export { type WeightedMeanOptions, weightedMean } from './engine/measures/weighted-mean.ts'
export type { MatrixRows } from './engine/results/matrix-rows.ts'
export type {
  EngineRunOptions,
  PreparedFor,
  PreparedLinks,
  PreparedMap,
  PreparedProgram,
  PreparedTerm,
  RunReport,
  RunResult,
} from './engine/run-types.ts'
export type { PreparedShape } from './engine/shape.ts'
export type { Verification, VerifiedTarget } from './engine/verification.ts'
export type { FloatArray, Numbers } from './ground/checks.ts'
export type { Floats, Precision } from './ground/precision.ts'
export type { Selection, Verdict } from './ground/selection.ts'
export type { BlockRanges } from './methods/ranges/given-ranges.ts'
export type { ArrayInput, GivenBuffer } from './problem/workloads/numbers/gpu-buffers.ts'
export type { Attributes, DataFor, ParticleSet, Particles, TermParticles } from './problem/workloads/particles.ts'
export type { AdaptiveRule, AdaptiveStep, PairStepRule, StepAccuracy, StepRule } from './simulation/adaptive-step.ts'
export type { BarostatOptions } from './simulation/barostat/barostat.ts'
export { boris, boris4 } from './simulation/boris.ts'
export type { ConstraintOptions } from './simulation/constraints/constraints.ts'
export type { EventListener } from './simulation/events/event-watch.ts'
export type { EventReport, MergeRule, PairEvent, PointEvent, SimulationEvent } from './simulation/events/events.ts'
export {
  type AngleLaw,
  type AnglePotentialOptions,
  anglePotential,
  type DihedralLaw,
  type DihedralPotentialOptions,
  dihedralPotential,
} from './simulation/forces/angle-law.ts'
export type { AngleOptions, DihedralOptions } from './simulation/forces/angles.ts'
export type { BondOptions } from './simulation/forces/bonds.ts'
export type { ComputedAttribute, ComputedAttributes, ComputedSum } from './simulation/forces/computed.ts'
export {
  type ExternalForce,
  type ExternalLaw,
  type ExternalOptions,
  externalForce,
  externalPotential,
} from './simulation/forces/external-force.ts'
export type { Force, ForceDescription, Motion, PairForceOptions } from './simulation/forces/force.ts'
export type { ForceError, TreeSettings } from './simulation/forces/tolerances.ts'
export { ias15 } from './simulation/gauss-radau/ias15.ts'
export {
  type Integrator,
  leapfrog,
  semiImplicitEuler,
  velocityVerlet,
  yoshida4,
} from './simulation/integrators.ts'
export type { IntegratorStage } from './simulation/kicks.ts'
export type { MinimizeOptions, Minimum } from './simulation/minimize/minimize.ts'
export { type LangevinOptions, langevin } from './simulation/noise/langevin.ts'
export type { NumberChanges } from './simulation/numbers/changes.ts'
export type { Frame, FrameOptions } from './simulation/reading/frames.ts'
export type { GpuBuffer } from './simulation/reading/gpu-buffers.ts'
export type { Energy } from './simulation/reading/measures.ts'
export type { PressureOptions, TemperatureOptions } from './simulation/reading/thermodynamics.ts'
export type { GroupOptions, TotalOptions, TotalOutputs } from './simulation/reading/total-request.ts'
export { firstOrderRungeKutta4, rungeKutta4 } from './simulation/runge-kutta.ts'
export type { Simulation, Writable } from './simulation/simulation.ts'
export type { SimulationOptions, SimulationState } from './simulation/state.ts'
export type { ClockState } from './simulation/stepping/clocks/clock-state.ts'
export type { StepOptions } from './simulation/stepping/walks.ts'
export type { WriteOptions } from './simulation/stepping/written.ts'
export type { ErrorNorms } from './truth/error-analysis/error-norms.ts'

// The contract with backends, the reference backend, and the errors that a caller may catch.

export type * from './contract/backend.ts'
export {
  BackendUnavailableError,
  DeviceLostError,
  DivergedError,
  ExpressionError,
  NoBackendError,
  ProgramCompilationError,
  UnsupportedWorkloadError,
} from './ground/errors.ts'
export { reference } from './truth/reference/backend.ts'
