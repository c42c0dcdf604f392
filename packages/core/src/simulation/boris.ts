/**
 * The method of Boris as data: kicks by all forces, and turns of the velocity by magnetic fields and rotating frames between them.
 *
 * A turn keeps the speed, whatever its angle. In a uniform field its angle is exact, up to 2 radians.
 *
 * @source J. P. Boris, Proc. Fourth Conf. Num. Sim. Plasmas (1970) 3; H. Qin et al., Phys. Plasmas 20 (2013) 084503: why it is stable
 * @module
 */
import type { Integrator } from './integrators.ts'
import { drift, type IntegratorStage, inner, kick, outer } from './kicks.ts'

/** A kick over half of a share of the step, with a turn in its middle. @param at when in the step it is */
const kickAndTurn = (share: number, at: number): readonly IntegratorStage[] => [
  kick(share / 4),
  { kind: 'turn', fraction: share / 2, at },
  kick(share / 4),
]

/** A share of the step that begins at a time, as a step of its own. */
const shareOfStep = (share: number, at: number): readonly IntegratorStage[] => [
  ...kickAndTurn(share, at),
  drift(share),
  { kind: 'force', at: at + share },
  ...kickAndTurn(share, at + share),
]

/** For forces that turn velocities: one force per step, second order, time-reversible. The speed in a magnetic field is kept. */
export const boris: Integrator = { name: 'Boris', order: 2, stages: shareOfStep(1, 0) }

/** Three such steps; the middle one goes backwards. Three forces per step, fourth order. */
export const boris4: Integrator = {
  name: 'Boris 4th order',
  order: 4,
  stages: [...shareOfStep(outer, 0), ...shareOfStep(inner, outer), ...shareOfStep(outer, outer + inner)],
}
