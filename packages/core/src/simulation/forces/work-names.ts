/**
 * The names of arrays that a simulation adds to those of its points.
 *
 * @module
 */

/** Arrays that a simulation adds to the arrays of its points. No attribute may have such a name. */
export const workNames = {
  /** The number of steps taken, for forces that read the time. */
  step: 'simulationStep',
  /** 0 for fixed points, otherwise 1. */
  mobile: 'simulationMobile',
  /** How long a step may be for each point, and the step that all take. */
  limit: 'simulationLimit',
  limitOfPairs: 'simulationLimitOfPairs',
  dt: 'simulationDt',
  /** The time at the start of the step is the sum of these two, for forces that read it. */
  time: 'simulationTime',
  rest: 'simulationRest',
  /** The index of the single numbers that all points read. */
  zero: 'simulationZero',
  /** A number that follows from the length of a step and the time of its start. */
  timeNumber: (n: number): string => `simulationTime${n}`,
  /** Positions in the right-angled box of a triclinic one. */
  square: 'simulationSquare',
  /** A parameter that is 1, which compilers do not know. */
  one: 'simulationOne',
  /** How far constraints move points. */
  shift: 'simulationShift',
  /** What a point adds to the grids of a mesh, and the fields at the point. */
  meshWeight: (mesh: number, n: number): string => `simulationMesh${mesh}Weight${n}`,
  meshField: (mesh: number, n: number): string => `simulationMesh${mesh}Field${n}`,
  /** The owner of the numbers that take excluded pairs out of a mesh. */
  excluded: (mesh: number): string => `simulationExcluded${mesh}`,
  /** The force of a further law of pairs. */
  pull: (n: number): string => `simulationPull${n}`,
}
