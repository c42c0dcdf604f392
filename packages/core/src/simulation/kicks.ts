/**
 * The stages of a step as data, and the stages that make up most integrators: kicks, drifts and forces.
 *
 * @module
 */

/**
 * One stage of a step: new attributes from old ones, with `h` standing for `fraction * dt`, one expression each or one
 * per component; or a force evaluation.
 */
export type IntegratorStage =
  | {
      readonly kind: 'map'
      readonly outputs: Readonly<Record<string, string | readonly string[]>>
      readonly fraction: number
    }
  | {
      readonly kind: 'force'
      /** When in the step the forces are evaluated, as a fraction of `dt`, for forces that read the time; 1 by default. */
      readonly at?: number
    }
  | {
      /**
       * Turns velocities by the external forces that do so, over `fraction * dt`, as a magnetic field does. The force stages of such an
       * integrator leave this part of the forces out.
       */
      readonly kind: 'turn'
      readonly fraction: number
      /** When in the step these forces are evaluated, as a fraction of `dt`; 1 by default. */
      readonly at?: number
    }
  | {
      /** A whole step of 15th order that adapts by itself, as the only stage: see `gauss-radau/`. */
      readonly kind: 'gauss-radau'
      /** The accuracy that decides how long steps are; 1e-9 is usual. */
      readonly epsilon: number
    }

/** Forces at the end of the step. */
export const force: IntegratorStage = { kind: 'force' }
/** Changes velocities by the acceleration over a fraction of the step. */
export const kick = (fraction: number): IntegratorStage => ({
  kind: 'map',
  outputs: { velocity: 'velocity + h*acceleration' },
  fraction,
})
/** Moves points by their velocities over a fraction of the step. */
export const drift = (fraction: number): IntegratorStage => ({
  kind: 'map',
  outputs: { position: 'position + h*velocity' },
  fraction,
})

/** The shares of three steps of second order that make one of fourth order. The middle one goes backwards. */
export const outer: number = 1 / (2 - Math.cbrt(2))
export const inner: number = 1 - 2 * outer
