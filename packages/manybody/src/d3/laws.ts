/**
 * The laws of charges, from which `test/d3-programs.test.ts` compiles the programs in `programs.ts`. Pages load only the programs.
 *
 * @module
 */
import { type CompiledAtOnce, compileAtOnce } from '@manybody/backend-cpu-wasm/compile'
import { type Dimension, forces, type Law, type PairWorkload, pairForce, type Shape, tree } from '@manybody/core'
import { deriveTreeFacts } from '@manybody/core/weights'
import type { ChargePrograms } from './charge-programs.ts'

/** d3 multiplies by the vector to the other node, so negative strengths push. */
export const charge: Law<'distanceMin'> = pairForce('strength_j/max(r2, distanceMin*r)', {
  parameters: { distanceMin: 1 },
})

/** Unlike a cutoff, d3 leaves out nodes at exactly the largest distance. */
const nearCharge: Law<'distanceMin' | 'distanceMax'> = pairForce(
  'select(r2 < distanceMax^2, strength_j/max(r2, distanceMin*r), 0)',
  {
    parameters: { distanceMin: 1, distanceMax: 1 },
  },
)

/** Programs for any number of nodes and any distances. */
export function compiledCharges(): ChargePrograms {
  const shapeIn = (dimension: Dimension) =>
    ({ dimension, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }) as const
  const both = (compiled: (shape: ReturnType<typeof shapeIn>) => CompiledAtOnce) =>
    ({ 2: compiled(shapeIn(2)), 3: compiled(shapeIn(3)) }) as const
  // No program depends on the tolerance itself.
  const approximated = forces(charge(), { method: tree({ tolerance: 0.01 }) })
  const measured = (shape: Shape) => deriveTreeFacts(approximated, shape).measured as PairWorkload
  // Programs that are alike stand side by side, which makes the file small once it is compressed.
  return {
    near: both((shape) => compileAtOnce(forces(nearCharge(), { cutoff: 1 }), shape, 'f64')),
    approximated: both((shape) => compileAtOnce(approximated, shape, 'f32')),
    measured: both((shape) => compileAtOnce(measured(shape), { ...shape, sameSet: false }, 'f32')),
    all: both((shape) => compileAtOnce(forces(charge()), shape, 'f64')),
  }
}
